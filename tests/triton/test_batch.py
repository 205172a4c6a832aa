"""Several launches in one submit, through the launcher that Triton calls: Triton itself is not needed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wgpt.gpu import GpuDevice, Recorder, Tensor
from wgpt.triton_backend import launcher as launching
from wgpt.triton_backend.batch import batch
from wgpt.triton_backend.compiled import Compiled, Settings
from wgpt.triton_backend.host import HostMemory
from wgpt.triton_backend.launcher import Launcher
from wgpt.ttir import Refused
from wgpt.ttir.artifact import Artifact

from .golden import FOLDER, INDEX, text_of

pytestmark = pytest.mark.gpu
N = 1000
Launch = Callable[..., None]


class Array:
    """A stand-in for `wgpt.triton.Array`, as the launcher sees it."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def numpy(self) -> np.ndarray:
        return self.tensor.buffer.device.read(self.tensor)


class Wrapped:
    """A stand-in for `wgpt.triton.Wrapped`: a NumPy array's memory, or a part of it."""

    def __init__(self, values: np.ndarray, owner: np.ndarray | None = None) -> None:
        self.values, self.owner = values, values if owner is None else owner

    def data_ptr(self) -> int:
        return int(self.values.ctypes.data)

    def host_memory(self) -> HostMemory:
        return HostMemory(int(self.owner.ctypes.data), self.owner.nbytes, self.owner)


