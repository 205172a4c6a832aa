"""GEMV of few workgroups that take rows in turns, with x and codes as integers."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from tests.contracts.made_up import ADAPTERS, NVIDIA

from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Recorder
from wgpt.kernels import registry
from wgpt.kernels.experts import expert_gemv
from wgpt.kernels.kernel import Problem, Variant
from wgpt.kernels.products import gemv_styles
from wgpt.quant.weights import weight_type

GEMV = registry.get("gemv")
TOLERANCE, SHORT = 1e-5, 1e-4  # the first is that of GEMV's contract; for x in two bytes, see below
# 4 teams of 4 lanes with two rows each, 2 workgroups: 37 rows take three turns, the last of which is not complete, and
# 10 chunks three steps.
SMALL: Variant = {
    **{"reduce": "subgroup", "subgroups": True, "stage": True, "digits": 3, "groups": 2, "ahead": True, "fixed": True},
    **{"threads": 16, "lanes": 4, "rows": 2, "unroll": 1, "width": 4, "x": "vec4", "half": "packed"},
}


def error(device: GpuDevice, weight: str, unroll: int, chunks: int = 10, digits: int = 3) -> float:
    """Relative to the largest result, with every code in the weights."""
    if device.traits.subgroup_size < SMALL["lanes"]:
        pytest.skip("no subgroups of four here")
    kind, rng = weight_type(weight), np.random.default_rng(0)
    problem = {"weight": weight, "n": 37, "k": kind.padded(chunks * kind.chunk)}
    variant = {**SMALL, "unroll": unroll, "digits": digits}
    if kind.codes == "grid":  # takes long to compile
        variant["rows"] = 1
    inputs = dict(GEMV.inputs(rng, problem))
    inputs["w"] = rng.integers(0, 2**32, inputs["w"].shape, np.uint32)
    tensors = {name: device.tensor(array) for name, array in inputs.items()} | {"y": device.empty((37,))}
    with Recorder(device) as recorder:
        recorder.launch(GEMV.launch(device, tensors, problem, variant))
        with recorder.finish(y=tensors["y"]) as program:
            y, expected = program.read()["y"], GEMV.reference(inputs, problem)["y"]
    return float(np.abs(y - expected).max() / np.abs(expected).max())


@pytest.mark.gpu
@pytest.mark.parametrize(
    "weight, unroll",
    [("mxfp4", 2), ("iq4_nl", 1), ("iq4_xs", 2), ("q5_0", 1), ("q2_k", 2), ("q3_k", 1)]
    + [(grid, 1) for grid in ("iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s")],
)
def test_every_code_in_turns(device: GpuDevice, weight: str, unroll: int) -> None:
    assert error(device, weight, unroll) < TOLERANCE


@pytest.mark.gpu
@pytest.mark.parametrize("unroll", [1, 2])
def test_as_many_chunks_for_every_lane(unroll: int, device: GpuDevice) -> None:
    assert error(device, "q8_0", unroll, chunks=8) < TOLERANCE


@pytest.mark.gpu
@pytest.mark.parametrize("weight", ["q8_0", "q4_k", "q6_k", "mxfp4", "q5_0", "q2_k", "q3_k"])
def test_x_in_two_bytes(weight: str, device: GpuDevice) -> None:
    """Rounded to 2^-16 of the largest of a chunk: 2.2e-5 of a result's usual size, and 37 results' largest error is
    about three times that; so is the largest result."""
    assert TOLERANCE < error(device, weight, 1, chunks=16, digits=2) < SHORT


@pytest.mark.gpu
@pytest.mark.parametrize(
    "defect, weight, digits, pattern, replacement",
    [
        ("drops the lower byte of x", "q8_0", 2, r"256 \* d1 \+ d0\)", "256 * d1)"),
        ("takes x's lower byte for signed", "q5_0", 2, "0x8080u", "0u"),
        ("repeats the first rows", "q8_0", 3, r"select\(from(\d), onward\1, last\)", r"from\1"),
        ("counts the last chunk twice", "q8_0", 3, r"let live = .*;", "let live = true;"),
        ("takes -0 for a number", "mxfp4", 3, r"\(size \| 0x80808080u\)", "size"),
        ("has no 12", "mxfp4", 3, "0x22222222u", "0u"),
        ("has wrong values for two codes", "iq4_nl", 3, r"c0 \| c1 \| ~c3", "c0 | c1"),
        ("drops fifth bits", "q5_0", 3, "0x80808080u", "0u"),
        ("drops third bits", "q3_k", 3, "0x80808080u", "0u"),
        ("takes a word's scale for its neighbour", "q3_k", 3, r"vec4\(0u, 2u, 4u, 6u\)", "vec4(2u, 0u, 4u, 6u)"),
        ("forgets the minima", "q2_k", 3, r" \+ dot\(sc\.y, total\)", ""),
        ("takes one sum of x for all words", "q2_k", 3, r"x_sum\[c \+ \d+u\]", "x_sum[c]"),
        ("forgets the ninth bits", "iq3_s", 3, r"high\.z >> \(4u \* i\)", "0u"),
        ("takes the signs of the word before", "iq2_s", 3, r"16u \+ 4u \* j", "16u + 4u * (j ^ 1u)"),
    ],
)
def test_a_defect_is_found(
    defect: str,
    weight: str,
    digits: int,
    pattern: str,
    replacement: str,
    device: GpuDevice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source: Callable[..., str] = GEMV.source

    def broken(*args: object) -> str:
        wgsl, count = re.subn(pattern, replacement, source(*args))
        assert count, f"{defect}: nothing to replace"
        return wgsl

    monkeypatch.setattr(GEMV, "source", broken)
    assert not error(device, weight, 1, digits=digits) < 10 * (TOLERANCE if digits == 3 else SHORT)


def _problems() -> list[tuple[str, Problem]]:
    sizes = ((9728, 2560), (4096, 14336), (151936, 2560), (5, 256))
    dense = [("gemv", {"weight": w, "n": n, "k": k}) for w in ("q4_k", "q6_k", "q8_0") for n, k in sizes]
    experts = [
        expert_gemv.problem_of("mxfp4", 1, 4, 32, 2880, 2880, act="clamped", norm=True, bias=True),
        expert_gemv.problem_of("mxfp4", 1, 4, 32, 2880, 2880, gather="sum", add=True, bias=True),
        expert_gemv.problem_of("q4_k", 1, 8, 128, 2048, 768, gather="sum", add=True),
    ]
    return [*dense, *(("expert_gemv", p) for p in experts)]


@pytest.mark.parametrize("gpu", ADAPTERS)
@pytest.mark.parametrize("name, problem", _problems())
def test_all_rows_are_taken_and_x_fits(gpu: str, name: str, problem: Problem) -> None:
    traits, kernel = ADAPTERS[gpu], registry.get(name)
    try:
        usable = [v for v in kernel.usable(traits, problem) if v["groups"]]
    except PreconditionError:
        usable = []
    assert usable or traits is not NVIDIA
    for v in usable:
        x, y, results = kernel.grid(problem, v)
        rows = gemv_styles.outputs(v) * gemv_styles.turns(v, problem["n"] * results)
        assert (x * y - 1) * rows < problem["n"] <= x * y * rows
        assert x * y * results < v["groups"] + results, "more workgroups than there are to be"
        assert gemv_styles.stage_bytes(v, problem) <= traits.workgroup_bytes and v["threads"] <= traits.max_invocations
