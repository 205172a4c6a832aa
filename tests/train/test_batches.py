"""Examples to batches: every token once, in its place, with its weight; no GPU."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from typer.main import get_command

from wgpt.cli.app import make
from wgpt.core.errors import PreconditionError
from wgpt.engine.batch import TILE
from wgpt.kernels.attention.attending import PADDING
from wgpt.train.batches import Batch, Batches, Position, make_batch
from wgpt.train.tokens import Example


def random_examples(*lengths: int, seed: int = 0) -> list[Example]:
    rng = np.random.default_rng(seed)
    examples = []
    for length in lengths:
        learn = rng.random(length) < 0.6
        learn[-1] = True
        examples.append(Example(rng.integers(1, 300, length).astype(np.int32), learn))
    return examples


MANY = random_examples(*np.random.default_rng(9).integers(2, 70, 40).tolist())


def check(batch: Batch, examples: list[Example], step_count: int) -> None:
    """Every row of a batch agrees with its example, and all other rows are padding."""
    used = np.zeros(batch.m, np.bool_)
    for slot, (first, count) in enumerate(batch.runs.tolist()):
        if slot >= len(batch.examples):
            assert (first, count) == (0, 0)
            continue
        example, rows = examples[batch.examples[slot]], slice(first, first + count)
        assert count == len(example) and first % TILE == 0
        assert batch.ids[rows].tolist() == example.ids.tolist()
        assert batch.targets[rows].tolist() == example.targets.tolist()
        assert batch.places[rows].tolist() == [[slot, i] for i in range(count)]
        assert not used[first : first + -(-count // TILE) * TILE].any()  # no tile has two sequences
        used[rows] = True
    assert (batch.places[~used, 1] == PADDING).all() and (batch.targets[~used] == -1).all()
    assert batch.tokens == used.sum() and batch.count == (batch.targets >= 0).sum()
    assert (batch.weights == np.where(batch.targets >= 0, np.float32(1 / step_count), 0)).all()
    assert (batch.ids.dtype, batch.places.dtype, batch.runs.dtype) == (np.uint32,) * 3
    assert (batch.targets.dtype, batch.weights.dtype) == (np.int32, np.float32)


def test_one_batch():
    examples = random_examples(5, 16, 33)
    batch = make_batch(examples, [2, 0, 1], step_count=7)
    assert (batch.m, batch.slots) == (48 + 16 + 16, 3) and batch.runs.tolist() == [[0, 33], [48, 5], [64, 16]]
    check(batch, examples, 7)
    padded = make_batch(examples, [1], 3, m=64, slots=4)
    assert (padded.m, padded.slots, padded.tokens) == (64, 4, 16)
    check(padded, examples, 3)
    with pytest.raises(PreconditionError, match="2 examples need 64 rows; the batch has 48 rows and 2 slots"):
        make_batch(examples, [1, 2], 3, m=48)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 4},
        {"size": 3, "accumulate": 4},
        {"rows": 128},
        {"rows": 200, "accumulate": 3},
        {"rows": 256, "slots": 3},
        {"size": 100},
        {"size": 1},
    ],
    ids=str,
)
def test_an_epoch_has_every_example_once(options):
    batches = Batches(MANY, seed=5, **options)
    stream = batches.steps()
    for epoch in range(2):
        drawn: list[int] = []
        steps = batches.steps_in(epoch)
        for index in range(steps):
            step, position = next(stream)
            assert position == Position(epoch, index + 1)
            count = sum(batch.count for batch in step)
            assert 1 <= len(step) <= options.get("accumulate", 1)
            for batch in step:
                assert (batch.m, batch.slots) == (batches.m, batches.slots)
                check(batch, MANY, count)
                drawn += batch.examples
            assert sum(float(batch.weights.sum()) for batch in step) == pytest.approx(1, rel=1e-5)
        assert sorted(drawn) == list(range(len(MANY)))
    assert batches.capacity == max(map(len, MANY))


def test_seeds_and_epochs():
    def first(seed: int, epoch: int) -> list[list[int]]:
        return Batches(MANY, size=4, seed=seed).groups(epoch)

    assert first(1, 0) == first(1, 0)
    assert first(1, 0) != first(2, 0) and first(1, 0) != first(1, 1)
    assert Batches(MANY, size=4, shuffle=False).groups(3)[0] == [0, 1, 2, 3]


@pytest.mark.parametrize("options", [{"size": 3}, {"rows": 160, "accumulate": 2}], ids=str)
def test_resumed_anywhere_it_goes_on_the_same(options):
    def names(batches: list[Batch]) -> list[tuple[int, ...]]:
        return [batch.examples for batch in batches]

    batches = Batches(MANY, seed=2, **options)
    whole = [(names(step), position) for step, position in itertools.islice(batches.steps(), 32)]
    for at in range(29):
        after = whole[at][1]
        again = Batches(MANY, seed=2, **options).steps(Position(after.epoch, after.index))
        assert [(names(step), position) for step, position in itertools.islice(again, 3)] == whole[at + 1 : at + 4]


def test_once_is_everything_in_order():
    batches = Batches(MANY, rows=128, seed=5)
    batches_in_order = list(batches.once())
    assert [i for batch in batches_in_order for i in batch.examples] == list(range(len(MANY)))
    total = sum(example.count for example in MANY)
    for batch in batches_in_order:
        check(batch, MANY, total)
    assert sum(float(batch.weights.sum()) for batch in batches_in_order) == pytest.approx(1, rel=1e-5)


def test_classes_are_targets_of_last_rows():
    examples = [
        Example(np.arange(1, n + 1, dtype=np.int32), np.zeros(n, np.bool_), label=i) for i, n in ((2, 5), (0, 17))
    ]
    batch = make_batch(examples, [0, 1], step_count=2)
    last = (batch.runs[:, 0] + batch.runs[:, 1] - 1).tolist()
    assert batch.targets[last].tolist() == [2, 0] and batch.count == 2 and batch.weights.sum() == 1
    check(batch, examples, 2)


def test_rows_are_rounded_up_as_the_help_says():
    """65 rows are 80: room for an example of 70 tokens, five of up to 16, two of 17."""
    help_text = {each.name: each.help for each in get_command(make()).commands["finetune"].params}["pack"]
    assert "rounded up to a multiple of 16; ROWS is rounded up" in help_text and "tokens" not in help_text.split(".")[0]
    batches = Batches(random_examples(70), rows=65)
    assert (batches.m, len(batches.groups(None))) == (80, 1)
    batches = Batches(random_examples(*[9] * 5), rows=65)
    assert [len(group) for group in batches.groups(None)] == [5]
    batches = Batches(random_examples(*[17] * 5), rows=65)  # 32 rows each
    assert [len(group) for group in batches.groups(None)] == [2, 2, 1]


def test_what_cannot_be():
    for options, message in (
        ({}, "set one of them"),
        ({"size": 1, "rows": 64}, "set one of them"),
        ({"size": 0}, "must be at least 1"),
        ({"size": 1, "accumulate": 0}, "must be at least 1"),
        ({"rows": 48}, r"needs 80 rows \(70 tokens, rounded up to a multiple of 16\), but a batch has 48: use pack=80"),
    ):
        with pytest.raises(PreconditionError, match=message):
            Batches(random_examples(70), **options)
    with pytest.raises(PreconditionError, match="no examples"):
        Batches([], size=1)
