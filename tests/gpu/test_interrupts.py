"""Ctrl-C while the GPU works: it is never lost, takes effect at once, and the device stays usable."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
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
from wgpt.train.checkpoint import latest, load
from wgpt.train.interrupt import deferred

from .interrupts import FINETUNE, SOON, Program, model_folder, programs
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


@pytest.mark.parametrize(
    ("name", "delay"),
    [pytest.param("generate", 0.3, marks=pytest.mark.full), ("bench decode", 2.5), ("imports", 0.8)],
)
def test_real_processes_end_soon(tmp_path: Path, name: str, delay: float) -> None:
    program = next(program for program in programs(tmp_path) if program.name == name)
    end = program.interrupted(delay)
    assert end.well, end
    assert end.seconds < 5 * SOON, "five times as long, for machines that do other things as well"


FULL = [pytest.param(name, marks=pytest.mark.full) for name in ("generate", "engine")]


@pytest.mark.parametrize("name", [*FULL, "training"])
def test_sigterm_ends_a_script_as_it_ends_any_process(tmp_path: Path, name: str) -> None:
    program = next(program for program in programs(tmp_path) if program.name == name)
    end = program.interrupted(0.1, signal.SIGTERM)
    assert end.code == -signal.SIGTERM and end.quiet, end
    assert end.seconds < 5 * SOON


@pytest.mark.full
@pytest.mark.parametrize(("own", "code"), [(False, -signal.SIGTERM), (True, 7)])
def test_sigterm_ends_training_after_its_checkpoint_or_calls_the_handler_of_the_program(
    tmp_path: Path, own: bool, code: int
) -> None:
    """A handler that the program has set is called as at any other time."""
    handler = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n" if own else ""
    folder = tmp_path / "run"
    program = Program("", ("-c", f"import sys\n{handler}{FINETUNE}", model_folder(), str(folder)), announces=True)
    assert program.interrupted(0.1, signal.SIGTERM).code == code
    kept = latest(folder)
    assert kept is not None and (own or load(kept).step >= 3)


def test_a_second_sigterm_ends_it_within_the_step() -> None:
    with subprocess.Popen([sys.executable, "-c", _ENDLESS_STEP], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"at work\n"
        process.terminate()
        assert process.stdout.readline() == b"asked to stop\n"
        process.terminate()
        assert process.wait(20) == -signal.SIGTERM


def test_ctrl_c_twice_and_handlers_that_are_put_back() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        with deferred() as stop:
            signal.raise_signal(signal.SIGINT)
            assert stop()
            signal.raise_signal(signal.SIGINT)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


_ENDLESS_STEP = """
import time
from wgpt.train.interrupt import deferred
with deferred() as stop:
    print("at work", flush=True)
    while not stop():
        time.sleep(0.01)
    print("asked to stop", flush=True)
    time.sleep(60)
"""
