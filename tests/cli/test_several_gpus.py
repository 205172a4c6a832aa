"""`--gpu 0,0`: a model split over two devices, here on one adapter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wgpt.models import presets
from wgpt.models.config import Config

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
BUSY = Config("llama", 512, 256, 768, 4, 4, 2, 64, 512, 1e-5)  # large enough that steps take longer than Python

pytestmark = pytest.mark.gpu


def test_run_on_two_gpus(wgpt, wgpt_json):
    options = ("The quick brown fox", "-m", TINY, "-n", "8", "--raw")
    whole, split = wgpt_json("run", *options), wgpt_json("run", *options, "--gpu", "0,0")
    assert split["ids"] == whole["ids"] and len(split["gpus"]) == 2 and len(whole["gpus"]) == 1
    result = wgpt("run", *options, "--gpu", "0,0")
    assert result.exit_code == 0 and re.match(r"layers 0 to 1 on .*; layer 2 on ", result.stderr), result.stderr


def test_what_needs_one_gpu_is_refused_before_it_begins(wgpt, data, tmp_path):
    several = "0,0 are several GPUs, over which only a model that generates is split"
    out = str(tmp_path / "out")
    for args, message in (
        (("finetune", "--data", str(data), "--out", out, "-m", TINY), f"{several} .*through Ray"),
        (("bench", "decode", "-m", TINY), f"{several} .*bench engine"),
        (("serve", "-m", TINY, "--lora", "a=b"), "--lora and --gpu 0,0 exclude each other: .*wgpt merge"),
        (("batch", str(data), "-o", out, "-m", TINY, "--lora", "a=b"), "--lora and --gpu 0,0 exclude each other"),
        (("run", "Hello", "-m", TINY, "--draft", TINY), "--draft and several GPUs exclude each other"),
        (("bench", "engine", "-m", TINY, "--scenario", "lora"), "--scenario and --gpu 0,0 exclude each other"),
    ):
        result = wgpt(*args, "--gpu", "0,0")
        assert result.exit_code == 2, args
        assert re.search(message, " ".join(result.stderr.split())), result.stderr


@pytest.mark.full
def test_sixteen_requests_keep_both_gpus_at_work(wgpt, wgpt_json, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(presets.PRESETS, "gpt2", BUSY)
    options = ("--preset", "gpt2", "--random", "--gpu", "0,0", "--requests", "16", "--new", "12", "--rate", "100")
    bench = wgpt_json("bench", "engine", *options)
    assert len(bench["gpus"]) == 2
    busy = bench["loads"][0]["busy"]
    assert len(busy) == 2 and all(0.3 < share < 1.01 for share in busy), busy
    assert sum(busy) > 1.1, busy  # more than one at a time could be
    result = wgpt("bench", "engine", "-m", TINY, "--gpu", "0,0", "--requests", "1", "--new", "2")
    assert result.exit_code == 0 and "GPUs busy" in result.stdout, result.stderr
