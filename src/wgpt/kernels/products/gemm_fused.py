"""A linear layer of many rows with bias and residual in one dispatch; for few rows also with norm, SwiGLU and LoRA."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from .. import weighted
from ..draw import draw
from ..elementwise.activations import gated
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
    in_twos,
    reads,
    vec4_if,
)
from . import panels, slabs, tiles
from .gemm import Gemm
from .lora_layout import random_low, second_product

ACTS = ("none", "swiglu")
_FUSING = ("panel", "slab")  # styles with norm and SwiGLU
MOST_FEW = slabs.MOST_ROWS  # up to this many rows, fusing norm and SwiGLU is faster
# Sums of a large GPU (Traits.filling) up to which panels are faster than slabs; the second number is with a norm.
_PANEL_SUMS, _PANEL_SUMS_NORM = 80_000, 50_000
_TILE_SUMS = 1_000_000  # from this number of sums on, tiles are faster than slabs, even with a separate norm


def problem_of(weight: str, m: int, n: int, k: int, **fused: Any) -> dict[str, Any]:
    """A complete problem. The outputs are columns at .. at + n - 1 of rows of `width`; other columns are unchanged.

    n counts outputs, so SwiGLU has weights of 2n rows: gate, then up. With blocks > 1, the result is [blocks, m, n]:
    partial sums over blocks of k, which sum_blocks adds. `lora` are the sizes of the slices of the whole result that
    LoRA adapters adapt apart, with `low_quads` quads in a row of `low` (see lora_layout.py); (): no adapters. `ranks`
    of the slices, for each adapter, are only for random inputs.
    """
    plain = {"width": n, "at": 0, "bias": False, "add": False, "norm": False, "act": "none", "eps": 1e-5, "blocks": 1}
    adapted = {"lora": (), "low_quads": 0}
    return {"weight": weight, "compute": "f32", "m": m, "n": n, "k": k, **plain, **adapted, **fused}


def fuses(traits: Traits, m: int, n: int) -> bool:
    """Whether a product of m x n sums computes the norm before it and SwiGLU after it."""
    return m <= panels.MOST_ROWS or (m <= MOST_FEW and m * n < traits.filling(_TILE_SUMS))


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """Number of blocks of k to sum separately, for a plain product: more than one if the result does not fill a GPU."""
    if m > MOST_FEW:
        return tiles.blocks_of(traits, m, n, k)
    return slabs.blocks_of(traits, m, n, k) if fuses(traits, m, n) else tiles.blocks_of_few(traits, m, n, k)


def _cases() -> list[Case]:
    cases = []
    for weight in ("f16", weighted.NIBBLES):
        cases += [
            case("bias, ragged tiles", **problem_of(weight, 37, 132, 64, bias=True)),
            case("both, nothing a multiple of four", **problem_of(weight, 19, 67, 203, bias=True, add=True)),
            case("residual, whole tiles", **problem_of(weight, 64, 64, 32, add=True)),
        ]
    cases += [
        case("the middle of wider rows", **problem_of(weighted.BYTES, 19, 36, 96, width=120, at=40, bias=True)),
        case("columns that begin inside a load", **problem_of("f32", 7, 36, 32, width=120, at=42)),
    ]
    cases += [
        case("in blocks, the last one ragged", **problem_of(weighted.NIBBLES, 37, 68, 160, blocks=3)),
        case("in blocks, no quads, one stays empty", **problem_of("f16", 35, 67, 97, blocks=5)),
        case("in blocks that are no whole slabs", **problem_of("f16", 37, 20, 200, blocks=2)),
        case("in blocks of whole slabs, a shorter one and an empty one", **problem_of("f16", 10, 12, 160, blocks=4)),
    ]
    cases.append(case("residual over halves' sums", **problem_of("f16", 37, 68, 64, add=True, compute="f16")))
    return cases + [case(why, **problem_of(*sizes, **fused)) for why, sizes, fused in _FEW_ROWS]


_GATED: dict[str, Any] = {"norm": True, "act": "swiglu"}
_SLICE: dict[str, Any] = {"width": 70, "at": 33}
_FEW_ROWS: tuple[tuple[str, tuple[str, int, int, int], dict[str, Any]], ...] = (
    ("few rows, a long K, residual", ("f16", 13, 36, 1048), {"add": True}),
    ("few rows, nothing a multiple of anything", ("f16", 3, 67, 203), {"bias": True, "add": True}),
    ("norm; more rows than a panel has", ("f16", 29, 37, 264), {"norm": True}),
    ("norm, then SwiGLU; ragged outputs", ("f16", 11, 37, 200), _GATED),
    ("a panel of eight rows", ("f16", 7, 12, 88), {"add": True}),
    (
        "norm and bias, ragged K, a slice of wider rows",
        (weighted.BYTES, 5, 21, 203),
        {"norm": True, "bias": True, **_SLICE},
    ),
    ("norm and residual, one row", ("f32", 1, 5, 67), {"norm": True, "add": True}),
    ("norm, then SwiGLU; scales and offsets", (weighted.NIBBLES, 6, 19, 96), _GATED),
    (
        "norm and bias; scales and offsets, ragged outputs",
        (weighted.NIBBLES, 14, 21, 160),
        {"norm": True, "bias": True},
    ),
    ("a panel of four rows; scales and offsets", (weighted.NIBBLES, 3, 10, 64), {"add": True}),
    ("few rows, whole vectors; scales and offsets", (weighted.NIBBLES, 10, 20, 96), {"bias": True}),
    ("groups of scales under norm and SwiGLU", (weighted.GROUPS, 2, 9, 512), _GATED),
    (
        "SwiGLU alone, residual, a slice of wider rows",
        (weighted.BYTES, 32, 6, 64),
        {"act": "swiglu", "add": True, **_SLICE},
    ),
    ("codes that are looked up", (weighted.TABLE, 7, 10, 192), {"norm": True}),
    ("norm; more rows than a slab has", ("f16", 69, 37, 264), {"norm": True}),
    ("norm, then SwiGLU; two slabs down, ragged outputs", (weighted.NIBBLES, 35, 21, 160), _GATED),
    ("bytes in slabs, ragged K", (weighted.BYTES, 11, 13, 139), {"norm": True, "bias": True}),
    ("bytes in the tallest slab", (weighted.BYTES, 75, 20, 96), {"add": True}),
    ("halves in the tallest slab", ("f16", 66, 12, 64), {"bias": True}),
    ("nibbles in the tallest slab", (weighted.NIBBLES, 67, 12, 96), {"add": True}),
    ("nibbles in the tallest slab, SwiGLU, ragged outputs", (weighted.NIBBLES, 70, 9, 64), _GATED),
    ("codes that are looked up, in slabs", (weighted.TABLE, 12, 10, 192), _GATED),
    ("groups of scales in slabs", (weighted.GROUPS, 9, 12, 256), {"add": True, "norm": True}),
    ("activations so small that eps decides", ("f16", 4, 9, 64), {"norm": True, "eps": 1e-6, "values": "small"}),
    (
        "LoRA of q, k and v under a norm, each row another",
        ("f16", 11, 37, 200),
        {"norm": True, "lora": (16, 9, 12), "low_quads": 12, "ranks": ((16, 16, 16), (0, 0, 0), (7, 0, 1))},
    ),
    (
        "LoRA of gate and up",
        ("f16", 19, 21, 96),
        {**_GATED, "lora": (21, 21), "low_quads": 17, "ranks": ((1, 16), (0, 64), (4, 0))},
    ),
    (
        "LoRA beside all bindings of q/k/v; ragged K",
        (weighted.NIBBLES, 5, 37, 203),
        {"norm": True, "bias": True, "lora": (5, 11, 21), "low_quads": 21, "ranks": ((3, 16, 64), (0, 0, 5))},
    ),
    (
        "LoRA of a slice of wider rows, residual",
        (weighted.BYTES, 7, 21, 64),
        {"add": True, **_SLICE, "lora": (40, 30), "low_quads": 4, "ranks": ((8, 5), (0, 0))},
    ),
)


def _decoding() -> list[BenchCase]:
    """The products of a step of m sequences, as the forward computes them on a large GPU."""
    normed, added = {"norm": True}, {"add": True}
    products: list[tuple[str, str, int, int, int, dict[str, Any]]] = []
    for weight in ("f16", weighted.NIBBLES):
        for m in (16, 64, 128):
            products += [
                ("SmolLM2 q/k/v", weight, m, 960, 576, normed),
                ("SmolLM2 o", weight, m, 576, 576, added),
                ("SmolLM2 gate/up", weight, m, 1536, 576, _GATED),
                ("SmolLM2 down", weight, m, 576, 1536, added),
                ("SmolLM2 LM head", weight, m, 49152, 576, normed if m == 16 else {}),
            ]
    products += [("SmolLM2 gate/up", weighted.NIBBLES, 32, 1536, 576, _GATED)]  # of a prompt's last rows, too
    products += [("SmolLM2 LM head", weighted.BYTES, m, 49152, 576, normed if m == 16 else {}) for m in (16, 64, 128)]
    for m in (16, 64):
        products += [
            ("Qwen2.5-1.5B q/k/v", "f16", m, 2048, 1536, {"norm": True, "bias": True}),
            ("Qwen2.5-1.5B o", "f16", m, 1536, 1536, added),
        ]
    products += [
        ("Qwen2.5-1.5B gate/up", "f16", 16, 8960, 1536, _GATED),
        ("Qwen2.5-1.5B gate/up", "f16", 64, 17920, 1536, {"blocks": 4}),
        ("Qwen2.5-1.5B down", "f16", 16, 1536, 8960, {"blocks": 8}),
        ("Qwen2.5-1.5B down", "f16", 64, 1536, 8960, {"blocks": 4}),
        ("Qwen2.5-1.5B LM head", "f16", 16, 151936, 1536, normed),
        ("Qwen2.5-1.5B LM head", "f16", 64, 151936, 1536, {}),
    ]
    return [
        BenchCase(problem_of(weight, m, n, k, **fused), f"{note}, {m} sequences", software=False)
        for note, weight, m, n, k, fused in products
    ]


# Panels and slabs may load 16 bytes of weights at a time.
_WEIGHT_ELEM = (
    "{% if style in ('panel', 'slab') and wide > 1 and CHUNK[weight] == 8 %}"
    "{{ 'mat2x4<f16>' if half == 'native' else 'vec4<u32>' }}"
    f"{{% else %}}{weighted.QUAD_ELEM}{{% endif %}}"
)


class GemmFused(Gemm):
    name = "gemm_fused"
    params = (*Gemm.params, ("width", "u32"), ("at", "u32"), ("block", "u32"))
    math = "y[m,n] = r[m,n] + act(sum_k rmsnorm(x, g)[m,k] * W[n,k] + (B low[m])[n] + b[n]), each part if asked for"
    bindings = (
        Gemm.bindings[0],
        reads("w", _WEIGHT_ELEM, ""),
        Gemm.bindings[2],
        reads("g", vec4_if("load"), "k"),
        reads("b", vec4_if("store"), "n"),
        reads("r", vec4_if("store"), "m width"),
        reads("low", "vec4<f32>", ""),
        reads("pool", "vec4<f32>", ""),
        *Gemm.bindings[3:],
    )
    software_teams = ()  # checked with GEMM
    software_panels = ("f16",)  # for plain problems; those with norm or SwiGLU have no other variants
    cases: Sequence[Case] = tuple(_cases())
    bench_cases = (
        BenchCase(problem_of(weighted.NIBBLES, 512, 576, 1536, add=True), "SmolLM2 down, prefill"),
        BenchCase(problem_of("f16", 512, 576, 1536, add=True), "SmolLM2 down, prefill", software=False),
        BenchCase(problem_of("f16", 512, 1536, 8960, add=True), "Qwen2.5-1.5B down, prefill", software=False),
        *_decoding(),
        BenchCase(
            problem_of("f16", 32, 960, 576, norm=True, lora=(576, 192, 192), low_quads=12, ranks=((16, 16, 16),) * 8),
            "SmolLM2 q/k/v, 32 sequences, 8 LoRA adapters",
            software=False,
        ),
    )

    def template(self, variant: Variant) -> str:
        return {"panel": "gemm_panel.wgsl", "slab": "gemm_slab.wgsl"}.get(variant["style"], "gemm.wgsl")

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("g", "norm"), ("b", "bias"), ("r", "add")) if not problem[key]}
        absent |= set() if problem["lora"] else {"low", "pool"}
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = super().inputs(rng, weighted.with_gates(problem))
        if problem.get("values") == "small":
            arrays["x"] *= np.float32(1e-4)
        if problem["norm"]:
            arrays["g"] = draw(rng, (problem["k"],))
        if problem["bias"]:
            arrays["b"] = draw(rng, (problem["n"],))
        if problem["add"]:
            arrays["r"] = draw(rng, (problem["m"], problem["width"]))
        if problem["lora"]:
            low = random_low(rng, problem["m"], problem["lora"], problem["low_quads"], problem["ranks"])
            arrays["low"], arrays["pool"] = low
        if problem["width"] != problem["n"]:
            arrays["y"] = draw(rng, (problem["m"], problem["width"]))
        return arrays

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x, root = inputs["x"].astype(np.float64), np.ones((problem["m"], 1))
        if problem["norm"]:
            root = 1 / np.sqrt(np.mean(x**2, axis=1, keepdims=True) + problem["eps"])
            x = x * inputs["g"]
        if problem["blocks"] > 1:
            weights, parts = weighted.dequantised(inputs, problem), tiles.slices(problem["k"], problem["blocks"])
            return {"y": np.stack([x[:, part] @ weights[:, part].T for part in parts])}
        matrix, columns = weighted.with_gates(problem), slice(problem["at"], problem["at"] + problem["n"])
        y = x @ weighted.dequantised(inputs, matrix).T
        if problem["lora"]:
            rows = slice(problem["at"], problem["at"] + matrix["n"])
            y = y + second_product(inputs["low"], inputs["pool"], problem["lora"])[:, rows]
        y = y * root
        if problem["bias"]:
            y = y + inputs["b"]
        if problem["act"] == "swiglu":
            y = gated(y)
        if problem["add"]:
            y = y + inputs["r"][:, columns]
        whole = inputs["y"].astype(np.float64) if "y" in inputs else np.empty((problem["m"], problem["width"]))
        whole[:, columns] = y
        return {"y": whole}

    def operands(self, problem: Problem) -> dict[str, Out]:
        low = {"low": Out((problem["m"], 1 + problem["low_quads"], 4))} if problem["lora"] else {}
        return {**super().operands(problem), **weighted.plane_shapes(weighted.with_gates(problem)), **low}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["m"], problem["width"])
        return {"y": Out(shape if problem["blocks"] == 1 else (problem["blocks"], *shape))}

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Panels and slabs for few rows and for problems with a norm or SwiGLU, panels for LoRA; tiles and teams for
        plain problems."""
        fused = problem["norm"] or problem["act"] != "none" or problem["lora"]
        few = self._few(traits, problem) if fused or problem["m"] <= MOST_FEW else []
        if fused:
            return few
        if traits.software:
            return [*self._plain(traits, problem), *(few if problem["weight"] in self.software_panels else [])]
        tiles_first = not fuses(traits, problem["m"], problem["n"])
        plain = self._plain(traits, problem)
        return [*plain, *few] if tiles_first else [*few, *plain]

    def _few(self, traits: Traits, problem: Problem) -> list[Variant]:
        """Panels and slabs; slabs first if the result is large."""
        if problem["compute"] != "f32":
            return []
        whole = weighted.with_gates(problem)
        short = self._panels(traits, problem) if problem["blocks"] == 1 else []
        tall = self._slabs(traits, problem) if problem["m"] >= slabs.LEAST_ROWS and not problem["lora"] else []
        most = traits.filling(_PANEL_SUMS_NORM if problem["norm"] else _PANEL_SUMS)
        return [*short, *tall] if problem["m"] * whole["n"] <= most or traits.software else [*tall, *short]

    def _slabs(self, traits: Traits, problem: Problem) -> list[Variant]:
        fours = problem["act"] == "none" and not any(problem[key] % 4 for key in ("n", "at", "width"))
        access = {"load": "scalar" if problem["k"] % 4 else "vec4", "store": "vec4" if fours else "scalar"}
        styles = slabs.offered(traits, weighted.with_gates(problem))
        return [{**v, "half": "packed", **access} for v in styles]

    def _plain(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Variants of GEMM, with vec4 stores only if the columns start at a multiple of four.

        On software drivers, which compile slowly, native halves are only checked with GEMM itself.
        """
        variants = super().variants(traits, problem)
        if traits.software:
            variants = [v for v in variants if v["half"] == "packed"]
        if problem["blocks"] > 1 and problem["m"] <= MOST_FEW:  # first the tile that the blocks are made for
            variants = sorted(variants, key=lambda v: (v["bm"], v["bn"], v.get("bk")) != tiles.FEW)
        if problem["at"] % 4 == 0 and problem["width"] % 4 == 0:
            return variants
        return [v for v in variants if v["store"] == "scalar"] or [{**v, "store": "scalar"} for v in variants]

    def _panels(self, traits: Traits, problem: Problem) -> list[Variant]:
        access = {"load": "scalar" if problem["k"] % 4 else "vec4", "store": "scalar"}
        halves = weighted.half_modes(traits.f16 and not traits.software, problem["weight"])
        styles = panels.offered(traits, weighted.with_gates(problem))
        return [
            {**v, "half": half, **access}
            for half in halves
            for v in styles
            if half == "packed" or panels.ordinary(v)  # enough to find out whether native halves are faster
        ]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        if problem["act"] not in ACTS:
            return f"act must be one of {ACTS}, and is {problem['act']!r}"
        if problem["act"] == "swiglu" and problem["bias"]:
            return "SwiGLU takes no bias"
        if problem["blocks"] > 1:
            if any(problem[key] for key in ("bias", "add", "norm", "lora")) or problem["width"] != problem["n"]:
                return "sums in blocks fill a buffer of their own: no norm, bias or add, and no slice of wider rows"
            if variant["style"] in ("panel", "team"):
                return f"a {variant['style']} sums over all of k"
        if variant["style"] not in _FUSING:
            if problem["norm"] or problem["act"] != "none" or problem["lora"]:
                return f"norm, SwiGLU and LoRA need panels or slabs, and this variant is of style {variant['style']}"
            return super().refuses(problem, variant)
        if problem["lora"] and variant["style"] != "panel":
            return f"LoRA needs panels, and this variant is of style {variant['style']}"
        if problem["lora"] and len(self.bound(problem)) > MOST_BINDINGS:
            return f"what is asked for besides LoRA needs more than {MOST_BINDINGS} bindings"
        if variant["store"] != "scalar" and (variant["style"] == "panel" or problem["act"] != "none"):
            return "panels, and slabs with SwiGLU, store one column at a time"
        wide_chunk = panels.wide_chunk(problem["weight"])
        if variant["wide"] > 1 and not wide_chunk:
            return f"loads of two quads are for weights of 16 or 4 bits, and these are {problem['weight']}"
        if variant["wide"] > 1 and problem["k"] % wide_chunk:
            return f"loads of two quads need K to be a multiple of {wide_chunk}, and K is {problem['k']}"
        if variant["style"] == "slab" and variant["half"] != "packed":
            return "slabs read halves in words"
        wrong = panels.refused(variant) if variant["style"] == "panel" else slabs.refused(variant, wide_chunk)
        return wrong or super().refuses(weighted.with_gates(problem), variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        block = tiles.block_of(problem["k"], problem["blocks"])
        return {**super().uniforms(problem, variant), "width": problem["width"], "at": problem["at"], "block": block}

    def flops(self, problem: Problem) -> int:
        return super().flops(weighted.with_gates(problem))

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        around = n * problem["bias"] + m * n * problem["add"] + k * problem["norm"]
        return weighted.weight_bytes(weighted.with_gates(problem)) + 4 * (m * (k + n * problem["blocks"]) + around)

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        return () if variant["style"] in _FUSING else self.params

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        fused = {"bias": problem["bias"], "add": problem["add"], "fused": True, "split": problem["blocks"] > 1}
        if variant["style"] not in _FUSING:
            return fused
        sizes = {key: problem[key] for key in ("m", "n", "k", "width", "at", "norm", "act", "eps", "lora", "low_quads")}
        sizes["quads"] = weighted.weight_type(problem["weight"]).padded(problem["k"]) // 4
        if variant["style"] == "slab":
            block = tiles.block_of(problem["k"], problem["blocks"]) // 4
            sizes |= {"rows": slabs.rows(variant), "blocks": problem["blocks"], "block": block}
        return {**fused, **sizes}

    def tune_key(self, problem: Problem) -> str:
        """For few rows, by their number and by n and k."""
        blocks = " in blocks" if problem["blocks"] > 1 else ""
        if problem["m"] > MOST_FEW:
            return super().tune_key(problem) + blocks
        rows = next(rows for rows in (4, 8, 16, 32, 64, 128, MOST_FEW) if problem["m"] <= rows)
        around = [key for key in ("norm", "bias", "add") if problem[key]] + [problem["act"] + blocks]
        sizes = f"{rows} rows {in_twos(problem['n'], problem['k'])}"
        return f"{problem['weight']} {problem['compute']} {sizes} {' '.join(around)}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, y, _ = super().grid(weighted.with_gates(problem), variant)
        return (x, y, problem["blocks"])


KERNEL = GemmFused()
