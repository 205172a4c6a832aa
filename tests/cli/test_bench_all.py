"""`wgpt bench` by itself: everything in one run, as tables, JSON and a page."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from wgpt.bench import everything, training
from wgpt.bench.everything import PARTS, Sizes, choices
from wgpt.bench.peers import SCRIPTS
from wgpt.cli import bench_all
from wgpt.cli.outputs import check_report
from wgpt.kernels import registry
from wgpt.models import presets
from wgpt.models.config import Config

FEW = ("silu", "argmax_pick", "cast")
SMALL = Config("llama", 512, 64, 96, 2, 4, 2, 16, 200, 1e-5)  # too short for a context of 256


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small preset, a few kernels and short prompts, fast on any GPU."""
    monkeypatch.setitem(presets.PRESETS, "gpt2", SMALL)
    monkeypatch.setattr(everything, "PROMPT", 128)
    monkeypatch.setattr(training, "_LENGTH", 32)
    few = {name: registry.get(name) for name in FEW}
    monkeypatch.setattr(everything, "registry", SimpleNamespace(kernels=lambda: few))


def test_which_models_are_run():
    assert [str(c) for c in choices(software=False)] == [
        "smollm2-135m, random f16 weights",
        "smollm2-135m, random q4_1 weights with a q8_0 table",
        "qwen2.5-1.5b, random f16 weights",
        "qwen2.5-1.5b, random q4_1 weights with a q8_0 table",
    ]
    assert [c.preset for c in choices(software=True)] == ["smollm2-135m"] * 2
    assert [str(c) for c in choices(software=False, quick=True)] == ["smollm2-135m, random f16 weights"]
    assert [str(c) for c in choices(True, presets=["gpt2"], dtype="q8_0")] == ["gpt2, random q8_0 weights"]


def test_sizes_that_the_bars_are_stated_at():
    sizes = Sizes.of(software=False, quick=False)
    assert {64, 4096} <= set(sizes.contexts) and 16 in sizes.batches and sizes.prompt == 512


def test_usage_errors(wgpt, tmp_path):
    for args, message in (
        (("--only", "nothing"), "choose one of decode, prefill"),
        (("--preset", "gpt5"), f"choose one of {', '.join(presets.PRESETS)}"),
        (("-m", "x", "--preset", "gpt2"), "not for --model"),
        (("--html", str(tmp_path / "missing" / "r.html")), "no such folder"),
        (("--peers", "--peers-dir", str(tmp_path)), "bench/peers of the repository"),
        (("--peers-timeout", "5"), "are for --peers"),
        (("--peers", "--peers-timeout", "1e9"), "--peers-timeout 1e9: input should be less than or equal to 86400"),
    ):
        for command in (("bench",), ("bench", "all")):
            result = wgpt(*command, *args)
            assert result.exit_code == 2 and message in result.stderr, result.stderr


def test_an_unknown_adapter_is_one_line(wgpt):
    result = wgpt("bench", "--gpu", "no such gpu", "--json", "-")
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert "no such gpu" in json.loads(result.stdout)["error"]


def test_help_is_of_the_group_and_of_all(wgpt):
    assert (
        "prefill" in wgpt("bench", "--help").stdout and "--html" not in wgpt("bench", "--help").stdout.split("Exa")[0]
    )
    assert "--html" in wgpt("bench", "all", "--help").stdout


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.usefixtures("small")
def test_everything_in_one_run(wgpt, tmp_path):
    page, data = tmp_path / "report.html", tmp_path / "bench.json"
    result = wgpt("bench", "--quick", "--preset", "gpt2", "--html", str(page), "--json", str(data))
    assert result.exit_code == 0, result.stderr
    check_report(data, bench_all.JSON_MARK)  # a later run may replace it
    report = json.loads(data.read_text())
    assert report["roofs"]["copy_bytes_per_second"] > 0 and report["roofs"]["f32_flops_per_second"] > 0
    assert [row["kernel"] for row in report["kernels"]] == list(FEW) and all(row["us"] > 0 for row in report["kernels"])
    (model,) = report["models"]
    assert model["decode"]["tokens_per_second"] > 0 and model["prefill"]["context"] == 128
    assert [b["context"] for b in model["contexts"]] == [64]
    assert [b["batch"] for b in model["batches"]] == [1, 4]
    assert model["contexts"][0] == model["batches"][0] == model["decode"]  # measured once
    assert len(model["timeline"]["dispatches"]) == model["decode"]["step"]["dispatches"]
    assert model["train"]["step_ms"] > 0 and model["train"]["targets"] == ["q_proj", "v_proj"]
    assert "context length is 200" in report["skipped"]["gpt2, random f16 weights: decode at context 256"]
    text = page.read_text()
    assert all(f"<td>{name}</td>" in text for name in FEW) and "Timeline of one token" in text
    assert "decode tok/s" in result.stdout and "silu" in result.stdout
    assert str(page) in result.stderr and str(data) in result.stderr


@pytest.mark.gpu
@pytest.mark.usefixtures("small")
def test_ctrl_c_keeps_what_was_measured(wgpt, tmp_path, monkeypatch):
    time_case = everything.time_case

    def interrupted(device, kernel, case):
        if kernel.name == FEW[1]:
            raise KeyboardInterrupt
        return time_case(device, kernel, case)

    monkeypatch.setattr(everything, "time_case", interrupted)
    page = tmp_path / "report.html"
    result = wgpt(
        "bench", "all", "--quick", "--preset", "gpt2", "--only", "kernels", "--json", "-", "--html", str(page)
    )
    assert result.exit_code == 130 and "interrupted" in result.stderr
    check_report(page, bench_all.PAGE_MARK)  # a later run may replace it
    report = json.loads(result.stdout)
    assert report["interrupted"] and [row["kernel"] for row in report["kernels"]] == [FEW[0]]
    assert "interrupted" in page.read_text() and f"<td>{FEW[0]}</td>" in page.read_text()


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("part", [p for p in PARTS if p not in ("peers", "kernels")])
def test_one_part_by_itself(wgpt, part):
    report = json.loads(wgpt("bench", "--quick", "--preset", "gpt2", "--only", part, "--json", "-").stdout)
    assert report["kernels"] == []
    assert [name for name, value in report["models"][0].items() if value] == ["model", part]


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.usefixtures("small")
def test_peers_stand_beside_it(wgpt, tmp_path):
    line = {"peer": "torch 9", "mode": "eager", "what": "decode", "value": 3.5, "unit": "tok/s", "skipped": None}
    for script in SCRIPTS.values():
        source = f"import json, sys\nsizes = json.loads(sys.argv[2])\nline = {line!r}\n"
        (tmp_path / script).write_text(f"{source}print(json.dumps({{**line, 'model': sizes['name']}}))\n")
    page, args = tmp_path / "r.html", ("--quick", "--preset", "gpt2", "--only", "decode", "--only", "peers")
    result = wgpt("bench", *args, "--peers-dir", str(tmp_path), "--html", str(page), "--json", str(tmp_path / "b.json"))
    assert result.exit_code == 0, result.stderr
    figures = json.loads((tmp_path / "b.json").read_text())["figures"]
    assert [(f["peer"], f["model"], f["what"]) for f in figures] == [
        ("wgpt", "gpt2", "decode"),
        ("torch 9", "gpt2", "decode"),
        ("torch 9", "gpt2", "decode"),
    ]
    assert "torch 9, eager" in result.stdout and "torch 9, eager" in page.read_text()
    assert "gpt2: decode, one sequence from a context of 64" in page.read_text()
