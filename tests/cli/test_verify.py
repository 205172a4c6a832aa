"""`wgpt verify`: the verdict, the exit code and the JSON."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext

import psutil
import pytest

from wgpt import WgptError
from wgpt.cli import verify as command
from wgpt.cli import verify_jobs
from wgpt.contracts.verify import FAIL, PASS, Report, Row


def report(verdict: str) -> Report:
    row = Row("made-up-v1", "one", "one is one", "one", "reference", 1e-5, 3, 0.5, "n=1", "", "y[0]", verdict)
    return Report("Fast [1]", "driver", "Vulkan", (row,), 1.0)


@pytest.fixture
def made_up(monkeypatch):
    """A stand-in for verify() with a given verdict; no device."""
    monkeypatch.setattr(command, "opened", lambda _: nullcontext())
    return lambda verdict: monkeypatch.setattr(command, "verify", lambda *_: report(verdict))


@pytest.mark.parametrize(("verdict", "code"), [(PASS, 0), (FAIL, 1)])
def test_a_failed_obligation_is_exit_code_1(wgpt, made_up, verdict, code):
    made_up(verdict)
    for options in ((), ("--json",)):
        result = wgpt("verify", *options)
        assert result.exit_code == code and result.stderr == ""
    assert json.loads(result.stdout)["passed"] is (code == 0)


def test_an_unknown_id_is_told_the_closest_and_how_to_list_all(wgpt):
    result = wgpt("verify", "--only", "gemv_f23")
    assert result.exit_code == 2 and result.stdout == ""
    assert "'gemv_f23'; closest: gemv_f32" in result.stderr and "wgpt verify --list" in result.stderr
    assert len(result.stderr) < 300
    assert "closest" not in wgpt("verify", "--only", "#").stderr


def test_the_list_has_what_only_chooses(wgpt, wgpt_json):
    output = wgpt("verify", "--list", "--only", "gemv_f*").stdout
    assert "gemv_f32" in output and "gemv_f16" in output and "rmsnorm" not in output
    listed = wgpt_json("verify", "--list")
    assert len(listed) > 100 and {"gemv_f32", "sample"} <= {obligation["id"] for obligation in listed}


@pytest.mark.gpu
def test_json_on_this_adapter(wgpt_json):
    data = wgpt_json("verify", "--only", "gemv_f32")
    (row,) = data["obligations"]
    assert data["passed"] is True and row["id"] == "gemv_f32"
    assert row["trials"] > 3 and 0 < row["error"] <= row["tolerance"]


@pytest.mark.gpu
@pytest.mark.slow
def test_whole_models_on_this_adapter(wgpt_json):
    """A forward pass of every family, and its uploads."""
    data = wgpt_json("verify", "--only", "c-wgpu-*-001")
    assert data["passed"] is True
    forward, resident = data["obligations"]
    assert (forward["id"], resident["id"]) == ("C-WGPU-FWD-001", "C-WGPU-RESIDENT-001")
    assert 0 < forward["error"] <= forward["tolerance"] and resident["error"] == 0 == resident["tolerance"]


@pytest.mark.gpu
def test_table_on_this_adapter(wgpt):
    result = wgpt("verify", "--only", "gemv_f32")
    assert result.exit_code == 0
    assert "gemv_f32" in result.stdout and "all hold" in result.stdout and result.stderr == ""


@pytest.mark.gpu
@pytest.mark.full
def test_in_processes_as_in_one(wgpt_json, monkeypatch):
    monkeypatch.setattr(verify_jobs, "_MOST", 5)
    alone, shared = (wgpt_json("verify", "--only", "rmsnorm_*", *jobs) for jobs in ((), ("--jobs", "2")))
    for data in (alone, shared):
        del data["seconds"]
        for row in data["obligations"]:
            del row["seconds"]
    assert shared == alone and shared["passed"] and shared["trials"] > 20


def _dies(piece):
    os._exit(3)


def _fails(piece):
    raise WgptError("this GPU is taken")


@pytest.mark.gpu
@pytest.mark.full
def test_a_process_that_dies_or_cannot_begin(wgpt, monkeypatch):
    monkeypatch.setattr(verify_jobs, "_check", _dies)
    result = wgpt("verify", "--only", "rmsnorm_*", "--jobs", "2")
    assert result.exit_code == 1 and "a process ended without a word" in result.stdout
    monkeypatch.setattr(verify_jobs, "_check", _fails)
    result = wgpt("verify", "--only", "rmsnorm_*", "--jobs", "2")
    assert result.exit_code != 0 and "this GPU is taken" in result.stderr and "Traceback" not in result.stderr
    assert not multiprocessing.active_children()


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGTERM")
def test_processes_end_with_the_first():
    """SIGTERM leaves it no time to end them."""
    command = [sys.executable, "-m", "wgpt", "verify", "--only", "*attention*", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        first, deadline = psutil.Process(process.pid), time.monotonic() + 120
        while sum(child.num_threads() > 1 for child in first.children()) < 2:  # those that are at work
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        others = first.children(recursive=True)
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM
    assert not psutil.wait_procs(others, timeout=60)[1]


def test_jobs_are_at_least_one(wgpt):
    assert "--jobs" in wgpt("verify", "--jobs", "0").stderr
