"""A model in Node over its life: turns that keep the cache, aborts, a lost device, many tokens, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .conftest import ROOT, Run, export

PROMPT = np.random.default_rng(3).integers(3, 61, 40).tolist()
TURNS = [np.random.default_rng(seed).integers(3, 61, n).tolist() for seed, n in ((1, 30), (2, 11), (3, 19))]

pytestmark = [pytest.mark.gpu, pytest.mark.full]


@pytest.fixture(scope="module")
def facts(node: Run, tmp_path_factory: pytest.TempPathFactory) -> Any:
    model = ROOT / "tests" / "golden" / "models" / "llama-gqa"
    site = export(model, tmp_path_factory.mktemp("site") / "site", cache="f32")
    return node("life", site=str(site), prompt=PROMPT, turns=TURNS, tokens=2000)


def test_a_second_time_gives_the_same_from_the_cache(facts: Any) -> None:
    assert facts["whole"]["ids"] == facts["again"]["ids"] and len(facts["whole"]["ids"]) == 20
    assert (facts["whole"]["usage"]["cached"], facts["again"]["usage"]["cached"]) == (0, len(PROMPT) - 1)
    assert facts["whole"]["finish"] == "length"


def test_turns_keep_the_cache(facts: Any) -> None:
    known = 0
    for turn, each in zip(TURNS, facts["turns"], strict=True):
        assert each["answer"]["ids"] == each["fresh"]["ids"]
        assert each["fresh"]["usage"]["cached"] == 0
        if known:
            assert each["answer"]["usage"]["cached"] == known - 1  # the last token of an answer was not run yet
        known += len(turn) + 20


def test_aborted_and_left_generations_leave_no_trace(facts: Any) -> None:
    assert facts["aborted"]["name"] == "AbortError" and 3 <= facts["aborted"]["ids"] < 20
    assert facts["after"]["ids"] == facts["whole"]["ids"]


def test_a_prompt_that_is_aborted_is_resumed_where_it_was(facts: Any) -> None:
    assert facts["early"] == "AbortError"
    assert facts["resumed"]["ids"] == facts["whole"]["ids"]
    assert facts["resumed"]["usage"]["cached"] == 32  # the first chunk


def test_two_at_once_take_turns(facts: Any) -> None:
    assert facts["together"]["first"]["ids"] == facts["whole"]["ids"]
    assert facts["together"]["second"]["ids"] == facts["together"]["alone"]["ids"]


def test_a_lost_device_is_opened_again(facts: Any) -> None:
    assert facts["lost"] == facts["whole"]["ids"]


def test_a_stop_string_ends_the_text_before_it(facts: Any) -> None:
    stop = facts["whole"]["text"][3:6]
    assert facts["stops"]["finish"] == "stop"
    assert facts["stops"]["text"] == facts["whole"]["text"].partition(stop)[0]


def test_2000_tokens_without_growth(facts: Any) -> None:
    growth = facts["growth"]
    assert growth["tokens"] >= 2000
    assert growth["made"] <= 2  # staging buffers that a first long generation may add
    assert growth["heap"] < 8 << 20 and growth["buffers"] < 1 << 20


def test_what_is_wrong_is_refused_by_name(facts: Any) -> None:
    words = ("empty", "1048576", "temperature", "logitBias", "topP", "stop", "seed", "ignoreEos", "signal")
    words += ("onProgress", "context", "retries")
    for refused, word in zip(facts["refused"], words, strict=True):
        assert refused["kind"] == "input" and word in refused["message"], (refused, word)
    assert facts["closed"] == "closed"
