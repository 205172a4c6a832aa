"""The settings of the JavaScript runtime: the record that Python writes, and Python's bounds. No GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from wgpt.core.generation import OPTIONS, SAMPLING, SETTINGS_WORDS, WORDS
from wgpt.kernels.sampling.settings import Settings
from wgpt.kernels.sampling.slots import SETTINGS
from wgpt.web.recording import record_layout

from .conftest import Run

VALUES = {
    "temperature": 0.75, "top_k": 40, "top_p": 0.5, "min_p": 0.25, "repetition_penalty": 1.5, "seed": 2**40 + 3,
    "presence_penalty": -0.5, "frequency_penalty": 2.0,
}  # fmt: skip


def camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def test_a_record_is_pythons(node: Run) -> None:
    assert {*VALUES} == {name for name, entry in SAMPLING.items() if entry.browser}
    options = [{}, {camel(name): value for name, value in VALUES.items()}, {"temperature": 1e-9, "seed": 1}]
    plain, full, cold = node("records", layout=dict(record_layout()), options=options)
    words = slice(SETTINGS, SETTINGS + SETTINGS_WORDS)
    ours = [WORDS[name] for name in VALUES] + [WORDS["seed"] + 1]
    assert np.array(full[words])[ours].tolist() == Settings(**VALUES).words()[ours].tolist()
    assert cold[words][WORDS["temperature"]] == 0 == plain[words][WORDS["temperature"]]
    assert full[:5] == [1, 2, 3, 0, 2] and plain[:5] == [1, 2, 3, 0, 0]


def test_bounds_are_pythons_and_what_pages_lack_is_refused_by_name(node: Run) -> None:
    wrong: list[tuple[str, Any]] = []
    for name, entry in OPTIONS.items():
        if not entry.browser:
            wrong.append((name, entry.default))
        elif entry.bounds is not None:
            wrong.append((name, entry.bounds.least - 1))
    refused = node("records", layout={}, options=[{camel(name): value} for name, value in wrong])
    for (name, _), message in zip(wrong, refused, strict=True):
        entry = OPTIONS[name]
        if entry.browser:
            assert entry.bounds is not None and f"{camel(name)} must be {entry.bounds.allowed}, not " in message
        else:
            assert f'Unknown option "{camel(name)}"' in message
