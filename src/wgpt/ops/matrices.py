"""Products on matrix units: which ones, and their two sides as halves.

Weights that are no halves are converted first: with enough rows, reading them twice costs little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Launch, Tensor
from ..kernels.products import gate_halves, gemm_matrix, row_halves, sum_halves, weight_halves
from ..kernels.products.kept_rows import keeps
from .engine import GpuEngine
from .lazy import Gated, Normed
from .resident import Part
from .weight import Weight

LEAST_ROWS = 16  # of a product with weights that are halves
LEAST_ROWS_CONVERTED = 128  # with others
MANY_ROWS, LEAST_WEIGHTS = 256, 2 << 20  # with fewer rows and fewer weights, kernels that fuse more are faster
MOST_CONVERTED = 512 << 20  # bytes of converted weights


@dataclass(frozen=True, eq=False)
class Halves:
    """Rows of k values in one or two halves each, and what each row, or each of its blocks, is to be multiplied by."""

    h: Tensor
    scale: Tensor
    k: int
    parts: int
    blocks: int = 1


@dataclass(frozen=True, eq=False)
class Product:
    """A product y as it was recorded: while it is the last one, what follows may be computed together with it."""

    y: Tensor
    last: Launch
    problem: dict[str, Any]  # of gemm_matrix, without blocks, bias and residual
    sides: dict[str, Tensor]
    around: dict[str, bool]
    tensors: dict[str, Tensor]  # bias and residual
    parts: Tensor | None = None  # its blocks of k


def takes(engine: GpuEngine, weight: Weight, m: int) -> bool:
    """Whether matrix units compute the product of m rows with a weight, or its input's gradient."""
    if engine.matrix_parts == 0:
        return False
    if m < MANY_ROWS and weight.n * weight.k < LEAST_WEIGHTS:
        return False
    if weight.type.native_halves:
        return m >= LEAST_ROWS
    return m >= LEAST_ROWS_CONVERTED and 2 * engine.matrix_parts * weight.n * weight.k <= MOST_CONVERTED


def fuses(engine: GpuEngine, x: object) -> bool:
    """Whether `left` computes what was deferred itself. In two halves it is computed before: to the last bit of f32."""
    return engine.matrix_parts == 1 and isinstance(x, Normed | Gated) and x.done is None


