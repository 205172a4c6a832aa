"""The size from which the GPU is faster than the CPU."""

from __future__ import annotations

import pytest

from wgpt.bench import crossover
from wgpt.bench.crossover import NEVER, Point, gpu_min_size


def sweep(name: str, gpu: list[float]) -> list[Point]:
    """Sizes 1, 4, 16, ...; the CPU takes one second at each."""
    return [Point(name, 4**i, 1.0, seconds) for i, seconds in enumerate(gpu)]


@pytest.mark.parametrize(
    ("gpu", "least"),
    [([8, 4, 2, 0.5, 0.25], 64), ([0.5, 0.5, 0.5], 1), ([9, 8, 7], NEVER), ([8, 0.9, 3, 0.5, 0.1], 64)],
    ids=["wins from the fourth size", "always", "never", "one lucky size does not count"],
)
def test_threshold_of_one_operation(gpu, least):
    assert gpu_min_size(sweep("silu", gpu)) == least


def test_threshold_of_two_loses_least():
    assert gpu_min_size([*sweep("silu", [9, 9, 3, 0.9]), *sweep("matmul", [9, 0.1, 0.02, 0.02])]) == 4
    assert gpu_min_size([*sweep("silu", [9, 9, 9, 0.9]), *sweep("matmul", [9, 0.9, 0.9, 0.02])]) == 64


def test_an_operation_that_became_too_slow_stays_slow():
    """matmul was 9 times slower at its last measured size, which outweighs the smaller gains of silu."""
    assert gpu_min_size([*sweep("silu", [9, 9, 0.5, 0.3]), *sweep("matmul", [9, 9])]) == NEVER


@pytest.mark.gpu
def test_both_places_are_really_timed(device, monkeypatch):
    monkeypatch.setattr(crossover, "_LARGEST", 1 << 12)
    submits = device.submits
    points = crossover.measure(device)
    assert [(p.operation, p.size) for p in points] == [
        ("silu", 1024),
        ("silu", 4096),
        ("matmul", 1024),
        ("matmul", 4096),
    ]
    assert all(p.cpu > 0 and p.gpu > 0 for p in points)
    assert device.submits - submits == 4 * (crossover._ROUNDS + 1)
