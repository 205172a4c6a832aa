"""Exported Programs: the round trip gives the same bytes, and damaged or foreign ones are refused."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice, Program, Recorder, Traits
from wgpt.gpu.dry import ExportDevice
from wgpt.gpu.exported import ALIGN, Exported, params_of

from .launches import chain

X = np.arange(257, dtype=np.float32)
LIMITS = {
    "max-buffer-size": 256 << 20,
    "max-storage-buffer-binding-size": 128 << 20,
    "max-compute-workgroups-per-dimension": 65535,
    "min-storage-buffer-offset-alignment": 256,
    "min-uniform-buffer-offset-alignment": 256,
}
PORTABLE = Traits(software=False, f16=False, subgroup_size=0, workgroup_bytes=16 << 10, max_invocations=256)


@pytest.mark.gpu
def test_the_round_trip_gives_the_same_bytes(device: GpuDevice, tmp_path: Path) -> None:
    batch = wgpt.CommandBatch(device)
    rng = np.random.default_rng(1)
    x, w = (
        batch.upload(rng.standard_normal(shape).astype(np.float32), name)
        for shape, name in (((37, 64), "x"), ((64, 48), "w"))
    )
    with batch.finish(y=batch.softmax(batch.matmul(x, w))) as program:
        first = program.read()["y"]
        program.export().save(tmp_path)
        exported = Exported.open(tmp_path)
        with Program.load(device, exported) as again:
            assert again.read()["y"].tobytes() == first.tobytes()
            new = rng.standard_normal((37, 64)).astype(np.float32)
            for each in (program, again):
                each.write("x", new)
            assert again.read()["y"].tobytes() == program.read()["y"].tobytes() != first.tobytes()
            assert [launch.grid for launch in again.launches] == [launch.grid for launch in program.launches]
            assert not any(launch.trusted for launch in again.launches)


@pytest.mark.gpu
def test_copies_and_state_travel(device: GpuDevice) -> None:
    source, target = device.tensor(X), device.tensor(np.zeros_like(X))
    recorder = Recorder(device)
    recorder.copy(source, target)
    with recorder.finish(target=target) as program:
        exported = program.export()
        with Program.load(device, exported) as again:
            np.testing.assert_array_equal(again.read()["target"], X)
    for tensor in (source, target):
        tensor.buffer.release()


@pytest.mark.gpu
def test_recorded_without_a_gpu_it_computes_the_same(device: GpuDevice) -> None:
    dry = ExportDevice(PORTABLE, LIMITS)
    with chain(dry, X, 3) as recorded, chain(device, X, 3) as program:
        with Program.load(device, recorded.export()) as loaded:
            assert loaded.read()["y"].tobytes() == program.read()["y"].tobytes()
        with pytest.raises(WgptError, match="cannot compute"):
            recorded.read()


@pytest.mark.gpu
def test_the_manifest_is_json_with_aligned_parameters(device: GpuDevice) -> None:
    with chain(device, X, 3) as program:
        manifest = json.loads(json.dumps(program.export().manifest))
    assert (manifest["format"], manifest["version"]) == ("wgpt-program", 1)
    assert len(params_of(manifest)) % ALIGN == 0
    blocks = [entry for _, entries in manifest["groups"] for entry in entries if entry[0] == -1]
    assert all(at % ALIGN == 0 for _, at, _ in blocks)
    assert manifest["limits"]["maxStorageBuffersPerShaderStage"] >= 1


def _other_version(manifest: dict[str, Any]) -> None:
    manifest["version"] = 2


def _other_format(manifest: dict[str, Any]) -> None:
    manifest["format"] = "onnx"


def _outside(manifest: dict[str, Any]) -> None:
    manifest["groups"][0][1][-1][2] = 1 << 20


def _no_such_group(manifest: dict[str, Any]) -> None:
    manifest["programs"]["main"]["dispatches"][0][0] = 99


def _no_such_buffer(manifest: dict[str, Any]) -> None:
    manifest["groups"][0][1][-1][0] = -2


def _output_outside(manifest: dict[str, Any]) -> None:
    manifest["programs"]["main"]["outputs"]["y"]["offset"] = 1 << 20


def _unknown_feature(manifest: dict[str, Any]) -> None:
    manifest["features"] = ["time-travel"]


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_other_version, "version 2"),
        (_other_format, "onnx"),
        (_outside, "ends at byte"),
        (_no_such_group, "damaged"),
        (_no_such_buffer, "damaged"),
        (_output_outside, "outside its buffer"),
        (_unknown_feature, "time-travel"),
    ],
)
def test_damaged_exports_are_refused(device: GpuDevice, damage: Any, message: str) -> None:
    with chain(device, X, 2) as program:
        exported = program.export()
    manifest = copy.deepcopy(exported.manifest)
    damage(manifest)
    before = device.buffers_in_use
    with pytest.raises(WgptError, match=message):
        Program.load(device, Exported(manifest, exported.contents))
    assert device.buffers_in_use == before


def test_a_folder_without_an_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WgptError, match="no exported Program"):
        Exported.open(tmp_path)
    (tmp_path / "program.json").write_text('{"contents": {"0": [0, 8]}}')
    (tmp_path / "contents.bin").write_bytes(b"1234")
    with pytest.raises(WgptError, match="cut short"):
        Exported.open(tmp_path)
