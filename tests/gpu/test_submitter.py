"""Commands that are finished and submitted by a thread of their own."""

from __future__ import annotations

import functools
import gc
import threading
import weakref

import numpy as np
import pytest

from tests.gpu import launches
from tests.gpu.processes import python
from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice, Recorder
from wgpt.gpu.submitter import Submitter, when

X = np.random.default_rng(5).integers(-1000, 1000, 100).astype(np.float32)
chain = functools.partial(launches.chain, factor=1.0)  # exact, however long
chained = functools.partial(launches.chained, factor=1.0)


@pytest.fixture
def background(monkeypatch):
    monkeypatch.setenv("WGPT_SUBMIT_THREAD", "1")


def test_long_programs_on_a_gpu_only(monkeypatch):
    monkeypatch.delenv("WGPT_SUBMIT_THREAD", raising=False)
    assert when(154, software=False) == "pipelined"
    assert when(10, software=False) == "busy"
    assert when(154, software=True) == "never"
    monkeypatch.setenv("WGPT_SUBMIT_THREAD", "0")
    assert when(154, software=False) == "never"
    monkeypatch.setenv("WGPT_SUBMIT_THREAD", "1")
    assert when(1, software=True) == "always"


def test_jobs_are_done_in_order_and_never_many_wait():
    submitter, gate, done = Submitter(), threading.Event(), list[int]()
    submitter.hand_over(gate.wait)
    threading.Timer(0.2, gate.set).start()
    for i in range(50):
        submitter.hand_over(lambda i=i: done.append(i))
        assert i - len(done) < 5
    submitter.settle()
    assert done == list(range(50))
    submitter.close()


def test_a_short_program_is_handed_over_only_if_the_thread_is_busy():
    submitter, gate = Submitter(), threading.Event()
    assert not submitter.takes("busy", None)
    first = submitter.hand_over(gate.wait)
    assert submitter.takes("busy", None)
    gate.set()
    first.result()
    assert not submitter.takes("busy", None)
    submitter.close()


def test_commands_that_the_thread_has_closed_are_submitted_by_the_caller(device, monkeypatch):
    monkeypatch.setattr("wgpt.gpu.program.when", lambda *_: "pipelined")
    gate, handed, hand_over = threading.Event(), list[object](), device.submitter.hand_over
    with chain(device, X, 3) as program:
        x, first = program.inputs["x"], program.submit()  # not read yet, so that the next is pipelined
        assert program.prepare()
        program._prepared._closing.result()
        note = lambda job, **how: handed.append(job) or hand_over(job, **how)
        monkeypatch.setattr(device.submitter, "hand_over", note)
        closed = program.submit(writes=[(x, X + 1)])
        assert not handed
        hand_over(gate.wait)
        assert program.prepare()
        waiting = program.submit(writes=[(x, X + 2)])
        assert len(handed) == 2  # closing, and the submit after it
        gate.set()
        for i, pending in enumerate((first, closed, waiting)):
            np.testing.assert_array_equal(pending.result()["y"], chained(X + i, 3))


def test_what_the_thread_itself_asks_for_is_done_later_by_another():
    submitter, by = Submitter(), list[threading.Thread]()
    first = submitter.hand_over(lambda: submitter.after_all(lambda: by.append(threading.current_thread())))
    first.result()
    assert not by
    submitter.settle()
    assert by == [threading.current_thread()]


