"""One description of an operation, run by two engines: NumPy in float64, or kernels recorded on a GPU."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..gpu import Recorder, Tensor
from ..gpu.dtypes import NUMPY, to_bf16
from ..kernels import registry
from ..kernels.kernel import Kernel, Problem

Handle = Any  # an engine's array: a NumPy array or a Tensor


class Engine(Protocol):
    """What an operation may ask for."""

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Handle: ...

    def apply(self, kernel: str, problem: Problem, **arrays: Handle) -> dict[str, Handle]: ...


class CpuEngine:
    """The kernels' own references; results are rounded to the kernel's output type."""

    def array(self, array: NDArray[Any], dtype: str | None = None) -> NDArray[Any]:
        return array

    def apply(self, kernel: str, problem: Problem, **arrays: NDArray[Any]) -> dict[str, NDArray[Any]]:
        entry = registry.get(kernel)
        values = entry.reference(arrays, problem)
        return {name: _rounded(values[name], out.dtype) for name, out in entry.outputs(problem).items()}


def _rounded(values: NDArray[Any], dtype: str) -> NDArray[Any]:
    if dtype == "bf16":
        return to_bf16(values)
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(NUMPY[dtype])


class GpuEngine:
    """Records launches. Outputs stay on the GPU, so operations chain without a copy."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Tensor:
        return self.recorder.upload(array, dtype=dtype)

    @property
    def fuses(self) -> bool:
        """Whether a GPU's own kernels are at work, which take what comes before and after a product with it."""
        return not self.recorder.device.software

    def entry(self, kernel: str, problem: Problem) -> Kernel:
        """The kernel that computes it."""
        return registry.get(kernel)

    def apply(self, kernel: str, problem: Problem, **arrays: Tensor) -> dict[str, Tensor]:
        """Outputs are made here, but for those a kernel updates in place: they are among `arrays`."""
        entry = self.entry(kernel, problem)
        tensors: dict[str, Tensor] = dict(arrays)
        outputs: dict[str, Tensor] = {}
        for name, out in entry.outputs(problem).items():
            given = arrays.get(name)
            if given is not None and (given.size, given.dtype) != (math.prod(out.shape), out.dtype):
                raise ValueError(f"{kernel} updates {name} in place as {out.shape} {out.dtype}, and it is {given}")
            outputs[name] = given or self.recorder.tensor(out.shape, out.dtype, f"{kernel}.{name}")
        tensors.update(outputs)
        self.recorder.launch(entry.launch(self.recorder.device, tensors, problem))
        return outputs


class TritonEngine(GpuEngine):
    """Records kernels written in Triton, where there is one that takes the problem; hand-written ones elsewhere."""

    @property
    def fuses(self) -> bool:
        return False

    def entry(self, kernel: str, problem: Problem) -> Kernel:
        written = registry.in_triton(kernel)
        if written is not None:
            traits = self.recorder.device.traits
            if any(written.refuses(problem, variant) is None for variant in written.variants(traits, problem)):
                return written
        return registry.get(kernel)


ENGINES: dict[str, type[GpuEngine]] = {"wgsl": GpuEngine, "triton": TritonEngine}  # by what kernels are written in
