"""States of layers that are kept: where, for whom, and that each sequence goes on from its own. No GPU."""

from __future__ import annotations

import random

import pytest

from wgpt.core.sizes import PAGE
from wgpt.engine.options import Options
from wgpt.engine.pages import Pages
from wgpt.engine.scheduler import Guided, Limits, Prefill, Scheduler, Work
from wgpt.engine.sequence import Sequence, Stage
from wgpt.engine.snapshots import INTERVAL, Snapshots

from .test_scheduler import Machine, scored

ANSWER = 70  # what the machine generates


class WithStates(Machine):
    """A slot's state is all tokens that made it: one that is no longer its sequence's cannot go unnoticed."""

    def __init__(self, pages: int = 200, places: int = 20, lag: int = 3, **limits: object) -> None:
        settings = {"slots": 8, "capacity": 4096, "chunk": 256, "max_stall": 0.04, **limits}
        super().__init__(Scheduler(Pages(pages + 1, Snapshots(places)), Limits(**settings)), lag)  # type: ignore[arg-type]
        self.slots: dict[int, tuple[int, ...]] = {}
        self.places: dict[int, tuple[int, ...]] = {}
        self.copies = 0

    def _submit(self, work: Work) -> None:
        for slot, place in self.scheduler.states.restores:
            self.slots[slot] = self.places[place]
        self.scheduler.states.restores.clear()
        if isinstance(work, Prefill):
            for each, first, count in work.parts:
                self._advance(each, first, count)
        else:
            for each in work.running if isinstance(work, Guided) else work.rows:
                self._advance(each, each.next - 1, 1)
        super()._submit(work)
        for slot, place in self.scheduler.states.saves:
            self.places[place] = self.slots[slot]
        self.copies += len(self.scheduler.states.saves)
        self.scheduler.states.saves.clear()

    def _advance(self, each: Sequence, first: int, count: int) -> None:
        assert each.slot is not None
        tokens = [*each.context, *[ANSWER] * (first + count)][: first + count]
        state = self.slots.get(each.slot, ()) if first else ()
        assert state == tuple(tokens[:first]), f"the state at {first} is another one's"
        self.slots[each.slot] = tuple(tokens)

    def talk(self, prompt: list[int], new: int, order: int, **options: object) -> Sequence:
        chosen = Options(max_tokens=new, ignore_eos=True, seed=0, **options)  # type: ignore[arg-type]
        each = Sequence(prompt, chosen, None, order=(0.0, order))
        self.run([each])
        return each


def tokens_of(order: int, count: int) -> list[int]:
    return [1000 * order + i for i in range(count)]


def test_a_turn_reads_only_what_is_new() -> None:
    """Of eight turns, each reads its own tokens and less than a page before them."""
    machine, context = WithStates(), list[int]()
    for turn in range(8):
        before = len(context)
        said = machine.talk([*context, *tokens_of(turn + 1, 90)], 100, turn)
        assert before - PAGE <= said.completion.cached_tokens <= before
        context = said.tokens
    assert machine.scheduler.pages.used == 0


def test_a_long_prompt_can_be_left_anywhere() -> None:
    """What has a long beginning in common reads at most an interval of it again; the second one nothing of it."""
    machine = WithStates()
    long = tokens_of(1, 3500)
    machine.talk(long, 2, 1)
    other = machine.talk([*long[:2500], *tokens_of(2, 50)], 2, 2)
    assert other.completion.cached_tokens == 2 * INTERVAL
    third = machine.talk([*long[:2500], *tokens_of(3, 50)], 2, 3)
    assert third.completion.cached_tokens == 2500 // PAGE * PAGE, "where the others parted"


def test_the_least_recently_used_is_forgotten() -> None:
    machine = WithStates(places=4)
    prompts = [tokens_of(i, 130) for i in range(1, 6)]
    for i, prompt in enumerate(prompts):
        machine.talk(prompt, 2, i)
    assert machine.talk(prompts[0], 2, 10).completion.cached_tokens == 0
    assert machine.talk(prompts[4], 2, 11).completion.cached_tokens == 2 * PAGE


