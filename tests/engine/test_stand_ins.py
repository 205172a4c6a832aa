"""A Program that exists does the work of one that is being recorded, so that nobody waits for that."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wgpt import Engine, Model
from wgpt.engine.batch import bucket, chunks
from wgpt.engine.forward_recorder import FirstShape, Shape
from wgpt.engine.read_outputs import Outputs
from wgpt.engine.runner import Runner
from wgpt.engine.sampling import Mode
from wgpt.engine.stand_ins import cost_for_chunk, cost_for_step
from wgpt.gpu.programs import Programs

STEP = Shape(16, 1024, 1, Mode(sampled=True))
PLAIN = Outputs()


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"rows": 64}, True),
        ({"rows": 96}, False),
        ({"rows": 8}, False),
        ({"context": 1 << 30, "splits": 4}, True),
        ({"context": 512}, False),
        ({"part": "forward"}, False),
        ({"width": 4}, False),
        ({"mode": Mode()}, False),
        ({"mode": Mode(sampled=True, filtered=True, biased=True, top=5)}, True),
        ({"mode": Mode(sampled=True, masked=True)}, False),
        ({"mode": Mode(sampled=True, logits=True)}, False),
    ],
    ids=str,
)
def test_steps_that_fit(change: dict[str, Any], fits: bool) -> None:
    assert (cost_for_step(STEP)(replace(STEP, **change)) is not None) == fits


@pytest.mark.parametrize(("ours", "theirs", "covers"), [(5, 5, True), (20, 5, True), (5, 20, False), (None, 0, False)])
def test_log_probabilities(ours: int | None, theirs: int | None, covers: bool) -> None:
    assert Mode(top=ours).covers(Mode(top=theirs)) == covers and Mode(top=ours).covers(Mode())


@pytest.mark.parametrize(
    ("wanted", "other", "fits"),
    [
        ((64, 16, PLAIN), (128, 16, PLAIN), True),
        ((64, 16, PLAIN), (32, 16, PLAIN), False),
        ((64, 16, PLAIN), (256, 16, PLAIN), True),
        ((64, 16, PLAIN), (384, 16, PLAIN), False),
        ((5, 1, PLAIN), (128, 1, PLAIN), True),
        ((64, 16, PLAIN), (64, 8, PLAIN), True),
        ((64, 8, PLAIN), (64, 16, PLAIN), False),
        ((64, 16, PLAIN), (64, 1, PLAIN), True),
        ((64, 16, PLAIN), (128, 16, Outputs(exact=True)), False),
        ((64, 16, Outputs(whole=True)), (128, 16, Outputs(whole=True)), False),
        ((64, 16, PLAIN), STEP, False),
        ((64, 16, PLAIN), FirstShape(128, 16, Mode()), False),
    ],
    ids=str,
)
def test_chunks_that_fit(wanted: tuple[int, int, Outputs], other: Any, fits: bool) -> None:
    assert (cost_for_chunk(*wanted)(other) is not None) == fits


def test_one_that_could_not_be_recorded_beside_is_recorded_at_once() -> None:
    """So that its error is raised where somebody waits for it."""
    programs = Programs()
    programs._add(replace(STEP, rows=32), SimpleNamespace())  # type: ignore[arg-type]

    def fails() -> Any:
        raise ValueError("no memory")

    assert programs.near(STEP, fails, cost_for_step(STEP)).rows == 32
    deadline = time.monotonic() + 60
    while programs.near(STEP, fails, cost_for_step(STEP)) != STEP:
        assert time.monotonic() < deadline
    with pytest.raises(ValueError, match="no memory"):
        programs.get(STEP, fails)


def test_the_smallest_one_stands_in_until_the_right_one_is_recorded() -> None:
    programs, recorded = Programs(), list[Hashable]()

    def record(key: Hashable) -> Any:
        def work() -> Any:
            recorded.append(key)
            return SimpleNamespace(release=lambda: None, compile=lambda: None)

        return work

    def near(rows: int) -> Any:
        shape = replace(STEP, rows=rows)
        return programs.near(shape, record(shape), cost_for_step(shape)).rows

    assert near(16) == 16 and not recorded, "nothing can: it is recorded at once"
    for rows in (64, 48):
        programs.get(replace(STEP, rows=rows), record(rows))
    seconds = programs.seconds
    assert near(16) == 48
    deadline = time.monotonic() + 60
    while not programs.has(STEP):
        assert time.monotonic() < deadline
    assert near(16) == 16 and programs.seconds == seconds and recorded == [64, 48, STEP]


@pytest.mark.parametrize(
    ("there", "uses", "recorded"),
    [((), True, 0), ((64,), True, 0), ((128,), False, 1), ((512,), False, 1), ((768,), True, 0)],
)
def test_the_end_of_a_prompt_is_recorded_beside_chunks(there: tuple[int, ...], uses: bool, recorded: int) -> None:
    (chunk,) = chunks({0: [1] * 100}, {0: 0}, 512, rows=bucket)
    beside, programs = list[Hashable](), Programs()
    programs.record_beside = lambda key, _: beside.append(key)  # type: ignore[method-assign]
    for m in there:
        programs._add((m, chunk.tile, PLAIN), SimpleNamespace())  # type: ignore[arg-type]
    made = {"_programs": programs, "substitutes": True, "record": SimpleNamespace(first=print)}
    runner: Any = SimpleNamespace(**made, first=lambda *_: "sent")
    assert Runner.try_first(runner, chunk, {}, Mode()) == ("sent" if uses else None) and len(beside) == recorded
    for key in beside:
        programs._add(key, SimpleNamespace())  # type: ignore[arg-type]
    assert Runner.try_first(runner, chunk, {}, Mode()) == "sent" or not recorded


@pytest.mark.gpu
def test_nobody_waits_after_prepare(model: Model) -> None:
    chance = np.random.default_rng(3)
    lengths = [1, 2, 5, 9, 17, 30, 33, 40, 47, 63, 64, 65, 71, 90, 100, 110]
    prompts = [chance.integers(3, 90, n).tolist() for n in lengths]
    options = [
        {"temperature": 0.0} if i % 2 else {"temperature": 0.8, "top_p": 0.9, "top_k": 20} for i in range(len(lengths))
    ]

    def run(engine: Engine, together: int) -> list[list[int]]:
        ids = []
        for at in range(0, len(prompts), together):
            part = zip(prompts[at : at + together], options[at : at + together], strict=True)
            requests = [engine.submit(p, max_tokens=9, seed=5, ignore_eos=True, **o) for p, o in part]
            ids += [request.result().ids for request in requests]
        return ids

    with Engine(model, context=128) as engine:
        alone = run(engine, 1)
    with Engine(model, context=128) as engine:
        runner: Any = engine._core.runner
        runner.substitutes = True  # as on a GPU
        engine.prepare()
        threads = [threading.Thread(target=engine.prepare) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds, recorded = runner.compile_seconds, runner.recorded
        assert recorded >= 4, "steps of 8, 32 and 128 sequences, and a chunk"
        both = [run(engine, together) for together in (16, 1, 3)]
        assert runner.compile_seconds == seconds, "work has waited for a Program"
        assert runner.recorded > recorded, "those that fit are recorded meanwhile"
    for ids in both:
        assert ids == alone
    engine.prepare()  # of a closed one: nothing to do
