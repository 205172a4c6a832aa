"""Linear layers: weights that stay on the GPU in their own bits, M = 1 to GEMV, M > 1 to GEMM."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder, Tensor, default_device
from ..kernels import registry
from ..kernels.kernel import Kernel, Problem
from ..kernels.weighted import planes
from ..quant.weights import Packed, WeightType, pack
from . import check
from .core import F32, Work, both
from .engine import GpuEngine


def kernel_for(m: int) -> Kernel:
    """The dispatch rule: one row of activations is a GEMV, more are a GEMM."""
    return registry.get("gemv" if m == 1 else "gemm")


@dataclass(frozen=True, eq=False)
class Weight:
    """W[N, K] resident on a GPU."""

    type: WeightType
    n: int
    k: int
    planes: dict[str, Tensor]  # "w", and "s" where the type has scales

    @classmethod
    def upload(cls, device: GpuDevice, packed: Packed, label: str = "weight") -> Weight:
        parts = {name: device.tensor(array, "u32", f"{label}.{name}") for name, array in planes(packed).items()}
        return cls(packed.type, packed.n, packed.k, parts)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.planes.values())

    def problem(self, m: int, compute: str = "f32") -> Problem:
        if m == 1:
            return {"weight": self.type.name, "n": self.n, "k": self.k}
        return {"weight": self.type.name, "compute": compute, "m": m, "n": self.n, "k": self.k}

    def release(self) -> None:
        for part in self.planes.values():
            part.buffer.release()


def record_linear(engine: GpuEngine, x: Tensor, weight: Weight, compute: str = "f32") -> Tensor:
    """y[M, N] = x[M, K] . W^T. compute="f16" multiplies in halves where M > 1: faster, less exact, and
    infinite where |x| or a sum over 32 products exceeds 65,504."""
    check.choice("compute", compute, ("f32", "f16"))
    if x.dtype != "f32":
        raise ValueError(f"x must be f32, not {x}: cast it first")
    if x.shape[-1] != weight.k:
        raise ValueError(f"x {x.shape} has rows of {x.shape[-1]}, but the weight is [{weight.n}, {weight.k}]")
    m = x.size // weight.k
    y = engine.apply(kernel_for(m).name, weight.problem(m, compute), x=x, **weight.planes)["y"]
    return y.reshape(*x.shape[:-1], weight.n)


class MatmulCache:
    """Weights uploaded once, programs recorded once per number of rows.

    >>> cache = MatmulCache()                                   # doctest: +SKIP
    >>> cache.put("up", matrix, "q4_1")                         # matrix: [N, K], rows are outputs
    >>> y = cache.matmul("up", x)                               # x: [K] or [M, K]
    """

    def __init__(self, device: GpuDevice | None = None, programs: int = 64) -> None:
        self.device = device or default_device()
        (self._most,) = check.positive(programs=programs)
        self._weights: dict[str, Weight] = {}
        self._programs: OrderedDict[tuple[str, int], Program] = OrderedDict()

    def put(self, name: str, matrix: F32 | Packed, weight: str = "f32") -> Weight:
        """Upload a matrix [N, K], quantised to a weight type on the way; replaces one of the same name."""
        packed = matrix if isinstance(matrix, Packed) else pack(matrix, weight)
        self.remove(name)
        self._weights[name] = Weight.upload(self.device, packed, name)
        return self._weights[name]

    def __contains__(self, name: str) -> bool:
        return name in self._weights

    def __len__(self) -> int:
        return len(self._weights)

    @property
    def nbytes(self) -> int:
        """GPU memory of all weights."""
        return sum(w.nbytes for w in self._weights.values())

    def matmul(self, name: str, x: F32) -> F32:
        """x . W^T for x of shape [K] or [..., K]; no weight bytes move."""
        return _shaped(self._program(name, x).read(), x)

    async def matmul_async(self, name: str, x: F32) -> F32:
        """The same for asyncio; several may be awaited together."""
        return _shaped(await self._program(name, x).submit(), x)

    def _program(self, name: str, x: NDArray[Any]) -> Program:
        """The program of this weight and this many rows, with x in its input."""
        if name not in self._weights:
            raise KeyError(f"no weight {name!r}; there are {', '.join(self._weights) or 'none'}")
        weight = self._weights[name]
        x, m, k = check.rows_of("x", x)
        if k != weight.k:
            raise ValueError(f"x {x.shape} has rows of {k}, but {name} is [{weight.n}, {weight.k}]")
        key = (name, m)
        program = self._programs.get(key)
        if program is not None:
            program.write("x", x.reshape(-1))
            self._programs.move_to_end(key)
            return program
        program = self._programs[key] = self._recorded(weight, x.reshape(m, k))
        while len(self._programs) > self._most:
            self._programs.popitem(last=False)[1].release()
        return program

    def _recorded(self, weight: Weight, x: F32) -> Program:
        with Recorder(self.device) as recorder:
            rows = recorder.upload(x.reshape(-1), "x").reshape(*x.shape)
            return recorder.finish(y=record_linear(GpuEngine(recorder), rows, weight))

    def remove(self, name: str) -> None:
        """Free a weight and its programs; nothing happens if there is none."""
        for key in [k for k in self._programs if k[0] == name]:
            self._programs.pop(key).release()
        weight = self._weights.pop(name, None)
        if weight is not None:
            weight.release()

    def clear(self) -> None:
        for name in list(self._weights):
            self.remove(name)


def _shaped(results: dict[str, NDArray[Any]], x: F32) -> F32:
    """y[M, N] with the leading axes of x."""
    y = results["y"]
    return np.asarray(y, np.float32).reshape(*x.shape[:-1], y.shape[-1])


def _matmul(a: F32, b: F32) -> Work[F32]:
    """a[m, k] . b[k, n]."""
    a, b = check.array("a", a), check.array("b", b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or 0 in (*a.shape, *b.shape):
        raise ValueError(f"matmul needs a [m, k] and b [k, n], not {a.shape} and {b.shape}")
    problem = {"m": a.shape[0], "k": a.shape[1], "n": b.shape[1]}
    return Work(
        max(a.size, b.size, a.shape[0] * b.shape[1]),
        lambda e: e.apply("matmul", problem, a=e.array(a), b=e.array(b)),
        lambda r: r["y"],
    )


def _linear(x: F32, w: F32 | Packed, weight: str = "f32", compute: str = "f32") -> Work[F32]:
    """x[..., k] . w[n, k]^T, the weights kept as any type of quant.weights.TYPES (or already packed)."""
    x, m, k = check.rows_of("x", x)
    check.choice("compute", compute, ("f32", "f16"))
    packed = w if isinstance(w, Packed) else pack(check.array("w", w), weight)
    if packed.k != k:
        raise ValueError(f"x {x.shape} has rows of {k}, but the weight is [{packed.n}, {packed.k}]")
    problem: dict[str, Any] = {"weight": packed.type.name, "n": packed.n, "k": k}
    if m > 1:
        problem |= {"compute": compute, "m": m}
    arrays = {"x": x.reshape(m, k) if m > 1 else x.reshape(-1), **planes(packed)}
    return Work(
        max(x.size, packed.n * k, m * packed.n),
        lambda e: e.apply(kernel_for(m).name, problem, **{name: e.array(a) for name, a in arrays.items()}),
        lambda r: r["y"].reshape(*x.shape[:-1], packed.n),
    )


matmul, matmul_async = both(_matmul)
linear, linear_async = both(_linear)
