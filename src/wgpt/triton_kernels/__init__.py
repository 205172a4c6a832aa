"""The kernels of a language model written in Triton (sources/), shipped as TTIR (ttir.tar.xz) and lowered on demand.

They replace hand-written kernels and share everything with them but the code: `wgpt run --kernels triton`.
Nothing here needs Triton but `python -m wgpt.triton_kernels.build`, which makes the archive.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..kernels import registry
from ..kernels.kernel import Kernel


def _kernels() -> Iterable[Kernel]:
    from .calls import KERNELS  # on demand: most programs run without them

    return KERNELS


def register() -> None:
    """Register them with all kernels. Call it before choosing or listing kernels."""
    registry.add(_kernels)
