"""`wgpt finetune --log-to`, and what a run without matplotlib says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.train.test_loggers import lines, scalars

import wgpt as package

MODEL = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
QUICK = ["--batch", "2", "--rank", "4", "--targets", "q,v", "--max-tokens", "48", "--hold-out", "0.2"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.jsonl"
    words = ["wind", "kite", "string", "cloud"]
    path.write_text("".join(json.dumps({"prompt": a, "completion": f" {b}"}) + "\n" for a in words for b in words))
    return path


@pytest.mark.gpu
def test_logs_go_on_with_the_run(wgpt_json, data, tmp_path, monkeypatch):
    out, other, events = tmp_path / "out", tmp_path / "other.jsonl", tmp_path / "events"
    monkeypatch.chdir(tmp_path)
    targets = ["--log-to", "other.jsonl", "--log-to", "tensorboard:events"]
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK]
    wgpt_json(*args, "--steps", "4", "--warmup", "0", "--schedule", "constant", *targets)
    monkeypatch.chdir(out)
    report = wgpt_json("finetune", "-o", str(out), "--resume", "--steps", "6")
    for path in (out / "log.jsonl", other):
        settings, first, *steps = lines(path)
        assert settings["settings"]["rank"] == 4 and settings["settings"]["total_steps"] == 6
        assert first == {"step": 0, "held_out_loss": report["held_out"][0]["loss"]}
        assert [(r["step"], r["loss"]) for r in steps] == list(enumerate(report["losses"], 1))
        assert all(r["gradient_norm"] > 0 and r["tokens_per_second"] > 0 and r["learning_rate"] > 0 for r in steps)
    read = scalars(events)
    assert read["loss"] == [(step, pytest.approx(loss)) for step, loss in enumerate(report["losses"], 1)]
    held_out = [(e["step"], pytest.approx(e["loss"])) for e in report["held_out"]]
    assert read["held_out_loss"] == held_out


def test_a_target_is_refused_before_the_model_is_looked_for(wgpt, data, tmp_path):
    args = ["finetune", "-m", "./no-such-model", "-d", str(data), "-o", str(tmp_path / "out")]
    result = wgpt(*args, "--log-to", "mlflow")
    assert result.exit_code == 2 and "unknown log target 'mlflow'" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.gpu
def test_without_matplotlib_a_run_says_so_first_and_ends_well(wgpt, data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    out = tmp_path / "out"
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK, "--steps", "2")
    assert result.exit_code == 0, result.stderr
    notice_at = result.stderr.index("no loss.png, and no chart in report.html")
    assert notice_at < result.stderr.index("step 1/2") and "pip install 'wgpt[charts]'" in result.stderr
    assert not (out / "loss.png").exists() and "wgpt[charts]" in (out / "report.html").read_text()


def test_a_page_of_charts_is_refused_before_the_measuring(wgpt, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    page = tmp_path / "page.html"
    result = wgpt("bench", "--quick", "--html", str(page))
    assert result.exit_code == 2 and f"--html {page}: charts need matplotlib" in result.stderr
    assert "pip install 'wgpt[charts]'" in result.stderr and not page.exists()


@pytest.mark.gpu
@pytest.mark.full
def test_from_python(data, tmp_path, monkeypatch):
    log = tmp_path / "a.jsonl"
    with package.load(str(MODEL)) as model:
        model.finetune(str(data), steps=2, batch=2, rank=4, max_tokens=48, log_to=log)
        assert [record.get("step") for record in lines(log)] == [None, 0, 1, 2]
        with pytest.raises(package.WgptError, match="has the log of another run"):
            model.finetune(str(data), steps=2, batch=2, rank=4, max_tokens=48, log_to=[log])
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.warns(UserWarning, match="no loss.png"):
            model.finetune(str(data), steps=1, batch=2, rank=4, max_tokens=48, out=tmp_path / "out")
