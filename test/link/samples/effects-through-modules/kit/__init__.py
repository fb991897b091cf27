from kit import forms, shapes

# Filled through two modules, by a function that knows the registry as its argument's default.
forms.registry.fill()
shapes.KNOWN['square'] = 4
