"""The thread that sleeps between calls."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue

from wgpt.engine.worker import Worker

SECONDS = 30  # for a thread to do what it does at once


class Owner:
    """Notes in which thread it works."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.seen: SimpleQueue[threading.Thread] = SimpleQueue()
        self.then = then
        self.worker = Worker(self.work, "wgpt-test")

    def work(self) -> None:
        self.then()
        self.seen.put(threading.current_thread())

    def called(self) -> threading.Thread:
        self.worker.call()
        return self.seen.get(timeout=SECONDS)


def test_one_thread_for_all_calls() -> None:
    owner = Owner()
    threads = {owner.called() for _ in range(5)}
    assert len(threads) == 1 and threads.pop().name == "wgpt-test"
    owner.worker.stop()


def test_stopping_ends_the_thread_after_its_work() -> None:
    going, may_end = threading.Event(), threading.Event()

    def then() -> None:
        going.set()
        assert may_end.wait(SECONDS)

    owner = Owner(then)
    owner.worker.call()
    assert going.wait(SECONDS)
    stopper = threading.Thread(target=owner.worker.stop)
    stopper.start()
    assert owner.worker.stopping.wait(SECONDS) and owner.seen.empty()
    may_end.set()
    stopper.join(SECONDS)
    thread = owner.seen.get(timeout=SECONDS)
    assert not stopper.is_alive() and not thread.is_alive()


def test_stopping_from_within_and_twice() -> None:
    owner = Owner()
    owner.then = owner.worker.stop
    thread = owner.called()
    thread.join(SECONDS)
    assert not thread.is_alive()
    owner.worker.stop()
    Owner().worker.stop()  # never called


def test_asleep_it_keeps_nobody_alive() -> None:
    owner = Owner()
    weakref.finalize(owner, owner.worker.stop)
    thread, gone = owner.called(), weakref.ref(owner)
    del owner
    thread.join(SECONDS)
    assert gone() is None and not thread.is_alive()
