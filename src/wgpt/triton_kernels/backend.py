"""The backend that runs on these kernels, as far as they go."""

from __future__ import annotations

from dataclasses import replace

from ..gpu import Launch
from ..kernels import registry
from ..kernels.kernel import Kernel, Problem
from ..ops.backend import GpuBackend


class TritonBackend(GpuBackend):
    """Records Triton kernels where one supports the problem, and hand-written ones otherwise."""

    @property
    def matrix_parts(self) -> int:
        return 0

    @property
    def fuses(self) -> bool:
        return False

    @property
    def adapts(self) -> bool:
        return False

    def entry(self, kernel: str, problem: Problem) -> Kernel:
        triton = registry.in_triton(kernel)
        return triton if triton is not None and self._refused(triton, problem) is None else registry.get(kernel)

    def annotated(self, launch: Launch, problem: Problem) -> Launch:
        if launch.kernel.startswith(registry.TRITON):
            return launch
        triton = registry.in_triton(launch.kernel)
        return replace(launch, fallback=self._refused(triton, problem) or "" if triton is not None else "")

    def _refused(self, triton: Kernel, problem: Problem) -> str | None:
        """Why no variant supports the problem; None if one does."""
        reasons = [triton.refuses(problem, v) for v in triton.variants(self.recorder.device.traits, problem)]
        return None if None in reasons else ", ".join(dict.fromkeys(filter(None, reasons)))
