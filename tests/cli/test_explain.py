"""`wgpt explain` and its trace: the printing and writing without a GPU, the command with one."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from wgpt.bench.explain import Explained, Rates, print_explained
from wgpt.cli import explain as explain_command
from wgpt.cli.outputs import check_report
from wgpt.engine import chunk_sizes
from wgpt.gpu import GpuDevice
from wgpt.gpu.launch import Launch
from wgpt.gpu.profile import Profile, Timed
from wgpt.gpu.trace import trace_events, write_trace
from wgpt.gpu.webgpu import wgpu_native

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")


def launch(kernel: str, nbytes: int, flops: int) -> Launch:
    return Launch(kernel, "threads=256", "", b"", (), (7, 2, 1), "n=5 k=9", flops, nbytes)


LAUNCHES = (launch("copy_much", 2_000_000, 10), launch("count_much", 10, 6_000_000))
# The second starts before the first has ended: medians of different replays may say so.
PROFILE = Profile((Timed(LAUNCHES[0], 0.0, 4e-6), Timed(LAUNCHES[1], 3.5e-6, 8e-6)))
RATES = Rates(bytes_per_second=1e12, flops_per_second=1e12)


def explained(profiled: bool = True) -> Explained:
    plain = {"dispatches": [{"kernel": launch.kernel} for launch in LAUNCHES], "inputs": {}, "outputs": {}}
    made_up = (RATES, PROFILE, 11e-6) if profiled else ()
    return Explained("made up", {"gpu": {"name": "Fast [1]"}}, plain, LAUNCHES, *made_up)


def printed(width: int, profiled: bool = True) -> str:
    out = io.StringIO()
    print_explained(explained(profiled), Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_the_bound_is_whichever_takes_longer():
    assert RATES.bound(LAUNCHES[0]) == ("memory", 2e-6)
    assert RATES.bound(LAUNCHES[1]) == ("arithmetic", 6e-6)


def test_table_has_cost_time_and_share():
    lines = printed(160).splitlines()
    assert lines[0] == "made up, on Fast [1]"
    assert lines[2].split()[-3:] == ["4.00", "50%", "memory"]
    assert lines[3].split()[-3:] == ["8.00", "75%", "arithmetic"]
    assert lines[4].split()[-2:] == ["12.0", "67%"]
    assert "at best 8.00 us" in lines[5] and lines[6] == "replayed in one pass: 11.0 us"


def test_without_a_profile_there_are_no_times():
    text = printed(160, profiled=False)
    assert "us" not in text.splitlines()[1].split() and "bound" not in text
    assert "1.9 MiB" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_it_fits_narrow_terminals(width):
    text = printed(width)
    assert max(map(len, text.splitlines())) <= width
    assert "4.00" in text and "8.00" in text


def test_json_of_a_made_up_profile():
    data = json.loads(json.dumps(explained().to_dict(), allow_nan=False))
    assert [d["us"] for d in data["dispatches"]] == pytest.approx([4.0, 8.0])
    assert [d["bound"] for d in data["dispatches"]] == ["memory", "arithmetic"]
    assert data["totals"]["bytes"] == 2_000_010
    assert data["totals"]["least_us"] == pytest.approx(8.0)


def test_equal_dispatches_of_a_model_share_a_line():
    launches = (LAUNCHES[0], LAUNCHES[1], LAUNCHES[0])
    profile = Profile((*PROFILE.rows, Timed(LAUNCHES[0], 12e-6, 6e-6)))
    plain = {"dispatches": [{"kernel": launch.kernel} for launch in launches], "inputs": {}, "outputs": {}}
    explanation = Explained("model", {"gpu": {"name": "Fast"}}, plain, launches, RATES, profile, 20e-6, grouped=True)
    out = io.StringIO()
    print_explained(explanation, Console(file=out, width=160, highlight=False))
    lines = out.getvalue().splitlines()
    assert lines[2].split()[:2] == ["2x", "copy_much"] and lines[2].split()[-3:] == ["10.0", "40%", "memory"]
    assert lines[3].split()[:2] == ["1x", "count_much"] and lines[3].split()[-3:] == ["8.00", "75%", "arithmetic"]
    assert "3 dispatches" in lines[4] and lines[4].split()[-2] == "18.0"
    assert [d["us"] for d in explanation.to_dict()["dispatches"]] == pytest.approx([4.0, 8.0, 6.0])


def check_trace(trace: dict) -> list[dict]:
    """What both viewers need: complete events in order on one track, numbers in microseconds."""
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert {e["ph"] for e in trace["traceEvents"]} == {"X", "M"}
    end = 0.0
    for event in events:
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int)
        assert event["dur"] >= 0 and event["ts"] >= end - 0.002
        assert {"shape", "grid", "bytes", "flops"} <= set(event["args"])
        end = event["ts"] + event["dur"]
    return events


def test_trace_of_a_made_up_profile(tmp_path):
    write_trace(tmp_path / "t.json", PROFILE, "Fast [1]")
    check_report(tmp_path / "t.json", explain_command.TRACE_MARK)  # a later run may replace it
    trace = json.loads((tmp_path / "t.json").read_text())
    assert trace == trace_events(PROFILE, "Fast [1]")
    events = check_trace(trace)
    assert [(e["name"], e["ts"], e["dur"]) for e in events] == [("copy_much", 0.0, 4.0), ("count_much", 4.0, 8.0)]
    assert events[0]["args"]["GB/s"] == pytest.approx(500)
    assert events[1]["args"] | {"bytes": 10, "flops": 6_000_000, "grid": [7, 2, 1]} == events[1]["args"]


@pytest.mark.gpu
@pytest.mark.parametrize(("rows", "product"), [("1", "gemv"), ("3", "gemm")])
def test_mlp_goes_to_gemv_or_gemm_by_its_rows(wgpt_json, rows, product):
    data = wgpt_json("explain", "mlp", "--rows", rows, "--hidden", "36", "--ffn", "68", "--weights", "q4_1")
    kernels = [d["kernel"] for d in data["dispatches"]]
    assert kernels == ["rmsnorm", product, product, "silu_mul", product, "add"]
    assert all(d["us"] > 0 for d in data["dispatches"])
    assert data["totals"]["flops"] == sum(d["flops"] for d in data["dispatches"]) > 2 * int(rows) * 3 * 36 * 68


@pytest.mark.gpu
def test_decode_says_how_many_dispatches_a_token_takes(wgpt, wgpt_json, tmp_path):
    trace = tmp_path / "t.json"
    result = wgpt("explain", "decode", "-m", TINY, "--rows", "10", "--trace", str(trace))
    assert result.exit_code == 0, result.stderr
    assert "one token at context length 10: 20 dispatches per token" in result.stdout
    assert "3x  attention_decode" in result.stdout and "1x  embed" in result.stdout
    assert len(check_trace(json.loads(trace.read_text()))) == 20
    data = wgpt_json("explain", "decode", "-m", TINY, "--no-profile")
    assert len(data["dispatches"]) == 20


@pytest.mark.gpu
def test_prefill_explains_the_last_chunk(wgpt, wgpt_json, monkeypatch):
    data = wgpt_json("explain", "prefill", "-m", TINY, "--rows", "20")
    assert {"gemm_fused", "rope_cache", "attention_prefill"} <= {d["kernel"] for d in data["dispatches"]}
    assert data["dispatches"][1]["shape"].split()[1] == "rows=32"
    monkeypatch.setattr(chunk_sizes, "_CHUNK", 16)
    monkeypatch.setattr(chunk_sizes, "_SOFTWARE_CHUNK", 16)
    text = wgpt("explain", "prefill", "-m", TINY, "--rows", "20").stdout
    assert "the last 4 of 20 tokens of a prompt: " in text


@pytest.mark.gpu
def test_step_goes_from_forward_to_adamw(wgpt, monkeypatch, tmp_path):
    """The trace comes from the only device that is opened."""
    gpus, open_device = [], GpuDevice.open
    monkeypatch.setattr(GpuDevice, "open", lambda gpu=None, **options: gpus.append(gpu) or open_device(gpu, **options))
    trace = tmp_path / "step.json"
    result = wgpt("explain", "step", "--rows", "5", "--hidden", "36", "--ffn", "30", "--trace", str(trace))
    assert result.exit_code == 0, result.stderr
    names = [e["name"] for e in check_trace(json.loads(trace.read_text()))]
    assert names[-1] == "adamw_step"
    for kernel in ("cross_entropy_forward", "cross_entropy_backward", "gemm_backward_b"):
        assert kernel in names
    assert "adamw_step" in result.stdout and str(trace) in result.stderr
    assert len(gpus) == 1


@pytest.mark.gpu
def test_any_kernel_by_name_without_running_it(wgpt_json):
    data = wgpt_json("explain", "silu", "--no-profile")
    assert [d["kernel"] for d in data["dispatches"]] == ["silu"]
    assert data["dispatches"][0]["us"] is None and data["rates"] is None


def test_what_it_cannot_explain(wgpt, tmp_path):
    unknown = wgpt("explain", "nosuch")
    assert unknown.exit_code == 2 and "decode, prefill, mlp, step, or a kernel" in unknown.stderr
    wrong = wgpt("explain", "mlp", "--preset", "gpt2")
    assert wrong.exit_code == 2 and "does not apply to mlp: mlp takes --rows, --weights" in wrong.stderr
    for args in (["step", "--weights", "q8_0"], ["decode", "--hidden", "64"], ["gemv", "--rows", "5"]):
        unused = wgpt("explain", *args)
        assert unused.exit_code == 2 and f"{args[1]} does not apply to {args[0]}" in unused.stderr
    assert wgpt("explain", "--weights", "q3").exit_code == 2
    untimed = wgpt("explain", "--no-profile", "--trace", str(tmp_path / "t.json"))
    assert untimed.exit_code == 2 and "--trace needs times" in untimed.stderr


@pytest.mark.gpu
def test_without_timestamp_queries_only_the_whole_is_timed(wgpt, monkeypatch, tmp_path):
    monkeypatch.setattr(wgpu_native, "WANTED_FEATURES", ("shader-f16", "subgroup"))
    result = wgpt("explain", "silu_mul")
    assert result.exit_code == 0, result.stderr
    assert "no times of single dispatches" in result.stdout and "replayed in one pass" in result.stdout
    monkeypatch.setattr(explain_command.samples, "record", None)  # it is refused before anything is recorded
    traced = wgpt("explain", "silu_mul", "--trace", str(tmp_path / "t.json"))
    assert traced.exit_code == 2 and traced.stderr.startswith("wgpt: error: --trace: ")


@pytest.mark.gpu
def test_a_trace_that_cannot_be_written_is_one_line(wgpt, tmp_path):
    result = wgpt("explain", "silu_mul", "--trace", str(tmp_path / "missing" / "t.json"))
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1 and "missing" in result.stderr
