"""Maps problems of the hand-written kernels to launches of the Triton kernels."""

from __future__ import annotations

from collections.abc import Sequence

from ..gpu import Traits
from ..kernels.attention import attending
from ..kernels.grid import ceil_div, linear
from ..kernels.kernel import BenchCase, Problem, Variant, case
from ..kernels.products.gemm_fused import problem_of as many_rows
from ..kernels.products.gemv_fused import problem_of as one_row
from ..kernels.weighted import NIBBLES
from ..quant.weights import weight_type
from . import specs
from .written import Call, TritonKernel

_FEW_ROWS = 32  # up to this many, small tiles waste less
_BUSY = 132  # programs that a large GPU can run at once
_LORA = "a LoRA adapter's second product"
_CAPPED = "soft-capped scores"
_SINKS = "attention sinks"
_HALVES = "results as halves"
_BLOCKS = "q, k and v in blocks"
_NORMS_ALONE = "norms of each head without RoPE"
_LONG = 8192  # from this many outputs on, a program may compute many of them


def _line(weight: str, k: int) -> int:
    """Elements of plane w per row: halves or floats, words for other types."""
    kind = weight_type(weight)
    return kind.padded(k) if weight in ("f32", "f16") else kind.padded(k) * kind.bits // 32


def _unknown(weight: str) -> str:
    return f"{weight} weights"


# Rows ---------------------------------------------------------------------------------------------------------


def _rms_norm(p: Problem, variant: Variant) -> Call | str:
    return Call(specs.RMS_NORM, {"rows": p["rows"], "cols": p["hidden"], "eps": p["eps"]}, linear(p["rows"]))


def _layer_norm(p: Problem, variant: Variant) -> Call | str:
    if not p.get("shift", True):
        return "LayerNorm without a shift"
    return Call(specs.LAYER_NORM, {"rows": p["rows"], "cols": p["hidden"], "eps": p["eps"]}, linear(p["rows"]))


def _gelu(p: Problem, variant: Variant) -> Call | str:
    if p["approximate"] != "tanh":
        return f"the {p['approximate']} form"
    return Call(specs.GELU, {"n": p["n"]}, linear(ceil_div(p["n"], specs.ELEMENTS)))


def _add(p: Problem, variant: Variant) -> Call | str:
    return Call(specs.ADD, {"n": p["n"]}, linear(ceil_div(p["n"], specs.ELEMENTS)))


def _swiglu(p: Problem, variant: Variant) -> Call | str:
    count = p["rows"] * p["n"]
    return Call(specs.SILU_MUL, {"count": count, "n": p["n"]}, linear(ceil_div(count, specs.ELEMENTS)))


# Linear layers ------------------------------------------------------------------------------------------------


def _gemv(p: Problem, variant: Variant) -> Call | str:
    weight, around = p["weight"], (p["norm"], p["bias"], p["add"], p["act"])
    if weight not in specs.WEIGHTS:
        return _unknown(weight)
    if p["m"] > 1:
        return "several rows"
    if p["splits"]:
        return "attention's slices to join"
    if p["lora"]:
        return _LORA
    if around not in specs.AROUND:
        return f"(norm, bias, residual, activation) of {around}"
    spec = specs.linear_row(weight, *around, variant["shape"])
    numbers = {"n": p["n"], "k": p["k"], "line": _line(weight, p["k"]), "at": p["at"], "eps": p["eps"]}
    return Call(spec, numbers, linear(ceil_div(p["n"], spec.constants["ROWS"])))


def _gemm(p: Problem, variant: Variant) -> Call | str:
    weight = p["weight"]
    if weight not in specs.WEIGHTS:
        return _unknown(weight)
    if p["compute"] != "f32":
        return f"{p['compute']} arithmetic"
    if p["norm"] or p["act"] != "none":
        return "a norm or an activation"
    if p["blocks"] > 1:
        return "sums in blocks of k"
    if p["lora"]:
        return _LORA
    spec = specs.linear_rows(weight, p["bias"], p["add"], variant["tile"])
    numbers = {name: p[name] for name in ("m", "n", "k", "width", "at")} | {"line": _line(weight, p["k"])}
    x, y = ceil_div(p["n"], spec.constants["BN"]), ceil_div(p["m"], spec.constants["BM"])
    return Call(spec, numbers, (x, y, 1))


def _shapes(traits: Traits, p: Problem) -> Sequence[Variant]:
    few, many = ({"shape": shape} for shape in ("few", "many"))
    return (many, few) if traits.software or p["n"] >= _LONG else (few, many)


