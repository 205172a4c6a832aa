"""RoPE rotates pairs of a head's elements by an angle that grows with the position; its gradient rotates them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import each_grid, each_variants

LAYOUTS = ("half", "interleaved")
ELEM = vec4_if("x")
_PREFILL = {"layout": "half", "seq": 512, "start": 0}
STEPS = reads("steps", "vec2<u32>", "head_dim")


def inverse_frequencies(head_dim: int, theta: float) -> NDArray[np.float64]:
    """Radians per position of each pair."""
    return np.asarray(theta ** (-np.arange(0, head_dim, 2) / head_dim), np.float64)


def phase_steps(radians: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Angles below 2 pi as 64-bit fractions of a full turn, [pairs, (high word, low word)].

    Multiplying a position by such a fraction wraps around exactly. No large angle is ever formed, so position
    100,000 is as accurate as position 1.
    """
    if not ((radians >= 0) & (radians < 2 * np.pi)).all():
        largest = f"{radians.max():g}"
        raise ValueError(f"rotations per position must be within 0 and 2 pi, not up to {largest}: theta is too small")
    scaled = radians / (2 * np.pi) * 2.0**32
    high = np.floor(scaled)
    return np.stack([high, np.floor((scaled - high) * 2.0**32)], axis=-1).astype(np.uint32)


def rotated(x: NDArray[np.float64], problem: Problem, sign: float) -> NDArray[np.float64]:
    """x[heads, seq, head_dim] rotated forward (sign 1) or back (-1)."""
    head_dim = problem["head_dim"]
    positions = problem["start"] + np.arange(problem["seq"], dtype=np.float64)
    angle = np.outer(positions, inverse_frequencies(head_dim, problem["theta"]))
    cos, sin = np.cos(angle), sign * np.sin(angle)
    y = np.empty_like(x)
    if problem["layout"] == "half":
        first, second = slice(0, head_dim // 2), slice(head_dim // 2, head_dim)
    else:
        first, second = slice(0, head_dim, 2), slice(1, head_dim, 2)
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., second] * cos + x[..., first] * sin
    return y


def _cases() -> list[Case]:
    cases = []
    for layout in LAYOUTS:
        for why, heads, seq, head_dim, start, theta in (
            ("head_dim 2: one pair, no whole load", 3, 5, 2, 0, 1e4),
            ("head_dim 6: pairs that do not fill loads", 2, 7, 6, 3, 1e4),
            ("head_dim 12: whole loads interleaved, not in halves", 2, 7, 12, 0, 1e4),
            ("SmolLM2's heads, from the start", 9, 33, 64, 0, 1e5),
            ("far along: position times frequency is thousands of radians", 2, 9, 64, 8183, 1e4),
            ("far along with Qwen's theta", 2, 9, 128, 8183, 1e6),
            ("beyond a hundred thousand positions", 1, 3, 64, 131_000, 1e6),
        ):
            cases.append(case(why, layout=layout, heads=heads, seq=seq, head_dim=head_dim, start=start, theta=theta))
    return cases


class Rope(Kernel):
    """RoPE: rotates pairs of a head's elements by an angle that grows with the position.

    The backward pass is the same with the angle negated.
    """

    name = "rope"
    math = "(y1, y2) = (x1 cos a - x2 sin a, x2 cos a + x1 sin a), a = position * theta^(-2p/head_dim)"
    operand, result = "x", "y"
    bindings = (reads("x", ELEM, "heads seq head_dim"), STEPS, writes("y", ELEM))
    params = (("count", "u32"), ("per_head", "u32"), ("seq", "u32"), ("start", "u32"))
    static = ("layout",)
    sign = 1.0
    cases = tuple(_cases())
    bench_cases = (
        BenchCase({"heads": 9, "head_dim": 64, "theta": 1e5, **_PREFILL}, "SmolLM2 q, 512 tokens"),
        BenchCase({"heads": 32, "head_dim": 128, "theta": 1e6, **_PREFILL}, "Qwen3-4B q", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x = draw(rng, (problem["heads"], problem["seq"], problem["head_dim"]))
        radians = inverse_frequencies(problem["head_dim"], problem["theta"])
        return {self.operand: x, "steps": phase_steps(radians)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {self.result: Out((problem["heads"], problem["seq"], problem["head_dim"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {self.result: rotated(inputs[self.operand].astype(np.float64), problem, self.sign)}

    def _elements(self, problem: Problem) -> int:
        return int(problem["heads"]) * int(problem["seq"]) * int(problem["head_dim"])

    def flops(self, problem: Problem) -> int:
        return 3 * self._elements(problem)

    def bytes(self, problem: Problem) -> int:
        return 8 * self._elements(problem) + 4 * int(problem["head_dim"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{**style, "x": x} for style in each_variants(traits) for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["layout"] not in LAYOUTS:
            return f"layout must be one of {LAYOUTS}, and is {problem['layout']!r}"
        if problem["head_dim"] % 2:
            return f"head_dim must be even, and is {problem['head_dim']}"
        multiple = 2 * _pairs(problem, variant)
        if problem["head_dim"] % multiple:
            return f"vec4 loads need head_dim to be a multiple of {multiple}, and it is {problem['head_dim']}"
        return None

    def template(self, variant: Variant) -> str:
        return "rope.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"operand": self.operand, "result": self.result, "sign": "-" if self.sign < 0 else ""}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        count = self._elements(problem) // 2 // _pairs(problem, variant)
        per_head = problem["head_dim"] // 2 // _pairs(problem, variant)
        return {"count": count, "per_head": per_head, "seq": problem["seq"], "start": problem["start"]}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(self.uniforms(problem, variant)["count"], variant)


def _pairs(problem: Problem, variant: Variant) -> int:
    """Pairs that one index of the kernel rotates."""
    return 1 if variant["x"] == "scalar" else 4 if problem["layout"] == "half" else 2


class RopeBackward(Rope):
    """Gradient of RoPE: rotates every pair back, in the layout of the forward pass."""

    name = "rope_backward"
    math = "(dx1, dx2) = (dy1 cos a + dy2 sin a, dy2 cos a - dy1 sin a): the transpose of rope"
    operand, result = "dy", "dx"
    bindings = (reads("dy", ELEM, "heads seq head_dim"), STEPS, writes("dx", ELEM))
    sign = -1.0


KERNELS = (Rope(), RopeBackward())
