"""Trials: how errors are measured, and that wrong results cannot pass."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.contracts import trial
from wgpt.kernels import registry
from wgpt.kernels.kernel import case


def error(result: list[float], reference: list[float]) -> float:
    return trial.compare({"y": np.array(result, np.float32)}, {"y": np.array(reference, np.float64)}).error


def test_errors_are_relative_to_the_results_scale():
    assert error([1.0, 100.0], [1.0, 100.0]) == 0
    assert error([1.1, 100.0], [1.0, 100.0]) == pytest.approx(1e-3)
    assert error([0.0, 0.0], [0.0, 0.0]) == 0
    assert error([1e-9, 0.0], [0.0, 0.0]) == pytest.approx(1e-9), "nothing to be relative to"


@pytest.mark.parametrize(
    ("result", "reference"),
    [([np.nan], [1.0]), ([np.inf], [1.0]), ([1.0], [np.nan]), ([1.0], [np.inf]), ([-np.inf], [np.inf])],
)
def test_what_is_not_finite_where_it_should_be_is_an_infinite_error(result, reference):
    assert error(result, reference) == np.inf
    assert not trial.compare({"y": np.array(result)}, {"y": np.array(reference)}).within(0.99)


def test_what_should_not_be_finite_may_be_so():
    assert error([np.nan, np.inf, -np.inf, 1.0], [np.nan, np.inf, -np.inf, 1.0]) == 0


def test_the_worst_element_of_the_worst_output_is_named():
    results = {"a": np.zeros((2, 3), np.float32), "b": np.zeros(4, np.float32)}
    references = {"a": np.array([[1.0, 0, 0], [0, 0, 0]]), "b": np.array([0, 0, 3.0, 3.0])}
    assert trial.compare(results, references).where == "a[0, 0]"
    references["a"][0, 0] = 0
    assert trial.compare(results, references).where == "b[2]"


def test_an_overrun_is_never_within():
    assert not trial.Outcome(0.0, "", overrun=True).within(1.0)


def test_inputs_are_the_same_every_time_and_differ_by_case():
    kernel = registry.get("silu")
    first, second, longer = (trial.prepare(kernel, case("", n=n)) for n in (64, 64, 65))
    np.testing.assert_array_equal(first.inputs["x"], second.inputs["x"])
    assert (first.inputs["x"] != longer.inputs["x"][:64]).any()


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("change", "effect"),
    [
        (("y[i] = value;", ""), "never written"),
        (("(p.n + 3u) / 4u", "(p.n + 7u) / 4u"), "overrun"),
        (("y[i].x = value.x;", "y[i] = value;"), "overrun"),
        (("x[i] * logistic(x[i])", "x[i + 1u] * logistic(x[i + 1u])"), "read too far"),
    ],
)
def test_poison_shows_what_is_left_out_or_goes_too_far(device, monkeypatch, change, effect):
    kernel = registry.get("silu")
    prepared = trial.prepare(kernel, case("a ragged tail", n=1003))
    assert trial.check(prepared, device).within(1e-5)
    source = kernel.source
    assert change[0] in source({"n": 1003}, kernel.choose(device, {"n": 1003}))
    monkeypatch.setattr(kernel, "source", lambda *args: source(*args).replace(*change))
    outcome = trial.check(prepared, device)
    assert outcome.overrun == (effect == "overrun")
    if not outcome.overrun:
        assert outcome.error == np.inf
