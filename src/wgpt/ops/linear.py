"""Linear layers: weights that stay quantised on the GPU; GEMV for M = 1, GEMM for M > 1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief, one_of
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice, Program, Recorder, Tensor, default_device
from ..gpu.bindings import most_bytes
from ..gpu.process_bound import ProcessBound
from ..gpu.programs import Programs
from ..gpu.typed import typed_methods
from ..kernels import registry
from ..kernels.grid import MOST
from ..kernels.kernel import Kernel
from ..kernels.products import gemm_fused, gemv_fused
from ..kernels.weighted import planes
from ..quant.weights import Packed, pack
from . import check
from .backend import Array, Backend, GpuBackend
from .core import F32, both
from .pieces import Work, length
from .weight import AnyWeight, SplitWeight, Weight, rows_per_part, upload


def kernel_for(m: int) -> Kernel:
    """The dispatch rule: one row of activations is a GEMV, more are a GEMM."""
    return registry.get("gemv" if m == 1 else "gemm")


def check_linear(x: Tensor, weight: AnyWeight, compute: str) -> None:
    one_of("compute", compute, ("f32", "f16"))
    if x.dtype != "f32":
        raise ValueError(f"x must be f32, not {x}: cast it first")
    if x.shape[-1] != weight.k:
        raise ValueError(f"x {x.shape} has rows of {x.shape[-1]}, but the weight w is [{weight.n}, {weight.k}]")


def record_linear(
    backend: GpuBackend, x: Tensor, weight: AnyWeight, compute: str = "f32", into: Tensor | None = None
) -> Tensor:
    """y[M, N] = x[M, K] . W^T, as a new tensor or `into` an existing one. compute="f16" multiplies in f16 if
    M > 1: faster, less precise, and infinite if |x| or a sum over 32 products exceeds 65,504."""
    check_linear(x, weight, compute)
    m = x.size // weight.k
    if isinstance(weight, Weight):
        result = {} if into is None else {"y": into}
        y = backend.apply(kernel_for(m).name, weight.problem(m, compute), x=x, **weight.planes, **result)["y"]
    else:
        y = _by_parts(backend, x, weight, m, compute, into)
    return y.reshape(*x.shape[:-1], weight.n)


def _by_parts(backend: GpuBackend, x: Tensor, weight: SplitWeight, m: int, compute: str, into: Tensor | None) -> Tensor:
    """Each part fills its columns of y, with the fused kernels."""
    y, at = into or backend.recorder.tensor((m, weight.n), "f32", "linear.y"), 0
    for part in weight.parts:
        columns = {"width": weight.n, "at": at}
        if m == 1:
            problem = gemv_fused.problem_of(part.type.name, part.n, part.k, **columns)
        else:
            problem = gemm_fused.problem_of(part.type.name, m, part.n, part.k, compute=compute, **columns)
        backend.apply("gemv_fused" if m == 1 else "gemm_fused", problem, x=x, y=y, **part.planes)
        at += part.n
    return y


@typed_methods
class MatmulCache(ProcessBound):
    """Weights uploaded once, programs recorded once per number of rows.

    >>> cache = wgpt.MatmulCache()
    >>> weight = cache.put("up", np.ones((3, 64), np.float32), "q4_1")    # [N, K]: rows are outputs
    >>> cache.matmul("up", np.ones(64, np.float32))                       # [K] or [M, K]
    array([64., 64., 64.], dtype=float32)
    >>> cache.nbytes                                                      # bytes on the GPU, of all weights
    120
    >>> cache.clear()
    """

    def __init__(self, device: GpuDevice | None = None, programs: int = 64) -> None:
        self.device = device or default_device()
        self._weights: dict[str, AnyWeight] = {}
        (most,) = check.positive(programs=programs)
        self._programs = Programs(most)  # by the weight's name and the number of rows

    def put(self, name: str, matrix: NDArray[np.floating] | Packed, weight: str = "f32") -> AnyWeight:
        """Upload a matrix [N, K], quantised to a weight type; replaces a weight of the same name.

        A matrix that is too large for a binding is split into parts.
        """
        packed = matrix if isinstance(matrix, Packed) else pack(matrix, weight)
        rows_per_part(self.device, packed.type, packed.n, packed.k)  # if it is refused, the old weight is kept
        self.remove(name)
        self._weights[name] = upload(self.device, packed, name)
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
        """x . W^T for x of shape [K] or [..., K]; no weights are copied."""
        blocks = [self._program(name, rows).read()["y"] for rows in self._blocks(name, x)]
        return _shaped(blocks, x)

    async def matmul_async(self, name: str, x: F32) -> F32:
        """`matmul` for asyncio; several may be awaited together."""
        # All are submitted before the first is awaited: the weight may be replaced meanwhile.
        submitted = [self._program(name, rows).submit() for rows in self._blocks(name, x)]
        return _shaped([(await pending)["y"] for pending in submitted], x)

    def _blocks(self, name: str, x: NDArray[Any]) -> list[F32]:
        """The rows of x, in blocks whose inputs and results fit into a binding."""
        if name not in self._weights:
            raise KeyError(f"unknown weight {brief(name)}; uploaded: {', '.join(self._weights) or 'none'}")
        weight = self._weights[name]
        x, m, k = check.rows_of("x", x)
        if k != weight.k:
            raise ValueError(f"x {x.shape} has rows of {k}, but {name} is [{weight.n}, {weight.k}]")
        limit = most_bytes(self.device)
        most = min(limit // (4 * max(weight.n, k)), MOST)  # a grid allows this number of rows with any tile
        if most == 0:
            raise AllocationError(
                f"one row of {k} in and {weight.n} out exceeds the {readable_bytes(limit)} that one binding holds on "
                f"{self.device.info.name}: split the matrix"
            )
        matrix = x.reshape(m, k)
        return [matrix[at : at + most] for at in range(0, m, most)]

    def _program(self, name: str, x: F32) -> Program:
        """The program of this weight and this many rows, with x in its input."""
        program = self._programs.get((name, len(x)), partial(self._recorded, self._weights[name], len(x)))
        program.write("x", x)
        return program

    def _recorded(self, weight: AnyWeight, m: int) -> Program:
        with Recorder(self.device) as recorder:
            x = recorder.inputs["x"] = recorder.tensor((m, weight.k), "f32", "x")
            return recorder.finish(y=record_linear(GpuBackend(recorder), x, weight))

    def remove(self, name: str) -> None:
        """Free a weight and its programs, if it exists."""
        self._programs.remove(lambda key: key[0] == name)
        weight = self._weights.pop(name, None)
        if weight is not None:
            weight.release()

    def clear(self) -> None:
        for name in list(self._weights):
            self.remove(name)


def _shaped(blocks: list[NDArray[Any]], x: F32) -> F32:
    """The rows of y, [M, N] in blocks, with the leading axes of x."""
    y = blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
    return np.asarray(y, np.float32).reshape(*x.shape[:-1], y.shape[-1])


def _matmul(a: F32, b: F32) -> Work[F32]:
    """a[m, k] . b[k, n].

    >>> ops.matmul(np.float32([[1, 2]]), np.float32([[1, 0], [0, 1]]))
    array([[1., 2.]], dtype=float32)
    """
    a, b = check.array("a", a), check.array("b", b)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or 0 in (*a.shape, *b.shape):
        raise ValueError(f"matmul needs a [m, k] and b [k, n], not {a.shape} and {b.shape}")
    m, n = a.shape[0], b.shape[1]

    def body(e: Backend, rows: slice, columns: slice) -> dict[str, Array]:
        problem = {"m": length(rows), "k": a.shape[1], "n": length(columns)}
        return e.apply("matmul", problem, a=e.array(a[rows]), b=e.array(b[:, columns]))

    return Work(max(a.size, b.size, m * n), (m, n), body, lambda r: r["y"].reshape(m, n))


def _linear(x: F32, w: F32 | Packed, weight: str = "f32", compute: str = "f32") -> Work[F32]:
    """x[..., k] . w[n, k]^T, with weights of any type of quant.weights.TYPES (or already packed).

    >>> x, w = np.ones((2, 64), np.float32), np.ones((3, 64), np.float32)         # rows of w are outputs
    >>> ops.linear(x, w, "q8_0").round(1)
    array([[64., 64., 64.],
           [64., 64., 64.]], dtype=float32)
    """
    x, m, k = check.rows_of("x", x)
    one_of("compute", compute, ("f32", "f16"))
    packed = w if isinstance(w, Packed) else pack(check.array("w", w), weight)
    if packed.k != k:
        raise ValueError(f"x {x.shape} has rows of {k}, but the weight w is [{packed.n}, {packed.k}]")
    matrix = x.reshape(m, k)

    def body(e: Backend, rows: slice, columns: slice) -> dict[str, Array]:
        m_part = length(rows)
        problem: dict[str, Any] = {"weight": packed.type.name, "n": length(columns), "k": k}
        if m_part > 1:
            problem |= {"compute": compute, "m": m_part}
        x_part = matrix[rows] if m_part > 1 else matrix[rows.start]
        part = planes(packed.rows(columns.start, columns.stop))
        return e.apply(kernel_for(m_part).name, problem, x=e.array(x_part), **{p: e.array(a) for p, a in part.items()})

    return Work(
        max(x.size, packed.n * k, m * packed.n),
        (m, packed.n),
        body,
        lambda r: r["y"].reshape(*x.shape[:-1], packed.n),
        steps=(1, packed.type.whole_rows),
    )


matmul, matmul_async = both(_matmul)
linear, linear_async = both(_linear)
