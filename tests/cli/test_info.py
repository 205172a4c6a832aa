"""`wgpt info`, with and without a GPU."""

from __future__ import annotations

import io
import os

import pytest
from rich.console import Console

from wgpt.cli.info import print_info
from wgpt.gpu import faults
from wgpt.gpu.webgpu.dawn import library
from wgpt.gpu.webgpu.wgpu_native import WANTED_FEATURES

FACTS = {
    "gpus": [
        {"index": 0, "name": "Radeon [Pro] 9", "kind": "DiscreteGPU", "backend": "Vulkan", "driver": "radv 25"}
        | {"vendor_id": 0x1002, "device_id": 0x744C},
        {"index": 1, "name": "llvmpipe", "kind": "CPU", "backend": "Vulkan", "driver": "Mesa 22"}
        | {"vendor_id": 0, "device_id": 0},
    ],
    "chosen": {"index": 0, "name": "Radeon [Pro] 9", "reason": "best of 2"},
    "limits": {
        "max-buffer-size": 4 << 30,
        "max-storage-buffer-binding-size": 2 << 30,
        "max-compute-workgroup-storage-size": 32768,
        "max-compute-invocations-per-workgroup": 1024,
        "max-storage-buffers-per-shader-stage": 16,
    },
    "features": {name: name != "shader-f16" for name in WANTED_FEATURES},
    "subgroup_size": 64,
    "copy_bytes_per_second": 512e9,
    "faults": [],
    "tuning": {"file": "tune/x.json", "present": True, "variants": 12, "gpu_min_size": 50_000},
    "webgpu": {
        "name": "Dawn",
        "version": "of wgpudawn 1",
        "reason": "requested",
        "matrices": [{"inputs": "f16", "result": "f32", "m": 16, "n": 8, "k": 16}],
    },
    "dawn": "Dawn is not installed: pip install wgpudawn",
    "native_replay": True,
    "versions": {"wgpt": "1", "wgpu": "2"},
}


def printed(width: int, **changes: object) -> str:
    out = io.StringIO()
    print_info({**FACTS, **changes}, Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_layout_without_a_gpu():
    text = printed(100)
    assert "Radeon [Pro] 9" in text and "1002:744c" in text and "0000:0000" not in text
    assert "512 GB/s" in text and "64 lanes" in text and "largest buffer 4.0 GiB" in text
    assert "no   shader-f16" in text and "f16 values are unpacked" in text
    assert "12 choices, GPU from 50,000 elements" in text


def test_the_webgpu_and_its_matrices_are_named():
    text = printed(100)
    assert "Dawn of wgpudawn 1 (requested)" in text and "f16->f32 16x8x16" in text
    assert "not installed" not in text, "it is in use"
    other = {"name": "wgpu-native", "version": "29", "reason": "auto: no Dawn", "matrices": []}
    text = printed(100, webgpu=other)
    assert "wgpu-native 29 (auto: no Dawn)" in text and "none usable" in text
    assert "Dawn is not installed: pip install wgpudawn" in text


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(width):
    assert max(map(len, printed(width).splitlines())) <= width


def test_faults_come_with_the_remedy():
    text = " ".join(printed(80, faults=["a loop ends early"]).split())
    assert "computes wrong numbers: a loop ends early" in text
    assert "Install a newer driver" in text and "WGPT_ALLOW_FAULTY" in text


@pytest.mark.gpu
def test_json_has_all_of_it(wgpt_json):
    facts = wgpt_json("info")
    assert facts["chosen"]["index"] in [a["index"] for a in facts["gpus"]]
    assert set(facts["features"]) == set(WANTED_FEATURES)
    assert facts["limits"]["max-buffer-size"] > 0
    assert facts["copy_bytes_per_second"] > 1e6
    assert facts["tuning"]["present"] is False
    assert {"wgpt", "wgpu", "wgpu-native", "python"} <= set(facts["versions"])


@pytest.mark.gpu
def test_the_webgpu_is_chosen_by_an_option(wgpt, wgpt_json, monkeypatch):
    monkeypatch.delenv("WGPT_WEBGPU", raising=False)
    assert wgpt_json("info")["webgpu"]["name"] == "wgpu-native"
    assert wgpt_json("info", "--webgpu", "auto")["webgpu"]["reason"].startswith("auto: ")
    assert "WGPT_WEBGPU" not in os.environ, "it lasts as long as the command"
    refused = wgpt("info", "--webgpu", "vulkan")
    assert refused.exit_code == 2 and "choose one of auto, dawn, wgpu" in refused.stderr
    monkeypatch.setattr(library, "_MODULE", "no_such_package")
    library._of_package.cache_clear()
    refused = wgpt("info", "--webgpu", "dawn")
    assert refused.exit_code == 2 and len(refused.stderr.splitlines()) == 1
    assert "Dawn is not installed" in refused.stderr


def test_every_command_with_a_gpu_has_the_option(wgpt):
    for command in (["run"], ["verify"], ["tune"], ["explain"], ["finetune"], ["bench", "decode"], ["bench", "all"]):
        assert "--webgpu" in wgpt(*command, "--help").stdout, command


@pytest.mark.gpu
def test_a_faulty_driver_is_shown_not_refused(wgpt, monkeypatch):
    monkeypatch.setattr(faults, "find_faults", lambda _: ["two and two make five"])
    result = wgpt("info")
    assert result.exit_code == 0, result.stderr
    assert "computes wrong numbers: two and two make five" in result.stdout
    refused = wgpt("bench", "replay")
    assert refused.exit_code == 2
    assert len(refused.stderr.splitlines()) == 1 and "two and two make five" in refused.stderr


@pytest.mark.gpu
def test_brief_is_one_line(wgpt):
    result = wgpt("info", "--brief")
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 1
    assert "faults: none found" in result.stdout
