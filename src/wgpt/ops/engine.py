"""One description of an operation, run by two engines: NumPy in float64, or kernels recorded on a GPU."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Launch, Recorder, Tensor
from ..gpu.dtypes import NUMPY, to_bf16
from ..kernels import registry
from ..kernels.kernel import Kernel, Problem
from ..kernels.products import gemm_matrix
from ..triton_kernels import register

register()  # Triton kernels, for engines to choose from
Handle = Any  # an engine's array: a NumPy array or a Tensor


class Engine(Protocol):
    """What an operation can use."""

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Handle: ...

    def apply(self, kernel: str, problem: Problem, **arrays: Handle) -> dict[str, Handle]: ...


class CpuEngine:
    """Runs the kernels' references; results are rounded to the kernel's output type."""

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


# Halves of each value on matrix units. "fast" rounds activations to eleven bits; "exact" is as exact as f32.
PRECISIONS = {"fast": 1, "exact": 2}


IN_SOFTWARE = False  # whether to use the matrix units of a software driver, which only imitates them: for tests


def has_matrices(device: GpuDevice) -> bool:
    """Whether products run on matrix units."""
    return bool(gemm_matrix.products(device.traits)) and (IN_SOFTWARE or not device.software)


def in_integers(device: GpuDevice) -> bool:
    """Whether a single row is multiplied as integers by codes that are whole numbers; "fast" then rounds it."""
    return device.traits.subgroups and not device.software


class GpuEngine:
    """Records launches. Outputs stay on the GPU, so operations chain without a copy.

    precision: of products, on matrix units where the GPU has them; None does without those, and is exact.
    """

    def __init__(self, recorder: Recorder, precision: str | None = None) -> None:
        self.recorder, self.precision = recorder, precision

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Tensor:
        return self.recorder.upload(array, dtype=dtype)

    @property
    def fuses(self) -> bool:
        """Whether to use the kernels that fuse products with the operations before and after them."""
        return not self.recorder.device.software

    @property
    def matrix_parts(self) -> int:
        """In how many halves matrix units get each value; 0: they are not used."""
        return PRECISIONS[self.precision] if self.precision and has_matrices(self.recorder.device) else 0

    @property
    def matrix_precision(self) -> str | None:
        """The precision of kernels on matrix units; None: they are not used."""
        return {0: None, 1: "fast", 2: "f32"}[self.matrix_parts]

    @property
    def short_rows(self) -> bool:
        """Whether the activations of a single row may be rounded to 16 bits."""
        return self.precision == "fast" and in_integers(self.recorder.device)

    @property
    def adapts(self) -> bool:
        """Whether its products of few rows can add LoRA's second product themselves."""
        return True

    def entry(self, kernel: str, problem: Problem) -> Kernel:
        """The kernel to use."""
        return registry.get(kernel)

    def apply(self, kernel: str, problem: Problem, **arrays: Tensor) -> dict[str, Tensor]:
        """Outputs are allocated here, except those in `arrays`, which the kernel writes or updates in place."""
        entry = self.entry(kernel, problem)
        tensors: dict[str, Tensor] = dict(arrays)
        outputs: dict[str, Tensor] = {}
        for name, out in entry.outputs(problem).items():
            existing = arrays.get(name)
            if existing is not None and (existing.size, existing.dtype) != (math.prod(out.shape), out.dtype):
                raise ValueError(f"{kernel} updates {name} in place as {out.shape} {out.dtype}, but it is {existing}")
            outputs[name] = existing or self.recorder.tensor(out.shape, out.dtype, f"{kernel}.{name}")
        tensors.update(outputs)
        self.recorder.launch(self.annotated(entry.launch(self.recorder.device, tensors, problem), problem))
        return outputs

    def annotated(self, launch: Launch, problem: Problem) -> Launch:
        """The launch to record, with annotations."""
        return launch


class TritonEngine(GpuEngine):
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


ENGINES: dict[str, type[GpuEngine]] = {"wgsl": GpuEngine, "triton": TritonEngine}  # by the language of their kernels
