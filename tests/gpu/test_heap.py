"""Intermediate results on a heap: memory is shared, results are the same, unused results are not computed."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.gpu import GpuDevice, Heap, Program, Recorder, ValidationError
from wgpt.ops.backend import GpuBackend

pytestmark = pytest.mark.gpu


def chain(device: GpuDevice, x: np.ndarray, length: int, heap: Heap | None) -> Program:
    """x doubled `length` times."""
    recorder = Recorder(device, heap)
    backend, y = GpuBackend(recorder), recorder.upload(x, "x")
    for _ in range(length):
        y = backend.apply("scale", {"n": x.size, "alpha": 2.0}, x=y)["y"]
    return recorder.finish(y=y)


def test_a_chain_needs_two_buffers_however_long_it_is(device):
    x = np.random.default_rng(0).standard_normal(1003).astype(np.float32)
    heap = Heap(device)
    with chain(device, x, 9, heap) as program:
        assert len({b.tensor.buffer for launch in program.launches for b in launch.bindings if b.name == "y"}) == 2
        np.testing.assert_array_equal(program.read()["y"], x * 512)
        assert heap.nbytes < 3 * 4 * 1003 * 2
    heap.release()


def test_programs_share_a_heap_and_do_not_disturb_each_other(device):
    rng = np.random.default_rng(1)
    large, small = (rng.standard_normal(n).astype(np.float32) for n in (4000, 100))
    heap = Heap(device)
    with chain(device, large, 3, heap) as first:
        held = heap.nbytes
        with chain(device, small, 3, heap) as second:
            assert heap.nbytes == held, "the smaller one fits into the larger one's memory"
            for _ in range(2):
                np.testing.assert_array_equal(first.read()["y"], large * 8)
                np.testing.assert_array_equal(second.read()["y"], small * 8)
    before = device.bytes_in_use
    heap.release()
    assert device.bytes_in_use == before - held


def test_two_values_that_live_together_have_memory_of_their_own(device):
    x = np.random.default_rng(2).standard_normal(500).astype(np.float32)
    heap = Heap(device)
    recorder = Recorder(device, heap)
    backend, x_tensor = GpuBackend(recorder), recorder.upload(x, "x")
    a = backend.apply("scale", {"n": 500, "alpha": 3.0}, x=x_tensor)["y"]
    b = backend.apply("scale", {"n": 500, "alpha": 5.0}, x=x_tensor)["y"]
    with recorder.finish(y=backend.apply("add", {"n": 500}, a=a, b=b)["y"]) as program:
        np.testing.assert_allclose(program.read()["y"], 8 * x, rtol=1e-6)
    heap.release()


def test_what_nobody_reads_is_not_computed(device):
    x = np.ones(8, np.float32)
    heap = Heap(device)
    recorder = Recorder(device, heap)
    backend, x_tensor = GpuBackend(recorder), recorder.upload(x, "x")
    y_tensor = backend.apply("scale", {"n": 8, "alpha": 3.0}, x=x_tensor)["y"]
    idle = backend.apply("scale", {"n": 8, "alpha": 5.0}, x=y_tensor)["y"]
    backend.apply("add", {"n": 8}, a=idle, b=y_tensor)
    with recorder.finish(y=y_tensor) as program:
        assert len(program) == 1
        np.testing.assert_array_equal(program.read()["y"], 3 * x)
    heap.release()


def test_an_output_that_nothing_writes_is_refused(device):
    recorder = Recorder(device, Heap(device))
    with pytest.raises(ValidationError, match="no dispatch writes it"):
        recorder.finish(y=recorder.tensor((4,)))


def test_a_program_refuses_to_run_on_a_released_heap(device):
    heap = Heap(device)
    program = chain(device, np.ones(5, np.float32), 2, heap)
    heap.release()
    with pytest.raises(ValidationError, match="released"):
        program.run()
    program.release()


def test_a_pass_over_the_launches_runs_once_when_they_are_placed(device):
    runs = list[int]()

    def without_the_first(recorder, outputs):
        runs.append(len(outputs))
        return recorder.launches[1:]

    heap = Heap(device)
    with Recorder(device, heap) as recorder:
        backend, x = GpuBackend(recorder), recorder.upload(np.ones(8, np.float32))
        with recorder.layer(1):
            y = backend.apply("scale", {"n": 8, "alpha": 3.0}, x=x)["y"]
            with recorder.layer(0):
                z = backend.apply("scale", {"n": 8, "alpha": 5.0}, x=x)["y"]
            z = backend.apply("add", {"n": 8}, a=z, b=x)["y"]
        for _ in range(2):
            recorder.optimise(without_the_first)
        with recorder.finish(z=z) as program:
            assert [launch.layer for launch in program.launches] == [0, 1] and runs == [1]
            np.testing.assert_array_equal(program.read()["z"], np.full(8, 6.0))
    with Recorder(device, heap) as recorder:
        backend, x = GpuBackend(recorder), recorder.upload(np.ones(8, np.float32))
        y = backend.apply("scale", {"n": 8, "alpha": 3.0}, x=x)["y"]
        z = backend.apply("scale", {"n": 8, "alpha": 2.0}, x=y)["y"]
        recorder.optimise(without_the_first)
        with pytest.raises(ValidationError, match=r"scale.* reads x, .*, which no dispatch writes before"):
            recorder.finish(z=z)
    heap.release()


def test_a_result_is_computed_where_it_is_to_stay(device):
    heap, kept = Heap(device), device.tensor(np.zeros(80, np.float32), label="kept")
    target = kept.window(64, 8)
    with Recorder(device, heap) as recorder:
        backend = GpuBackend(recorder)
        x = recorder.upload(np.arange(8, dtype=np.float32), "x")
        y = backend.apply("scale", {"n": 8, "alpha": 3.0}, x=x)["y"]
        z = backend.apply("scale", {"n": 8, "alpha": 5.0}, x=y)["y"]
        for wrong in (kept, kept.window(0, 4, 2)):
            with pytest.raises(ValidationError, match="only a result on the heap can be put elsewhere"):
                recorder.put(y, wrong)
        with pytest.raises(ValidationError, match="only a result on the heap can be put elsewhere"):
            recorder.put(x, target)
        with pytest.raises(ValidationError, match="it is a part of"):
            recorder.put(y.window(0, 4), kept.window(0, 4))
        recorder.put(y, target)
        with recorder.finish(z=z) as program:
            assert len(program) == 2
            np.testing.assert_array_equal(program.read()["z"], 15.0 * np.arange(8))
    np.testing.assert_array_equal(device.read(kept), [*np.zeros(64), *(3.0 * np.arange(8)), *np.zeros(8)])
    kept.buffer.release()
    heap.release()
