"""Diverging runs are stopped; runs with a temporary setback are not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wgpt.train.health import Health, TrainingError


def fed(losses, lr=1e-4):
    health = Health()
    for loss in losses:
        health.check(loss, 1.0, True, lr)


def test_a_noisy_run_that_learns_goes_on():
    rng = np.random.default_rng(0)
    fed(3 * np.exp(-np.arange(300) / 80) + rng.exponential(0.4, 300))


def test_one_bad_batch_is_no_divergence():
    losses = [2.0] * 50
    losses[25] = 12.0
    fed(losses)


@pytest.mark.parametrize("loss", [math.nan, math.inf])
def test_what_is_no_number_names_the_step_and_the_rate(loss):
    with pytest.raises(TrainingError, match=r"step 4: the loss is (nan|inf): the learning rate is probably .* 0.05"):
        fed([3.0, 4.0, 9.0, loss], lr=0.05)


def test_a_gradient_that_is_no_number():
    health = Health()
    health.check(2.0, 1.0, True, 1e-5)
    with pytest.raises(TrainingError, match="step 2: the gradient's norm is inf: the losses before were normal"):
        health.check(2.0, math.inf, False, 1e-5)


def test_a_gradient_of_nothing():
    health = Health([3.0, 2.5])
    with pytest.raises(TrainingError, match="step 3: the gradient is 0"):
        health.check(5.77, 0.0, True, 1e-2)


def test_wrong_from_the_first_step_is_not_the_rate():
    with pytest.raises(TrainingError, match=r"step 1: .*wgpt verify"):
        fed([math.nan], lr=1.0)


def test_a_loss_that_grows_diverges():
    with pytest.raises(TrainingError, match=r"step \d+: the loss diverges.*try"):
        fed([2.0] * 30 + [2.0 + 0.3 * i for i in range(60)], lr=1e-2)


def test_divergence_is_seen_by_a_run_that_goes_on_from_a_checkpoint():
    health = Health([1.0] * 40)
    with pytest.raises(TrainingError, match="diverges"):
        for i in range(20):
            health.check(1.0 + i, 1.0, True, 1e-4)
