"""The shipped kernels: every kernel of sources/ with each set of constants that is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..kernels.sampling import slots
from ..quant.registry import TYPES

WEIGHTS = tuple(name for name, kind in TYPES.items() if kind.in_triton)
CACHES = ("f16", "f32")
HEAD_DIMS = (16, 64, 128)  # the largest head size of each kind
# Tiles of a matrix product: rows, columns, inner elements, warps.
TILES = {"huge": (128, 128, 16, 8), "large": (64, 64, 16, 4), "small": (16, 32, 32, 2)}
# Shapes of a matrix-vector product: rows per program, elements of plane w per row and iteration, warps.
SHAPES = {
    "few": {"plain": (2, 256, 4), "packed": (2, 64, 2)},
    "many": {"plain": (8, 256, 4), "packed": (8, 64, 2)},
}
TURNS = ("none", "rope", "norm-rope")  # what is applied to heads before attention: in GPT-2, Llama, Qwen3
KEYS = {16: 64, 64: 32, 128: 16}  # keys per iteration of attention_decode, by the kind of head
HEADS = 8  # heads of a row per program of rope_cache
PREFILL_ROWS = 16
ELEMENTS = 1024  # elements per program or, in norms, per iteration
# Operations around the product in a decode step's linear layer: (norm, bias, add, act).
AROUND = (
    (False, False, False, "none"),
    (False, True, False, "none"),
    (False, False, True, "none"),
    (False, True, True, "none"),
    (False, True, False, "gelu"),
    (True, False, False, "none"),
    (True, True, False, "none"),
    (True, False, False, "swiglu"),
)


@dataclass(frozen=True)
class Spec:
    """A kernel with its constants. `kernel` is MODULE.FUNCTION in sources, `signature` the types of the arguments."""

    name: str
    kernel: str
    signature: Mapping[str, str]
    constants: Mapping[str, Any]
    warps: int

    @property
    def halves(self) -> bool:
        """Whether it reads or writes 16-bit floats, so that GPUs with and without them need different WGSL."""
        return "*fp16" in self.signature.values()


def _spec(
    kernel: str,
    label: str,
    pointers: Mapping[str, str | None],
    numbers: str,
    warps: int,
    floats: str = "",
    **constants: Any,
) -> Spec:
    """Pointers without a type, and floats in brackets, are absent arguments."""
    signature = {name: f"*{kind}" for name, kind in pointers.items() if kind}
    signature |= {name: "i32" for name in numbers.split()}
    absent: dict[str, Any] = {name: None for name, kind in pointers.items() if not kind}
    for name in floats.split():
        if name[0] == "(":
            absent[name.strip("()")] = 0.0
        else:
            signature[name] = "fp32"
    short = kernel.partition(".")[2]
    return Spec(f"{short}-{label}" if label else short, kernel, signature, {**absent, **constants}, warps)


def _planes(weight: str) -> dict[str, str | None]:
    return {"w": {"f32": "fp32", "f16": "fp16"}.get(weight, "u32"), "s": "fp16" if TYPES[weight].scale_bits else None}


def _if(present: bool) -> str | None:
    return "fp32" if present else None


def linear_row(weight: str, norm: bool, bias: bool, add: bool, act: str, shape: str) -> Spec:
    around = {"norm": norm, "bias": bias, "add": add, act: act != "none"}
    label = "-".join((weight, *(name for name, present in around.items() if present), shape))
    pointers = {"x": "fp32", "g": _if(norm), **_planes(weight), "b": _if(bias), "r": _if(add), "y": "fp32"}
    rows, columns, warps = SHAPES[shape]["packed" if weight[0] == "q" else "plain"]
    return _spec(
        "linear.linear_row", label, pointers, "n k line at", warps, "eps" if norm else "(eps)",
        WEIGHT=weight, NORM=norm, BIAS=bias, ADD=add, ACT=act, ROWS=rows // 2 if act == "swiglu" else rows,
        COLUMNS=columns,
    )  # fmt: skip


def linear_rows(weight: str, bias: bool, add: bool, tile: str) -> Spec:
    label = "-".join((weight, *(name for name, present in (("bias", bias), ("add", add)) if present), tile))
    pointers = {"x": "fp32", **_planes(weight), "b": _if(bias), "r": _if(add), "y": "fp32"}
    bm, bn, bk, warps = TILES[tile]
    return _spec(
        "linear.linear_rows", label, pointers, "m n k line width at", warps,
        WEIGHT=weight, BIAS=bias, ADD=add, BM=bm, BN=bn, BK=bk,
    )  # fmt: skip


def embed(weight: str, add: bool) -> Spec:
    pointers = {"ids": "i32", **_planes(weight), "y": "fp32"}
    numbers = "rows n k line first stride offset parts"
    label = f"{weight}-add" if add else weight
    return _spec("tokens.embed", label, pointers, numbers, 4, WEIGHT=weight, ADD=add, BLOCK=256)


def rope_cache(turn: str, cache: str, head_dim: int) -> Spec:
    kind = "fp16" if cache == "f16" else "fp32"
    pointers = {**_turning(turn), "q": "fp32", "k": kind, "v": kind, "pages": "i32"}
    return _spec(
        "attention.rope_cache", _attending(turn, cache, head_dim), pointers,
        "count heads kv_heads d slots capacity blocks", 4, "eps" if turn == "norm-rope" else "(eps)",
        ROPE=turn != "none", NORM=turn == "norm-rope", HALVES=cache == "f16", HEADS=HEADS, HALF=head_dim // 2,
    )  # fmt: skip


def attention_decode(turn: str, cache: str, head_dim: int) -> Spec:
    kind = "fp16" if cache == "f16" else "fp32"
    pointers = {**_turning(turn), "k": kind, "v": kind, "pages": "i32", "out": "fp32"}
    return _spec(
        "attention.attention_decode", _attending(turn, cache, head_dim), pointers,
        "heads kv_heads d slots capacity window splits", 4, "scale eps" if turn == "norm-rope" else "scale (eps)",
        ROPE=turn != "none", NORM=turn == "norm-rope", HALVES=cache == "f16", KEYS=KEYS[head_dim], HALF=head_dim // 2,
    )  # fmt: skip


def attention_prefill(cache: str, head_dim: int) -> Spec:
    kind = "fp16" if cache == "f16" else "fp32"
    pointers = {"q": "fp32", "rows": "i32", "k": kind, "v": kind, "pages": "i32", "out": "fp32"}
    return _spec(
        "attention.attention_prefill", f"{cache}-{head_dim}", pointers,
        "count heads kv_heads d slots capacity window", 8 if head_dim > 64 else 4, "scale",
        BM=PREFILL_ROWS, BN=16 if head_dim > 64 else 32, D=head_dim,
    )  # fmt: skip


def _turning(turn: str) -> dict[str, str | None]:
    steps, gains = ("u32" if turn != "none" else None), _if(turn == "norm-rope")
    return {"qkv": "fp32", "rows": "i32", "steps": steps, "gains": gains}


def _attending(turn: str, cache: str, head_dim: int) -> str:
    return f"{cache}-{head_dim}{'' if turn == 'none' else f'-{turn}'}"


def _floats(*names: str) -> dict[str, str | None]:
    return {name: "fp32" for name in names}


RMS_NORM = _spec("rows.rms_norm", "", _floats("x", "g", "y"), "rows cols", 4, "eps", BLOCK=ELEMENTS)
LAYER_NORM = _spec("rows.layer_norm", "", _floats("x", "gamma", "beta", "y"), "rows cols", 4, "eps", BLOCK=ELEMENTS)
GELU = _spec("rows.gelu", "", _floats("x", "y"), "n", 4, BLOCK=ELEMENTS)
ADD = _spec("rows.add", "", _floats("a", "b", "y"), "n", 4, BLOCK=ELEMENTS)
SILU_MUL = _spec("rows.silu_mul", "", _floats("x", "y"), "count n", 4, BLOCK=ELEMENTS)
COMBINE = _spec("attention.attention_combine", "", _floats("part", "out"), "rows heads d splits", 2, BLOCK=128)
BEGIN_STEP = _spec(
    "tokens.begin_step", "", {name: "u32" for name in ("control", "state", "ids", "rows", "loras")},
    "count most_rows words", 2,
    RECORD=slots.RECORD_WORDS, TOKEN=slots.TOKEN, POSITION=slots.POSITION, LORA=slots.LORA, BLOCK=64,
)  # fmt: skip
ARGMAX_PARTS = _spec(
    "tokens.argmax_parts", "", {"logits": "u32", "parts": "u32"}, "rows vocab count span", 4, BLOCK=256
)
ARGMAX_PICK = _spec(
    "tokens.argmax_pick", "", {"parts": "u32", "rows": "u32", "slots": "u32", "tokens": "u32"},
    "count parts_of_row slot_count", 2,
    RECORD=slots.RECORD_WORDS, TOKEN=slots.TOKEN, POSITION=slots.POSITION, COUNTER=slots.COUNTER, BLOCK=64,
)  # fmt: skip


def every() -> list[Spec]:
    """All shipped kernels."""
    flags = (False, True)
    attending = list(product(CACHES, HEAD_DIMS))
    return [
        *(RMS_NORM, LAYER_NORM, GELU, ADD, SILU_MUL, COMBINE, BEGIN_STEP, ARGMAX_PARTS, ARGMAX_PICK),
        *(linear_row(weight, *around, shape) for weight, around, shape in product(WEIGHTS, AROUND, SHAPES)),
        *(linear_rows(*chosen) for chosen in product(WEIGHTS, flags, flags, TILES)),
        *(embed(weight, add) for weight, add in product(WEIGHTS, flags)),
        *(make(turn, *shape) for make in (rope_cache, attention_decode) for turn in TURNS for shape in attending),
        *(attention_prefill(*shape) for shape in attending),
    ]
