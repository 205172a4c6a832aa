"""Ctrl-C while the GPU works: it is never lost, takes effect at once, and the device stays usable."""

from __future__ import annotations

import gc
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu import direct, interrupts
from wgpt.gpu.webgpu.dawn.device import Mapping
from wgpt.gpu.webgpu.interrupts import interrupt_held_back

from .interrupts import SOON, programs
from .launches import chain, chained

X = np.arange(257, dtype=np.float32)
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a thread or a child"),
]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """What earlier tests left is collected before, and an interrupt that a failed test kept does not end the next."""
    gc.collect()
    yield
    interrupts._kept.clear()


def maps_under_way(device: GpuDevice) -> int:
    return len(device.webgpu._instance._waiting if device.webgpu.name == "Dawn" else direct._waiting)


def test_what_a_callback_raises_is_raised_by_the_wait(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a signal is handled on the way from C into the callback."""
    noting, name = (Mapping, "_note") if device.webgpu.name == "Dawn" else (direct, "_note_mapped")
    note, calls = getattr(noting, name), []

    def interrupted(*arguments: object) -> None:
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        note(*arguments)

    before = maps_under_way(device)
    monkeypatch.setattr(noting, name, interrupted)
    with chain(device, X, 3) as program:
        with pytest.raises(KeyboardInterrupt):
            program.submit().result(timeout=20)
        assert maps_under_way(device) == before and not interrupts._kept, "the map has ended all the same"
        assert (program.read()["y"] == chained(X, 3)).all()


def test_an_interrupt_in_a_destructor_is_raised_by_the_next_wait(device: GpuDevice) -> None:
    """Python would print it and forget it. The memory is given back all the same."""
    with chain(device, X, 3) as program:
        program.read()
        before = device.bytes_in_use

        class Interrupted:
            def destroy(self) -> None:
                signal.raise_signal(signal.SIGINT)

        buffer = device.buffer(1 << 20)
        handle, buffer.handle = buffer.handle, Interrupted()
        device.submitter.after_all = lambda action: action()  # type: ignore[method-assign]
        try:
            del buffer
        finally:
            del device.submitter.after_all
        handle.destroy()
        assert device.bytes_in_use == before
        with pytest.raises(KeyboardInterrupt):
            program.read()
        assert (program.read()["y"] == chained(X, 3)).all()


def test_signals_at_random_moments(device: GpuDevice) -> None:
    rng = random.Random(3)
    with chain(device, X, 20) as program:
        for _ in range(25):
            sent: list[float] = []

            def send(delay: float = rng.uniform(0.001, 0.03), sent: list[float] = sent) -> None:
                time.sleep(delay)
                sent.append(time.monotonic())
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

            thread = threading.Thread(target=send)
            with pytest.raises(KeyboardInterrupt):
                thread.start()
                limit = time.monotonic() + 20
                while time.monotonic() < limit:
                    program.read()
            assert time.monotonic() - sent[0] < SOON
            thread.join()
        assert (program.read()["y"] == chained(X, 20)).all()


def test_an_interrupt_that_is_held_back() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt):
        with interrupt_held_back():
            signal.raise_signal(signal.SIGINT)
            done.append("the block")
    assert done and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with interrupt_held_back():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(("name", "delay"), [("generate", 0.3), ("bench decode", 2.5), ("imports", 0.8)])
def test_real_processes_end_soon(tmp_path: Path, name: str, delay: float) -> None:
    program = next(program for program in programs(tmp_path) if program.name == name)
    end = program.interrupted(delay)
    assert end.well, end
    assert end.seconds < 5 * SOON, "five times as long, for machines that do other things as well"
