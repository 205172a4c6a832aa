"""A run's folder: existing files are kept, and two runs cannot share it. No GPU."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.formats import FormatError
from wgpt.train import checkpoint
from wgpt.train.batches import Position
from wgpt.train.checkpoint import TrainingState
from wgpt.train.corpus import Corpus
from wgpt.train.identity import check_identity
from wgpt.train.recipe import Recipe
from wgpt.train.run_folder import claimed, folder_of, latest_state

HOLDER = """
import sys
from pathlib import Path
from wgpt.train.run_folder import claimed
with claimed(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
CONFIG = {
    "recipe": Recipe().as_json(),
    "about": {"model": None, "dtype": None, "corpus": Corpus("data.jsonl").as_json()},
}


def saved(folder, step=3, config=CONFIG):
    return checkpoint.save(
        folder, TrainingState(step, Position(0, step), 0, {"params": np.ones(4, np.float32)}, config)
    )


@pytest.mark.parametrize("out", ["", "  ", None, 3])
def test_a_folder_has_a_name(out):
    with pytest.raises(PreconditionError, match=r"out must be the path of a folder, not "):
        folder_of(out)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(PreconditionError, match="file: is a file"):
        folder_of(tmp_path / "file")
    with (
        pytest.raises(OSError, match=r"file/sub: cannot be written: Not a directory"),
        claimed(tmp_path / "file" / "sub"),
    ):
        pass


@pytest.mark.parametrize(
    "name", ["adapter_config.json", "adapter_model.safetensors", "report.html", "loss.png", "model"]
)
def test_somebody_else_s_files_are_not_overwritten(tmp_path, name):
    (tmp_path / "notes.txt").write_text("not in the way")
    assert latest_state(tmp_path, resume=False) is None
    (tmp_path / name).mkdir() if name == "model" else (tmp_path / name).write_text("mine")
    for resume in (False, True):
        with pytest.raises(PreconditionError, match=rf"has {name}, which this run would overwrite.*--force"):
            latest_state(tmp_path, resume)
    assert latest_state(tmp_path, resume=False, force=True) is None


def test_a_run_is_resumed_or_replaced_but_never_both(tmp_path):
    saved(tmp_path)
    (tmp_path / "report.html").write_text("its own")
    with pytest.raises(PreconditionError, match=r"already has a run \(checkpoint-3\): .* --resume .*--force"):
        latest_state(tmp_path, resume=False)
    state = latest_state(tmp_path, resume=True)
    assert state is not None and state.step == 3
    with pytest.raises(PreconditionError, match="use one of them"):
        latest_state(tmp_path, resume=True, force=True)
    assert latest_state(tmp_path, resume=False, force=True) is None
    saved(tmp_path, step=0)  # the first that the new run does
    assert [path.name for path in checkpoint.folders(tmp_path)] == ["checkpoint-0"]


def test_a_run_that_learnt_nothing_yet_is_begun_again(tmp_path):
    saved(tmp_path, step=0)
    assert latest_state(tmp_path, resume=False) is None
    (tmp_path / "report.html").write_text("another's")
    with pytest.raises(PreconditionError, match=r"has report.html, which this run would overwrite"):
        latest_state(tmp_path, resume=False)


def test_a_damaged_run_is_not_silently_replaced(tmp_path):
    (saved(tmp_path) / "state.json").write_text("{")
    with pytest.raises(PreconditionError, match="already has a run"):
        latest_state(tmp_path, resume=False)
    with pytest.raises(FormatError, match="its only checkpoint is damaged"):
        latest_state(tmp_path, resume=True)


@pytest.mark.parametrize("config", [{}, {"recipe": 3}, CONFIG | {"about": {}}, CONFIG | {"recipe": {"rank": "x"}}])
def test_a_config_that_is_none(tmp_path, config):
    saved(tmp_path, config=config)
    with pytest.raises(FormatError, match="its config does not describe a run"):
        latest_state(tmp_path, resume=True)


def test_nothing_is_left_of_a_run_that_did_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), claimed(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())
    with claimed(tmp_path / "a"):
        (tmp_path / "a" / "adapter").write_text("done")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["adapter"]
    with claimed(None):
        pass


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_two_runs_do_not_share_a_folder_and_a_killed_one_leaves_no_lock(tmp_path):
    args = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with (
            pytest.raises(PreconditionError, match=rf"another process \({holder.pid}\) is training there"),
            claimed(tmp_path),
        ):
            pass
        holder.send_signal(signal.SIGKILL)
    with claimed(tmp_path):
        with pytest.raises(PreconditionError, match="is training there"), claimed(tmp_path):
            pass
    with claimed(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_a_base_that_is_not_known_is_told_of():
    known = {"name": "tiny", "digest": "a", "dtype": None}
    for then, now, fault in ((None, known, "the checkpoint does not"), (known, None, "the model was not loaded from")):
        with pytest.warns(UserWarning, match=f"{fault}.*make sure that the base model is tiny"):
            check_identity(then, now)
    check_identity(None, None)
    check_identity(known, known | {"name": "a copy"})
    with pytest.raises(PreconditionError, match="began with another tiny: its weights have changed since"):
        check_identity(known, known | {"digest": "b"})
