import pytest

from shop import Cart, Catalog

CATALOG = """\
sku,name,price,grams,tags,stock
B-1,Learning Python,39.90 EUR,1200,book,20
B-2,Crime and Punishment,€9.95,400,book,3
B-3,The Castle,8.50 EUR,350,book,5
M-1,Mug,7.00 EUR,300,kitchen,50
G-25,Gift card,25 EUR,0,gift-card,1000
"""


@pytest.fixture
def catalog():
    return Catalog.from_csv(CATALOG)


@pytest.fixture
def cart(catalog):
    return Cart(catalog)


@pytest.fixture
def foreign_cart(catalog):
    return Cart(catalog, country="US")
