"""What runs next: order, fairness, pages that run out, prompts that share their beginning. No GPU."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.models import golden
from wgpt.engine.grammar import Grammar, Matcher, started
from wgpt.engine.options import Options
from wgpt.engine.pages import Pages, Root, page_keys
from wgpt.engine.reading import Scored
from wgpt.engine.scheduler import Guided, Limits, Prefill, Scheduler, Step, Work
from wgpt.engine.sequence import Sequence, Stage
from wgpt.formats.tokenizer import load_tokenizer

PAGE = 64


def scheduler(pages: int = 100, **limits: object) -> Scheduler:
    settings = {"slots": 8, "capacity": 512, "chunk": 128, "max_stall": 0.04, **limits}
    return Scheduler(Pages(pages + 1), Limits(**settings))  # type: ignore[arg-type]


def sequence(order: int, tokens: int, new: int = 10, first: int = 0, matcher: Matcher | None = None) -> Sequence:
    """Tokens that no other sequence has, unless `first` is the same."""
    prompt = [(first or 1000 * order) + i for i in range(tokens)]
    options = Options(max_tokens=new, ignore_eos=True, seed=0)
    return Sequence(prompt, options, None, order=(0.0, order), matcher=matcher)


def scored(order: int, tokens: int, first: int = 0, begin: int = 1) -> Scored:
    """The same, only to be read: scores from token `begin` on."""
    return Scored([(first or 1000 * order) + i for i in range(tokens)], order=(0.0, order), first=begin)


class Machine:
    """Runs what the scheduler decides, without a GPU: results come `lag` decisions later."""

    def __init__(self, scheduler: Scheduler, lag: int = 3) -> None:
        self.scheduler, self.lag = scheduler, lag
        self.flight: list[Work] = []
        self.log: list[Work] = []
        self.logits: dict[int, Sequence] = {}  # by row: whose they are
        self.filled: dict[tuple[int, int], int] = {}  # (page, place in it): the token whose key is there
        self.longest_wait: dict[Sequence, int] = {}  # decisions between two steps of a sequence

    def run(self, sequences: list[Sequence], most: int = 100_000) -> None:
        for each in sequences:
            self.scheduler.add(each)
        last: dict[Sequence, int] = {}
        for at in range(most):
            while len(self.flight) < self.lag and (work := self.scheduler.next()) is not None:
                self._submit(work)
                self.log.append(work)
                if isinstance(work, Step):
                    now = len(self.log)
                    for each in work.rows:
                        self.longest_wait[each] = max(self.longest_wait.get(each, 0), now - last.get(each, now))
                        last[each] = now
            if self.flight:
                self._read(self.flight.pop(0), at)
            elif self.scheduler.idle:
                return
        raise AssertionError("it does not end")

    def _submit(self, work: Work) -> None:
        if isinstance(work, Prefill):
            assert sum(count for _, _, count in work.parts) <= self.scheduler.limits.chunk
            for each, first, count in work.parts:
                self._fill(each, range(first, first + count))
        elif isinstance(work, Step):
            self._run(work.rows)
        else:
            assert [self.logits[row] for row in work.rows] == list(work.choosing)
            self._run(work.running)
            self.logits |= {each.row: each for each in work.running if each.row is not None}
        self.flight.append(work)

    def _run(self, rows: tuple[Sequence, ...]) -> None:
        slots = [each.slot for each in rows]
        assert len(set(slots)) == len(slots) and None not in slots
        for each in rows:
            position = each.next - 1
            self._check(each, position)
            self.filled[self._place(each, position)] = -1  # the token is known to the GPU alone

    def _place(self, each: Sequence, position: int) -> tuple[int, int]:
        return each.pages[position // PAGE], position % PAGE

    def _fill(self, each: Sequence, positions: range) -> None:
        for position in positions:
            self._check(each, position)
            self.filled[self._place(each, position)] = each.context[position]

    def _check(self, each: Sequence, position: int) -> None:
        """What a row attends to is in its pages."""
        for at in range(position % 13, min(position, len(each.context)), 13):
            token = self.filled.get(self._place(each, at))
            assert token in (-1, each.context[at]), f"position {at} holds {token}, not {each.context[at]}"

    def _read(self, work: Work, at: int) -> None:
        if isinstance(work, Prefill):
            for each, first, count in work.parts:
                if isinstance(each, Scored):
                    each.in_flight -= 1
                    wanted = each.wanted(first, count)
                    each.take(np.zeros(len(wanted), np.float32), np.zeros(len(wanted), np.int64))
                    if each.stage is Stage.READ and not each.in_flight:
                        each.completion.reason = "length"
                        self.scheduler.remove(each)
        else:
            for each in work.choosing if isinstance(work, Guided) else work.rows:
                each.in_flight -= 1
                if each.stage is not Stage.ENDED:
                    each.began = 0.0
                    each.accept(70, float(at))
                    if each.completion.reason:
                        self.scheduler.remove(each)
                    elif each.stage is Stage.RUNNING:
                        self.scheduler.link(each)


def test_every_sequence_gets_its_tokens() -> None:
    machine = Machine(scheduler(capacity=600))
    sequences = [sequence(i, 5 + 37 * i, new=1 + 3 * i) for i in range(1, 14)]
    machine.run(sequences)
    assert [len(s.completion.ids) for s in sequences] == [1 + 3 * i for i in range(1, 14)]
    assert machine.scheduler.pages.used == 0 and machine.scheduler.pages.free == 100
    assert machine.scheduler.preemptions == 0


def test_when_pages_run_out_the_youngest_is_computed_again() -> None:
    machine = Machine(scheduler(pages=6))
    sequences = [sequence(i, 60, new=120) for i in range(1, 5)]  # three pages each in the end
    machine.run(sequences)
    assert [len(s.completion.ids) for s in sequences] == [120] * 4
    assert machine.scheduler.preemptions > 0 and machine.scheduler.pages.free == 6
    ends = [s.completion.seconds for s in sequences]
    assert ends == sorted(ends), "the oldest is never held up by a younger one"


def test_no_page_is_taken_back_where_all_are_reserved() -> None:
    machine = Machine(scheduler(pages=6, reserve=True))
    machine.run([sequence(i, 60, new=120) for i in range(1, 5)])
    assert machine.scheduler.preemptions == 0


def test_running_sequences_wait_for_one_chunk_at_a_time() -> None:
    """A chunk takes a third of what others may wait: between two steps are three of them, at most."""
    machine = Machine(scheduler(pages=200, slots=20))
    machine.scheduler.timed(128, 0.04 / 3)
    sequences = [sequence(1, 10, new=200), *(sequence(i, 500, new=4) for i in range(2, 12))]
    machine.run(sequences)
    assert machine.longest_wait[sequences[0]] <= 4


def test_a_prompt_is_read_even_if_a_chunk_takes_longer_than_others_may_wait() -> None:
    machine = Machine(scheduler())
    machine.scheduler.timed(64, 10.0)
    long, late = sequence(1, 10, new=300), sequence(2, 400, new=2)
    machine.run([long, late])
    assert late.completion.seconds < long.completion.seconds / 2


def test_a_shared_beginning_is_read_once() -> None:
    """Also by those that arrive at the same time: they wait for the one that reads it."""
    machine = Machine(scheduler())
    sequences = [sequence(i, 300, new=3, first=50_000) for i in range(1, 6)]
    machine.run(sequences)
    read = sum(count for work in machine.log if isinstance(work, Prefill) for _, _, count in work.parts)
    assert read == 299 + 4 * (299 - 4 * PAGE)
    assert [s.completion.cached_tokens for s in sequences] == [0] + [4 * PAGE] * 4


def test_prompts_of_different_salts_share_nothing() -> None:
    """Neither full pages, nor the beginning of one, nor do they wait for each other; those of one salt do all of it."""

    def salted(order: int, salt: str | None, tokens: int = 331) -> Sequence:
        options = Options(max_tokens=3, ignore_eos=True, seed=0, cache_salt=salt)
        return Sequence(range(50_000, 50_000 + tokens), options, None, order=(0.0, order))

    machine = Machine(scheduler())
    together = [salted(i, salt) for i, salt in enumerate((None, "a", "b", "b"), 1)]
    machine.run(together)
    assert [s.completion.cached_tokens for s in together] == [0, 0, 0, 5 * PAGE]
    later = [salted(i, salt) for i, salt in enumerate(("c", "b", None), 5)]
    machine.run(later)
    assert [s.completion.cached_tokens for s in later] == [0, 330, 330]
    short = [salted(i, salt, 40) for i, salt in enumerate(("d", "e", "d"), 9)]
    for each in short:  # less than a page: one continues what the other has left
        machine.run([each])
    assert [s.completion.cached_tokens for s in short] == [0, 0, 39]
    reads = [
        Scored(range(50_000, 50_331), None, (0.0, 20 + i), salt, first=250) for i, salt in enumerate(("b", "f", None))
    ]
    machine.run(reads)
    assert [s.completion.cached_tokens for s in reads] == [3 * PAGE, 0, 3 * PAGE]


def test_one_that_shares_less_does_not_wait_for_the_rest() -> None:
    """Only until the pages in common are submitted."""
    machine = Machine(scheduler(), lag=1)
    long = sequence(1, 500, new=3, first=50_000)
    short = Sequence([*long.tokens[:130], 1, 2], Options(max_tokens=3, seed=0), None, order=(0.0, 2))
    for each in (long, short):
        machine.scheduler.add(each)
    machine._submit(machine.scheduler.next() or pytest.fail())
    assert short.stage is Stage.WAITING
    machine.scheduler.next()
    assert short.stage is not Stage.WAITING and short.filled >= 2 * PAGE and long.filled < 400


def test_waiting_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of a prompt are described once, however long it waits."""
    counted = 0

    def count(tokens: list[int], most: int) -> list[bytes]:
        nonlocal counted
        counted += 1
        return page_keys(tokens, most)

    monkeypatch.setattr("wgpt.engine.sequence.page_keys", count)
    machine = Machine(scheduler(slots=2, pages=200))
    machine.run([sequence(i, 400, new=20, first=50_000) for i in range(1, 31)])
    assert counted == 30


