"""Gradient of RoPE: every pair turned back, in the layout of its forward."""

from __future__ import annotations

from .kernel import reads, writes
from .rope import ELEM, STEPS, Rope


class RopeBackward(Rope):
    name = "rope_backward"
    math = "(dx1, dx2) = (dy1 cos a + dy2 sin a, dy2 cos a - dy1 sin a): the transpose of rope"
    given, result = "dy", "dx"
    bindings = (reads("dy", ELEM), STEPS, writes("dx", ELEM))
    sign = -1.0


KERNEL = RopeBackward()
