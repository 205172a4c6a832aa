"""Settings of a run: invalid values are refused by name, steps of long runs are counted quickly. No GPU."""

from __future__ import annotations

import json
import re
import time

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError, WgptError
from wgpt.models.weight_recipe import canonical
from wgpt.train.batches import Batches
from wgpt.train.corpus import Corpus
from wgpt.train.recipe import Recipe
from wgpt.train.tokens import Example

EXAMPLES = [Example(np.arange(n, dtype=np.int32), np.ones(n, np.bool_)) for n in (5, 40, 17, 30, 9, 22, 3)]


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("alpha", 1e300, "a number above 0, at most 1e+06"),
        ("alpha", float("nan"), "a number above 0"),
        ("alpha", 0, "a number above 0"),
        ("alpha", "16", "a number above 0"),
        ("rank", "4", "a whole number from 1 to 4096"),
        ("rank", 2.0, "a whole number from 1 to 4096"),
        ("rank", True, "a whole number from 1 to 4096"),
        ("rank", 5000, "a whole number from 1 to 4096"),
        ("lr", None, "a number above 0"),
        ("lr", float("inf"), "a number above 0"),
        ("lr", -1, "a number above 0"),
        ("steps", 2.5, "a whole number of at least 1"),
        ("steps", 0, "a whole number of at least 1"),
        ("epochs", None, "a whole number of at least 1"),
        ("seed", -1, "a whole number of at least 0"),
        ("dropout", 1, "a number from 0 to below 1"),
        ("dropout", [0.1], "a number from 0 to below 1"),
        ("max_norm", -1, "a number of 0 or more"),
        ("full", "yes", "True or False"),
        ("schedule", "exp", "cosine, linear or constant"),
        ("schedule", 3, "cosine, linear or constant"),
        ("targets", 3, "layer names"),
        ("targets", None, "layer names"),
    ],
)
def test_the_argument_the_value_and_what_is_allowed(name, value, allowed):
    with pytest.raises(
        PreconditionError, match=f"^{name} must be {re.escape(allowed)}.*, not {re.escape(repr(value))}( .*)?$"
    ):
        Recipe.from_options({name: value})


def test_numbers_of_numpy_are_numbers():
    recipe = Recipe(rank=np.int64(8), lr=np.float32(0.5), steps=np.uint8(3))
    assert json.loads(json.dumps(recipe.as_json()))["rank"] == 8 and recipe == Recipe(rank=8, lr=0.5, steps=3)


@pytest.mark.parametrize("dtype", ["int3", 4, "f16,ffn", b"f16"])
def test_a_dtype_that_is_none(dtype):
    with pytest.raises(
        PreconditionError, match="^dtype(:| must be) .*" + re.escape(repr(dtype).split(",")[0].strip("'"))
    ):
        canonical(dtype)


def test_data_that_is_none():
    for name, value in (("data", 5), ("valid", {"text": "a"}), ("hold_out", "half"), ("hold_out", 1)):
        with pytest.raises(PreconditionError, match=f"^{name} must be"):
            Corpus(**{"data": "data.jsonl", name: value})


@pytest.mark.parametrize("options", [{"size": 2}, {"size": 2, "accumulate": 3}, {"rows": 64}])
def test_steps_are_counted_as_they_come(options):
    batches = Batches(EXAMPLES, **options)
    for epochs in (1, 2, 7):
        assert batches.steps_of(epochs) == sum(batches.steps_in(epoch) for epoch in range(epochs))


@pytest.mark.parametrize("options", [{"size": 2}, {"rows": 64}])
def test_a_billion_epochs_are_counted_at_once(options):
    batches = Batches(EXAMPLES * 100, **options)
    begun = time.monotonic()
    total = Recipe(epochs=10**9).total(batches)
    assert time.monotonic() - begun < 30  # counting one by one would take years
    assert total == pytest.approx(10**9 * batches.steps_in(0), rel=0.02)


@pytest.mark.parametrize("schedule", ["cosine", "linear", "constant"])
def test_a_short_run_wastes_no_step_on_warming_up(schedule):
    for total in range(1, 10):
        rates = [Recipe(schedule=schedule, lr=1.0).rate(step, total) for step in range(1, total + 1)]
        assert rates[0] == 1.0 and all(rates), (total, rates)
    assert Recipe(lr=1.0).rate(1, 100) == 0 and Recipe(lr=1.0).rate(4, 100) == 1.0


def test_a_warm_up_as_long_as_the_run_is_refused():
    with pytest.raises(PreconditionError, match="warmup is 2 steps, but the run has 2"):
        Recipe(steps=2, warmup=2).total(Batches(EXAMPLES, size=2))
    assert Recipe(steps=3, warmup=2).total(Batches(EXAMPLES, size=2)) == 3


def test_a_run_that_goes_on_keeps_what_it_was():
    then = Recipe(steps=6, lr=0.5, targets=("q", "v"))
    assert then.continued({}) == then
    assert then.continued({"steps": 9}) == Recipe(steps=9, lr=0.5, targets=("q", "v"))
    assert then.continued({"epochs": 4}) == Recipe(epochs=4, lr=0.5, targets=("q", "v"))
    assert then.continued({"targets": "k"}).targets == ("k",)
    with pytest.raises(TypeError, match=r"unknown option .*lora.*; .*supported: full, rank"):
        then.continued({"lora": 1})


def test_a_misspelt_option_is_told_the_nearest() -> None:
    with pytest.raises(WgptError, match=r"^unknown option 'epoch'; did you mean 'epochs'"):
        Recipe.from_options({"epoch": 3})
    with pytest.raises(WgptError, match="did you mean 'max_tokens'"):
        Recipe.from_options({"max_token": 3})


def test_a_batch_has_an_end() -> None:
    with pytest.raises(WgptError, match="pack must be a whole number from 1 to 1048576"):
        Recipe.from_options({"pack": 2**63})