def test_one_that_runs_takes_one_place_at_most() -> None:
    """Its newest state replaces the one before; those of others stay, if there is room for one each."""
    machine = WithStates(places=2)
    kept = tokens_of(1, 130)
    machine.talk(kept, 2, 1)
    machine.talk(tokens_of(2, 5), 600, 2)
    assert machine.copies > 8
    assert machine.talk(kept, 2, 3).completion.cached_tokens == 2 * PAGE


def test_who_shares_is_told_apart() -> None:
    machine, prompt = WithStates(), tokens_of(1, 200)
    assert [
        machine.talk(prompt, 2, i, cache_salt=salt).completion.cached_tokens for i, salt in enumerate(("a", "b", "a"))
    ] == [0, 0, 3 * PAGE]


def test_what_is_forgotten_is_not_found() -> None:
    machine, prompt = WithStates(), tokens_of(1, 200)
    machine.talk(prompt, 2, 1)
    machine.scheduler.pages.forget()
    assert machine.talk(prompt, 2, 2).completion.cached_tokens == 0
    failed = Sequence(prompt, Options(max_tokens=9, ignore_eos=True, seed=0), None, order=(0.0, 3))
    machine.scheduler.add(failed)
    machine._submit(machine.scheduler.next() or pytest.fail())
    machine.flight.clear()
    machine.scheduler.remove(failed, keep=False)
    assert machine.talk(prompt, 2, 4).completion.cached_tokens == 0


def test_texts_that_are_only_read_go_on_from_states_and_keep_none() -> None:
    machine, prompt = WithStates(), tokens_of(1, 300)
    machine.run([scored(1, 300, first=1000, begin=250)])
    assert machine.copies == 0
    machine.talk(prompt, 2, 2)
    text = scored(3, 300, first=1000, begin=290)
    machine.run([text])
    assert text.completion.cached_tokens == 4 * PAGE


@pytest.mark.parametrize("seed", range(12))
def test_anything_goes(seed: int) -> None:
    """Conversations that go on, cancels, pages and places that run out: no state is ever another one's."""
    rng = random.Random(seed)
    places = rng.choice([1, 3, 12])
    machine = WithStates(rng.choice([14, 30, 100]), places, slots=rng.choice([1, 3, 8]), capacity=800)
    said, everything = [tokens_of(1, 200)], list[Sequence]()
    system = tokens_of(99, 150)
    for i in range(60):
        prompt = [*rng.choice([[], system, *said[-6:]]), *tokens_of(100 + i, rng.randrange(1, 200))][:600]
        options = Options(max_tokens=rng.randrange(1, 150), ignore_eos=True, seed=0)
        each = scored(i, 150) if rng.random() < 0.1 else Sequence(prompt, options, None, order=(0.0, i))
        everything.append(each)
        machine.scheduler.add(each)
        for _ in range(rng.randrange(60)):
            work = machine.scheduler.next()
            if work is not None:
                machine._submit(work)
            if machine.flight and (work is None or len(machine.flight) > 2):
                machine._read(machine.flight.pop(0), 0)
        if rng.random() < 0.15:
            victim = rng.choice(everything)
            if victim.stage is not Stage.ENDED:
                victim.finish("cancelled")
                machine.scheduler.remove(victim)
        said += [s.tokens for s in everything if s.completion.reason == "length" and s.tokens not in said[-20:]]
    machine.run([])
    assert all(s.completion.reason in ("length", "cancelled") for s in everything)
    assert places < 12 or any(s.completion.cached_tokens for s in everything)
    pages, snapshots = machine.scheduler.pages, machine.scheduler.pages.snapshots
    assert pages.used == 0 and pages.free == pages.usable and snapshots is not None
    assert snapshots.kept + len(snapshots._unused) == snapshots.count, "no place is lost"