def _tiles(traits: Traits, p: Problem) -> Sequence[Variant]:
    """The largest tile with enough programs first; if there is none, small tiles first."""

    def fills(tile: str) -> bool:
        rows, columns, *_ = specs.TILES[tile]
        return p["m"] > _FEW_ROWS and ceil_div(p["m"], rows) * ceil_div(p["n"], columns) >= _BUSY

    tiles = sorted(specs.TILES, key=lambda tile: specs.TILES[tile])
    chosen = [tile for tile in tiles[::-1] if fills(tile)] if not traits.software else []
    return [{"tile": tile} for tile in (*chosen, *(tile for tile in tiles if tile not in chosen))]


# Attention ----------------------------------------------------------------------------------------------------


def _head_dim(p: Problem) -> int | str:
    """The smallest head size that fits, or the reason why there is none."""
    reason = attending.refused_shape(p)
    if reason:
        return reason
    if not attending.is_paged(p):
        return "a cache without pages"
    if p["cache"] not in specs.CACHES:
        return f"a {p['cache']} cache"
    sizes = [d for d in specs.HEAD_DIMS if p["head_dim"] <= d]
    return sizes[0] if sizes else f"heads of {p['head_dim']}"


def _turn(p: Problem) -> str | None:
    """An element of specs.TURNS; None if it is unsupported."""
    if p["qk_norm"]:
        return "norm-rope" if p["rope"] else None
    return "rope" if p["rope"] else "none"


def _partial(p: Problem) -> str | None:
    """Why a layout of heads has no Triton kernel, if it is not the usual one (attention/head_layout.py)."""
    if p.get("by_head") or p.get("growth"):
        return "q, k and v in turns" if p.get("by_head") else "queries that grow with their position"
    if p.get("v_norm") or p.get("v_is_k") or p.get("stored"):
        return "values from keys, norms of values, or keys that are stored already"
    if p["rope"] and p.get("interleaved"):
        return "interleaved RoPE"
    return "RoPE of a part of a head" if p.get("rotary") else None


def _heads(p: Problem) -> dict[str, int]:
    names = {"heads": "heads", "kv_heads": "kv_heads", "head_dim": "d", "slots": "slots", "capacity": "capacity"}
    return {name: p[key] for key, name in names.items()}


def _rope_cache(p: Problem, variant: Variant) -> Call | str:
    size, turn = _head_dim(p), _turn(p)
    if isinstance(size, str):
        return size
    if turn is None or _partial(p):
        return _partial(p) or _NORMS_ALONE
    blocks = ceil_div(p["heads"] + 2 * p["kv_heads"], specs.HEADS)
    numbers = {**_heads(p), "count": p["rows"], "blocks": blocks, "eps": p["eps"]}
    return Call(specs.rope_cache(turn, p["cache"], size), numbers, linear(p["rows"] * blocks))


def _decode(p: Problem, variant: Variant) -> Call | str:
    size, turn = _head_dim(p), _turn(p)
    if isinstance(size, str):
        return size
    if p.get("sinks") or p.get("halves") or p.get("qkv_blocks"):
        return _SINKS if p.get("sinks") else _HALVES if p.get("halves") else _BLOCKS
    if turn is None or _partial(p) or attending.cap_of(p):
        return _partial(p) or (_CAPPED if attending.cap_of(p) else _NORMS_ALONE)
    numbers = {**_heads(p), "window": p["window"], "splits": p["splits"], "scale": attending.scale_of(p)}
    numbers["eps"] = p["eps"]
    grid = (p["splits"], p["heads"], p["rows"])
    spec = specs.attention_decode(turn, p["cache"], size)
    return Call(spec, numbers, grid, {"out": "part"} if p["splits"] > 1 else {})


def _combine(p: Problem, variant: Variant) -> Call | str:
    most = specs.COMBINE.constants["BLOCK"]
    if p["head_dim"] > most or p.get("halves"):
        return _HALVES if p.get("halves") else f"heads of {p['head_dim']}"
    numbers = {"rows": p["rows"], "heads": p["heads"], "d": p["head_dim"], "splits": p["splits"]}
    return Call(specs.COMBINE, numbers, linear(p["rows"] * p["heads"]))


def _prefill(p: Problem, variant: Variant) -> Call | str:
    size = _head_dim(p)
    if isinstance(size, str):
        return size
    if attending.cap_of(p) or p.get("sinks"):
        return _SINKS if p.get("sinks") else _CAPPED
    if p["tile"] % specs.PREFILL_ROWS:
        return f"tiles of {p['tile']} rows"
    numbers = {**_heads(p), "count": p["rows"], "window": p["window"], "scale": attending.scale_of(p)}
    grid = (ceil_div(p["rows"], specs.PREFILL_ROWS), p["heads"], 1)
    return Call(specs.attention_prefill(p["cache"], size), numbers, grid)


