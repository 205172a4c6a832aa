"""Products on matrix units, and their rows as halves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor
from ..kernels.products import gate_halves, gemm_matrix, matrix_tiles, row_halves
from ..kernels.products.kept_rows import keeps
from .backend import GpuBackend
from .fusion import join_sums
from .lazy import Gated, Normed
from .resident import Part
from .weight import Weight


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows of k values in one or two halves each, and what each row, or each of its blocks, is to be multiplied by."""

    h: Tensor
    scale: Tensor
    k: int
    parts: int
    blocks: int = 1


def fuses(backend: GpuBackend, x: object) -> bool:
    """Whether `left` computes what was deferred itself. In two halves it is computed before: to the last bit of f32."""
    return backend.matrix_parts == 1 and isinstance(x, Normed | Gated) and x.done is None


def left(backend: GpuBackend, x: Tensor | Normed | Gated, at: int = 0, k: int = 0, blocks: int = 1) -> Halves:
    """Rows, or k of their columns from `at` on, as halves.

    `blocks`: into how many the product that follows is cut (`blocks_of`).
    """
    tensors, options = dict[str, Tensor](), dict[str, Any]()
    if isinstance(x, Normed):
        tensors, options = {"x": x.x, "g": x.gain}, {"act": "norm", "eps": x.eps}
    elif isinstance(x, Gated):
        if blocks > 1 and (halves := _gated(backend, x, blocks)) is not None:
            return halves
        tensors, options = {"x": x.both}, {"act": "swiglu"}
    else:
        tensors, options = {"x": x}, {"width": x.shape[1], "at": at}
    m, width = tensors["x"].shape
    k = k or (width // 2 if isinstance(x, Gated) else width)
    problem = row_halves.problem_of(m, k, backend.matrix_parts, **options)
    made = backend.apply("row_halves", problem, **tensors)
    return Halves(made["h"], made["scale"], k, backend.matrix_parts)


def blocks_of(backend: GpuBackend, part: Part, m: int, width: int | None) -> int:
    """The number of blocks of k into which the product of m rows with a part is cut."""
    n, k = part.weight.n, part.weight.k
    return _blocks(backend, m, n, k) if width in (None, n) else 1


def _blocks(backend: GpuBackend, m: int, n: int, k: int) -> int:
    return matrix_tiles.blocks_of(backend.recorder.device.traits, m, n, k, parts=backend.matrix_parts)


def _gated(backend: GpuBackend, x: Gated, blocks: int) -> Halves | None:
    """SwiGLU with a scale for each block of its rows; None if the blocks are too large."""
    (m, width), traits = x.both.shape, backend.recorder.device.traits
    problem = gate_halves.problem_of(m, width // 2, blocks)
    if width % 8 or not keeps(traits, gate_halves.KERNEL.kept(problem)):
        return None
    made = backend.apply("gate_halves", problem, x=x.both)
    return Halves(made["h"], made["scale"], width // 2, 1, blocks)


def right(backend: GpuBackend, weight: Weight) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """A weight's planes, and the part of the problem that says how they are read."""
    if weight.type.native_halves:
        words, width = weight.planes["w"], weight.type.padded(weight.k)
        return {"w": Tensor(words.buffer, (weight.n, width), "f16", words.offset)}, {"w_width": width}
    return weight.planes, {"weight": weight.type.name, "w_parts": backend.matrix_parts}


def multiply(
    backend: GpuBackend,
    x: Halves,
    part: Part,
    residual: Tensor | None = None,
    width: int | None = None,
    at: int = 0,
    y: Tensor | None = None,
) -> Tensor:
    """residual + x . W^T + bias, into columns of wider rows if asked for."""
    weight = part.weight
    tensors = {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
    around = {"bias": part.bias is not None, "add": residual is not None}
    whole = width is None or width == weight.n
    blocks = blocks_of(backend, part, x.h.shape[1], width)
    backend.recorder.optimise(join_sums)
    return _product(backend, x, weight, weight.n, tensors, around, {} if whole else {"width": width, "at": at}, blocks)


def input_gradient(backend: GpuBackend, dy: Halves, weight: Weight, dx: Tensor | None, *, onto: bool) -> Tensor:
    """dy . W, written to dx if passed, or added to it."""
    tensors = {} if dx is None else {"y": dx}
    blocks = 1 if onto else _blocks(backend, dy.h.shape[1], weight.k, weight.n)
    return _product(backend, dy, weight, weight.k, tensors, {}, {"across": True, "onto": onto}, blocks)


def _product(
    backend: GpuBackend,
    x: Halves,
    weight: Weight,
    n: int,
    tensors: dict[str, Tensor],
    around: dict[str, bool],
    how: dict[str, Any],
    blocks: int,
) -> Tensor:
    """In blocks of k if the result alone would not fill the GPU."""
    m, (w, kind) = x.h.shape[1], right(backend, weight)
    sides = {"x": x.h, "scale": x.scale, **w}
    problem = gemm_matrix.problem_of(m, n, x.k, x_parts=x.parts, **kind, **how)
    if blocks == 1:
        y = backend.apply("gemm_matrix", {**problem, **around}, **sides, **tensors)["y"]
    else:
        problem["by_block"] = x.blocks > 1
        parts = backend.apply("gemm_matrix", {**problem, "blocks": blocks}, **sides)["y"]
        sums = {"m": m, "n": n, "blocks": blocks, "bias": False, "add": False, "act": "none", **around}
        y = backend.apply("sum_blocks", sums, part=parts, **tensors)["y"]
    return y.reshape(m, problem["width"])
