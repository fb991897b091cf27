before = 1
import b
after = b.value
