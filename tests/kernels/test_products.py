"""GEMV with x as integers: non-finite values stay so, and x of any magnitude keeps its precision.

GEMM of few rows as on a GPU: the available variants, and results of small panels and slabs of every kind.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.contracts.made_up import ADAPTERS, BROWSER, LAVAPIPE, NVIDIA

from wgpt.contracts.trial import check, prepare
from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Recorder, Traits
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case, Variant
from wgpt.kernels.products import panels, slabs, tiles
from wgpt.kernels.products.gemm_fused import blocks_of, fuses, problem_of

GEMV = registry.get("gemv")
# Products of whole numbers are exact. Roundings of f32, in any order: 8 blocks added up, and 32 values of x for the
# offset of a block. With a digit fewer, 16 bits, the error is 1.5e-5.
BOUND = (8 + 32) * 2**-23


def product(device: GpuDevice, weight: str, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    problem = {"weight": weight, "n": 40, "k": len(x)}
    variants = [v for v in GEMV.usable(device.traits, problem) if v["digits"]]
    if not variants:
        pytest.skip("no subgroups here: x is never staged as whole numbers")
    inputs = {**GEMV.inputs(np.random.default_rng(0), problem), "x": x.astype(np.float32)}
    tensors = {name: device.tensor(array) for name, array in inputs.items()} | {"y": device.empty((40,))}
    with Recorder(device) as recorder:
        recorder.launch(GEMV.launch(device, tensors, problem, variants[0]))
        with recorder.finish(y=tensors["y"]) as program, np.errstate(invalid="ignore"):
            return program.read()["y"], GEMV.reference(inputs, problem)["y"]


@pytest.mark.gpu
@pytest.mark.parametrize("weight", ["q4_1", "q8_0"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_stays_so(device, weight, value):
    x = np.random.default_rng(1).standard_normal(128)
    x[77] = value
    y, _ = product(device, weight, x)
    assert not np.isfinite(y).any()


@pytest.mark.gpu
@pytest.mark.parametrize("weight", ["q4_1", "q8_0"])
@pytest.mark.parametrize("size", [1e-20, 1.0, 1e20])
def test_blocks_of_any_size(device, weight, size):
    """Blocks of x that differ by twelve orders of magnitude; the largest decides the sum, and each its own digits."""
    x = np.random.default_rng(2).standard_normal(256) * np.repeat(np.logspace(-9, 3, 8), 32) * size
    y, expected = product(device, weight, x)
    np.testing.assert_allclose(y, expected, rtol=0, atol=BOUND * np.abs(expected).max())
    x[-32:] = 0
    y, expected = product(device, weight, x)
    np.testing.assert_allclose(y, expected, rtol=0, atol=BOUND * np.abs(expected).max())


GEMM_FUSED = registry.get("gemm_fused")
# Small, for a software driver compiles them: two tiles across and down, four groups of threads.
SMALL: Variant = {**panels.SOFTWARE, "bn": 4, "tn": 2, "unroll": 1}
ACCESS = {"half": "packed", "load": "vec4", "store": "scalar"}
SMALL_SLAB: Variant = {**slabs.SOFTWARE, **ACCESS}


@pytest.mark.parametrize("gpu", ADAPTERS)
@pytest.mark.parametrize("m", [2, 5, 16, 32, 64, 128])
@pytest.mark.parametrize("n, k", [(960, 576), (576, 1536), (151936, 1536)])
def test_few_rows_take_panels_or_slabs_on_a_gpu_and_nowhere_else(gpu: str, m: int, n: int, k: int) -> None:
    traits = ADAPTERS[gpu]
    plain = GEMM_FUSED.usable(traits, problem_of("f16", m, n, k))
    assert (plain[0]["style"] in ("panel", "slab")) == (not traits.software and fuses(traits, m, n))
    assert any(v["style"] not in ("panel", "slab") for v in plain)
    fused = GEMM_FUSED.usable(traits, problem_of("f16", m, n, k, norm=True))
    assert {v["style"] for v in fused} == ({"panel", "slab"} if m >= slabs.LEAST_ROWS else {"panel"})
    for v in fused:
        module = panels if v["style"] == "panel" else slabs
        assert module.shared_bytes(v) <= traits.workgroup_bytes and v["threads"] <= traits.max_invocations
    assert len(fused) <= 2 or not traits.software


def test_many_rows_take_none() -> None:
    styles = {v["style"] for v in GEMM_FUSED.usable(NVIDIA, problem_of("f16", slabs.MOST_ROWS + 1, 960, 576))}
    assert not styles & {"panel", "slab"}


@pytest.mark.parametrize(
    "m, n, k, fused, style",
    [
        (16, 576, 576, {"add": True}, "panel"),
        (64, 576, 1536, {"add": True}, "panel"),
        (16, 1536, 576, {"norm": True, "act": "swiglu"}, "panel"),
        (64, 960, 576, {"norm": True}, "slab"),
        (16, 8960, 1536, {"norm": True, "act": "swiglu"}, "slab"),
        (64, 8960, 1536, {"norm": True, "act": "swiglu"}, "slab"),
        (16, 151936, 1536, {"norm": True}, "slab"),
        (64, 151936, 1536, {}, "shared"),
    ],
)
def test_the_style_follows_from_the_size(m: int, n: int, k: int, fused: dict[str, object], style: str) -> None:
    assert GEMM_FUSED.usable(NVIDIA, problem_of("f16", m, n, k, **fused))[0]["style"] == style


def test_slabs_are_larger_for_more_work_and_on_smaller_gpus() -> None:
    def area(traits: Traits, m: int, n: int) -> int:
        v = slabs.offered(traits, {"weight": "q4_1", "m": m, "n": n, "k": 576})[0]
        return int(v["bm"] * v["bn"])

    assert area(NVIDIA, 128, 3072) > area(NVIDIA, 64, 3072) > area(NVIDIA, 16, 576)
    assert area(replace(NVIDIA, cores=12), 64, 960) > area(NVIDIA, 64, 960)


def test_long_sums_of_few_columns_are_computed_in_blocks() -> None:
    for m, blocks in ((8, 1), (16, 8), (64, 4), (128, 2)):
        assert blocks_of(NVIDIA, m, 1536, 8960) == blocks, m
    assert blocks_of(NVIDIA, 64, 1536, 1536) == 1
    assert blocks_of(LAVAPIPE, 64, 1536, 8960) == 1


def test_large_products_of_few_rows_are_tiles_in_blocks() -> None:
    assert blocks_of(NVIDIA, 64, 17920, 1536) == 4 and blocks_of(NVIDIA, 128, 17920, 1536) == 2
    assert blocks_of(NVIDIA, 64, 151936, 1536) == 1, "enough tiles"
    assert blocks_of(NVIDIA, 64, 17920, 576) == 1, "k is too short"
    for m in (64, 128):
        tile = GEMM_FUSED.usable(NVIDIA, problem_of("f16", m, 17920, 1536, blocks=4))[0]
        assert tile["style"] == "shared" and (tile["bm"], tile["bn"], tile["bk"]) == tiles.FEW


@pytest.mark.parametrize("n, workgroups", [(576, 144), (960, 240), (3072, 192)])
def test_panels_are_as_wide_as_keeps_the_gpu_busy(n: int, workgroups: int) -> None:
    problem = problem_of("f16", 16, n, 576)
    assert GEMM_FUSED.grid(problem, GEMM_FUSED.usable(NVIDIA, problem)[0]) == (workgroups, 1, 1)


@pytest.mark.parametrize(
    "message, fused",
    [
        ("SwiGLU takes no bias", {"act": "swiglu", "bias": True}),
        ("act must be one of", {"act": "gelu"}),
        ("exceed rows of 70", {"norm": True, "width": 70, "at": 7}),
    ],
)
@pytest.mark.parametrize("traits", [NVIDIA, BROWSER, LAVAPIPE], ids=["nvidia", "browser", "lavapipe"])
def test_what_is_refused(message: str, fused: dict[str, object], traits) -> None:
    with pytest.raises(PreconditionError, match=message):
        GEMM_FUSED.usable(traits, problem_of("f32", 4, 64, 64, **fused))


def test_a_variant_says_why_it_refuses() -> None:
    tile = next(v for v in GEMM_FUSED.usable(NVIDIA, problem_of("q8_0", 4, 64, 64)) if v["style"] == "shared")
    assert "need panels" in (GEMM_FUSED.refuses(problem_of("q8_0", 4, 64, 64, norm=True), tile) or "")
    small = {**SMALL, **ACCESS}
    for change, weight, k, why in (
        ({"wide": 2}, "q8_0", 64, "two quads are for weights of"),
        ({"wide": 2}, "q4_1", 48, "multiple of 32"),
        ({"load": "vec4"}, "f32", 63, "K to be a multiple of 4"),
        ({"threads": 12}, "f32", 64, "no multiple of"),
        ({"tn": 3}, "f32", 64, "do not fill"),
        ({"store": "vec4"}, "f32", 64, "one column at a time"),
    ):
        assert why in (GEMM_FUSED.refuses(problem_of(weight, 4, 64, k), {**small, **change}) or ""), change
    for change, weight, why in (
        ({"wide": 2, "threads": 8}, "q4_1", "whole chunks of 32"),
        ({"wide": 2, "raw": True}, "q4_1", "raw slabs are for weights of 16 bits"),
        ({"raw": True}, "f16", "two quads at a time"),
        ({"threads": 18}, "f32", "no multiple of 4 tiles"),
        ({"depth": 3}, "f32", "no multiple of the 12 quads"),
        ({"tn": 2}, "f32", "not in fours"),
        ({"half": "native"}, "f16", "halves in words"),
    ):
        assert why in (GEMM_FUSED.refuses(problem_of(weight, 16, 64, 64), {**SMALL_SLAB, **change}) or ""), change
    store = {**SMALL_SLAB, "store": "vec4"}
    assert "one column at a time" in (GEMM_FUSED.refuses(problem_of("f32", 16, 64, 64, act="swiglu"), store) or "")


@pytest.mark.gpu
@pytest.mark.parametrize(
    "change, problem",
    [
        ({"wide": 2, "unroll": 2}, problem_of("f16", 5, 7, 168, norm=True, act="swiglu")),
        ({"wide": 2, "half": "native"}, problem_of("f16", 3, 9, 88, add=True, bias=True)),
        ({"wide": 2, "span": 4}, problem_of("bf16", 6, 6, 40, norm=True)),
        ({"wide": 2, "unroll": 2}, problem_of("q4_1", 5, 7, 288, norm=True, add=True)),
        ({"wide": 2, "span": 1}, problem_of("q6_k", 2, 5, 160, act="swiglu")),
        ({"wide": 2}, problem_of("q5_1", 4, 5, 96, norm=True)),
        ({"wide": 2}, problem_of("nf4", 3, 6, 64, norm=True)),
        ({"wide": 2, "tm": 4, "tn": 1}, problem_of("q4_k", 5, 6, 256)),
        ({"unroll": 3, "threads": 8}, problem_of("f32", 9, 5, 180, norm=True, width=13, at=5)),
        ({"load": "scalar"}, problem_of("q8_0", 5, 5, 131, norm=True, act="swiglu")),
    ],
    ids=lambda case: " ".join(f"{k}={v}" for k, v in case.items() if k in (*SMALL, "half", "load", "weight", "k")),
)
def test_small_panels_of_every_kind(device: GpuDevice, change: dict[str, object], problem: dict[str, object]) -> None:
    variant = {**SMALL, **ACCESS, **change}
    if variant["half"] == "native" and not device.traits.f16:
        pytest.skip("the GPU has no f16")
    assert GEMM_FUSED.refuses(problem, variant) is None
    outcome = check(prepare(GEMM_FUSED, Case(problem, "a small panel")), device, variant)
    assert outcome.within(2e-6), outcome


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize(
    "change, problem",
    [
        ({"wide": 2, "raw": True}, problem_of("f16", 10, 7, 168, norm=True, act="swiglu")),
        ({"wide": 2, "raw": True, "depth": 4}, problem_of("bf16", 6, 14, 88, norm=True)),
        ({"wide": 2, "store": "vec4", "threads": 8}, problem_of("f16", 3, 12, 88, add=True, bias=True)),
        ({"wide": 2}, problem_of("q4_1", 5, 7, 288, norm=True, add=True)),
        ({"wide": 2, "tn": 8}, problem_of("q6_k", 2, 5, 160, act="swiglu")),
        ({"wide": 2}, problem_of("q5_1", 4, 5, 96, norm=True)),
        ({"wide": 2}, problem_of("nf4", 3, 6, 64, norm=True)),
        ({"wide": 2, "tm": 2, "depth": 4}, problem_of("q4_k", 9, 9, 256)),
        ({"bn": 12, "threads": 12, "depth": 1}, problem_of("f32", 9, 29, 180, norm=True, width=42, at=5)),
        ({"load": "scalar"}, problem_of("q8_0", 5, 5, 131, norm=True, act="swiglu")),
        ({"threads": 8}, problem_of("f16", 9, 13, 260, blocks=3)),
        ({"threads": 8, "wide": 2, "depth": 4}, problem_of("q4_1", 9, 13, 320, blocks=2)),
    ],
    ids=lambda case: " ".join(f"{k}={v}" for k, v in case.items() if k in (*SMALL_SLAB, "weight", "k")),
)
def test_small_slabs_of_every_kind(device: GpuDevice, change: dict[str, object], problem: dict[str, object]) -> None:
    variant = {**SMALL_SLAB, **change}
    assert GEMM_FUSED.refuses(problem, variant) is None
    outcome = check(prepare(GEMM_FUSED, Case(problem, "a small slab")), device, variant)
    assert outcome.within(2e-6), outcome


def test_a_limit_of_memory_leaves_smaller_variants() -> None:
    problem = problem_of("f16", 16, 3072, 576, norm=True)
    for limit in (8192, 16384, 49152):
        variants = GEMM_FUSED.usable(replace(NVIDIA, workgroup_bytes=limit), problem)
        sizes = [(panels if v["style"] == "panel" else slabs).shared_bytes(v) for v in variants]
        assert sizes and max(sizes) <= limit


def test_what_is_tuned_is_checked_first() -> None:
    """`wgpt tune` chooses only variants that some case covers."""
    for bench in GEMM_FUSED.bench_cases:
        if bench.problem["m"] <= slabs.MOST_ROWS:
            cases = [c for c in GEMM_FUSED.cases if c.problem["compute"] == "f32"]
            alike = [c.problem for c in cases if c.problem["weight"] == bench.problem["weight"]]
            covered = [v for problem in alike for v in GEMM_FUSED.usable(NVIDIA, problem)]
            for variant in GEMM_FUSED.usable(NVIDIA, bench.problem):
                assert variant in covered, variant
