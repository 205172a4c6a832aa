"""A decode step's linear layer in one dispatch: RMSNorm before it, bias, activation and residual after it.

Instead of the norm, it can combine the slices of attention over a long context, which saves a dispatch. It can add the
second product of a LoRA adapter, from what lora_down computed. A few rows are computed like one each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import GpuDevice, Traits
from ...quant.weights import TYPES, weight_type
from .. import weighted
from ..attention.attention_combine import COMBINE
from ..draw import draw
from ..elementwise.activations import gated, gelu
from ..grid import Grid
from ..kernel import (
    MOST_BINDINGS,
    Arrays,
    BenchCase,
    Binding,
    Case,
    Out,
    Problem,
    Variant,
    case,
    distinct,
    reads,
    vec4_if,
    writes,
)
from . import gemv_styles
from .gemv import Gemv
from .lora_layout import low_of, quads_of, random_low, random_pool, second_product

ACTS = ("none", "swiglu", "gelu")
# `m`: rows of x, and of the residual and the result. `at` and `width`: the outputs are elements at .. at + n - 1 of
# results of `width`; the others are unchanged.
# `splits` and `head_dim`: x is combined from `splits` slices of attention with heads of this size; 0: x is an input.
# `lora`: sizes of the slices of the whole result that LoRA adapters adapt apart; (): no adapters. `inner`: every
# workgroup computes LoRA's first product itself, of up to `low_quads` quads; otherwise lora_down did. It also brings
# the factors of the next group into the cache, whose entry is `apart` vec4s further on.
# `ranks` of the slices are only for random inputs. `short`: x may be rounded to 16 bits (gemv_digits.wgsl).
_PLAIN: dict[str, Any] = {"m": 1, "at": 0, "norm": False, "bias": False, "add": False, "act": "none", "eps": 1e-5}
_PLAIN |= {"splits": 0, "head_dim": 0, "lora": (), "inner": False, "low_quads": 0, "apart": 2, "short": False}


def problem_of(weight: str, n: int, k: int, **fused: Any) -> dict[str, Any]:
    """A complete problem. n counts outputs, so SwiGLU has weights of 2n rows: gate, then up."""
    return {"weight": weight, "n": n, "k": k, "width": n, **_PLAIN, **fused}


def _case(why: str, weight: str, n: int, k: int, **fused: Any) -> Case:
    return case(why, **problem_of(weight, n, k, **fused))


def _cases() -> list[Case]:
    cases = []
    for weight in ("f16", weighted.NIBBLES):
        cases += [
            _case("norm, then SwiGLU; whole chunks", weight, 70, 256, norm=True, act="swiglu"),
            _case("norm and bias, as Qwen2's q/k/v; ragged K", weight, 37, 203, norm=True, bias=True),
            _case("bias and residual, as GPT-2's output projection", weight, 131, 96, bias=True, add=True),
        ]
    for weight in (weighted.GROUPS, weighted.TWO_SCALES):
        cases += [
            _case("norm, then SwiGLU, in the blocks of usual files", weight, 70, 512, norm=True, act="swiglu"),
            _case("residual alone, in the blocks of usual files", weight, 37, 1024, add=True),
        ]
    for weight in ("f32", weighted.BYTES):
        cases += [
            _case("norm and bias, whole chunks", weight, 37, 256, norm=True, bias=True),
            _case("norm and bias, ragged K", weight, 70, 203, norm=True, bias=True),
        ]
    cases += [
        _case("residual alone, as Llama's down projection", "bf16", 33, 1056, add=True),
        _case("bias and GELU, as GPT-2's feed-forward", weighted.AROUND_ZERO, 37, 160, bias=True, act="gelu"),
        _case("groups of scales under norm and SwiGLU", weighted.GROUPS, 21, 512, norm=True, act="swiglu"),
        _case(
            "two scales to a chunk, and codes that stand for zero", weighted.TWO_SCALES, 37, 256, norm=True, add=True
        ),
        _case("fifth bits, ragged K", weighted.FIFTH_BITS, 9, 300, norm=True, bias=True),
        *(_case("SwiGLU alone, ragged outputs", weight, 37, 96, act="swiglu") for weight in ("f16", weighted.NIBBLES)),
        _case("everything at once, one output", "f32", 1, 67, norm=True, add=True, act="swiglu"),
        _case("the middle of a wider result", weighted.BYTES, 21, 64, norm=True, bias=True, add=True, width=70, at=33),
        _case("activations so small that eps decides", "f16", 9, 64, norm=True, values="small"),
        _case("attention's slices made one, a residual", "f16", 37, 192, add=True, splits=5, head_dim=64),
        _case(
            "slices of a wide head, whole rows of chunks", weighted.NIBBLES, 21, 384, bias=True, splits=16, head_dim=128
        ),
        _case("two slices of eight-bit weights", weighted.BYTES, 9, 128, splits=2, head_dim=32),
    ]
    cases += [
        _case("x in 16 bits out of slices", weighted.BYTES, 9, 128, splits=3, head_dim=64, short=True),
        _case("x in 16 bits under a norm", weighted.NIBBLES, 37, 256, norm=True, short=True),
        _case("x in 16 bits, bytes and a residual", weighted.BYTES, 21, 128, add=True, short=True),
        _case("x in 16 bits, in turns, SwiGLU", weighted.GROUPS, 21, 512, norm=True, act="swiglu", short=True),
        _case("x in 16 bits, in turns, two scales", weighted.TWO_SCALES, 37, 256, bias=True, short=True),
        _case("x in 16 bits, words with offsets", weighted.PAIRS, 21, 768, norm=True, act="swiglu", short=True),
        _case("x in 16 bits, words with scales", weighted.THIRD_BITS, 37, 512, add=True, short=True),
        _case("x in 16 bits, a long row that lanes share evenly", weighted.GROUPS, 37, 2048, add=True, short=True),
        _case("x in 16 bits, a long row, bytes", weighted.BYTES, 37, 1056, norm=True, short=True),
    ]
    for weight in ("f16", "f32", weighted.NIBBLES, weighted.BYTES, weighted.GROUPS):
        k = 512 if weight == weighted.GROUPS else 256
        short = weight_type(weight).whole_codes
        cases += [
            _case("three rows under a norm, SwiGLU", weight, 70, k, m=3, norm=True, act="swiglu", short=short),
            _case("two rows and their residuals", weight, 37, 2 * k, m=2, add=True, short=short),
        ]
    middle: dict[str, Any] = {"norm": True, "bias": True, "add": True, "width": 70, "at": 33}
    cases += [
        _case("rows of ragged K, the middle of wider results", weight, 21, 203, m=5, **middle)
        for weight in ("f16", weighted.NIBBLES)
    ]
    cases += [
        _case("four rows in 16 bits, words with scales", weighted.THIRD_BITS, 37, 512, m=4, add=True, short=True),
        _case("two rows and GELU", weighted.AROUND_ZERO, 37, 160, m=2, bias=True, act="gelu"),
        _case("two rows of more than 65,535 outputs", "f16", 65_543 * 2, 8, m=2, add=True),
    ]
    return cases + [_case(why, *sizes, **fused) for why, sizes, fused in _ADAPTED]


_ADAPTED: tuple[tuple[str, tuple[str, int, int], dict[str, Any]], ...] = (
    ("LoRA of q, k and v under a norm", ("f16", 37, 256), {"norm": True, "lora": (16, 9, 12), "ranks": (16, 0, 7)}),
    ("LoRA of gate and up", ("f16", 21, 96), {"norm": True, "act": "swiglu", "lora": (21, 21), "ranks": (1, 16)}),
    ("LoRA without quads", ("f16", 37, 203), {"add": True, "lora": (37,), "ranks": (0,)}),
    (
        "LoRA beside all bindings of q/k/v; ragged K",
        (weighted.NIBBLES, 37, 203),
        {"norm": True, "bias": True, "lora": (5, 11, 21), "ranks": (3, 16, 64)},
    ),
    ("LoRA of more quads than lanes", (weighted.NIBBLES, 70, 256), {"add": True, "lora": (70,), "ranks": (200,)}),
    (
        "LoRA and GELU; four slices",
        (weighted.BYTES, 37, 96),
        {"bias": True, "act": "gelu", "lora": (7, 10, 3, 17), "ranks": (0, 5, 0, 9)},
    ),
    (
        "LoRA of the middle of a wider result",
        (weighted.BYTES, 21, 64),
        {"width": 70, "at": 33, "lora": (40, 30), "ranks": (8, 5)},
    ),
    (
        "both LoRA products of q, k and v under a norm",
        ("f16", 37, 256),
        {"norm": True, "inner": True, "low_quads": 6, "lora": (16, 9, 12), "ranks": (16, 0, 7)},
    ),
    (
        "both LoRA products of gate and up; ragged K",
        ("f16", 21, 203),
        {"norm": True, "act": "swiglu", "inner": True, "low_quads": 6, "lora": (21, 21), "ranks": (5, 16)},
    ),
    (
        "both LoRA products of a high rank, a long K",
        ("f16", 9, 1160),
        {"add": True, "inner": True, "low_quads": 20, "lora": (9,), "ranks": (77,)},
    ),
    (
        "both LoRA products, quantised weights, a slice of a wider result",
        (weighted.NIBBLES, 37, 160),
        {"add": True, "width": 70, "at": 33, "inner": True, "low_quads": 6, "lora": (40, 30), "ranks": (1, 13)},
    ),
    (
        "both LoRA products without quads",
        (weighted.BYTES, 9, 64),
        {"bias": True, "inner": True, "low_quads": 1, "lora": (9,), "ranks": (0,)},
    ),
    ("LoRA after attention's slices", ("f16", 37, 192), {"splits": 5, "head_dim": 64, "lora": (37,), "ranks": (16,)}),
)


def _bench_cases() -> list[BenchCase]:
    cases = [
        _bench(note, weight, n, k, software, **fused)
        for weight in ("f16", weighted.NIBBLES)
        for n, k, fused, note, software in (
            (960, 576, {"norm": True}, "SmolLM2 q/k/v", None),
            (576, 576, {"add": True}, "SmolLM2 o", None),
            (1536, 576, {"norm": True, "act": "swiglu"}, "SmolLM2 gate/up", None),
            (576, 1536, {"add": True}, "SmolLM2 down", None),
            (2048, 1536, {"norm": True, "bias": True}, "Qwen2.5-1.5B q/k/v", False),
            (1536, 1536, {"add": True}, "Qwen2.5-1.5B o", False),
            (8960, 1536, {"norm": True, "act": "swiglu"}, "Qwen2.5-1.5B gate/up", False),
            (1536, 8960, {"add": True}, "Qwen2.5-1.5B down", False),
            (576, 576, {"add": True, "splits": 16, "head_dim": 64}, "SmolLM2 o, a long context", False),
            (1536, 1536, {"add": True, "splits": 4, "head_dim": 128}, "Qwen2.5-1.5B o, a longer context", False),
            (960, 576, {"norm": True, "lora": (576, 192, 192), "ranks": (16,) * 3}, "SmolLM2 q/k/v, LoRA", False),
            (49152, 576, {"norm": True}, "SmolLM2 LM head", False),
            (151936, 1536, {"norm": True}, "Qwen2.5-1.5B LM head", False),
        )
    ]
    cases.append(_bench("SmolLM2 LM head", weighted.BYTES, 49152, 576, norm=True))
    usual = (weighted.GROUPS, weighted.TWO_SCALES, weighted.BYTES)
    for weight in usual:
        cases += _layer(weight, "Qwen3-4B", hidden=2560, attended=4096, head_dim=128, qkv=6144, ffn=9728)
        cases.append(_bench("Qwen3-4B LM head", weight, 151936, 2560, norm=True))
    for weight, kind in TYPES.items():
        if weight not in usual and weighted.quantised(weight) and kind.file_type is not None:
            cases.append(_bench("Qwen3-4B gate/up", weight, 9728, 2560, norm=True, act="swiglu"))
    sizes = {"hidden": 2048, "attended": 2048, "head_dim": 64, "qkv": 3072, "ffn": 8192}
    cases += _layer(weighted.GROUPS, "Llama-3.2-1B", **sizes)
    cases.append(_bench("Llama-3.2-1B LM head", weighted.GROUPS, 128256, 2048, norm=True))
    sizes = {"hidden": 4096, "attended": 4096, "head_dim": 128, "qkv": 6144, "ffn": 14336}
    cases += _layer(weighted.GROUPS, "Llama-3.1-8B", **sizes)
    for weight in (weighted.GROUPS, weighted.TWO_SCALES):  # their experts are those of expert_gemv
        cases.append(_bench("Qwen3-30B-A3B q/k/v", weight, 5120, 2048, norm=True))
        cases.append(_bench("Qwen3-30B-A3B LM head", weight, 151936, 2048, norm=True))
    cases.append(_bench("gpt-oss-20b q/k/v", weighted.SMALL_FLOATS, 5120, 2880, norm=True, bias=True))
    return [*cases, _bench("gpt-oss-20b LM head", weighted.SMALL_FLOATS, 201088, 2880, norm=True)]


def _layer(
    weight: str, model: str, *, hidden: int, attended: int, head_dim: int, qkv: int, ffn: int
) -> list[BenchCase]:
    """The products of a layer of a large model."""
    products = (
        ("gate/up", ffn, hidden, {"norm": True, "act": "swiglu"}),
        ("down", hidden, ffn, {"add": True}),
        ("q/k/v", qkv, hidden, {"norm": True}),
        ("o", hidden, attended, {"add": True}),
        ("o, slices", hidden, attended, {"add": True, "splits": 2, "head_dim": head_dim}),
    )
    return [_bench(f"{model} {name}", weight, n, k, **fused) for name, n, k, fused in products]


def _bench(note: str, weight: str, n: int, k: int, software: bool | None = False, **fused: Any) -> BenchCase:
    """As a model runs it by default, with x in 16 bits where that is possible."""
    short = weight_type(weight).whole_codes
    return BenchCase(problem_of(weight, n, k, short=short, **fused), note, software)


class GemvFused(Gemv):
    name = "gemv_fused"
    params = (*Gemv.params, ("at", "u32"), ("eps", "f32"))
    math = "y = r + act(W . rmsnorm(x, g) + B low + b), each part where it is asked for; or x = combine(part)"
    bindings = (
        *Gemv.bindings[:3],
        reads("part", "vec4<f32>", ""),
        reads("g", vec4_if("x"), "k"),
        reads("b", sizes="n"),
        reads("r", sizes="width"),
        reads("rows", "vec4<u32>", ""),
        reads("low", "vec4<f32>", ""),
        reads("pool", "vec4<f32>", ""),
        writes("y"),
    )
    cases = tuple(_cases())
    bench_cases = tuple(_bench_cases())

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("g", "norm"), ("b", "bias"), ("r", "add")) if not problem[key]}
        absent.add("x" if problem["splits"] else "part")
        absent |= set() if problem["lora"] else {"pool"}
        absent |= set() if problem["lora"] and not problem["inner"] else {"low"}
        absent |= set() if problem["inner"] else {"rows"}
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        n, k = problem["n"], problem["k"]
        scale = 1e-4 if problem.get("values") == "small" else 1.0
        x = draw(rng, _rows(problem, k)) * np.float32(scale)
        result = _rows(problem, problem["width"])
        extra: Arrays = {"g": draw(rng, (k,)), "b": draw(rng, (n,)), "r": draw(rng, result)}
        names = {b.name for b in self.bound(problem)} - {"y"}
        if problem["splits"]:
            extra |= COMBINE.inputs(rng, _slices(problem))
        if problem["lora"]:
            ranks = problem["ranks"]
            if problem["inner"]:
                extra["rows"], extra["pool"] = random_pool(rng, problem["lora"], k, ranks, problem["apart"])
            else:
                quads = sum(map(quads_of, ranks))
                extra["low"], extra["pool"] = random_low(rng, 1, problem["lora"], quads, (ranks,))
        if problem["width"] != n:
            extra["y"] = draw(rng, result)
            names.add("y")
        return {
            **({} if problem["splits"] else {"x": x}),
            **weighted.random_weights(rng, weighted.with_gates(problem)),
            **{name: array for name, array in extra.items() if name in names},
        }

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        if problem["m"] == 1:
            return {"y": self._row(inputs, problem)}
        own = [name for name in ("x", "r", "y") if name in inputs]
        rows = ({**inputs, **{name: inputs[name][i] for name in own}} for i in range(problem["m"]))
        return {"y": np.stack([self._row(row, problem) for row in rows])}

    def _row(self, inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
        if problem["splits"]:
            x = COMBINE.reference(inputs, _slices(problem))["out"][0]
        else:
            x = inputs["x"].astype(np.float64)
        root = 1.0
        if problem["norm"]:
            root = 1 / np.sqrt(np.mean(x**2) + problem["eps"])
            x = x * inputs["g"]
        matrix = weighted.with_gates(problem)
        y = weighted.dequantised(inputs, matrix) @ x
        if problem["lora"]:
            at = slice(problem["at"], problem["at"] + matrix["n"])
            low = low_of(inputs["rows"][0], inputs["pool"], x)[None] if problem["inner"] else inputs["low"]
            y = y + second_product(low, inputs["pool"], problem["lora"])[0, at]
        y = y * root
        if problem["bias"]:
            y = y + inputs["b"]
        if problem["act"] == "swiglu":
            y = gated(y)
        elif problem["act"] == "gelu":
            y = gelu(y, "tanh")
        if problem["add"]:
            y = y + inputs["r"][problem["at"] : problem["at"] + problem["n"]]
        if problem["width"] == problem["n"]:
            return y
        whole = inputs["y"].astype(np.float64)
        whole[problem["at"] : problem["at"] + problem["n"]] = y
        return whole

    def operands(self, problem: Problem) -> dict[str, Out]:
        operands = {**super().operands(problem), **weighted.plane_shapes(weighted.with_gates(problem))}
        for name, size in (("x", "k"), ("r", "width")):
            if name in operands:
                operands[name] = Out(_rows(problem, problem[size]))
        return operands | (COMBINE.operands(_slices(problem)) if problem["splits"] else {})

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out(_rows(problem, problem["width"]))}

    def flops(self, problem: Problem) -> int:
        return int(problem["m"]) * super().flops(weighted.with_gates(problem))

    def bytes(self, problem: Problem) -> int:
        n, k = int(problem["n"]), int(problem["k"])
        vectors = k * (problem["splits"] or 1 + problem["norm"]) + n * (1 + problem["bias"] + problem["add"])
        return weighted.weight_bytes(weighted.with_gates(problem)) + 4 * int(problem["m"]) * vectors

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Variants of GEMV; SwiGLU needs two dot products per output, so a team has half as many outputs.

        On software drivers, which compile slowly, native halves are only checked with GEMV itself.
        """
        variants = super().variants(traits, weighted.with_gates(problem))
        if problem["inner"]:
            return [
                {**style, "x": x, "half": half}
                for style in gemv_styles.inner_styles(traits, weighted.with_gates(problem))
                for half in weighted.half_modes(traits.f16 and not traits.software, problem["weight"])
                for x in ("vec4", "scalar")
            ]
        if traits.software:
            variants = [v for v in variants if v["half"] == "packed"]
        if problem["act"] != "swiglu":
            return variants
        return distinct({**v, "rows": max(1, v["rows"] // 2)} for v in variants)

    def tuned(self, device: GpuDevice, problem: Problem) -> Variant | None:
        """Where slices are joined when x is staged, the product is the same: what was tuned without slices serves."""
        found = super().tuned(device, problem)
        if found is None and problem["splits"] and weight_type(problem["weight"]).whole_codes:
            return super().tuned(device, {**problem, "splits": 0})
        return found

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["act"] not in ACTS:
            return f"act must be one of {ACTS}, and is {problem['act']!r}"
        if problem["act"] == "swiglu" and problem["bias"]:
            return "SwiGLU takes no bias"
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} outputs from {problem['at']} on exceed a result of {problem['width']}"
        if problem["lora"] and len(self.bound(problem)) > MOST_BINDINGS:
            return f"what is asked for besides LoRA needs more than {MOST_BINDINGS} bindings"
        if problem["m"] > 1 and (problem["splits"] or problem["lora"]):
            return "several rows take neither slices of attention nor LoRA"
        if problem["inner"] and (problem["splits"] or variant["reduce"] != "subgroup" or variant["stage"]):
            return "LoRA's first product is computed by teams in subgroups, from x in the buffer"
        if problem["splits"]:
            if problem["norm"]:
                return "slices of attention take no norm"
            if problem["head_dim"] % weight_type(problem["weight"]).chunk:
                return f"a chunk of {problem['weight']} must not reach over heads of {problem['head_dim']}"
            floats = variant["stage"] and not variant["digits"]
            if floats or variant["reduce"] == "thread" or variant["x"] != "vec4":
                return "slices are joined by teams, in vec4 loads, or when x is staged as integers"
        return super().refuses(problem, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        fused = {key: problem[key] for key in ("norm", "bias", "add", "act", "splits", "head_dim", "lora")}
        if variant["fixed"]:
            fused |= {"at": problem["at"], "eps": problem["eps"]}
        if problem["inner"]:
            fused |= {key: problem[key] for key in ("low_quads", "apart")}
            fused |= {"parts": gemv_styles.low_parts(variant), "batch": gemv_styles.low_batch(variant)}
        if problem["m"] > 1:
            fused |= {"many": True, "at": problem["at"], "y_width": problem["width"]}
        return {**super().baked(problem, variant), **fused, "fused": True, "approximate": "tanh"}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**super().uniforms(problem, variant), "at": problem["at"], "eps": problem["eps"]}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, y, z = super().grid(problem, variant)
        return (x, y, z) if problem["m"] == 1 else (problem["m"], x, y)

    def turns(self, problem: Problem, variant: Variant) -> int:
        return gemv_styles.turns(variant, problem["n"] * problem["m"])

    def around(self, problem: Problem) -> list[str]:
        return [key for key in ("norm", "bias", "add", "splits", "inner") if problem[key]] + [problem["act"]]


def _rows(problem: Problem, width: int) -> tuple[int, ...]:
    """The shape of one row, or of all."""
    return (width,) if problem["m"] == 1 else (problem["m"], width)


def _slices(problem: Problem) -> dict[str, Any]:
    """The problem of attention_combine whose result is x."""
    heads = problem["k"] // problem["head_dim"]
    return {"rows": 1, "heads": heads, "head_dim": problem["head_dim"], "splits": problem["splits"]}


KERNEL = GemvFused()