def test_a_continued_prompt_is_read_from_where_it_ended() -> None:
    machine = Machine(scheduler())
    first = sequence(1, 100, new=9, first=50_000)
    machine.run([first])
    second = Sequence([*first.tokens, 5, 6], Options(max_tokens=2, ignore_eos=True, seed=0), None, order=(0.0, 2))
    machine.run([second])
    assert second.completion.cached_tokens == 100 + 9 - 1


def test_a_cancelled_prompt_gives_its_place_to_those_that_waited_for_it() -> None:
    machine = Machine(scheduler(), lag=1)
    first, second = (sequence(i, 400, new=3, first=50_000) for i in (1, 2))
    for each in (first, second):
        machine.scheduler.add(each)
    machine._submit(machine.scheduler.next() or pytest.fail())
    machine.flight.clear()
    machine.scheduler.remove(first)
    machine.run([])
    assert len(second.completion.ids) == 3 and second.completion.cached_tokens == 128


def test_texts_that_are_only_read_leave_at_once() -> None:
    """More of them than slots and pages, in one chunk after the other; those that run go on."""
    machine = Machine(scheduler(pages=12, slots=4))
    machine.scheduler.timed(128, 0.01)
    running = sequence(1, 10, new=60)
    texts = [scored(i, 100) for i in range(2, 22)]
    machine.run([running, *texts])
    assert all(len(each.outcome().logprobs) == 99 for each in texts) and machine.scheduler.preemptions == 0
    assert machine.longest_wait[running] <= 5
    chunks = [work for work in machine.log if isinstance(work, Prefill)]
    assert len(chunks) <= 21, "nothing waits for results"
    assert machine.scheduler.pages.used == 0


