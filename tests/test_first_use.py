"""Lazy initialisation: done once, by one thread, and retried if it failed; no GPU."""

from __future__ import annotations

import threading
import time

import pytest

from wgpt.core.first_use import at_first_use, first_use


def test_once():
    done = []
    at_first_use("test", lambda: done.append(1))
    first_use("test")
    first_use("test")
    first_use("nobody left this")
    assert done == [1]


def test_again_if_it_failed():
    tries = []

    def work() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise KeyboardInterrupt

    at_first_use("test", work)
    with pytest.raises(KeyboardInterrupt):
        first_use("test")
    first_use("test")
    assert len(tries) == 2


def test_other_threads_wait():
    done, counts = [], []

    def work() -> None:
        time.sleep(0.1)
        done.append(1)

    def use() -> None:
        first_use("test")
        counts.append(len(done))

    at_first_use("test", work)
    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [1] * 4
