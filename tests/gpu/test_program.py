"""Programs: recorded once, replayed often, plain data."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import json
import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from wgpt.core.errors import WgptError
from wgpt.gpu import Recorder, ShaderError

from .launches import affine, busy_for, chain, chained

pytestmark = pytest.mark.gpu
RNG = np.random.default_rng(7)
X = RNG.integers(-100, 100, 1001).astype(np.float32)


def test_every_replay_gives_the_same(device):
    with chain(device, X, 5) as program:
        first = program.read()["y"]
        np.testing.assert_array_equal(first, chained(X, 5))
        for _ in range(10):
            program.run()
            np.testing.assert_array_equal(program.read("y")["y"], first)


def test_one_submit_per_replay(device):
    with chain(device, X, 40) as program:
        assert len(program) == 40
        before = device.submits
        program.run()
        program.read()
        assert device.submits == before + 2


def test_the_second_recording_compiles_nothing(device):
    with chain(device, X, 2) as program:
        program.read()
    before = (device.pipelines.compiled, device.pipelines.hits)
    with chain(device, X, 7) as program:
        program.read()
    assert (device.pipelines.compiled, device.pipelines.hits) == (before[0], before[1] + 7)


def test_a_shader_is_compiled_once_for_each_kind_of_trust(device):
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    wgsl = affine(x, y).wgsl + "// of this test alone\n"
    before = device.pipelines.compiled
    for trusted in (False, True, False, True):
        recorder.launch(affine(x, y, wgsl=wgsl, trusted=trusted))
    with recorder.finish(y=y) as program:
        assert device.pipelines.compiled == before + 2
        np.testing.assert_array_equal(program.read()["y"], chained(X, 1, 2.0, 1.0))


def test_inputs_are_rewritten_between_replays(device):
    with chain(device, X, 3) as program:
        for _ in range(5):
            fresh = RNG.integers(-100, 100, X.size).astype(np.float32)
            program.write("x", fresh)
            np.testing.assert_array_equal(program.read()["y"], chained(fresh, 3))
        with pytest.raises(KeyError, match=r"no input 'z'; this Program has \['x'\]"):
            program.write("z", X)
        with pytest.raises(ValueError, match="cannot write"):
            program.write("x", X[:-1])


def test_results_are_pipelined_and_keep_their_order(device):
    """A dozen replays are under way before the first result is asked for."""
    inputs = [RNG.integers(-100, 100, X.size).astype(np.float32) for _ in range(12)]
    with chain(device, X, 3) as program:
        pending = []
        for x in inputs:
            program.write("x", x)
            pending.append(program.submit())
        for x, under_way in zip(reversed(inputs), reversed(pending), strict=True):
            np.testing.assert_array_equal(under_way.result()["y"], chained(x, 3))


def test_a_result_stays_and_is_not_overwritten(device):
    with chain(device, X, 1) as program:
        pending = program.submit()
        first = pending.result()["y"].copy()
        program.write("x", X + 1)
        program.read()
        assert pending.done()
        np.testing.assert_array_equal(pending.result()["y"], first)


def test_submit_does_not_wait(device):
    with busy_for(device, 0.3) as program:
        began = time.perf_counter()
        pending = program.submit()
        assert time.perf_counter() - began < 0.15
        assert not pending.done()
        pending.result()


def test_only_the_outputs_asked_for_are_read(device):
    recorder = Recorder(device)
    x = recorder.upload(X)
    y, z = recorder.tensor(X.shape), recorder.tensor(X.shape)
    recorder.launch(affine(x, y, 2.0, 1.0))
    recorder.launch(affine(y, z, 2.0, 1.0))
    with recorder.finish(y=y, z=z) as program:
        assert set(program.read("z")) == {"z"}
        both = program.read()
        np.testing.assert_array_equal(both["y"], 2 * X + 1)
        np.testing.assert_array_equal(both["z"], 4 * X + 3)
        with pytest.raises(KeyError):
            program.read("nothing")


def test_awaiting_two_results_at_once_leaves_the_loop_free(device):
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.002)

    async def both() -> list[dict[str, np.ndarray]]:
        ticking = asyncio.create_task(tick())
        with busy_for(device, 0.2) as slow, chain(device, X, 3) as quick:
            # The slow one last: a software driver takes a second submit only when the first is done.
            pending = quick.submit(), slow.submit()
            before = ticks
            results = await asyncio.gather(*pending)
            during = ticks - before
        ticking.cancel()
        assert during >= 10, f"the loop turned {during} times in 0.2 s: something blocks it"
        return results

    quick, slow = asyncio.run(both())
    assert "out" in slow
    np.testing.assert_array_equal(quick["y"], chained(X, 3))


def test_an_awaited_wait_ends_too(device):
    from wgpt.gpu import GpuTimeoutError

    with busy_for(device, 0.3) as program:
        pending = program.submit()
        with pytest.raises(GpuTimeoutError):
            asyncio.run(pending.result_async(timeout=0.001))
        pending.result()


def test_threads_may_share_a_device(device):
    failures: list[str] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(15):
            x = rng.integers(-100, 100, 300).astype(np.float32)
            with chain(device, x, 4) as program:
                if not (program.read()["y"] == chained(x, 4)).all():
                    failures.append(f"thread {seed}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures and not any(thread.is_alive() for thread in threads)


def test_a_released_program_refuses(device):
    program = chain(device, X, 2)
    program.release()
    program.release()
    for use in (program.run, program.read, program.profile):
        with pytest.raises(WgptError, match="released; record it again"):
            use()


def test_released_memory_is_used_again(device):
    chain(device, X, 9).release()
    before = device.buffers_in_use
    for _ in range(5):
        with chain(device, X, 9) as program:
            program.run()
    assert device.buffers_in_use == before


def test_imported_tensors_outlive_the_program(device):
    weights = device.tensor(X)
    recorder = Recorder(device)
    y = recorder.tensor(X.shape)
    recorder.launch(affine(weights, y))
    with recorder.finish(y=y) as program:
        program.run()
    np.testing.assert_array_equal(device.read(weights), X)


def test_a_window_of_a_buffer_is_read_and_written_in_place(device):
    align = max(32, device.limits["min-storage-buffer-offset-alignment"])  # five words fit between two windows
    words = align // 4
    whole = device.tensor(np.zeros(3 * words, np.float32))
    window = dataclasses.replace(whole, shape=(5,), offset=align)
    device.write(window, np.arange(5, dtype=np.float32))
    recorder = Recorder(device)
    x = recorder.upload(np.arange(10, 15, dtype=np.float32))
    recorder.launch(affine(x, dataclasses.replace(window, offset=2 * align), 1.0, 0.0))
    with recorder.finish(middle=window) as program:
        np.testing.assert_array_equal(program.read()["middle"], np.arange(5))
    expected = np.zeros(3 * words, np.float32)
    expected[words : words + 5] = np.arange(5)
    expected[2 * words : 2 * words + 5] = np.arange(10, 15)
    np.testing.assert_array_equal(device.read(whole), expected)


def test_a_recording_that_fails_gives_its_memory_back(device):
    gc.collect()
    device.pool.trim()
    before = device.buffers_in_use
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    recorder.launch(affine(x, y, wgsl="nothing of the kind"))
    with pytest.raises(ShaderError):
        recorder.finish(y=y)
    recorder.discard()
    del recorder, x, y
    gc.collect()
    device.pool.trim()
    assert device.buffers_in_use == before


def test_launches_are_frozen_and_outside_changes_do_not_reach_a_program(device):
    recorder = Recorder(device)
    x, y = recorder.upload(X), recorder.tensor(X.shape)
    recorder.launch(affine(x, y))
    launches = recorder.launches
    with recorder.finish(y=y) as program:
        launches.append(affine(x, y, 0.0, 0.0))
        assert isinstance(program.launches, tuple) and len(program) == 1
        with pytest.raises(dataclasses.FrozenInstanceError):
            program.launches[0].grid = (1, 1, 1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            program.launches[0].bindings[0].tensor.offset = 16
        np.testing.assert_array_equal(program.read()["y"], 2 * X + 1)


def test_a_program_is_plain_data(device):
    with chain(device, X, 3) as program:
        data = json.loads(json.dumps(program.to_dict(), allow_nan=False))
    first, second, third = data["dispatches"]
    assert first["kernel"] == "affine" and first["grid"] == [16, 1, 1]
    bound = [{b["name"]: b for b in d["bindings"]} for d in (first, second, third)]
    assert bound[0]["x"]["buffer"] == data["inputs"]["x"]["buffer"]
    assert bound[1]["x"]["buffer"] == bound[0]["y"]["buffer"] != bound[0]["x"]["buffer"]
    assert bound[2]["y"]["buffer"] == data["outputs"]["y"]["buffer"]
    assert data["outputs"]["y"]["shape"] == [1001] and bound[0]["x"]["access"] == "read"


def test_profile_has_a_time_for_every_dispatch(device):
    with chain(device, X, 4) as program:
        profile = program.profile(repeats=2)
    assert [row.launch.kernel for row in profile.rows] == ["affine"] * 4
    assert all(row.seconds >= 0 for row in profile.rows) and profile.seconds > 0


def test_an_empty_program_still_copies(device):
    tensor = device.tensor(X)
    with Recorder(device).finish(out=tensor) as program:
        assert len(program) == 0
        program.run()
        np.testing.assert_array_equal(program.read()["out"], X)


def test_a_dropped_result_does_no_harm(device):
    with chain(device, X, 2) as program:
        before = device.buffers_in_use
        for _ in range(5):
            program.submit()
        device.settle()
        gc.collect()
        assert device.buffers_in_use <= before + 1
        np.testing.assert_array_equal(program.read()["y"], chained(X, 2))


def test_a_long_program_goes_in_pieces_on_a_gpu():
    """In order, nothing left out; a software driver gets it whole, and so does a GPU that is soon done with it."""
    from wgpt.gpu import program

    for count in (1, 200, 201, 1150):
        steps = list(range(count))
        pieces = program._pieces(steps, work=1 << 40, software=False)
        assert [step for piece in pieces for step in piece] == steps
        assert len(pieces) == 1 if count <= 200 else len(pieces[0]) < 100 and max(map(len, pieces)) <= 200
        # Encoding two dispatches takes no longer than one of a long Program takes the GPU.
        assert all(len(later) <= 2 * len(earlier) for earlier, later in pairwise(pieces))
        assert program._pieces(steps, work=1 << 40, software=True) == [steps]
        assert program._pieces(steps, work=1 << 20, software=False) == [steps]


def test_an_idle_gpu_begins_before_all_is_encoded(device, monkeypatch):
    """If somebody waits for the result, a Program goes in pieces, nothing left out; a replay alone goes whole."""
    from wgpt.gpu import program

    for count in (48, 97, 180, 1150):
        pieces = program._cut(list(range(count)), program._IDLE_BOUNDS)
        assert [step for piece in pieces for step in piece] == list(range(count))
        assert len(pieces) > 1 and len(pieces[0]) <= 16 and min(map(len, pieces)) > 0
    monkeypatch.setattr(program, "when", lambda *_: "pipelined")
    with chain(device, X, 60) as replayed:
        before = device.submits
        replayed.run()
        assert device.submits == before + 1
        np.testing.assert_array_equal(replayed.read()["y"], chained(X, 60))
        assert device.submits == before + 1 + 3


def test_without_timestamps_no_time_is_nothing_even_if_an_empty_pass_seems_to_take_longer(device, monkeypatch):
    """The time is a divisor: bandwidth is bytes per second."""
    from wgpt.gpu import profile

    monkeypatch.setattr(device, "features", device.features - {"timestamp-query"})
    with chain(device, X, 3) as program:
        for full, empty, expected in ((3.0, 1.0, 2.0), (1.0, 3.0, 1.0)):
            monkeypatch.setattr(profile, "_clock", lambda _, steps, __, a=full, b=empty: a if steps else b)
            assert profile.time_program(program) == expected
        monkeypatch.undo()
        assert profile.time_program(program) > 0
