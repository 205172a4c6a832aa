"""tl.device_print and tl.device_assert: nothing outside debug mode, as in Triton."""

from __future__ import annotations

from .errors import Refused
from .ir import Op
from .lower import Lowering, handles


@handles("tt.print")
def device_print(c: Lowering, op: Op) -> None:
    if c.options.debug:
        raise Refused("device_print in debug mode")


@handles("tt.assert")
def device_assert(c: Lowering, op: Op) -> None:
    if c.options.debug:
        raise Refused("device_assert in debug mode")
