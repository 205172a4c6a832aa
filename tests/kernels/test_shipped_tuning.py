"""Tuning results that come with wgpt: every one names a problem and a variant that exist."""

from __future__ import annotations

import json

import pytest
from tests.contracts.made_up import NVIDIA

from wgpt.kernels import registry, tuning

FILES = sorted(tuning._SHIPPED.glob("*.json"))
ENTRIES = [
    (file, kernel, key)
    for file in FILES
    for kernel, keys in json.loads(file.read_text())["variants"].items()
    for key in keys
]


def test_there_is_one_for_the_h200():
    assert tuning.shipped("NVIDIA H200")["variants"]
    assert not tuning.shipped("NVIDIA GeForce RTX 4090")


@pytest.mark.parametrize("file, name, key", ENTRIES, ids=lambda x: getattr(x, "stem", x))
def test_it_is_a_choice_that_is_still_there(file, name, key):
    kernel = registry.get(name)
    variant = json.loads(file.read_text())["variants"][name][key]
    problems = [c.problem for c in kernel.bench_cases if kernel.tune_key(c.problem) == key]
    assert problems, "no bench case has this key any more: tune again"
    assert any(variant in kernel.usable(NVIDIA, problem) for problem in problems), "tune again"