# Tokens -------------------------------------------------------------------------------------------------------


def _embed(p: Problem, variant: Variant) -> Call | str:
    weight = p["weight"]
    if weight not in specs.WEIGHTS:
        return _unknown(weight)
    spec = specs.embed(weight, p["add"])
    parts = ceil_div(p["k"], spec.constants["BLOCK"])
    numbers = {name: p[name] for name in ("rows", "n", "k", "first", "stride", "offset")}
    return Call(spec, {**numbers, "line": _line(weight, p["k"]), "parts": parts}, linear(p["rows"] * parts))


def _take_rows(p: Problem, variant: Variant) -> Call | str:
    """The kernel of embeddings, whose rows need not be padded."""
    spec = specs.embed("f32", add=False)
    parts = ceil_div(p["n"], spec.constants["BLOCK"])
    numbers = {"rows": p["rows"], "n": p["of"], "k": p["n"], "line": p["n"], "first": 0, "stride": 1, "offset": 0}
    return Call(spec, {**numbers, "parts": parts}, linear(p["rows"] * parts), {"w": "x"})


def _begin_step(p: Problem, variant: Variant) -> Call | str:
    if not p["rows"]:
        return "no rows"
    return Call(specs.BEGIN_STEP, {"count": p["rows"], "most_rows": p["most_rows"], "words": p["words"]}, linear(1))


def _argmax_parts(p: Problem, variant: Variant) -> Call | str:
    span = 4 * ceil_div(ceil_div(p["vocab"], 4), p["parts"])
    numbers = {"rows": p["rows"], "vocab": p["vocab"], "count": p["parts"], "span": span}
    return Call(specs.ARGMAX_PARTS, numbers, linear(p["rows"] * p["parts"]))


def _argmax_pick(p: Problem, variant: Variant) -> Call | str:
    if not p.get("advance", True):
        return "several rows of a sequence"
    numbers = {"count": p["rows"], "parts_of_row": p["parts"], "slot_count": p["slots"]}
    return Call(specs.ARGMAX_PICK, numbers, linear(p["rows"]))


_SMALL_PREFILL = case(
    "two sequences, a window, padding",
    **attending.shape(4, 2, 64),
    **attending.paged(2, **attending.place(2, 40, (1, 5, 14), (1, -1, 2), (0, 0, 9))),
    window=7,
    tile=16,
)
_BENCH_ROW = tuple(
    BenchCase(one_row(weight, n, k, **fused), note, software=None if k == 576 else False)
    for weight in ("f16", NIBBLES)
    for n, k, fused, note in (
        (960, 576, {"norm": True}, "SmolLM2 q/k/v"),
        (1536, 576, {"norm": True, "act": "swiglu"}, "SmolLM2 gate/up"),
        (576, 1536, {"add": True}, "SmolLM2 down"),
        (8960, 1536, {}, "Qwen2.5-1.5B up"),
        (151936, 1536, {}, "Qwen2.5-1.5B LM head"),
    )
)
_BENCH_ROWS = (
    *(BenchCase(many_rows(w, 4096, 4096, 4096), "4096^3", software=False) for w in ("f32", "f16", NIBBLES)),
    BenchCase(many_rows(NIBBLES, 512, 1536, 576), "SmolLM2 up, prefill"),
)

KERNELS = (
    TritonKernel("rmsnorm", _rms_norm),
    TritonKernel("layernorm", _layer_norm),
    TritonKernel("gelu", _gelu),
    TritonKernel("add", _add),
    TritonKernel("swiglu", _swiglu),
    TritonKernel("gemv_fused", _gemv, _shapes, bench_cases=_BENCH_ROW),
    TritonKernel("gemm_fused", _gemm, _tiles, bench_cases=_BENCH_ROWS),
    TritonKernel("rope_cache", _rope_cache),
    TritonKernel("attention_decode", _decode),
    TritonKernel("attention_combine", _combine),
    TritonKernel("attention_prefill", _prefill, more_cases=(_SMALL_PREFILL,)),
    TritonKernel("embed", _embed),
    TritonKernel("take_rows", _take_rows),
    TritonKernel("begin_step", _begin_step),
    TritonKernel("argmax_parts", _argmax_parts),
    TritonKernel("argmax_pick", _argmax_pick),
)