@pytest.fixture
def add(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Launch:
    """out = x + y over the first n elements, as Triton would launch it."""
    monkeypatch.setattr(launching, "default_device", lambda: device)
    facts = INDEX["add"]
    compiled = Compiled(text_of("add"), Settings.of_arch(Settings.arch(device), 4, False))
    launcher = Launcher(SimpleNamespace(signature=facts["signature"]), None)

    def launch(x: Any, y: Any, out: Any, n: int = N) -> None:
        launcher(-(-n // facts["constants"]["BLOCK"]), 1, 1, 0, compiled, None, None, None, None, x, y, out, n)

    return launch


@pytest.fixture
def arrays(device: GpuDevice) -> Callable[..., list[Array]]:
    def make(*starts: float) -> list[Array]:
        return [Array(device.tensor(np.arange(N, dtype=np.float32) + start)) for start in starts]

    return make


def test_one_submit_and_the_results_of_many(add: Launch, arrays, device: GpuDevice) -> None:
    """Each launch sees the writes of those before it, in other arrays and in place, with its own scalars."""
    apart, together = arrays(0, 1, 2, 3), arrays(0, 1, 2, 3)

    def work(a: Array, b: Array, c: Array, d: Array) -> None:
        add(a, b, c)
        add(c, c, d)
        for n in (N, 700, 700, 100, 5):
            add(d, a, a, n)

    before = device.submits
    work(*apart)
    assert device.submits == before + 7
    before = device.submits
    with batch():
        work(*together)
        assert device.submits == before
    assert device.submits == before + 1
    for expected, result in zip(apart, together, strict=True):
        np.testing.assert_array_equal(result.numpy(), expected.numpy())


def test_repeated_with_the_same_and_with_other_scalars(add: Launch, arrays, device: GpuDevice) -> None:
    """Blocks of scalars are kept from one batch to the next; a plain launch between has its own."""
    (c,) = arrays(0)
    expected = np.arange(N, dtype=np.float32)
    b = Array(device.tensor(np.ones(N, np.float32)))
    for sizes in ([10, 20], [10, 20], [20, 10, 30], [30], list(range(1, 140))):
        with batch():
            for n in sizes:
                add(c, b, c, n)
        add(c, b, c, 15)
        for n in [*sizes, 15]:
            expected[:n] += 1
        np.testing.assert_array_equal(c.numpy(), expected)


def test_reading_inside_submits_what_was_recorded(add: Launch, arrays, device: GpuDevice) -> None:
    a, b, c = arrays(0, 1, 0)
    before = device.submits
    with batch():
        add(a, b, c)
        np.testing.assert_array_equal(c.numpy(), 2 * np.arange(N) + 1)
        assert device.submits == before + 2  # the recorded launches, and the read
        add(c, b, c)
        add(c, b, c)
    assert device.submits == before + 3
    np.testing.assert_array_equal(c.numpy(), 4 * np.arange(N) + 3)


def test_whatever_uses_the_queue_keeps_the_order(add: Launch, arrays, device: GpuDevice) -> None:
    """A write to an array that a recorded launch reads, and a Program, here of an artifact."""
    a, b, c = arrays(0, 1, 0)
    artifact = Artifact.load(FOLDER / "artifacts" / "add.json")
    out = device.empty((N,))
    with Recorder(device) as recorder:
        artifact.record(recorder, x=c.tensor, y=c.tensor, out=out, n=N)
        program = recorder.finish()
    with program, batch():
        add(a, b, c)
        device.write(a.tensor, np.zeros(N, np.float32))
        program.run()
        add(a, b, c)
    np.testing.assert_array_equal(device.read(out), 2 * (2 * np.arange(N) + 1))
    np.testing.assert_array_equal(c.numpy(), np.arange(N) + 1)


def test_new_arrays_inside_submit_nothing(add: Launch, arrays, device: GpuDevice) -> None:
    a, b = arrays(0, 1)
    before = device.submits
    with batch():
        add(a, b, a)
        (c,) = arrays(5)
        add(a, b, c)
        add(c, c, Array(device.empty((N,))))  # dropped at once: alive until it ran
        assert device.submits == before
    assert device.submits == before + 1
    np.testing.assert_array_equal(c.numpy(), 3 * np.arange(N) + 2)


def test_an_exception_drops_what_was_recorded(add: Launch, arrays, device: GpuDevice) -> None:
    a, b, c = arrays(0, 1, 9)
    host = np.zeros(N, np.float32)
    before = device.submits
    with pytest.raises(KeyError, match="mine"):
        with batch():
            add(a, b, c)
            add(a, b, Wrapped(host))
            raise KeyError("mine")
    assert device.submits == before and not host.any()
    np.testing.assert_array_equal(c.numpy(), np.arange(N) + 9)
    with batch():  # nothing is left of it
        add(a, b, c)
    np.testing.assert_array_equal(c.numpy(), 2 * np.arange(N) + 1)


def test_blocks_inside_blocks(add: Launch, arrays, device: GpuDevice) -> None:
    a, b, c = arrays(0, 1, 0)
    before = device.submits
    with batch():
        add(a, b, c)
        with batch():
            add(c, b, c)
        with pytest.raises(KeyError):
            with batch():
                add(c, c, c)  # dropped with its block, and nothing else is
                raise KeyError
        add(c, b, c)
        assert device.submits == before
    assert device.submits == before + 1
    np.testing.assert_array_equal(c.numpy(), 4 * np.arange(N) + 3)


def test_host_arrays_are_copied_in_once_and_back_out(add: Launch, arrays, device: GpuDevice) -> None:
    (b,) = arrays(1)
    x, y = np.arange(N, dtype=np.float32), np.full(N, 7, np.float32)
    uploaded, before = device.uploaded_bytes, device.submits
    with batch():
        add(Wrapped(x), b, Wrapped(y))
        add(Wrapped(y), b, Wrapped(y))
        add(Wrapped(y[500:], y), b, Wrapped(y[500:], y), 500)
        assert device.uploaded_bytes - uploaded == x.nbytes + y.nbytes
        assert (y == 7).all()
    assert device.submits == before + 2  # all launches, and one array to read
    expected = np.arange(N) + 2 * (np.arange(N) + 1.0)
    expected[500:] += np.arange(500) + 1
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(x, np.arange(N))


def test_host_arrays_of_an_inner_block_are_there_after_it(add: Launch, arrays) -> None:
    (b,) = arrays(1)
    y = np.zeros(N, np.float32)
    with batch():
        with batch():
            add(b, b, Wrapped(y))
        np.testing.assert_array_equal(y, 2 * np.arange(N) + 2)
        y += 1  # used by no launch that is still to be submitted
        add(Wrapped(y), b, Wrapped(y))
    np.testing.assert_array_equal(y, 3 * np.arange(N) + 4)


def test_host_arrays_changed_inside_are_refused(add: Launch, arrays, device: GpuDevice) -> None:
    (b,) = arrays(1)
    x, y = np.zeros(N, np.float32), np.zeros(N, np.float32)
    before = device.submits
    with pytest.raises(Refused, match=r"a host array \(4000 bytes\) was changed inside .*nothing was submitted"):
        with batch():
            add(Wrapped(x), b, Wrapped(y))
            x[3] = 1
    assert device.submits == before and not y.any()
    with pytest.raises(Refused, match="overlap"):
        with batch():
            add(Wrapped(x), b, Wrapped(y))
            add(Wrapped(x[10:]), b, Wrapped(y), 10)
    add(Wrapped(np.zeros(0, np.float32)), b, Wrapped(np.zeros(0, np.float32)), 1)
    with batch():
        add(Wrapped(np.zeros(0, np.float32)), b, Wrapped(np.zeros(0, np.float32)), 1)


def test_memory_released_before_the_end_is_refused(add: Launch, arrays, device: GpuDevice) -> None:
    a, b, c = arrays(0, 1, 2)
    with pytest.raises(Refused, match="released before the end of the batch"):
        with batch():
            add(a, b, c)
            a.tensor.buffer.release()


def test_other_threads_launch_by_themselves(add: Launch, arrays, device: GpuDevice) -> None:
    """Alone while this thread records, and batches of their own at the same time."""
    a, b, c, d = arrays(0, 1, 2, 3)
    with batch():
        add(a, b, c)
        before = device.submits
        other = threading.Thread(target=add, args=(a, b, d))
        other.start()
        other.join()
        assert device.submits == before + 1
    outs = arrays(*range(4))

    def work(out: Array) -> None:
        for turn in range(8):
            with batch():
                for n in range(1, 30):
                    add(out, b, out, n + turn)

    threads = [threading.Thread(target=work, args=(out,)) for out in outs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sum((np.arange(N) < n + turn).astype(np.float32) for turn in range(8) for n in range(1, 30))
    for start, out in enumerate(outs):
        np.testing.assert_array_equal(out.numpy(), np.arange(N) + start + times * (np.arange(N) + 1))


def test_tasks_have_batches_of_their_own(add: Launch, arrays, device: GpuDevice) -> None:
    a, b, c, d, e = arrays(0, 1, 2, 3, 4)
    before = device.submits

    async def recording(done: asyncio.Event) -> asyncio.Task[None]:
        with batch():
            add(a, b, c)
            await done.wait()
            assert device.submits == before + 1
            return asyncio.ensure_future(later())

    async def later() -> None:
        add(a, b, e)  # begun inside the block, and run after it

    async def main() -> None:
        done = asyncio.Event()
        task = asyncio.ensure_future(recording(done))
        await asyncio.sleep(0)
        add(a, b, d)
        done.set()
        await (await task)

    asyncio.run(main())
    assert device.submits == before + 3
    for out in (c, d, e):
        np.testing.assert_array_equal(out.numpy(), 2 * np.arange(N) + 1)


def test_nothing_recorded_submits_nothing(device: GpuDevice) -> None:
    before = device.submits
    with batch(), batch():
        pass
    assert device.submits == before
