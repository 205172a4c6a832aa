"""The thread that sleeps while there is no work."""

from __future__ import annotations

import threading
import time
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
        self.pieces = 0  # of work that wait
        self.worker = Worker("wgpt-test", self.take, self.turn)

    def take(self) -> bool:
        if self.pieces == 0 or self.worker.is_paused:
            return False
        self.pieces -= 1
        return True

    def turn(self) -> None:
        self.then()
        self.seen.put(threading.current_thread())

    def give(self, pieces: int = 1) -> None:
        with self.worker.lock:
            self.pieces += pieces
            self.worker.wake()

    def called(self) -> threading.Thread:
        self.give()
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
    owner.give()
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


def test_all_work_is_done_in_turns() -> None:
    owner = Owner()
    owner.give(5)
    assert len({owner.seen.get(timeout=SECONDS) for _ in range(5)}) == 1 and owner.pieces == 0
    owner.worker.stop()


def test_a_pause_waits_for_what_runs_and_holds_up_what_waits() -> None:
    going, may_end = threading.Event(), threading.Event()

    def then() -> None:
        going.set()
        assert may_end.wait(SECONDS)

    owner, paused, resume = Owner(then), threading.Event(), threading.Event()

    def pause() -> None:
        with owner.worker.paused(lambda: owner.seen.empty(), lambda: False):
            paused.set()
            assert resume.wait(SECONDS)

    owner.give(2)
    assert going.wait(SECONDS)
    pausing = threading.Thread(target=pause)
    pausing.start()
    while not owner.worker.is_paused:
        time.sleep(0.01)
    assert not paused.is_set()  # the first piece runs
    may_end.set()
    assert paused.wait(SECONDS) and owner.pieces == 1
    resume.set()
    pausing.join(SECONDS)
    for _ in range(2):
        owner.seen.get(timeout=SECONDS)
    assert owner.pieces == 0
    owner.worker.stop()


def test_a_pause_first_waits_for_those_that_it_names() -> None:
    owner, waits = Owner(), [True, True, False]
    with owner.worker.paused(lambda: False, lambda: waits.pop(0)):
        assert not waits
    owner.worker.stop()
