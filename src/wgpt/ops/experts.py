"""A mixture of experts in a model's forward: few rows read only their experts, many are sorted by expert."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import PreconditionError
from ..gpu import AllocationError, Tensor
from ..kernels.experts import expert_gemm, expert_gemv, expert_matrix, router
from .forward import Forward
from .lazy import Gated, Normed
from .matrices import Halves
from .resident import Linear, Part

_TALL = 48  # rows of an expert, on average, from which on large tiles are faster
_TALL_SOFTWARE = 6


@dataclass(frozen=True, eq=False)
class Experts:
    """The weights of a layer's experts: `count` matrices each, one after the other in a Linear, of `n` hidden values.

    `gate_up` has the gates of all experts, then all ups. `router` has a row for each expert and, if there is a
    `shared_gate`, one for it. `choice` are keys of the router's problem. `shared` is the gate_up and the down of an
    expert for all rows.
    """

    router: Linear
    gate_up: Linear
    down: Linear
    count: int
    top: int
    n: int
    choice: Mapping[str, Any] = field(default_factory=dict)
    act: Mapping[str, Any] = field(default_factory=lambda: {"act": "swiglu"})
    bias: Tensor | None = None  # of the router's choice
    factors: Tensor | None = None  # of the experts' weights
    shared: tuple[Linear, Linear] | None = None
    shared_gate: bool = False

    def __post_init__(self) -> None:
        """Experts must not be split: a row chooses them on the GPU, and a kernel binds one matrix."""
        halves = [self.count * self.n] * 2
        sizes = [part.weight.n for part in self.gate_up.parts]
        if sizes not in ([sum(halves)], halves) or len(self.down.parts) != 1:
            kind = self.down.parts[0].weight.type.name
            raise AllocationError(
                f"the {self.count} experts of a layer have more weights of type {kind} than one binding holds: "
                "use a smaller weight type"
            )
        if sizes == halves and self.act["act"] not in ("swiglu", "geglu"):
            raise PreconditionError("the experts' gate and up must have the same weight type")


def mixture(
    f: Forward, x: Tensor | Normed, layer: Experts, residual: Tensor | None, routed: Normed | None = None
) -> Tensor:
    """residual + the weighted sum of the experts of each row + the shared expert. `routed`: what the router reads, if
    not x."""
    logits = f.linear(x if routed is None else routed, layer.router)
    rows = logits.shape[0]
    choice = router.problem_of(rows, layer.count, layer.top, width=logits.shape[1], **layer.choice)
    own = {"bias": layer.bias, "factors": layer.factors}
    more = {name: tensor for name, tensor in own.items() if tensor is not None}
    chosen = f.apply("router", choice, logits=logits, **more)
    if rows == 1 or rows * layer.top <= layer.count:
        y = _few(f, x, layer, rows, chosen, residual)
    else:
        y = _many(f, x, layer, rows, chosen, residual)
    if layer.shared is None:
        return y
    gate_up, down = layer.shared
    hidden = f.swiglu(x, gate_up)
    if not layer.shared_gate:
        return f.linear(hidden, down, residual=y)
    problem = {"rows": rows, "n": down.n, "stride": logits.shape[1], "at": layer.count}
    return f.apply("add_gated", problem, x=f.linear(hidden, down), logits=logits, r=y)["y"]


def _few(
    f: Forward, x: Tensor | Normed, layer: Experts, rows: int, chosen: dict[str, Tensor], residual: Tensor | None
) -> Tensor:
    ids = chosen["ids"]

    def gathered(part: Part, n: int, tensors: dict[str, Tensor], **keys: Any) -> Tensor:
        weight = part.weight
        tensors |= {**weight.planes, "ids": ids} | ({} if part.bias is None else {"b": part.bias})
        keys |= {"bias": part.bias is not None, "short": rows == 1 and f.rounds(weight)}
        problem = expert_gemv.problem_of(weight.type.name, rows, layer.top, layer.count, n, weight.k, **keys)
        return f.apply("expert_gemv", problem, **tensors)["y"]

    if isinstance(x, Normed) and x.done is None:
        inputs, norm = {"x": x.x, "g": x.gain}, {"norm": True, "eps": x.eps}
    else:
        inputs, norm = {"x": f.value(x)}, {}
    parts = layer.gate_up.parts
    if len(parts) == 1:
        hidden = gathered(parts[0], layer.n, dict(inputs), **layer.act, **norm)
    else:
        gate, up = (gathered(part, layer.n, dict(inputs), **norm) for part in parts)
        hidden = _gated(f, layer, gate, up)
    sum_of = {"x": hidden, "gates": chosen["gates"]} | ({} if residual is None else {"r": residual})
    n = layer.down.n // layer.count
    return gathered(layer.down.parts[0], n, sum_of, gather="sum", add=residual is not None)


def _gated(f: Forward, layer: Experts, gate: Tensor, up: Tensor) -> Tensor:
    """Of gates and ups in matrices of their own."""
    if layer.act["act"] == "geglu":
        return f.gate_slice(gate, up, 0)
    return f.apply("silu_mul", {"n": gate.size}, gate=gate, up=up)["y"].reshape(*gate.shape)


def _many(
    f: Forward, x: Tensor | Normed, layer: Experts, rows: int, chosen: dict[str, Tensor], residual: Tensor | None
) -> Tensor:
    pairs = rows * layer.top
    each = pairs / layer.count
    tile = expert_matrix.tile_of(each) if f.has_units else _tile(f, each)
    places = f.apply("expert_sort", {"pairs": pairs, "experts": layer.count, "tile": tile}, ids=chosen["ids"])

    def left(x: Tensor | Normed | Gated) -> Tensor | Halves:
        return f.in_halves(x) if f.has_units else f.value(x)

    def grouped(x: Tensor | Halves, part: Part, n: int, ups: bool, shared: bool) -> Tensor:
        weight, bias = part.weight, {} if part.bias is None else {"b": part.bias}
        where = {**expert_gemm.layout_of(n, layer.count, ups), "shared": shared, "bias": bool(bias)}
        top, count, k = layer.top, layer.count, weight.k
        if isinstance(x, Halves):
            planes, how = f.right(weight)
            kind = how.pop("weight", "f16")
            problem = expert_matrix.problem_of(kind, rows, top, count, n, k, tile, **how, **where, x_parts=x.parts)
            return f.apply("expert_matrix", problem, x=x.h, scale=x.scale, **planes, **places, **bias)["y"]
        problem = expert_gemm.problem_of(weight.type.name, rows, top, count, n, k, tile, **where)
        return f.apply("expert_gemm", problem, x=x, **weight.planes, **places, **bias)["y"]

    parts, own = layer.gate_up.parts, left(x)
    hidden: Tensor | Gated
    if len(parts) == 1:
        both = grouped(own, parts[0], 2 * layer.n, ups=True, shared=True)
        hidden = Gated(both) if layer.act["act"] == "swiglu" else _activated(f, layer, both)
    else:
        gate, up = (grouped(own, part, layer.n, ups=False, shared=True) for part in parts)
        hidden = _gated(f, layer, gate, up)
    n = layer.down.n // layer.count
    results = grouped(left(hidden), layer.down.parts[0], n, ups=False, shared=False)
    problem = {"rows": rows, "n": n, "top": layer.top}
    if residual is None:
        return f.apply("expert_sum", {**problem, "alone": True}, x=results, gates=chosen["gates"])["y"]
    return f.apply("expert_sum", problem, x=results, gates=chosen["gates"], r=residual)["y"]


def _activated(f: Forward, layer: Experts, both: Tensor) -> Tensor:
    """Of gates and ups in one matrix."""
    kernel = {"geglu": "geglu", "clamped": "swiglu_clamped"}[layer.act["act"]]
    keys = {key: value for key, value in layer.act.items() if key != "act"}
    return f.apply(kernel, {"rows": both.shape[0], "n": layer.n, **keys}, x=both)["y"]


def _tile(f: Forward, rows: float) -> int:
    """Rows of a tile, for this number of rows of an expert on average."""
    if f.software:
        return 8 if rows > _TALL_SOFTWARE else 4
    return 64 if rows > _TALL else 32
