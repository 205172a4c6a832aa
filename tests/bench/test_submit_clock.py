"""CPU time of submits: the caller's while it records, and the device thread's whenever it works."""

from __future__ import annotations

import time

import pytest

from wgpt.bench.submit_clock import SubmitClock
from wgpt.gpu.dry import DryDevice

BUSY = 0.05


def work() -> None:
    end = time.thread_time() + BUSY
    while time.thread_time() < end:
        pass


def test_both_threads_count_and_what_the_caller_does_meanwhile_does_not():
    device = DryDevice()
    clock = SubmitClock(device)
    with clock:
        work()
        device.submitter.hand_over(work)
    work()
    device.settle()
    assert clock.seconds == pytest.approx(2 * BUSY, rel=0.3)
    assert SubmitClock(device).seconds == 0
