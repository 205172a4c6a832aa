"""One description of an operation, run by two backends: NumPy in float64, or kernels recorded on a GPU."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import one_of
from ..core.first_use import first_use
from ..gpu import GpuDevice, Launch, Program, Recorder, Tensor
from ..gpu.dtypes import NUMPY, to_bf16
from ..kernels import registry
from ..kernels.kernel import Kernel, Problem
from ..kernels.products import gemm_matrix
from .fallbacks import Fallback

Array = Any  # a backend's array: a NumPy array or a Tensor


class Backend(Protocol):
    """What an operation can use."""

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Array: ...

    def apply(self, kernel: str, problem: Problem, **arrays: Array) -> dict[str, Array]: ...


class CpuBackend:
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
    """Whether rows are multiplied as integers by codes that are whole numbers; "fast" then rounds them."""
    return device.traits.subgroups and not device.software


class GpuBackend:
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
    def rounds_activations(self) -> bool:
        """Whether activations may be rounded to 16 bits, to be multiplied as integers."""
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


BACKENDS: dict[str, type[GpuBackend]] = {"wgsl": GpuBackend}  # by the language of their kernels; see `backends`


def backends() -> dict[str, type[GpuBackend]]:
    """The backends by the language of their kernels, those of other packages among them."""
    first_use("kernels")
    return BACKENDS


class Kernels:
    """The kernels that a model runs on, by their language: makes the backends of its recordings, and remembers which
    operations had no kernel in that language.

    >>> kernels = Kernels("triton")                                 # doctest: +SKIP
    >>> forward = Forward(kernels.backend(recorder, "fast"), rows, cache)
    >>> kernels.fallbacks
    """

    def __init__(self, language: str = "wgsl") -> None:
        one_of("kernels", language, backends())
        self._backend = backends()[language]
        self._dispatches: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, kernels: str | Kernels) -> Kernels:
        """Those of a language, or of a model that has them already."""
        return cls(kernels) if isinstance(kernels, str) else kernels

    def backend(self, recorder: Recorder, precision: str) -> GpuBackend:
        """A backend; the Program of the recorder counts for `fallbacks`."""
        recorder.observe(self._count)
        return self._backend(recorder, precision)

    def _count(self, program: Program) -> None:
        launches = (launch for launch in program.launches if launch.fallback is not None)
        for key, count in Counter((launch.kernel, launch.fallback or "") for launch in launches).items():
            self._dispatches[key] = max(count, self._dispatches.get(key, 0))

    @property
    def fallbacks(self) -> list[Fallback]:
        """The operations of all Programs so far that ran on hand-written kernels instead."""
        return [Fallback(*key, count) for key, count in sorted(self._dispatches.items())]
