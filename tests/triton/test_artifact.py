"""Artifacts: files that run without Triton, inside Programs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError, WgptError
from wgpt.gpu import Recorder
from wgpt.ttir.artifact import Artifact, evaluate

from .golden import FOLDER, artifact

SHIPPED = FOLDER / "artifacts"


def test_saved_and_loaded_again(tmp_path):
    original = artifact("matmul_f16")
    again = Artifact.load(original.save(tmp_path))
    assert again == original


@pytest.mark.parametrize("name", ["add", "matmul_f16"])
def test_kept_artifacts_are_what_the_lowering_makes(name):
    """If this fails the lowering has changed: `python -m tests.golden.make_triton` keeps the new ones."""
    stored, lowered = Artifact.load(SHIPPED / f"{name}.json"), artifact(name)
    assert stored.shaders == lowered.shaders


@pytest.mark.gpu
def test_records_into_a_program_and_replays(device):
    add = Artifact.load(SHIPPED / "add.json")
    x, y = np.random.default_rng(0).standard_normal((2, 3000)).astype(np.float32)
    with Recorder(device) as recorder:
        a, b = recorder.upload(x, "x"), recorder.upload(y)
        mid, out = recorder.tensor((3000,)), recorder.tensor((3000,))
        add.record(recorder, x=a, y=b, out=mid, n=3000)
        add.record(recorder, x=mid, y=b, out=out, n=3000)
        with recorder.finish(out=out) as program:
            np.testing.assert_array_equal(program.read()["out"], x + y + y)
            program.write("x", 2 * x)
            np.testing.assert_array_equal(program.read()["out"], 2 * x + y + y)
            assert program.launches[0].kernel == "add"
            assert program.launches[0].grid == (12, 1, 1)


@pytest.mark.gpu
def test_what_does_not_fit_is_refused_before_it_runs(device):
    add = Artifact.load(SHIPPED / "add.json")
    x = device.tensor(np.zeros(10, np.float32))
    halves = device.tensor(np.zeros(10, np.float16))
    with pytest.raises(PreconditionError, match="check n"):
        add.launch(device, {"x": x, "y": x, "out": x})
    with pytest.raises(PreconditionError, match="y must be a tensor of f32"):
        add.launch(device, {"x": x, "y": halves, "out": x, "n": 10})
    with pytest.raises(PreconditionError, match="n must be a number"):
        add.launch(device, {"x": x, "y": x, "out": x, "n": x})


def test_grids_are_arithmetic_and_nothing_else():
    assert evaluate("cdiv(n, BLOCK) * 2 + max(1, n % 3)", {"n": 1000, "BLOCK": 256}) == 9
    for bad in ("__import__('os')", "n.real", "unknown + 1", "1 / 2", "n +"):
        with pytest.raises(PreconditionError):
            evaluate(bad, {"n": 3})


def test_another_version_or_no_artifact_says_so(tmp_path):
    path = artifact("add").save(tmp_path)
    facts = json.loads(path.read_text())
    path.write_text(json.dumps({**facts, "version": 99}))
    with pytest.raises(WgptError, match="version 99"):
        Artifact.load(path)
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(WgptError):
        Artifact.load(tmp_path / "other.json")
