"""SwiGLU as halves, with a scale for each row and block of k: the left side of a product that is cut into blocks.

A row's blocks have a workgroup each, where a scale for the whole row would leave few rows to few workgroups.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import draw
from ..elementwise.activations import gated
from ..kernel import Arrays, BenchCase, Case, Out, Problem, Variant, case, in_fours, reads, writes
from ..pieces.rows import ROW_PARAMS
from .kept_rows import KeptRows
from .row_halves import block_size, in_halves, vectors


def in_blocks(rows: NDArray[Any], parts: int, blocks: int) -> tuple[NDArray[np.float16], NDArray[np.float32]]:
    """The reference: [parts, rows, padded], and what each row of each block is to be multiplied by."""
    size = block_size(rows.shape[1], blocks)
    zeros = np.zeros((len(rows), blocks * size - rows.shape[1]), rows.dtype)
    padded = np.concatenate([rows, zeros], axis=1)
    made = [in_halves(padded[:, z * size : (z + 1) * size], parts) for z in range(blocks)]
    h = np.concatenate([h for h, _ in made], axis=2)
    return h[:, :, : 8 * vectors(rows.shape[1])], np.stack([scale for _, scale in made])


def problem_of(rows: int, hidden: int, blocks: int, sums: int = 1, **more: Any) -> dict[str, Any]:
    """A complete problem. `sums`: blocks of the product before it, which are to be added up."""
    return {"rows": rows, "hidden": hidden, "blocks": blocks, "sums": sums, **more}


def _cases() -> tuple[Case, ...]:
    return (
        case("whole blocks", **problem_of(5, 768, 3)),
        case("the last block ragged, half a vector at its end", **problem_of(7, 300, 3)),
        case("an empty block", **problem_of(3, 132, 3)),
        case("more than a workgroup has threads", **problem_of(2, 9004, 2)),
        case("blocks that differ by powers of ten", **problem_of(4, 512, 4, values="scales")),
        case("values beyond f16", **problem_of(5, 260, 2, values="large")),
        case("sums of blocks", **problem_of(5, 300, 2, 3)),
    )


class GateHalves(KeptRows):
    name = "gate_halves"
    math = "h = f16(silu(gate) * up * 2^e), scale = 2^-e of each block of a row; gate, up = sum_s x[s]"
    bindings = (reads("x", "vec4<f32>", "sums rows 2*hidden"), writes("h", "vec4<u32>"), writes("scale"))
    params = (*ROW_PARAMS, ("vecs", "u32"), ("block_vecs", "u32"))
    static = ("blocks", "sums")
    cases = _cases()
    bench_cases = (
        BenchCase(problem_of(16, 8960, 8), "Qwen2.5-1.5B, 16 sequences", software=False),
        BenchCase(problem_of(64, 8960, 8), "Qwen2.5-1.5B, 64 sequences", software=False),
        BenchCase(problem_of(128, 8960, 8), "Qwen2.5-1.5B, 128 sequences", software=False),
        BenchCase(problem_of(512, 8960, 2), "Qwen2.5-1.5B, 512 tokens", software=False),
        BenchCase(problem_of(512, 9728, 3), "Qwen3-4B, 512 tokens", software=False),
        BenchCase(problem_of(64, 9728, 4, 4), "Qwen3-4B, 64 sequences", software=False),
    )

    def rows(self, problem: Problem) -> int:
        """Blocks of all rows: each has a workgroup."""
        return int(problem["rows"] * problem["blocks"])

    def elements(self, problem: Problem) -> int:
        return int(problem["rows"] * problem["hidden"])

    def kept(self, problem: Problem) -> int:
        return min(problem["hidden"], block_size(problem["hidden"], problem["blocks"]))

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, hidden = int(problem["rows"]), self.cols(problem)
        x = draw(rng, (problem["sums"], rows, 2 * hidden))
        if problem.get("values") == "large":
            x *= np.float32(2.0**10)
        if problem.get("values") == "scales":
            block = np.arange(hidden) // block_size(hidden, problem["blocks"])
            x[..., hidden:] *= np.float32(10.0) ** (5 * block - 10).astype(np.float32)
        return {"x": x}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows = int(problem["rows"])
        return {"h": Out((1, rows, 8 * vectors(problem["hidden"])), "f16"), "scale": Out((problem["blocks"], rows))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        h, scale = in_blocks(gated(inputs["x"].astype(np.float64).sum(axis=0)), 1, problem["blocks"])
        return {"h": h.astype(np.float64), "scale": scale.astype(np.float64)}

    def flops(self, problem: Problem) -> int:
        return self.elements(problem) * (2 + 2 * int(problem["sums"]))

    def bytes(self, problem: Problem) -> int:
        return self.elements(problem) * (2 + 8 * int(problem["sums"])) + 4 * self.rows(problem)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        block = block_size(problem["hidden"], problem["blocks"])
        return super().uniforms({**problem, "block_vecs": block // 8}, variant)

    def tune_key(self, problem: Problem) -> str:
        return f"{in_fours(problem['rows'], problem['hidden'])} blocks={problem['blocks']} sums={problem['sums']}"


KERNEL = GateHalves()
