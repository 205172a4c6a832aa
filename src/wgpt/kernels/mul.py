"""Product of two arrays, element by element."""

from .elementwise import Elementwise, ragged

KERNEL = Elementwise("mul", "y = a * b", lambda a, b: a * b, operands=("a", "b"), cases=ragged())
