"""Sum of two arrays."""

from .elementwise import Elementwise, ragged

KERNEL = Elementwise("add", "y = a + b", lambda a, b: a + b, operands=("a", "b"), cases=ragged())
