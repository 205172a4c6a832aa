"""A pass over recorded launches: the blocks of a product are added up by the kernel that follows, if it can do that.

A product on matrix units is cut into blocks of k if it alone would not fill the GPU (matrices.py), and `sum_blocks`
adds them up. A norm, SwiGLU and the attention of decoding rows can add them up themselves, which saves a dispatch. And
because no dispatch is added then, a product may be cut that is otherwise computed in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..gpu import Launch, Recorder, Tensor, Traits
from ..gpu.heap import Planned
from ..gpu.steps import check_launch
from ..kernels import registry
from ..kernels.attention.attention_decode import DECODE
from ..kernels.products import matrix_tiles, sum_halves
from ..kernels.products.kept_rows import keeps


class Product(NamedTuple):
    """x . W^T with bias and residual, on matrix units; if it is cut, with the dispatch that adds up its blocks."""

    product: Launch
    sums: Launch | None

    @property
    def last(self) -> Launch:
        return self.sums or self.product

    @property
    def y(self) -> Tensor:
        return _tensors(self.last)["y"]

    @property
    def is_bare(self) -> bool:
        """Whether there is neither bias nor residual."""
        return not (self.last.problem["bias"] or self.last.problem["add"])


class Joined(NamedTuple):
    """A dispatch that adds up blocks: their number is `key` of its problem, and `blocks` the name of the tensor."""

    kernel: str
    problem: dict[str, Any]
    tensors: dict[str, Tensor]
    key: str
    blocks: str


def join_sums(recorder: Recorder, outputs: Sequence[Tensor]) -> list[Launch]:
    """What to run instead of the recorder's launches."""
    launches, result, at = recorder.launches, list[Launch](), 0
    uses = Counter(id(b.tensor.buffer) for launch in launches for b in launch.bindings)
    uses.update(id(tensor.buffer) for tensor in outputs)
    while at < len(launches):
        product, pair = _product_at(launches, at), list[Launch]()
        if product is not None:
            after = at + (1 if product.sums is None else 2)
            if after < len(launches):
                pair = _in_place_of(recorder, product, launches[after], uses[id(product.y.buffer)] == 2)
        result += pair or [launches[at]]
        at = after + 1 if pair else at + 1
    return result


def _product_at(launches: Sequence[Launch], at: int) -> Product | None:
    """The product that begins here."""
    product, problem = launches[at], launches[at].problem
    if product.kernel != "gemm_matrix" or problem["across"] or problem["onto"] or problem["width"] != problem["n"]:
        return None
    if problem["blocks"] == 1:
        return Product(product, None)
    sums = launches[at + 1] if at + 1 < len(launches) else product
    if sums.kernel != "sum_blocks" or sums.problem["act"] != "none":
        return None
    return Product(product, sums) if _same(_tensors(sums)["part"], _tensors(product)["y"]) else None


def _in_place_of(recorder: Recorder, product: Product, follower: Launch, alone: bool) -> list[Launch]:
    """The product in blocks and a dispatch that adds them up and does the follower's work; none if it is not worth it.

    `alone`: whether nobody else reads the product.
    """
    device, gemm = recorder.device, product.product
    rule = _RULES.get(follower.kernel)
    joined = rule(product, follower, device.traits) if rule is not None else None
    if joined is None or not ("y" in joined.tensors or (alone and isinstance(product.y.buffer, Planned))):
        return []
    if product.sums is None:
        m, n, k = (gemm.problem[name] for name in "mnk")
        blocks = matrix_tiles.blocks_of(device.traits, m, n, k, joined=True, parts=gemm.problem["x_parts"])
        if blocks == 1:
            return []
        problem = {**gemm.problem, "bias": False, "add": False, "blocks": blocks}
        sides = {name: tensor for name, tensor in _tensors(gemm).items() if name not in ("b", "r")}
        sides["y"] = recorder.tensor((blocks, m, n), "f32", "gemm_matrix.y")
        gemm = replace(registry.get("gemm_matrix").launch(device, sides, problem), layer=gemm.layer)
    problem = {**joined.problem, joined.key: gemm.problem["blocks"]}
    tensors = {**joined.tensors, joined.blocks: _tensors(gemm)["y"]}
    launch = replace(registry.get(joined.kernel).launch(device, tensors, problem), layer=follower.layer)
    for each in (gemm, launch):
        check_launch(device, each)
    return [gemm, launch]


def _norm(product: Product, follower: Launch, traits: Traits) -> Joined | None:
    """sum_halves in place of row_halves. It writes the sum, too: the next block adds to it."""
    rows, tensors = follower.problem, _tensors(follower)
    columns = rows["hidden"]
    if rows["act"] != "norm" or rows["parts"] != 1 or not _same(tensors["x"], product.y):
        return None
    if not keeps(traits, columns):
        return None
    around = {name: product.last.problem[name] for name in ("bias", "add")}
    problem = sum_halves.problem_of(rows["rows"], columns, 1, eps=rows["eps"], **around)
    made = {name: tensors[name] for name in ("g", "h", "scale")}
    return Joined("sum_halves", problem, {**made, **_added(product), "y": product.y}, "blocks", "sums")


def _gate(product: Product, follower: Launch, traits: Traits) -> Joined | None:
    """gate_halves of blocks that are there already."""
    tensors = _tensors(follower)
    if product.sums is None or not product.is_bare or not _same(tensors["x"], product.y):
        return None
    return Joined("gate_halves", {**follower.problem}, tensors, "sums", "x")


def _attention(product: Product, follower: Launch, traits: Traits) -> Joined | None:
    """attention_decode of q, k and v in blocks, with their bias."""
    tensors, bias = _tensors(follower), product.last.problem["bias"]
    problem = {**follower.problem, "qkv_blocks": 2, "qkv_bias": bias}
    if product.last.problem["add"] or not _same(tensors["qkv"], product.y) or DECODE.refuses(problem, {}) is not None:
        return None
    return Joined("attention_decode", problem, {**tensors, **_added(product)}, "qkv_blocks", "qkv")


_RULES = {"row_halves": _norm, "gate_halves": _gate, "attention_decode": _attention}


def _added(product: Product) -> dict[str, Tensor]:
    """The tensors of bias and residual."""
    return {name: tensor for name, tensor in _tensors(product.last).items() if name in ("b", "r")}


def _tensors(launch: Launch) -> dict[str, Tensor]:
    return {bound.name: bound.tensor for bound in launch.bindings}


def _same(one: Tensor, other: Tensor) -> bool:
    """Whether they are the same numbers."""
    return one.buffer is other.buffer and (one.offset, one.size) == (other.offset, other.size)
