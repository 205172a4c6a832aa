"""Ray's remarks do not reach the user's stderr; errors do, as exceptions."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wgpt.cluster import connection

from ..models import golden
from .conftest import JOB_SECONDS


def test_nothing_is_written_while_ray_connects(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_BACKEND_LOG_LEVEL", raising=False)
    logger = logging.getLogger("ray")
    level = logger.level
    for error in (None, ConnectionError("none")):
        try:
            with connection._without_remarks():
                os.write(2, b"[2026-01-01 E 1 1] core_worker.cc:1: remark\n")
                logger.warning("remark")
                assert os.environ["RAY_BACKEND_LOG_LEVEL"] == "fatal"
                if error is not None:
                    raise error
        except ConnectionError:
            assert error is not None
        os.write(2, b"wgpt's own\n")
        assert capfd.readouterr().err == "wgpt's own\n"
        assert logger.level == level and "RAY_BACKEND_LOG_LEVEL" not in os.environ
    monkeypatch.setenv("RAY_BACKEND_LOG_LEVEL", "info")  # who asks for it gets it
    with connection._without_remarks():
        os.write(2, b"remark\n")
        assert os.environ["RAY_BACKEND_LOG_LEVEL"] == "info"
    assert capfd.readouterr().err == "remark\n"


@pytest.mark.gpu
@pytest.mark.slow
def test_a_batch_on_a_cluster_of_its_own(tmp_path: Path) -> None:
    """Slow, because it must be alone: it would find the cluster of another test, and lose it when that ends."""
    pytest.importorskip("ray", reason="the optional extra: pip install 'wgpt[ray]'")
    (tmp_path / "prompts.jsonl").write_text('{"prompt": "a"}\n{"prompt": "b"}\n')
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    # On a slow machine a node takes longer to start.
    environment |= {"RAY_raylet_start_wait_time_s": "120", "RAY_USAGE_STATS_ENABLED": "0"}
    command = [
        sys.executable,
        "-m",
        "wgpt",
        "batch",
        str(tmp_path / "prompts.jsonl"),
        "-o",
        str(tmp_path / "out.jsonl"),
    ]
    command += ["--ray", "--workers", "1", "-m", str(golden.folder_of("llama-gqa")), "-n", "3", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=JOB_SECONDS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["lines"] == 2
    assert [line for line in done.stderr.splitlines() if not line.startswith("answering: ")] == []
