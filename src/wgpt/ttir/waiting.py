"""Detects loops that wait for other programs; WebGPU does not guarantee that these make progress."""

from __future__ import annotations

from .ir import Op

WAITS = (
    "a loop that waits for another program (a spin lock): WebGPU does not guarantee progress; "
    "WGPT_TRITON_LOCKS=1 compiles it anyway, for GPUs that are known to make progress"
)


def waits(loop: Op) -> bool:
    """Whether a loop waits for another program."""
    if loop.name != "scf.while":
        return False
    before = loop.regions[0].block
    names = {op.name for top in before.ops for op in top.walk()}
    if names & {"tt.atomic_cas", "tt.atomic_rmw"}:
        return True
    changes = before.args or any(op.name == "tt.store" for op in loop.walk())
    return "tt.load" in names and not changes  # it reads memory that only other programs write