def left(
    engine: GpuEngine,
    x: Tensor | Normed | Gated,
    at: int = 0,
    k: int = 0,
    before: Product | None = None,
    blocks: int = 1,
) -> Halves:
    """Rows, or k of their columns from `at` on, as halves.

    `before`: the latest product; `blocks`: into how many the product that follows is cut (`blocks_of`).
    """
    tensors, options = dict[str, Tensor](), dict[str, Any]()
    if isinstance(x, Normed):
        if before is not None and (halves := _summed(engine, x, before)) is not None:
            return halves
        tensors, options = {"x": x.x, "g": x.gain}, {"act": "norm", "eps": x.eps}
    elif isinstance(x, Gated):
        if blocks > 1 and (halves := _gated(engine, x, blocks, before)) is not None:
            return halves
        tensors, options = {"x": x.both}, {"act": "swiglu"}
    else:
        tensors, options = {"x": x}, {"width": x.shape[1], "at": at}
    m, width = tensors["x"].shape
    k = k or (width // 2 if isinstance(x, Gated) else width)
    problem = row_halves.problem_of(m, k, engine.matrix_parts, **options)
    made = engine.apply("row_halves", problem, **tensors)
    return Halves(made["h"], made["scale"], k, engine.matrix_parts)


def blocks_of(engine: GpuEngine, part: Part, m: int, width: int | None) -> int:
    """The number of blocks of k into which the product of m rows with a part is cut."""
    n, k = part.weight.n, part.weight.k
    return gemm_matrix.blocks_of(engine.recorder.device.traits, m, n, k) if width in (None, n) else 1


def _gated(engine: GpuEngine, x: Gated, blocks: int, product: Product | None) -> Halves | None:
    """SwiGLU with a scale for each block of its rows; None if the blocks are too large."""
    (m, width), traits = x.both.shape, engine.recorder.device.traits
    problem = gate_halves.problem_of(m, width // 2, blocks)
    if width % 8 or not keeps(traits, gate_halves.KERNEL.kept(problem)):
        return None
    bare = product is not None and product.parts is not None and not any(product.around.values())
    parts = in_blocks(engine, product, x.both) if product is not None and bare else None
    if parts is not None:
        problem["sums"] = parts.shape[0]
    made = engine.apply("gate_halves", problem, x=x.both if parts is None else parts)
    return Halves(made["h"], made["scale"], width // 2, 1, blocks)


def _summed(engine: GpuEngine, x: Normed, product: Product) -> Halves | None:
    """The halves of a norm of a product whose blocks are added up by the same kernel; None if it is not worth it."""
    m, n = x.x.shape
    if not keeps(engine.recorder.device.traits, n) or (parts := in_blocks(engine, product, x.x)) is None:
        return None
    problem = sum_halves.problem_of(m, n, parts.shape[0], eps=x.eps, **product.around)
    made = engine.apply("sum_halves", problem, sums=parts, g=x.gain, **{**product.tensors, "y": product.y})
    return Halves(made["h"], made["scale"], n, 1)


def in_blocks(engine: GpuEngine, product: Product, y: Tensor) -> Tensor | None:
    """The blocks of a product, without bias and residual, in place of its result y, which is then not computed.

    None, and nothing is changed, if it is not the latest dispatch, or if blocks are not worth it.
    """
    recorder, (m, n) = engine.recorder, y.shape
    same = y.buffer is product.y.buffer and y.offset == product.y.offset and product.y.shape == (m, n)
    if recorder.launches[-1] is not product.last or not same or product.problem["n"] != n:
        return None
    if product.parts is not None:
        recorder.take_back()
        return product.parts
    blocks = gemm_matrix.blocks_of(recorder.device.traits, m, n, product.problem["k"], joined=True)
    if blocks == 1:
        return None
    recorder.take_back()
    with recorder.layer(product.last.layer):
        return engine.apply("gemm_matrix", {**product.problem, "blocks": blocks}, **product.sides)["y"]


def _right(engine: GpuEngine, weight: Weight) -> tuple[Tensor, dict[str, Any]]:
    """A weight as halves, and the part of the problem that says how."""
    if weight.type.native_halves:
        words, width = weight.planes["w"], weight.type.padded(weight.k)
        return Tensor(words.buffer, (1, weight.n, width), "f16", words.offset), {"w_width": width}
    problem = {"weight": weight.type.name, "n": weight.n, "k": weight.k, "parts": engine.matrix_parts}
    made = engine.apply("weight_halves", problem, **weight.planes)["h"]
    return made, {"w_parts": engine.matrix_parts, "up": weight_halves.UP, "w_width": 8 * row_halves.vectors(weight.k)}


def multiply(
    engine: GpuEngine,
    x: Halves,
    part: Part,
    residual: Tensor | None = None,
    width: int | None = None,
    at: int = 0,
    y: Tensor | None = None,
) -> Product:
    """residual + x . W^T + bias, into columns of wider rows if asked for."""
    weight = part.weight
    tensors = {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
    around = {"bias": part.bias is not None, "add": residual is not None}
    whole = width is None or width == weight.n
    blocks = blocks_of(engine, part, x.h.shape[1], width)
    return _product(engine, x, weight, weight.n, tensors, around, {} if whole else {"width": width, "at": at}, blocks)


def input_gradient(engine: GpuEngine, dy: Halves, weight: Weight, dx: Tensor | None, *, onto: bool) -> Tensor:
    """dy . W, written to dx if passed, or added to it."""
    tensors = {} if dx is None else {"y": dx}
    traits, m = engine.recorder.device.traits, dy.h.shape[1]
    blocks = 1 if onto else gemm_matrix.blocks_of(traits, m, weight.k, weight.n)
    return _product(engine, dy, weight, weight.k, tensors, {}, {"across": True, "onto": onto}, blocks).y


def _product(
    engine: GpuEngine,
    x: Halves,
    weight: Weight,
    n: int,
    tensors: dict[str, Tensor],
    around: dict[str, bool],
    how: dict[str, Any],
    blocks: int,
) -> Product:
    """In blocks of k if the result alone would not fill the GPU."""
    m, (w, kind) = x.h.shape[1], _right(engine, weight)
    sides = {"x": x.h, "scale": x.scale, "w": w}
    problem = gemm_matrix.problem_of(m, n, x.k, x_parts=x.parts, **kind, **how)
    parts = None
    if blocks == 1:
        y = engine.apply("gemm_matrix", {**problem, **around}, **sides, **tensors)["y"]
    else:
        problem["by_block"] = x.blocks > 1
        parts = engine.apply("gemm_matrix", {**problem, "blocks": blocks}, **sides)["y"]
        sums = {"m": m, "n": n, "blocks": blocks, "bias": False, "add": False, "act": "none", **around}
        y = engine.apply("sum_blocks", sums, part=parts, **tensors)["y"]
    y = y.reshape(m, problem["width"])
    return Product(y, engine.recorder.launches[-1], problem, sides, around, tensors, parts)
