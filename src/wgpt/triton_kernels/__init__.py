"""The kernels of a language model in Triton (sources/), shipped as TTIR (ttir.tar.xz) and lowered on demand.

They replace the code of hand-written kernels and share everything else with them: `wgpt run --kernels triton`.
Only `python -m wgpt.triton_kernels.build`, which makes the archive, needs Triton.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..kernels import registry
from ..kernels.kernel import Kernel
from ..ops.backend import BACKENDS


def _kernels() -> Iterable[Kernel]:
    from .calls import KERNELS  # imported on demand: most programs do not need them

    return KERNELS


def register() -> None:
    """Add these kernels to the registry, and their backend to those to choose from."""
    from .backend import TritonBackend

    registry.add(_kernels)
    BACKENDS["triton"] = TritonBackend
