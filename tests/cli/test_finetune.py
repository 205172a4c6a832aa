"""`wgpt finetune` as people use it: data in, adapter out, used by `wgpt run --lora`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wgpt.formats.peft import read_adapter

MODEL = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
QUICK = "--steps 6 --batch 2 --rank 4 --targets q,v --lr 1e-2 --max-tokens 48 --hold-out 0.2".split()  # noqa: SIM905


@pytest.fixture
def data(tmp_path: Path) -> Path:
    words = ["wind", "kite", "string", "cloud", "bell"]
    lines = [{"prompt": f"{a} {b}", "completion": f" {b} {a}"} for a in words for b in words if a != b]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_help_teaches(wgpt):
    result = wgpt("finetune", "--help")
    assert result.exit_code == 0
    for word in ("--data", "--out", "--resume", "--rank", "nf4", "wgpt run --lora"):
        assert word in result.stdout, word


@pytest.mark.gpu
def test_data_in_adapter_out(wgpt, data, tmp_path):
    out = tmp_path / "out"
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK, "--sample", "wind kite")
    assert result.exit_code == 0, result.stderr
    assert "6 steps, loss" in result.stdout and f"--lora {out}" in result.stdout
    assert "step 6/6" in result.stderr and "held out" in result.stderr
    adapter = read_adapter(out)
    assert adapter.rank == 4 and len(adapter.targets) == 6 and adapter.base == str(MODEL)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "wind kite" in page and "held-out loss" in page
    assert (out / "loss.png").read_bytes().startswith(b"\x89PNG")
    used = wgpt("run", "-m", str(MODEL), "--lora", str(out), "--raw", "wind kite", "-n", "3")
    assert used.exit_code == 0, used.stderr
    again = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK)
    assert again.exit_code == 2 and "has a run already (checkpoint-6)" in again.stderr


@pytest.mark.gpu
def test_json_and_resume_without_options(wgpt_json, data, tmp_path):
    out = tmp_path / "out"
    first = wgpt_json("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK)
    assert first["finished"] and len(first["losses"]) == first["steps"] == first["total"] == 6
    assert first["held_out"][0]["step"] == 0 and first["peak_bytes"] > 0
    again = wgpt_json("finetune", "-o", str(out), "--resume")
    assert again["losses"] == first["losses"] and again["held_out"] == first["held_out"]


@pytest.mark.gpu
@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_ctrl_c_saves_and_says_how_to_go_on(wgpt_json, data, tmp_path):
    whole, out = tmp_path / "whole", tmp_path / "out"
    options = [str(MODEL), "-d", str(data), *QUICK, "--steps", "40", "--seed", "5"]
    unbroken = wgpt_json("finetune", "-o", str(whole), "-m", *options)
    args = [sys.executable, "-m", "wgpt", "finetune", "-o", str(out), "-m", *options]
    with subprocess.Popen(args, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and process.stdout is not None
        for line in process.stderr:
            if line.startswith("step 2/"):
                process.send_signal(signal.SIGINT)
                break
        process.stderr.read()
        told = process.stdout.read()
    assert process.returncode == 130 and "--resume" in told and "nothing is lost" in told, told
    rest = wgpt_json("finetune", "-o", str(out), "--resume")
    assert rest["losses"] == unbroken["losses"]
    names = ("adapter_model.safetensors", "adapter_config.json")
    assert all((out / name).read_bytes() == (whole / name).read_bytes() for name in names)


@pytest.mark.gpu
def test_a_run_is_resumed_as_it_was(wgpt, data, tmp_path):
    out = tmp_path / "out"
    assert wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK).exit_code == 0
    result = wgpt("finetune", "-o", str(out), "--resume", "--rank", "8")
    assert result.exit_code == 2 and "rank was 4, now 8" in result.stderr
    data.write_text(data.read_text().replace("bell", "lamp"))
    result = wgpt("finetune", "-o", str(out), "--resume")
    assert result.exit_code == 2 and "data is not what this run began with" in result.stderr


@pytest.mark.gpu
def test_a_dry_run_foretells_the_memory(wgpt, wgpt_json, data, tmp_path, monkeypatch):
    out = tmp_path / "out"
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(out), *QUICK]
    told = wgpt_json(*args, "--dry-run")
    assert told["fits"] and told["steps"] == 6 and not out.exists()
    real = wgpt_json(*args)
    assert abs(real["peak_bytes"] - told["bytes"]) < 0.1 * told["bytes"]
    monkeypatch.setattr("wgpt.cli.finetune.room", lambda device, wanted: wanted * 9 // 10)
    short = wgpt(*args, "--out", str(tmp_path / "other"), "--dry-run")
    assert short.exit_code == 1 and "will not fit in" in short.stdout and "--checkpointing" in short.stdout


def test_what_is_missing_is_named(wgpt, data, tmp_path):
    for args, fault in (
        (["-d", str(data)], "--out DIR"),
        (["-o", str(tmp_path / "out")], "--data FILE.jsonl"),
        (["-o", str(tmp_path / "out"), "--resume"], "has no checkpoint to resume from"),
        (["-d", str(data), "-o", str(tmp_path / "out"), "--dropout", "1"], "dropout must be from 0 to below 1, not 1"),
        (["-d", str(data), "-o", str(tmp_path / "out"), "--schedule", "exp"], "choose one of cosine"),
    ):
        result = wgpt("finetune", "-m", str(MODEL), *args)
        assert result.exit_code == 2 and fault in result.stderr, (args, result.stderr)


@pytest.mark.gpu
def test_a_broken_line_is_named_or_left_out(wgpt, wgpt_json, data, tmp_path):
    data.write_text('{"prompt": "x"}\n' + data.read_text())
    args = ["finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), *QUICK]
    result = wgpt(*args)
    assert result.exit_code == 2 and "data.jsonl, line 1: has the keys" in result.stderr
    assert wgpt_json(*args, "--broken", "skip")["finished"]


@pytest.mark.gpu
def test_layers_that_are_not_there_are_named(wgpt, data, tmp_path):
    result = wgpt("finetune", "-m", str(MODEL), "-d", str(data), "-o", str(tmp_path / "out"), "--targets", "c_attn")
    assert result.exit_code == 2 and "'c_attn' is no layer of this llama model" in result.stderr
