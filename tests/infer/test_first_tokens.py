"""Prompts whose first tokens are chosen in the Program of their last chunk, as `start` and `step` choose them."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt import Model
from wgpt.infer.session import Session

Prompts = dict[int, list[int]]


def prompts(*lengths: int) -> Prompts:
    rng = np.random.default_rng(sum(lengths))
    return {slot: rng.integers(0, 90, n).tolist() for slot, n in enumerate(lengths) if n}


def tokens(session: Session, asked: Prompts, first: bool) -> list[list[int]]:
    """Of four steps, by slot of the prompts."""
    if first:
        steps = [session.first(asked).result()["ids"]]
    else:
        session.start(asked)
        steps = [session.step().result()["ids"]]
    steps += [session.step().result()["ids"] for _ in range(3)]
    return [[int(ids[slot]) for ids in steps] for slot in asked]


@pytest.mark.parametrize(
    ("lengths", "in_one"),
    [((5,), True), ((40,), True), ((33,), False), ((1,), False), ((3, 7), True), ((0, 20, 9), True), ((20, 20), False)],
)
def test_as_start_and_step(shared: Model, lengths: tuple[int, ...], in_one: bool) -> None:
    """In chunks of 32: 33 tokens end in a chunk of one row, and two prompts of 20 in two chunks."""
    with Session(shared.network, 64, slots=3, cache="f32") as session:
        session.chunk = 32
        expected = tokens(session, prompts(*lengths), False)
        for slot in range(3):
            session.forget(slot)
        session._release_programs()
        assert tokens(session, prompts(*lengths), True) == expected
        assert any(want == "first" for _, want, _ in session._prefills) == in_one


def test_running_sequences_take_part(shared: Model) -> None:
    asked = prompts(6, 11)
    with Session(shared.network, 64, slots=2, cache="f32") as session:
        apart = tokens(session, asked, False)
        for slot in range(2):
            session.forget(slot)
        session.first({0: asked[0]}).result()
        assert session.lengths == [7, 0]
        second = session.first({1: asked[1]}).result()["ids"]
        assert [int(second[0]), int(second[1])] == [apart[0][1], apart[1][0]] and session.lengths == [8, 12]
