"""Nothing grows: neither WebGPU's objects, nor our buffers, nor the process."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

import numpy as np
import psutil
import pytest

from wgpt.gpu import GpuDevice

from .launches import chain, chained

pytestmark = pytest.mark.gpu
X = np.arange(64, dtype=np.float32)
MIB = 1 << 20


@dataclass(frozen=True)
class Held:
    """The memory and objects that the process holds now."""

    objects: dict[str, int]
    buffers: int
    bytes: int
    rss: int

    @classmethod
    def now(cls, device: GpuDevice) -> Held:
        gc.collect()
        # The queue frees its resources only when polled after the work is done.
        device.read(device.tensor(X))
        gc.collect()
        rss = psutil.Process().memory_info().rss
        return cls(device.webgpu.live_objects(), device.buffers_in_use, device.bytes_in_use, rss)

    def grown(self, before: Held) -> dict[str, int]:
        return {k: n - before.objects.get(k, 0) for k, n in self.objects.items() if n > before.objects.get(k, 0)}


def test_live_objects_counts_what_lives(device):
    """Check that the counter counts at all."""
    before = Held.now(device)
    buffers = [device.buffer(64) for _ in range(20)]
    programs = [chain(device, X, 3) for _ in range(10)]
    after = Held.now(device)
    assert after.objects["buffers"] >= before.objects["buffers"] + 20
    assert after.objects["bindGroups"] >= before.objects["bindGroups"] + 30
    assert after.buffers >= before.buffers + 20
    for program in programs:
        program.release()
    for buffer in buffers:
        buffer.release()


@pytest.mark.slow
def test_ten_thousand_replays(device):
    with chain(device, X, 3) as program:
        for i in range(500):
            program.run()
            if i % 50 == 0:
                program.read()
        before = Held.now(device)
        for i in range(10_000):
            program.run()
            if i % 20 == 0:
                program.read()
        np.testing.assert_array_equal(program.read()["y"], chained(X, 3))
        after = Held.now(device)
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)
    assert after.rss - before.rss < 4 * MIB, "0.4 KiB a replay would be seen"


@pytest.mark.slow
def test_a_thousand_recordings(device):
    def cycle() -> None:
        with chain(device, X, 3) as program:
            program.write("x", X + 1)
            program.read()

    for _ in range(100):
        cycle()
    before = Held.now(device)
    for _ in range(1000):
        cycle()
    after = Held.now(device)
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)
    assert after.rss - before.rss < 8 * MIB, "8 KiB a cycle would be seen"


@pytest.mark.slow
def test_a_hundred_abandoned_programs_and_results(device):
    """Neither released nor read: the garbage collector must do it."""

    def abandon() -> None:
        program = chain(device, X, 3)
        program.submit()
        program.run()

    for _ in range(10):
        abandon()
    before = Held.now(device)
    for _ in range(100):
        abandon()
    after = Held.now(device)
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)


@pytest.mark.slow
def test_uploads_that_nothing_is_submitted_after(device: GpuDevice) -> None:
    """As models that are loaded and closed without being used: 20 times 64 MiB stay far below their sum."""
    values = np.ones(4 << 20, np.float32)

    def use() -> None:
        for tensor in [device.tensor(values) for _ in range(4)]:
            tensor.buffer.release()

    for _ in range(4):
        use()
    before = Held.now(device)
    largest = 0
    for _ in range(20):
        use()
        largest = max(largest, psutil.Process().memory_info().rss)
    assert largest - before.rss < 20 * 64 * MIB / 2
    deadline = time.monotonic() + 300  # on a busy machine the last copies are still running
    while psutil.Process().memory_info().rss - before.rss >= 100 * MIB and time.monotonic() < deadline:
        device.reclaim()
        time.sleep(0.05)
    assert psutil.Process().memory_info().rss - before.rss < 100 * MIB
