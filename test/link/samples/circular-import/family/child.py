from family.parent import Parent


class Child(Parent):
    name = 'child'
