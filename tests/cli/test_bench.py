"""`wgpt bench kernels` and `wgpt bench replay`."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from wgpt.bench import kernels as kernel_bench
from wgpt.bench import workset
from wgpt.bench.kernels import KernelBench, Result
from wgpt.kernels import registry, weighted
from wgpt.kernels.kernel import BenchCase
from wgpt.quant.weights import weight_type

CASE = BenchCase({"weight": "q4_1", "n": 4096, "k": 1024}, "somewhere")
MADE_UP = KernelBench(
    {"gpu": {"name": "Fast [1]"}},
    1e12,
    (
        Result("gemv", CASE, "threads=256", 1e-5, 8_000_000, 5_000_000, numpy_seconds=4e-5),
        Result("gemv", CASE, skipped="asked 9 GiB"),
    ),
)


def test_table_without_a_gpu():
    out = io.StringIO()
    kernel_bench.print_bench(MADE_UP, Console(file=out, width=160, highlight=False))
    row = out.getvalue().splitlines()[2].split()
    assert row[4:] == ["threads=256", "10.0", "500", "50%", "800", "40.0", "0.25", "somewhere"]
    assert "skipped: asked 9 GiB" in out.getvalue()
    assert "GFLOPS" in out.getvalue()


def test_json_without_a_gpu():
    timed, skipped = MADE_UP.to_dict()["results"]
    assert timed["us"] == pytest.approx(10) and timed["gb_per_second"] == pytest.approx(500)
    assert timed["of_copy_bandwidth"] == pytest.approx(0.5) and timed["tflops"] == pytest.approx(0.8)
    assert timed["times_numpy"] == pytest.approx(0.25)
    assert skipped["skipped"] == "asked 9 GiB" and "us" not in skipped


@pytest.mark.parametrize("weight", weighted.WEIGHTS)
def test_huge_weights_repeat_a_smaller_matrix(weight, monkeypatch):
    """Every row of the large matrix is a row of the small one, scales included, and all of it is finite. Where groups
    of scales span rows, none repeats."""
    kind, gemv = weight_type(weight), registry.get("gemv")
    monkeypatch.setattr(weighted, "_MOST_RANDOM", 1)
    problem = {"weight": weight, "n": 2 * kind.whole_rows + 27, "k": 100}
    large = weighted.dequantised(workset.random_inputs(gemv, problem), problem)
    few = {**problem, "n": kind.whole_rows if kind.group == 1 else problem["n"]}
    small = weighted.dequantised(gemv.inputs(np.random.default_rng(0), few), few)
    assert large.shape == (problem["n"], 100)
    np.testing.assert_array_equal(large, np.resize(small, large.shape))
    assert np.isfinite(large).all() and large.std() > 0.5


def test_huge_rows_repeat_and_what_is_not_a_row_does_not(monkeypatch):
    norm, problem = registry.get("rmsnorm"), {"rows": 50, "hidden": 33, "eps": 1e-5}
    monkeypatch.setattr(workset, "_LARGE", norm.bytes(problem) // 4)
    arrays = workset.random_inputs(norm, problem)
    assert arrays["x"].shape == (50, 33) and arrays["g"].shape == (33,)
    np.testing.assert_array_equal(arrays["x"][:12], arrays["x"][12:24])
    assert len(np.unique(arrays["x"][:12])) > 300


@pytest.mark.gpu
def test_kernels_json(wgpt_json):
    data = wgpt_json("bench", "kernels", "--kernel", "silu_mul")
    assert {"gpu", "date", "versions", "copy_bytes_per_second"} <= set(data)
    assert data["results"] and {r["kernel"] for r in data["results"]} == {"silu_mul"}
    for r in data["results"]:
        assert r["gb_per_second"] == pytest.approx(r["bytes"] / r["us"] / 1e3)
        assert r["us"] > 0 and r["variant"]


@pytest.mark.gpu
def test_products_are_timed_beside_numpy_on_a_software_driver(device):
    if not device.software:
        pytest.skip("NumPy is the yardstick of software drivers only")
    result = kernel_bench.time_case(device, registry.get("gemv"), BenchCase({"weight": "q8_0", "n": 64, "k": 96}))
    assert result.times_numpy == pytest.approx(result.seconds / result.numpy_seconds) and result.numpy_seconds > 0


@pytest.mark.gpu
def test_a_problem_that_does_not_fit_is_skipped_with_the_reason(device):
    too_large = BenchCase({"n": device.limits["max-buffer-size"] // 4 + 64})
    kernel = registry.get("silu")
    result = kernel_bench.time_case(device, _WithoutInputs(kernel), too_large)
    assert "limit" in result.skipped


class _WithoutInputs:
    """A kernel whose host arrays take no memory: only the device allocation is tested."""

    def __init__(self, kernel) -> None:
        self._kernel = kernel

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def inputs(self, rng, problem):
        return {"x": np.broadcast_to(np.float32(1), (16,))}


@pytest.mark.gpu
def test_on_a_gpu_the_working_set_outgrows_the_cache(device, monkeypatch):
    monkeypatch.setattr(workset, "_TOTAL", 1 << 20)
    monkeypatch.setattr(type(device), "software", property(lambda _: False))
    problem = {"weight": "f32", "n": 64, "k": 256}
    device.pool.trim()
    before = device.bytes_in_use
    with workset.make(device, registry.get("gemv"), problem) as work:
        assert len(work.copies) == 16
        offsets = [copy["w"].offset for copy in work.copies]
        assert len(set(offsets)) == 16 and len({copy["x"].offset for copy in work.copies}) == 1
        first, last = (device.read(work.copies[i]["w"]) for i in (0, -1))
        np.testing.assert_array_equal(first, last)
    device.pool.trim()  # the staging buffer of the reads
    assert device.bytes_in_use == before


@pytest.mark.gpu
@pytest.mark.full
def test_replay_is_measured_against_wgpu_py(wgpt_json, wgpt):
    data = wgpt_json("bench", "replay", "--dispatches", "40")
    assert data["dispatches"] == 40
    assert data["ratio"] == pytest.approx(data["replay"]["cpu_us"] / data["wgpu_py"]["cpu_us"])
    assert data["replay"]["cpu_us"] > 0
    text = wgpt("bench", "replay", "--dispatches", "40")
    assert text.exit_code == 0 and "wgpu-py's public API" in text.stdout and text.stderr == ""
