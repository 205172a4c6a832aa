"""`wgpt tune` saves the fastest correct variant, also when it is interrupted."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from wgpt.bench import check, tune
from wgpt.kernels import registry, tuning
from wgpt.kernels.kernel import BenchCase
from wgpt.kernels.pieces.each import Elementwise, ragged


class Doubled(Elementwise):
    """y = 2 x, in three ways: slow, fast, and faster but wrong in the tail."""

    def __init__(self) -> None:
        bench_cases = (BenchCase({"n": 200_000}),)
        super().__init__("doubled", "y = 2 x", lambda x: 2 * x, "2 * x[i]", cases=ragged(), bench_cases=bench_cases)

    def variants(self, traits, problem):
        slow = 400 if traits.software else 200_000  # far beyond what other processes on the GPU add
        ways = (("slow", slow), ("fast", 1), ("wrong", 1))
        return [{"threads": 64, "items": 4, "way": way, "loops": loops} for way, loops in ways]

    def source(self, problem, variant, dialect="naga"):
        last = "n - 1u" if variant["way"] == "wrong" else "n"
        return f"""
struct Params {{ n: u32 }}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) nwg: vec3<u32>) {{
    let n = p.n;
    for (var i = id.x; i < {last}; i += nwg.x * 64u) {{
        var v = x[i];
        for (var r = 1u; r < {variant["loops"]}u; r++) {{ v = v * 1.5 - 0.25; v = (v + 0.25) / 1.5; }}
        y[i] = v + x[i];
    }}
}}
"""


@pytest.mark.gpu
def test_the_fastest_right_variant_wins_and_a_wrong_one_never(device):
    kernel = Doubled()
    choice = tune.tune_job(device, tune.Job(kernel, "", kernel.bench_cases), repeats=1)
    assert choice.default["way"] == "slow" and choice.best["way"] == "fast"
    assert choice.gain > 2 and choice.tried == 3
    assert len(choice.wrong) == 1 and "way=wrong" in choice.wrong[0]


@pytest.mark.gpu
@pytest.mark.parametrize("reference", ["NumPy", "the default variant"])
def test_a_variant_that_is_wrong_only_at_the_timed_size(device, monkeypatch, reference):
    """It passes the small cases, but the shader for the timed size is wrong."""
    kernel = Doubled()
    right = kernel.source

    def source(problem, variant, dialect="naga"):
        small = problem["n"] < 100_000 and variant["way"] == "wrong"
        return right(problem, {**variant, "way": "fast"} if small else variant, dialect)

    monkeypatch.setattr(kernel, "source", source)
    if reference != "NumPy":
        monkeypatch.setattr(check, "_MOST_BYTES", 0)
    choice = tune.tune_job(device, tune.Job(kernel, "", kernel.bench_cases), repeats=1)
    assert choice.best["way"] == "fast"
    assert len(choice.wrong) == 1 and "way=wrong" in choice.wrong[0]


@pytest.mark.gpu
def test_a_default_that_is_wrong_here_is_replaced_and_named(device, monkeypatch):
    kernel = Doubled()
    variants = kernel.variants(device.traits, {})
    monkeypatch.setattr(kernel, "variants", lambda traits, problem: [variants[2], variants[0]])
    choice = tune.tune_job(device, tune.Job(kernel, "", kernel.bench_cases), repeats=1)
    assert choice.default["way"] == "wrong" and choice.best["way"] == "slow"
    assert choice.default_seconds is None and choice.to_dict()["gain"] is None
    out = io.StringIO()
    tune.print_tuning(tune.Tuning({}, [choice]), Console(file=out, width=120))
    assert "1 of 2 variants give wrong results on this GPU" in out.getvalue() and "way=slow" in out.getvalue()


@pytest.mark.gpu
def test_a_shader_that_does_not_compile_here_is_not_chosen(device, monkeypatch):
    kernel = Doubled()
    right = kernel.source
    monkeypatch.setattr(
        kernel, "source", lambda p, v, dialect="naga": "fn main( {" if v["way"] == "fast" else right(p, v, dialect)
    )
    choice = tune.tune_job(device, tune.Job(kernel, "", kernel.bench_cases), repeats=1)
    assert choice.best["way"] == "slow" and len(choice.wrong) == 2


@pytest.mark.gpu
def test_a_kernel_that_is_wrong_in_every_way_is_not_tuned(device, monkeypatch):
    kernel = Doubled()
    monkeypatch.setattr(kernel, "function", lambda x: 3 * x)
    with pytest.raises(tune.Untunable, match=r"all 3 variants of .* give wrong results"):
        tune.tune_job(device, tune.Job(kernel, "", kernel.bench_cases), repeats=1)


@pytest.mark.gpu
def test_what_was_found_is_saved_and_used(wgpt_json, device):
    data = wgpt_json("tune", "--kernel", "silu", "--quick")
    (choice,) = data["choices"]
    assert choice["kernel"] == "silu" and choice["best_us"] <= choice["default_us"]
    saved = json.loads(tuning.path(device).read_text())
    assert saved["variants"]["silu"][choice["key"]] == choice["best"]
    assert str(tuning.path(device)) == data["file"]
    kernel = registry.get("silu")
    assert kernel.choose(device, kernel.bench_cases[0].problem) == choice["best"]


@pytest.mark.gpu
def test_tuning_one_kernel_keeps_the_others(wgpt, device):
    tuning.save(device, {"gpu_min_size": 7, "variants": {"gemv": {"key": {"rows": 1}}}})
    result = wgpt("tune", "--kernel", "mul", "--quick")
    assert result.exit_code == 0, result.stderr
    assert "mul" in result.stdout and "best us" in result.stdout
    saved = json.loads(tuning.path(device).read_text())
    assert saved["variants"]["gemv"] == {"key": {"rows": 1}} and "mul" in saved["variants"]
    assert saved["gpu_min_size"] == 7


@pytest.mark.gpu
def test_ctrl_c_keeps_what_was_measured(wgpt, device, monkeypatch):
    real, calls = tune.tune_job, []

    def interrupted_at_the_second(*args, **kwargs):
        calls.append(args)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    monkeypatch.setattr(tune, "tune_job", interrupted_at_the_second)
    result = wgpt("tune", "--quick", "--json")
    assert result.exit_code == 130
    data = json.loads(result.stdout)
    assert data["interrupted"] is True and len(data["choices"]) == 1
    saved = json.loads(tuning.path(device).read_text())
    assert list(saved["variants"]) == [data["choices"][0]["kernel"]]