def test_errors_reach_whoever_waits_and_the_next_jobs_are_done():
    submitter = Submitter()
    failed = submitter.hand_over(lambda: 1 // 0)
    good = submitter.hand_over(lambda: None)
    submitter.settle()
    assert isinstance(failed.exception(), ZeroDivisionError) and good.exception() is None
    submitter.note(WgptError("lost"))
    with pytest.raises(WgptError, match="lost"):
        submitter.check()
    submitter.check()


def test_its_thread_ends_with_it():
    submitter = Submitter()
    submitter.hand_over(lambda: None)
    thread = submitter._thread
    assert thread is not None and thread.is_alive()
    gone = weakref.ref(submitter)
    del submitter
    gc.collect()
    thread.join(5)
    assert gone() is None and not thread.is_alive()


@pytest.mark.gpu
@pytest.mark.usefixtures("background")
class TestPrograms:
    def test_writes_and_replays_take_effect_in_turn(self, device):
        with chain(device, X, 3) as program:
            pending = []
            for i in range(20):
                program.write("x", X + i)
                pending.append(program.submit())
            for i, p in enumerate(pending):
                np.testing.assert_array_equal(p.result()["y"], chained(X + i, 3))

    def test_what_is_opened_ahead_is_used(self, device):
        """Also by a Program that begins with a copy, for which no pass can be open."""
        with chain(device, X, 3) as program, Recorder(device) as recorder:
            other = device.empty((X.size,))
            x = recorder.upload(X, "x")
            recorder.copy(x, other)
            with recorder.finish(y=other) as copying:
                counts = []
                for _ in range(8):
                    pending = [p.submit() for p in (program, copying, program)]
                    first, copied, last = (p.result()["y"] for p in pending)
                    np.testing.assert_array_equal(first, chained(X, 3))
                    np.testing.assert_array_equal(last, chained(X, 3))
                    np.testing.assert_array_equal(copied, X)
                    counts.append({k: n for k, n in device.webgpu.live_objects().items() if "ncoder" in k})
                assert counts[-1] == counts[0]
            other.buffer.release()

    def test_a_program_submitted_here_comes_after_those_of_the_thread(self, device, monkeypatch):
        with chain(device, X, 60) as long:
            monkeypatch.setenv("WGPT_SUBMIT_THREAD", "0")
            with Recorder(device).finish(y=long.outputs["y"]) as short:
                for i in range(20):
                    long.write("x", X + i)
                    long.run()
                    np.testing.assert_array_equal(short.read()["y"], chained(X + i, 60))

    def test_a_program_released_at_once_still_gives_its_result(self, device):
        for i in range(20):
            program = chain(device, X + i, 60)
            pending = program.submit()
            program.release()
            with chain(device, X - 1, 60) as other:  # takes over its memory
                np.testing.assert_array_equal(other.read()["y"], chained(X - 1, 60))
            np.testing.assert_array_equal(pending.result()["y"], chained(X + i, 60))

    def test_prepared_commands_see_what_is_written_later(self, device):
        kept = device.tensor(X, label="kept")
        recorder = Recorder(device)
        x = recorder.upload(X, "x")
        recorder.launch(launches.affine(x, kept, 1.0, 1.0))
        with recorder.finish() as program:
            for i in range(5):
                program.prepare()
                program.prepare()  # once is enough
                program.submit(writes=[(program.inputs["x"], X + i)])
                np.testing.assert_array_equal(device.read(kept), X + i + 1)
            program.prepare()  # and is not used
        kept.buffer.release()

    def test_prepared_commands_give_their_outputs(self, device):
        with chain(device, X, 3) as program:
            x, pending = program.inputs["x"], []
            for i in range(6):
                assert program.prepare()
                assert not program.prepare()  # once is enough
                pending.append(program.submit(writes=[(x, X + i)]))
            program.prepare()
            program.run()  # reads nothing, so it leaves what was prepared
            np.testing.assert_array_equal(program.submit("y", writes=[(x, X - 1)]).result()["y"], chained(X - 1, 3))
            assert not program.prepare()
            for i, p in enumerate(pending):
                np.testing.assert_array_equal(p.result()["y"], chained(X + i, 3))
            np.testing.assert_array_equal(program.submit(writes=[(x, X)]).result()["y"], chained(X, 3))

    @pytest.mark.parametrize("close", [False, True])
    def test_prepared_commands_copy_what_is_written_whole(self, device, close):
        with chain(device, X, 3) as program:
            x = program.inputs["x"]

            def submit(values):
                assert program.prepare(x, close=close)
                program.prepare(x, close=close)
                return program.submit(writes=[(x, values)])

            pending = [submit(X + i) for i in range(6)]
            for i, p in enumerate(pending):
                np.testing.assert_array_equal(p.result()["y"], chained(X + i, 3))
            before = device.buffers_in_use
            for i in range(10):
                np.testing.assert_array_equal(submit(X - i).result()["y"], chained(X - i, 3))
            assert device.buffers_in_use == before
            rest = X - 9
            rest[:5] = 7  # the others stay: what was prepared is for all of them
            np.testing.assert_array_equal(submit(rest[:5]).result()["y"], chained(rest, 3))
            program.prepare(x, close=close)
            np.testing.assert_array_equal(program.submit().result()["y"], chained(rest, 3))
            program.prepare(x, close=close)  # and is not used
            other = chain(device, X, 1)
            with other, pytest.raises(WgptError, match=r"only inputs of this Program, which are \['x'\]"):
                other.prepare(x)

    def test_prepared_commands_are_one_submit(self, device, monkeypatch):
        monkeypatch.setattr("wgpt.gpu.program._pieces", lambda steps, *_: [steps[:7], steps[7:]])
        with chain(device, X, 50) as program:
            x, before = program.inputs["x"], device.submits
            for i in range(3):
                assert program.prepare(x)
                np.testing.assert_array_equal(program.submit(writes=[(x, X + i)]).result()["y"], chained(X + i, 50))
            assert device.submits == before + 3

    def test_a_large_input_is_written_by_the_queue(self, device, monkeypatch):
        monkeypatch.setattr("wgpt.gpu.program._SMALL", X.nbytes - 1)
        with chain(device, X, 3) as program:
            x = program.inputs["x"]
            assert program.prepare(x)
            np.testing.assert_array_equal(program.submit(writes=[(x, X + 1)]).result()["y"], chained(X + 1, 3))

    def test_prepared_commands_over_released_memory_are_refused(self, device):
        kept = device.tensor(X, label="kept")
        recorder = Recorder(device)
        recorder.launch(launches.affine(recorder.upload(X, "x"), kept, 1.0, 1.0))
        with recorder.finish() as program:
            program.prepare()
            kept.buffer.release()
            with pytest.raises(WgptError, match="was released after the Program was recorded"):
                program.submit()

    def test_in_pieces(self, device, monkeypatch):
        monkeypatch.setattr("wgpt.gpu.program._pieces", lambda steps, *_: [steps[:7], steps[7:20], steps[20:]])
        submits = device.submits
        with chain(device, X, 50) as program:
            np.testing.assert_array_equal(program.read()["y"], chained(X, 50))
        assert device.submits == submits + 3

    def test_results_that_nobody_reads(self, device):
        with chain(device, X, 60) as program:
            program.read()
            before = device.buffers_in_use
            for _ in range(50):
                program.submit()
                program.run()
            device.settle()
            gc.collect()
            assert device.buffers_in_use <= before + 1
            np.testing.assert_array_equal(program.read()["y"], chained(X, 60))

    def test_four_threads_at_once(self, device):
        correct: list[bool] = []

        def use(seed: int) -> None:
            with chain(device, X + seed, 30) as program:
                for i in range(20):
                    program.write("x", X * seed + i)
                    correct.append(bool((program.read()["y"] == chained(X * seed + i, 30)).all()))

        threads = [threading.Thread(target=use, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert correct == [True] * 80

    def test_a_device_closed_with_work_under_way(self, webgpu):
        device = GpuDevice.open()
        program = chain(device, X, 60)
        for _ in range(10):
            program.run()
        device.close()
        with pytest.raises(WgptError, match="closed"):
            program.run()


@pytest.mark.gpu
def test_only_while_a_result_is_awaited(device, monkeypatch):
    """Alone, a replay is submitted sooner, and for less of the CPU, by whoever asks for it."""
    monkeypatch.setattr("wgpt.gpu.program.when", lambda *_: "pipelined")
    jobs: list[object] = []
    hand_over = device.submitter.hand_over
    monkeypatch.setattr(device.submitter, "hand_over", lambda job: (jobs.append(job), hand_over(job))[1])
    with chain(device, X, 60) as program:
        program.read()
        program.run()
        assert not jobs
        first = program.submit()
        assert not jobs
        second, third = program.submit(), program.submit()
        assert len(jobs) == 2
        for pending in (first, second, third):
            np.testing.assert_array_equal(pending.result()["y"], chained(X, 60))
        program.read()
        program.submit()  # dropped: nobody awaits it
        program.submit()
        assert len(jobs) == 2


@pytest.mark.gpu
def test_a_process_that_ends_with_work_under_way_ends_well(webgpu):
    script = """
import numpy as np
from tests.gpu.launches import chain
from wgpt.gpu import GpuDevice
program = chain(GpuDevice.open(), np.ones(100, np.float32), 300)
kept = [program.submit() for _ in range(20)]
"""
    done = python("-c", script, WGPT_SUBMIT_THREAD="1")
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]


def test_nobody_waits_for_commands_to_be_closed(device, monkeypatch):
    monkeypatch.setattr("wgpt.gpu.program.when", lambda *_: "pipelined")
    gate = threading.Event()
    with chain(device, X, 3) as prepared, chain(device, X, 2) as other:
        device.submitter.hand_over(lambda: gate.wait(10), submits=False)
        assert prepared.prepare()  # its commands are closed after that
        np.testing.assert_array_equal(other.read()["y"], chained(X, 2))
        assert not prepared._prepared.closed_meanwhile
        gate.set()
        np.testing.assert_array_equal(prepared.read()["y"], chained(X, 3))
