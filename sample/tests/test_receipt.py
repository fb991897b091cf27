import json

from shop import checkout
from shop.receipt import WIDTH, as_json, as_text


class TestText:
    def order(self, cart):
        return checkout(cart.add("B-3", 3).add("M-1"))

    def test_rows_are_aligned(self, cart):
        rows = as_text(self.order(cart)).splitlines()
        assert {len(row) for row in rows} == {WIDTH}

    def test_receipt(self, cart, capsys):
        print(as_text(self.order(cart)))
        assert capsys.readouterr().out == (
            "3 x The Castle                    €25.50\n"
            "1 x Mug                            €7.00\n"
            "three for two books               -€8.50\n"
            "shipping                           €4.99\n"
            "----------------------------------------\n"
            "total                             €28.99\n"
            "of which tax                       €2.79\n"
        )


def test_json(cart):
    receipt = json.loads(as_json(checkout(cart.add("M-1", 10))))
    assert receipt["discounts"] == {"bulk": "3.50"}
    assert receipt["lines"] == [{"count": 10, "sku": "M-1"}]
