"""q, k and v as a product leaves them that was cut into blocks of k: attention adds them up, and their bias."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel import MOST_BINDINGS, Arrays, Out, Problem


def blocks_of(problem: Problem) -> int:
    return int(problem.get("qkv_blocks", 1))


def operands(problem: Problem, shape: tuple[int, ...]) -> dict[str, Out]:
    """qkv, whose sums are of this shape, and its bias."""
    qkv = {"qkv": Out(shape if blocks_of(problem) == 1 else (blocks_of(problem), *shape))}
    return qkv | ({"b": Out(shape[1:])} if problem.get("qkv_bias") else {})


def cut(rng: np.random.Generator, inputs: Arrays, problem: Problem) -> Arrays:
    """The inputs with qkv in blocks, whose sums are exact, and a bias of the queries.

    So keys and values stay what was drawn for them (attending.random_qkv).
    """
    if blocks_of(problem) == 1:
        return inputs
    qkv = inputs["qkv"] * np.float32(2.0 ** (blocks_of(problem) - 2))
    inputs = {**inputs, "qkv": np.stack([2 * qkv, *(-qkv / 2**z for z in range(blocks_of(problem) - 1))])}
    if problem.get("qkv_bias"):
        bias = np.zeros(qkv.shape[1], np.float32)
        queries = problem["heads"] * problem["head_dim"]
        bias[:queries] = rng.standard_normal(queries)
        inputs["b"] = bias
    return inputs


def summed(inputs: Arrays, problem: Problem) -> Arrays:
    """The inputs with qkv as one, in float64."""
    if blocks_of(problem) == 1:
        return inputs
    return {**inputs, "qkv": inputs["qkv"].astype(np.float64).sum(axis=0) + inputs.get("b", 0)}


def constants(problem: Problem) -> dict[str, Any]:
    """Of the shader."""
    return {"qkv_blocks": blocks_of(problem), "qkv_bias": problem.get("qkv_bias", False)}


def refused(problem: Problem, bindings: int) -> str | None:
    """Why blocks of this problem are unsupported; None if they are supported."""
    if blocks_of(problem) == 1:
        return "a bias of q, k and v is added to blocks alone" if problem.get("qkv_bias") else None
    if problem.get("rotary", 0) % 8:
        return "blocks of q, k and v beside rotated pairs that do not fill their vec4s"
    if bindings > MOST_BINDINGS:
        return f"blocks of q, k and v beside all that is asked for need {bindings} bindings of {MOST_BINDINGS}"
    return None