def test_a_text_shares_what_it_does_not_need() -> None:
    machine = Machine(scheduler())
    texts = [scored(i, 300, first=50_000, begin=250) for i in range(1, 5)]
    whole = scored(9, 300, first=50_000)
    machine.run([*texts, whole])
    assert [each.completion.cached_tokens for each in texts] == [0] + [3 * PAGE] * 3
    assert [len(each.outcome().logprobs) for each in (*texts, whole)] == [50] * 4 + [299]
    assert whole.completion.cached_tokens == 0, "it needs all of its rows"


@pytest.mark.parametrize("seed", range(12))
def test_anything_goes(seed: int) -> None:
    """Random prompts, some with a common beginning, some cancelled; every position that is read was written before."""
    rng = random.Random(seed)
    machine = Machine(scheduler(pages=rng.choice([9, 20, 60]), slots=rng.choice([1, 3, 8]), reserve=rng.random() < 0.3))
    tokenizer = load_tokenizer(golden.load("llama-gqa").folder)
    anything = Grammar.regex("(?s:.*)")
    waiting = [
        sequence(
            i,
            rng.randrange(1, 400),
            rng.randrange(1, 100),
            rng.choice([0, 50_000]),
            started(anything, tokenizer, 320) if rng.random() < 0.3 else None,
        )
        for i in range(1, 40)
    ]
    waiting += [
        scored(i, tokens := rng.randrange(1, 400), rng.choice([0, 50_000]), rng.randrange(1, tokens + 1))
        for i in range(40, 60)
    ]
    rng.shuffle(waiting)
    everything = list(waiting)
    while waiting or not machine.scheduler.idle or machine.flight:
        if waiting and rng.random() < 0.2:
            machine.scheduler.add(waiting.pop(0))
        if rng.random() < 0.02:
            victim = rng.choice(everything)
            if victim not in waiting and victim.stage is not Stage.ENDED:
                victim.finish("cancelled")
                machine.scheduler.remove(victim)
        work = machine.scheduler.next()
        if work is not None:
            machine._submit(work)
        if machine.flight and (work is None or len(machine.flight) > 2):
            machine._read(machine.flight.pop(0), 0)
    assert all(s.completion.reason in ("length", "cancelled") for s in everything)
    read = [s for s in everything if isinstance(s, Scored) and s.completion.reason == "length"]
    assert read and all(len(s.outcome().logprobs) == len(s.tokens) - s.first for s in read)
    assert machine.scheduler.pages.used == 0
    assert machine.scheduler.pages.free == machine.scheduler.pages.usable


