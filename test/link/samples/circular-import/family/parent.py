class Parent:
    def make(self):
        return Child()


from family.child import Child
