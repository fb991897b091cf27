from model.derived import Derived