def test_what_a_draft_model_has_run_is_known_by_page() -> None:
    pages = Pages(5)
    tokens = list(range(1000, 1000 + PAGE + 20))
    own = pages.take(2) or pytest.fail()
    pages.note_seen(own, PAGE + 10)
    assert pages.count_seen(own) == PAGE + 10
    pages.note_seen(own, PAGE - 1)
    assert pages.count_seen(own) == PAGE + 10, "it does not forget"
    chain = pages.link(own[0], Root(), tokens[:PAGE])
    pages.keep_tail(own[1], chain, tokens[PAGE:])
    pages.give_back(own)
    prompt = [*tokens[: PAGE + 4], 1, 2, 3]
    match = pages.match(prompt, len(prompt), page_keys(prompt, len(prompt)), Root())
    assert match.pages == own and match.tokens == PAGE + 4
    assert pages.count_seen(own) == PAGE + 4, "other tokens follow"
    pages.give_back(own)
    others = pages.take(4) or pytest.fail()
    assert pages.count_seen(others) == 0
    pages.note_seen(others, 3 * PAGE)
    pages.unlink(others[:1])
    assert pages.count_seen(others) == 0 and pages.count_seen(others[1:]) == 2 * PAGE
    pages.forget()
    assert pages.count_seen(others[1:]) == 0


class TestGroups:
    """Of a model that is split over two GPUs."""

    @staticmethod
    def steps(counts: list[int], decisions: int, **limits: int) -> tuple[Scheduler, list[Step]]:
        """What is decided for running sequences with so many new tokens each, before any result is read."""
        planner = scheduler(groups=2, **limits)
        for order, new in enumerate(counts):
            planner.add(sequence(order, 1, new))
        decided = [planner.next() for _ in range(decisions)]
        assert planner.next() is None
        assert all(isinstance(work, Step) for work in decided)
        return planner, [work for work in decided if isinstance(work, Step)]

    def test_the_next_step_of_the_oldest_group_is_decided_ahead(self) -> None:
        planner, (one, two, ahead) = self.steps([10] * 5, 3)
        assert [len(work.rows) for work in (one, two, ahead)] == [3, 2, 3]
        assert ahead.rows == one.rows
        for each in one.rows:
            each.in_flight -= 1  # its result is read
        work = planner.next()
        assert isinstance(work, Step) and work.rows == two.rows

    def test_one_sequence_has_a_step_ahead_and_none_after_its_last(self) -> None:
        assert [len(work.rows) for work in self.steps([10], 2)[1]] == [1, 1]
        self.steps([1], 1)

    def test_uneven_groups_are_formed_again_before_a_step_ahead(self) -> None:
        planner, (one, two, _) = self.steps([10] * 4, 3)
        for each in two.rows[1:]:
            planner.remove(each)
        for each in one.rows[1:]:
            each.in_flight -= 1
        planner.add(late := sequence(9, 1))
        work = planner.next()  # of three
        assert isinstance(work, Step) and work.rows == (late,)
        assert planner.next() is None  # there are three groups, so none is continued
        for each in (*one.rows, *two.rows, late):
            each.in_flight = 0
        work = planner.next()
        assert isinstance(work, Step) and len(work.rows) == 2

    def test_a_prompt_goes_before_a_step_ahead(self) -> None:
        planner, _ = self.steps([10], 2)
        (running,) = planner.running
        running.in_flight -= 1
        planner.add(sequence(5, 40))
        assert isinstance(planner.next(), Prefill)

    def test_every_sequence_gets_its_tokens_once(self) -> None:
        sequences = [sequence(i, 1 + 7 * i, 5 + 3 * i) for i in range(12)]
        Machine(scheduler(groups=2, slots=6)).run(sequences)
        assert [each.drawn for each in sequences] == [5 + 3 * i for i in range(12)]
