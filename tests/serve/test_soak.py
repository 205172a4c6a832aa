"""A server under everything at once: nothing is wrong, nothing is kept, and /health answers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from wgpt.serve import silent

from .health_probe import probing
from .running import Running, serving, wait_for
from .soak import Soak
from .test_event_loop import LATEST
from .test_random_leavers import write_tiny

LONG = float(os.environ.get("SOAK_SECONDS", "1200"))
SETTLED = 600  # seconds: in less, threads still get memory of their own
pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    """Deterministic, so that a text is the same beside others."""
    options = ("--deterministic", "--max-batch", "16", "--cache-memory", "64MiB", "--no-warm-up")
    with serving(tmp_path / "server", write_tiny(tmp_path / "model"), *options) as running:
        yield running


def memory(server: Running) -> tuple[int, int]:
    """Bytes of the HTTP process and of the engine's, once both have had the time to give back what is free."""
    wait_for(lambda: server.get("/health").status_code == 200)
    wait_for(server.is_idle, 60)
    time.sleep(1.5 * silent._TRIM_SECONDS)
    return psutil.Process(server.process.pid).memory_info().rss, server.engine().memory_info().rss


def soaked(server: Running, folder: Path, seconds: float, kills: float) -> None:
    soak = Soak(server)
    soak.fill()
    soak.run(max(8, seconds / 10), kills)  # what is kept for good: grammars, kernels, buffers of threads
    before = memory(server)
    began = time.monotonic()
    with probing(server.address, server.process.pid, folder / "health") as probe:
        soak.run(seconds, kills)
        answers = probe.since(began, wait_for)
    after = memory(server)
    slowest = max(answers, key=lambda answer: answer.quiet)
    print(f"\n{dict(soak.counts)}; /health at worst {1e3 * slowest.quiet:.0f} ms; memory {before} -> {after}")
    assert {answer.status for answer in answers} <= {200, 503}
    assert slowest.quiet < LATEST, f"/health took {1e3 * slowest.quiet:.0f} ms"
    if seconds >= SETTLED:
        assert all(now < 1.1 * then for then, now in zip(before, after, strict=True)), (before, after)
    for name in ("num_requests_running", "num_requests_waiting", "kv_cache_usage_perc"):
        assert server.metric(name) == 0, name
    assert "Traceback" not in server.log(), server.log()[-3000:]
    soak.run(5, kills=1e9)  # it works as before
    kinds = ("whole", "streamed", "left", "garbage", "huge", "schema", "tool")
    assert all(soak.counts[kind] for kind in (kinds if seconds >= SETTLED else kinds[:4])), soak.counts


def test_a_short_while(server: Running, tmp_path: Path) -> None:
    soaked(server, tmp_path, 20, kills=6)


def test_twenty_minutes(server: Running, tmp_path: Path) -> None:
    soaked(server, tmp_path, LONG, kills=20)
