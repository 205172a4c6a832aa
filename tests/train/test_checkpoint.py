"""Checkpoints survive kills at any moment; no GPU."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from wgpt.formats import FormatError
from wgpt.train import checkpoint
from wgpt.train.batches import Position
from wgpt.train.checkpoint import TrainingState

# Imports once; for each step that it reads, a child writes one checkpoint after the other until it is killed.
WRITER = """
import os, sys
import numpy as np
from wgpt.train import checkpoint
from wgpt.train.batches import Position
for line in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)
        continue
    step = int(line)
    while True:
        step += 1
        tensors = {name: np.full(300_000, step + at, np.float32) for at, name in enumerate(("params", "m", "v"))}
        state = checkpoint.TrainingState(step, Position(1, step), 7, tensors, losses=[0.5] * step)
        checkpoint.save(sys.argv[1], state, keep=2)
"""


def random_state(step: int = 3, **more) -> TrainingState:
    rng = np.random.default_rng(step)
    tensors = {name: rng.standard_normal(100).astype(np.float32) for name in ("params", "m", "v")}
    return TrainingState(
        step, Position(1, 2), 5, tensors | {"seen": np.arange(6, dtype=np.uint32).reshape(2, 3)}, **more
    )


def test_all_of_it_comes_back(tmp_path):
    state = random_state(config={"rank": 16, "model": "ü"}, losses=[1 / 3, math.nan, math.inf], evaluations=[(2, 0.1)])
    path = checkpoint.save(tmp_path / "run", state)
    assert path.name == "checkpoint-3" and checkpoint.latest(tmp_path / "run") == path
    again = checkpoint.load(path)
    assert (again.step, again.position, again.seed) == (3, Position(1, 2), 5)
    assert (again.config, again.evaluations) == (state.config, state.evaluations)
    assert again.losses[0] == 1 / 3 and math.isnan(again.losses[1]) and again.losses[2] == math.inf
    assert set(again.tensors) == set(state.tensors)
    for name, array in state.tensors.items():
        assert np.array_equal(again.tensors[name], array) and again.tensors[name].dtype == array.dtype
        again.tensors[name][:] = 0  # a copy, not a map of the file


def test_the_last_ones_are_kept_by_number(tmp_path):
    for step in (8, 9, 10, 11):
        checkpoint.save(tmp_path, random_state(step), keep=3)
    assert [path.name for path in checkpoint.checkpoints(tmp_path)] == [
        "checkpoint-9",
        "checkpoint-10",
        "checkpoint-11",
    ]
    assert len(list(tmp_path.iterdir())) == 3
    checkpoint.save(tmp_path, random_state(11, losses=[1.0]), keep=1)  # once more, in its place
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-11"]
    assert checkpoint.load(tmp_path / "checkpoint-11").losses == [1.0]
    with pytest.raises(ValueError, match="at least one"):
        checkpoint.save(tmp_path, random_state(), keep=0)


def test_half_of_one_is_none(tmp_path):
    good = checkpoint.save(tmp_path, random_state(1), keep=9)

    def cut(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:-1])

    def other_step(path: Path) -> None:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"step": 1}))

    def other_tensors(path: Path) -> None:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"tensors": {"params": [99]}}))

    def other_version(path: Path) -> None:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"version": 3}))

    harms = [("state.safetensors", cut), ("state.json", lambda path: path.write_bytes(path.read_bytes()[:50]))]
    harms += [("state.json", other_step), ("state.json", other_tensors), ("state.json", other_version)]
    harms += [("state.json", Path.unlink), ("state.safetensors", Path.unlink)]
    for step, (name, harm) in enumerate(harms, start=2):
        harm(checkpoint.save(tmp_path, random_state(step), keep=9) / name)
        assert checkpoint.latest(tmp_path) == good, (name, harm)
    for step in (2, 3, 5, 6, 7, 8):
        with pytest.raises(FormatError):
            checkpoint.load(tmp_path / f"checkpoint-{step}")
    assert checkpoint.latest(tmp_path / "nowhere") is None
    (tmp_path / "checkpoint-99").write_text("a file")
    (tmp_path / "checkpoint-x").mkdir()
    assert checkpoint.latest(tmp_path) == good


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and kill -9")
def test_killed_at_random_moments(tmp_path):
    chance, step, saved, first_took = random.Random(4), 0, 0, 0.0
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], **piped) as writer:
        kills = 0
        while kills < 12 or saved < 3:
            kills += 1
            assert kills < 200, f"only {saved} checkpoints were written between {kills} kills"
            print(step, file=writer.stdin, flush=True)
            child = int(writer.stdout.readline())
            start = time.monotonic()
            while not first_took:  # how long one takes on this machine, as busy as it is
                time.sleep(0.005)
                first_took = time.monotonic() - start if checkpoint.latest(tmp_path) else 0.0
                if time.monotonic() - start > 120:
                    os.kill(child, signal.SIGKILL)
                    pytest.fail("no checkpoint was written within two minutes")
            time.sleep(chance.uniform(0, 4 * first_took))
            os.kill(child, signal.SIGKILL)
            assert writer.stdout.readline() == "gone\n"
            path = checkpoint.latest(tmp_path)
            assert path is not None
            state = checkpoint.load(path)
            assert state.step >= step and state.position == Position(1, state.step) and len(state.losses) == state.step
            for at, name in enumerate(("params", "m", "v")):
                assert (state.tensors[name] == state.step + at).all()
            saved += state.step > step
            step = state.step
            assert len(list(tmp_path.iterdir())) <= 6  # files of killed writers are removed by the next
        writer.stdin.close()


def test_any_byte_that_changes_is_noticed_and_the_older_one_is_taken(tmp_path):
    checkpoint.save(tmp_path, random_state(1))
    path = checkpoint.save(tmp_path, random_state(2, config={"model": "a"}, losses=[2.0, 1.0]))
    for name in ("state.json", "state.safetensors", "SHA256SUMS"):
        whole = (path / name).read_bytes()
        for at in random.Random(1).sample(range(len(whole)), 25):
            (path / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            with pytest.raises(FormatError, match="damaged"):
                checkpoint.load(path)
        with pytest.warns(UserWarning, match=rf"{path.name}.*is damaged.*; continuing from the older checkpoint-1"):
            state = checkpoint.load_latest(tmp_path)
        assert state is not None and state.step == 1
        (path / name).write_bytes(whole)
    state = checkpoint.load_latest(tmp_path)
    assert state is not None and state.step == 2
    (path / "SHA256SUMS").unlink()
    with pytest.raises(FormatError, match="SHA256SUMS is missing"):
        checkpoint.load(path)


def test_when_all_are_damaged_that_is_said(tmp_path):
    for step in (1, 2):
        (checkpoint.save(tmp_path, random_state(step)) / "state.safetensors").write_bytes(b"x")
    with pytest.raises(FormatError, match=r"all 2 checkpoints are damaged .*checkpoint-2.*checkpoint-1"):
        checkpoint.load_latest(tmp_path)
    assert checkpoint.load_latest(tmp_path / "nowhere") is None


def test_a_damaged_one_does_not_push_out_the_good_ones(tmp_path):
    """The run continues from an older checkpoint: later ones no longer count."""
    for step in (10, 20):
        checkpoint.save(tmp_path, random_state(step))
    sums = tmp_path / "checkpoint-20" / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("a", "b"))
    checkpoint.save(tmp_path, random_state(15))
    assert [path.name for path in checkpoint.checkpoints(tmp_path)] == ["checkpoint-10", "checkpoint-15"]


def without_sums(path: Path, **changes) -> Path:
    """A checkpoint as written before there were checksums."""
    state = json.loads((path / "state.json").read_text()) | {"version": 1} | changes
    (path / "state.json").write_text(json.dumps(state))
    (path / "SHA256SUMS").unlink()
    return path


def test_one_of_an_older_version_is_read_and_that_is_said(tmp_path):
    path = without_sums(checkpoint.save(tmp_path, random_state(3, losses=[1.0])))
    with pytest.warns(UserWarning, match="has no checksums"):
        assert checkpoint.load(path).losses == [1.0]


@pytest.mark.parametrize(
    "change",
    [
        *({"step": 4}, {"step": True}, {"position": [1]}, {"position": [1, "2"]}, {"position": [-1, 0]}),
        *({"losses": [[]]}, {"losses": ["x"]}, {"evaluations": [1]}, {"evaluations": [[1, None]]}),
        *({"seed": None}, {"config": []}),
    ],
)
@pytest.mark.filterwarnings("ignore:.*has no checksums")
def test_what_an_older_one_says_is_checked_by_itself(tmp_path, change):
    path = without_sums(checkpoint.save(tmp_path, random_state(3)), **change)
    with pytest.raises(FormatError, match="is damaged"):
        checkpoint.load(path)
