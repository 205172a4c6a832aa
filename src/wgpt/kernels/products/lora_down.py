"""LoRA's first product, A x, of all slices of a projection in one dispatch; each row has its own adapter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..attention.attention_combine import COMBINE
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, in_twos, reads, writes
from .lora_layout import Ranks, a_quads, entry_of, low_of

_STRAIGHT = 12  # loops of up to this many steps are unrolled completely
_LARGE = 64  # threads: smaller workgroups are for software drivers, which compile unrolled loops slowly
_FEW_ROWS = 32  # up to this many, a workgroup has one row
_QKV: Ranks = (16, 16, 16)


def problem_of(m: int, k: int, quads: int, **more: Any) -> dict[str, Any]:
    """A complete problem. A row of `low` has room for `quads` quads; the rows of `rows` are `stride` vec4s apart.

    `gain`: x is multiplied by the gains of a norm. `splits` and `head_dim`: as in gemv_fused.
    `ranks` and `values` are for random inputs: the ranks of the slices for each adapter, and the kind of x.
    """
    return {"m": m, "k": k, "quads": quads, "gain": False, "splits": 0, "head_dim": 0, "stride": 1, **more}


class LoraDown(Kernel):
    """Rows without an adapter get a header without quads. What lies behind a row's last quad is unchanged."""

    name = "lora_down"
    math = "low[m] = header, sum_k A[r,k] x[m,k] g[k], with the A of the row's own adapter"
    bindings = (
        reads("rows", "vec4<u32>", ""),
        reads("pool", "vec4<f32>", ""),
        reads("x", sizes="m k"),
        reads("part", sizes=""),
        reads("g", sizes="k"),
        writes("low", "vec4<f32>"),
    )
    params = (("m", "u32"),)
    static = ("k", "quads", "gain", "splits", "head_dim", "stride")
    cases = (
        case("different ranks, some slices not adapted", **problem_of(5, 203, 12, stride=3, ranks=(_QKV, (7, 0, 1)))),
        case("one row, gains", **problem_of(1, 256, 12, gain=True, ranks=(_QKV, (7, 0, 1)))),
        case("gains, so small that eps would decide", **problem_of(3, 96, 1, gain=True, ranks=((2,),), values="small")),
        case("rank 64, whole workgroups", **problem_of(16, 512, 16, ranks=((64,), (16,)))),
        case("rank 1, K below a subgroup", **problem_of(2, 3, 1, ranks=((1,),))),
        case("more rows than a workgroup has, a long K", **problem_of(77, 1100, 5, gain=True, ranks=((16, 3), (0, 9)))),
        case("many rows, four slices", **problem_of(40, 64, 8, stride=2, ranks=((4, 7, 5, 1), (0, 8, 0, 0)))),
        case("attention in slices", **problem_of(1, 192, 4, splits=5, head_dim=64, ranks=((16,),))),
        case("attention in slices of wide heads", **problem_of(1, 384, 3, splits=16, head_dim=128, ranks=((9,),))),
    )
    bench_cases = (
        BenchCase(problem_of(1, 576, 12, gain=True, ranks=(_QKV,)), "SmolLM2 q/k/v"),
        BenchCase(problem_of(1, 1536, 4, ranks=((16,),)), "SmolLM2 down", software=False),
        BenchCase(problem_of(32, 576, 12, gain=True, ranks=(_QKV,) * 8), "SmolLM2 q/k/v, 32 sequences", software=False),
        BenchCase(problem_of(32, 1536, 4, ranks=((16,),) * 8), "SmolLM2 down, 32 sequences", software=False),
        BenchCase(problem_of(512, 576, 12, ranks=(_QKV,)), "SmolLM2 q/k/v, 512 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {"x" if problem["splits"] else "part"} | (set() if problem["gain"] else {"g"})
        return tuple(b for b in self.bindings if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Some rows have no adapter. Numbers of the header are no larger than sums, so that errors of both show."""
        m, k, ranks = problem["m"], problem["k"], problem["ranks"]
        table, blocks, at = [entry_of(7, 7, ())], [draw(rng, (5, 4))], 5
        for each in ranks:
            table.append(entry_of(at, 4097 * len(table), each))
            blocks += [a_quads(draw(rng, (r, k))).reshape(-1, 4) for r in each if r]
            at = sum(map(len, blocks))
        rows = rng.integers(0, 1 << 20, (m, problem["stride"], 4)).astype(np.uint32)  # with those of other groups
        rows[:, 0] = np.stack(table)[np.arange(1, m + 1) % len(table)]
        arrays = {"rows": rows, "pool": np.concatenate(blocks)}
        if problem["splits"]:
            arrays |= COMBINE.inputs(rng, _slices(problem))
        else:
            arrays["x"] = draw(rng, (m, k), problem.get("values", "normal")) * np.float32(50)
        if problem["gain"]:
            arrays["g"] = draw(rng, (k,))
        return arrays

    def operands(self, problem: Problem) -> dict[str, Out]:
        part = COMBINE.operands(_slices(problem)) if problem["splits"] else {}
        return {**super().operands(problem), **part}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"low": Out((problem["m"], 1 + problem["quads"], 4))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        if problem["splits"]:
            x = COMBINE.reference(inputs, _slices(problem))["out"]
        else:
            x = inputs["x"].astype(np.float64) * (inputs["g"] if problem["gain"] else 1.0)
        low = np.full((problem["m"], 1 + problem["quads"], 4), np.nan)
        for row, values, entry in zip(low, x, inputs["rows"][:, 0], strict=True):
            used = low_of(entry, inputs["pool"], values)
            row[: len(used)] = used
        return {"low": low}

    def flops(self, problem: Problem) -> int:
        """As if the ranks of every row filled `low`."""
        return 8 * int(problem["m"]) * int(problem["quads"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        """As if all rows had one adapter whose ranks fill `low`."""
        m, k, quads = int(problem["m"]), int(problem["k"]), int(problem["quads"])
        return 4 * m * k * max(1, problem["splits"]) + 4 * k * problem["gain"] + 16 * quads * (k + m)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        few = problem["m"] <= _FEW_ROWS
        if traits.software:
            return [
                {"threads": 16, "rows": rows, "subgroups": subgroups}
                for rows in ((1,) if few else (4, 1))
                for subgroups in ((False, True) if traits.subgroups else (False,))
            ]
        best = 64 if problem["k"] <= 128 else 128 if problem["k"] <= 256 else 256
        threads = sorted((64, 128, 256), key=lambda count: abs(count - best))
        return [
            {"threads": count, "rows": rows, "subgroups": traits.subgroups}
            for rows in ((1,) if few else (8, 4))
            for count in threads
        ]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["splits"]:
            if problem["m"] != 1 or problem["gain"]:
                return "slices of attention are of one row, and take no norm"
            if variant["rows"] > 1:
                return "slices of attention are of one row"
        if max(problem["quads"], ceil_div(problem["m"], variant["rows"])) > MOST:
            return f"{problem['m']} rows of {problem['quads']} quads exceed {MOST} workgroups in one dimension"
        return None

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        return self.params if variant["rows"] > 1 else ()

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"straight": _STRAIGHT if variant["threads"] >= _LARGE else 0}

    def tune_key(self, problem: Problem) -> str:
        return in_twos(problem["m"], problem["k"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (problem["quads"], ceil_div(problem["m"], variant["rows"]), 1)


def _slices(problem: Problem) -> dict[str, Any]:
    """The problem of attention_combine whose result is x."""
    heads = problem["k"] // problem["head_dim"]
    return {"rows": 1, "heads": heads, "head_dim": problem["head_dim"], "splits": problem["splits"]}


KERNEL = LoraDown()
