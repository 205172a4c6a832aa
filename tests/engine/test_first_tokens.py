"""Prompts whose first tokens are chosen in the Program of their last chunk, as `start` and `step` choose them."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt import Model
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.engine.forward_recorder import FirstShape

Prompts = dict[int, list[int]]


def prompts(*lengths: int) -> Prompts:
    rng = np.random.default_rng(sum(lengths))
    return {slot: rng.integers(0, 90, n).tolist() for slot, n in enumerate(lengths) if n}


def tokens(batch: FixedBatch, asked: Prompts, first: bool) -> list[list[int]]:
    """Of four steps, by slot of the prompts."""
    if first:
        steps = [batch.first(asked).result()["tokens"]]
    else:
        batch.start(asked)
        steps = [batch.step().result()["tokens"]]
    steps += [batch.step().result()["tokens"] for _ in range(3)]
    return [[int(ids[slot]) for ids in steps] for slot in asked]


@pytest.mark.parametrize(("length", "in_one"), [(5, True), (40, True), (33, False), (34, True), (1, False)])
def test_as_start_and_step(model: Model, length: int, in_one: bool) -> None:
    """In chunks of 32, of which the first step joins one that is not full."""
    with FixedBatch(model.network, 64, cache="f32") as batch:
        batch.chunk = 32
        expected = tokens(batch, prompts(length), False)
        batch.forget(0)
        batch.runner.forget_programs()
        assert tokens(batch, prompts(length), True) == expected
        assert any(isinstance(key, FirstShape) for key, _ in batch.runner._programs.items()) == in_one


@pytest.mark.parametrize("lengths", [(3, 7), (0, 20, 9), (20, 20)])
def test_several_prompts(model: Model, lengths: tuple[int, ...]) -> None:
    with FixedBatch(model.network, 64, slots=3, cache="f32") as batch:
        batch.chunk = 32
        expected = tokens(batch, prompts(*lengths), False)
        for slot in range(3):
            batch.forget(slot)
        assert tokens(batch, prompts(*lengths), True) == expected


def test_running_sequences_take_part(model: Model) -> None:
    asked = prompts(6, 11)
    with FixedBatch(model.network, 64, slots=2, cache="f32") as batch:
        apart = tokens(batch, asked, False)
        for slot in range(2):
            batch.forget(slot)
        batch.first({0: asked[0]}).result()
        assert batch.lengths == [7, 0]
        second = batch.first({1: asked[1]}).result()["tokens"]
        assert [int(second[0]), int(second[1])] == [apart[0][1], apart[1][0]] and batch.lengths == [8, 12]
