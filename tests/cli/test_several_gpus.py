"""`--gpu 0,0`: a model split over two devices, here on one adapter."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

from wgpt.bench import engine
from wgpt.gpu import GpuDevice
from wgpt.models.config import Config
from wgpt.models.split_network import SplitNetwork

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
BUSY = Config("llama", 512, 256, 768, 4, 4, 2, 64, 512, 1e-5)  # large enough that steps take longer than Python

pytestmark = pytest.mark.gpu


def test_run_on_two_gpus(wgpt, wgpt_json):
    options = ("run", "The quick brown fox", "-m", TINY, "-n", "8", "--raw")
    whole, result = wgpt_json(*options), wgpt(*options, "--gpu", "0,0", "--json")
    assert result.exit_code == 0 and re.match(r"layers 0 to 1 on .*; layer 2 on ", result.stderr), result.stderr
    split = json.loads(result.stdout)
    assert split["ids"] == whole["ids"] and len(split["gpus"]) == 2 and len(whole["gpus"]) == 1


def test_what_needs_one_gpu_is_refused_before_it_begins(wgpt, data, tmp_path):
    several = "0,0 are several GPUs, over which only a model that generates is split"
    out = str(tmp_path / "out")
    for args, message in (
        (("finetune", "--data", str(data), "--out", out, "-m", TINY), f"{several} .*through Ray"),
        (("bench", "decode", "-m", TINY), "`wgpt bench engine --gpu 0,0 --requests 1 --prompt 64 --new 128`"),
        (("bench", "prefill", "-m", TINY, "--batch", "4"), "bench engine --gpu 0,0 --requests 4 --prompt 512 --new 2`"),
        (("bench", "train", "-m", TINY), several),
        (("serve", "-m", TINY, "--speculation", "ngram"), "--speculation and --gpu 0,0 exclude each other"),
        (("run", "Hello", "-m", TINY, "--draft", TINY), "--draft and several GPUs exclude each other"),
        (("bench", "engine", "-m", TINY, "--draft", TINY), "--draft and --gpu 0,0 exclude each other"),
    ):
        result = wgpt(*args, "--gpu", "0,0")
        assert result.exit_code == 2, args
        assert re.search(message, " ".join(result.stderr.split())), result.stderr


@pytest.mark.slow
def test_sixteen_requests_keep_both_gpus_at_work(wgpt):
    devices = [GpuDevice.open(0), GpuDevice.open(0)]
    with contextlib.ExitStack() as stack:
        for device in devices:
            stack.callback(device.close)
        network = SplitNetwork.random_split(devices, BUSY)
        stack.callback(network.release)
        timed = stack.enter_context(engine.opened(network, context=64, max_batch=16))
        load = engine._load(timed, engine.Prompts(BUSY.vocab), 16, (8, 8), 12, 0.0, 0.0)
    assert len(load.busy) == 2 and all(0.3 < share < 1.01 for share in load.busy), load
    assert sum(load.busy) > 1.1, load  # more than one at a time could be
    result = wgpt("bench", "engine", "-m", TINY, "--gpu", "0,0", "--requests", "1", "--new", "2")
    assert result.exit_code == 0 and "GPUs busy" in result.stdout, result.stderr
