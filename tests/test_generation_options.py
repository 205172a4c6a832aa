"""Every interface offers the options of the table, and no other ones. No GPU."""

from __future__ import annotations

import runpy
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from wgpt.cli.app import make
from wgpt.core.errors import PreconditionError, WgptError
from wgpt.core.generation import OPTIONS, SAMPLING, SETTINGS_WORDS, WORDS, Option
from wgpt.engine.options import Options
from wgpt.kernels.sampling.settings import Settings
from wgpt.kernels.sampling.slots import RECORD_WORDS, SETTINGS, STOP_IDS
from wgpt.serve.openai.chat import read_chat
from wgpt.serve.openai.fields import FieldError, options_of
from wgpt.serve.openai.request import Names

ROOT = Path(__file__).parents[1]
GENERATING = ("run", "chat", "batch")
NUMBERS = [entry for entry in OPTIONS.values() if entry.bounds is not None]


def by_name(entry: Any) -> str:
    return str(entry.name)


def outside(entry: Option) -> list[Any]:
    """Values just outside of an option's bounds, and what is no number."""
    bounds = entry.bounds
    assert bounds is not None
    step = 1 if bounds.text is None else 1e-6
    values: list[Any] = ["x", True, float("nan"), bounds.least if bounds.above else bounds.least - step]
    if bounds.most is not None:
        values.append(bounds.most if bounds.below else bounds.most + max(step, abs(bounds.most) * step))
    return values


def inside(entry: Option) -> list[Any]:
    bounds = entry.bounds
    assert bounds is not None
    values = [] if bounds.above else [bounds.least]
    return values if bounds.most is None or bounds.below else [*values, bounds.most]


@pytest.mark.parametrize("entry", NUMBERS, ids=by_name)
def test_bounds_are_those_of_python_and_of_requests(entry: Option):
    for value in inside(entry):
        assert getattr(Options.of({"max_tokens": 2**31, "temperature": 1.0, entry.name: value}), entry.name) == value
        if entry.name != "max_tokens":  # a request has a limit of its own
            assert options_of({entry.name: value}) == {entry.name: value}
    for value in outside(entry):
        with pytest.raises(PreconditionError, match=f"^{entry.name} must be "):
            Options.of({entry.name: value})
        if value != -1:  # a request's seed has a sign, and its top_k may be -1
            with pytest.raises(FieldError) as info:
                options_of({entry.name: value})
            assert info.value.name == entry.name


@pytest.mark.parametrize("entry", [e for e in NUMBERS if e.name != "min_tokens"], ids=by_name)
def test_messages_name_the_bounds(entry: Option):
    assert entry.bounds is not None
    with pytest.raises(PreconditionError) as info:
        Options.of({entry.name: entry.bounds.least - 1})
    assert entry.bounds.allowed in str(info.value)


def test_a_record_has_a_word_for_each():
    """No two options share one, and the stop ids come after them."""
    assert sorted(WORDS.values()) == list(WORDS.values()) and list(WORDS) == list(SAMPLING)
    assert SETTINGS + SETTINGS_WORDS <= STOP_IDS < RECORD_WORDS
    for name, entry in SAMPLING.items():
        changed = Settings(**{name: 7 if entry.gpu != "f32" else 0.5})
        words = np.flatnonzero(changed.words() != Settings().words())
        assert words.tolist() == [WORDS[name]], name


def test_python_has_them():
    """The keyword arguments of generate; grammars and the marks of calls come from upper floors."""
    assert {option.name for option in fields(Options)} - OPTIONS.keys() == {"grammar", "calls"}
    defaults = Options(seed=0)
    for name, entry in OPTIONS.items():
        assert name == "seed" or getattr(defaults, name) == entry.default
    with pytest.raises(WgptError, match="unknown option 'temprature'"):
        Options.of({"temprature": 1})


@pytest.mark.parametrize("command", GENERATING)
def test_the_command_line_has_them(command: str):
    offered = {each.name: each for each in typer.main.get_command(make()).commands[command].params}  # type: ignore[attr-defined]
    for name, entry in OPTIONS.items():
        assert (name in offered) == entry.cli, name
        if entry.cli:
            assert offered[name].help == entry.help and {*entry.flags} < {*offered[name].opts}
            assert (offered[name].default or None) == (entry.default or None)


def test_requests_have_them():
    """Every option is a field of a chat; what other endpoints call otherwise, their tests know."""
    for name in OPTIONS:
        body = {"messages": [{"role": "user", "content": "Hello"}], name: object()}
        with pytest.raises(FieldError) as info:
            read_chat(body, Names(("tiny",)))
        assert info.value.name == name and "unknown field" not in str(info.value)


def test_a_page_asks_for_what_is_allowed():
    for entry in NUMBERS:
        page = entry.page
        if page is not None:
            assert entry.bounds is not None and entry.bounds.holds(page.least) and entry.bounds.holds(page.most)


def test_derived_files_are_up_to_date():
    script = runpy.run_path(str(ROOT / "scripts" / "write_options.py"))
    stale = [path for path, text in script["derived"]().items() if (ROOT / path).read_text() != text]
    assert not stale, f"run scripts/write_options.py: {stale}"
