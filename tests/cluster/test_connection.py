"""How a process joins a Ray cluster; Ray itself is made up."""

from __future__ import annotations

import signal
from types import SimpleNamespace

import pytest

from wgpt.cluster import connection


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Ray has another handler on Windows")
def test_ray_does_not_take_sigterm_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As ray.init does, also where it then finds no cluster."""
    before = signal.getsignal(signal.SIGTERM)

    def init(address: str, **options: object) -> None:
        signal.signal(signal.SIGTERM, lambda *_: None)
        if address == "auto":
            raise ConnectionError("there is no cluster")

    ray = SimpleNamespace(is_initialized=lambda: False, init=init, shutdown=lambda: None)
    monkeypatch.setattr(connection, "ray_module", lambda: ray)
    monkeypatch.setattr(connection, "list_gpus", lambda: [])
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with connection.connected():
        assert signal.getsignal(signal.SIGTERM) is before
    assert signal.getsignal(signal.SIGTERM) is before
