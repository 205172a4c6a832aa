"""The kernels of a language model in Triton (sources/), shipped as TTIR (ttir.tar.xz) and lowered on demand.

They replace the code of hand-written kernels and share everything else with them: `wgpt run --kernels triton`.
Only `python -m wgpt.triton_kernels.build`, which makes the archive, needs Triton.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..kernels import registry
from ..kernels.kernel import Kernel


def _kernels() -> Iterable[Kernel]:
    from .calls import KERNELS  # imported on demand: most programs do not need them

    return KERNELS


def register() -> None:
    """Add these kernels to the registry. Call it before choosing or listing kernels."""
    registry.add(_kernels)
