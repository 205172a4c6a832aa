"""Arguments of wrong types and values: one line that names the argument, the value and what is allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.models.golden import Golden
from wgpt import Model, WgptError, load
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu
PROMPT = [5, 6, 7]

PROMPTS: list[tuple[Any, str]] = [
    (b"Hello", r"prompt must be a text or a list of token ids, not b'Hello' \(bytes\)"),
    (bytearray(b"Hello"), "prompt must be a text or a list of token ids, not bytearray"),
    (None, "prompt must be a text or a list of token ids, not None"),
    (7, r"prompt must be a text or a list of token ids, not 7 \(int\)"),
    ({5: 6}, "prompt must be a text or a list of token ids, not {5: 6}"),
    ({5, 6}, "prompt must be a text or a list of token ids"),
    (iter([5]), "prompt must be a text or a list of token ids"),
    ([1, 2.7], r"prompt: token ids must be whole numbers, not 2.7 \(float\)"),
    ([1, True], r"prompt: token ids must be whole numbers, not True \(bool\)"),
    ([1, "2"], r"prompt: token ids must be whole numbers, not '2' \(str\)"),
    (np.array([1.5, 2.5]), "prompt.* token ids.* not .*1.5"),
    ([[5, 6], b"Hello"], "prompt must be a text or a list of token ids, not b'Hello'"),
    ([], "the prompt is empty"),
]

OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"foo": 1}, "unknown option 'foo'; supported: temperature, top_k"),
    ({"max_tokens": math.nan}, r"max_tokens must be a whole number of at least 1, not nan \(float\)"),
    ({"max_tokens": "5"}, r"max_tokens must be a whole number of at least 1, not '5' \(str\)"),
    ({"max_tokens": 5.0}, "max_tokens must be a whole number"),
    ({"max_tokens": None}, "max_tokens must be a whole number of at least 1, not None"),
    ({"max_tokens": True}, "max_tokens must be a whole number"),
    ({"temperature": None}, "temperature must be .*None"),
    ({"temperature": "hot"}, "temperature must be .*'hot'"),
    ({"temperature": [0.5, 0.6]}, "temperature must be"),
    ({"temperature": np.ones(2)}, "temperature must be"),
    ({"top_k": 1.5}, r"top_k must be a whole number from 0 to 2\^32 - 1, not 1\.5"),
    ({"top_p": math.nan}, "top_p must be .*nan"),
    ({"seed": 1.5}, r"seed must be a whole number from 0 to 2\^64 - 1, not 1\.5"),
    ({"seed": -1}, "seed must be a whole number from 0 .*-1"),
    ({"logit_bias": {"5": 1}}, r"logit_bias: token ids must be whole numbers, not '5' \(str\)"),
    ({"logit_bias": {5: "1"}}, "logit_bias of token 5 must be a number from -1e6 to 1e6.*not '1'"),
    ({"logit_bias": {5: math.nan}}, "logit_bias of token 5 must be a number.*nan"),
    ({"logit_bias": {5: math.inf}}, "logit_bias of token 5 must be a number.*inf"),
    ({"logit_bias": [5]}, "logit_bias must be a dict of token ids and numbers"),
    ({"stop": 5}, r"stop must be a string or a list of strings, not 5 \(int\)"),
    ({"stop": [5]}, "stop must be a non-empty string, not 5"),
    ({"stop": b"x"}, "stop must be a string or a list of strings"),
    ({"ignore_eos": "no"}, "ignore_eos must be True or False, not 'no'"),
    ({"overflow": []}, "overflow must be refuse or slide"),
]

LOADING: list[tuple[dict[str, Any], str]] = [
    ({"context": 1.5}, r"context must be a whole number, not 1.5 \(float\)"),
    ({"context": "64"}, "context must be a whole number, not '64'"),
    ({"model": 5}, r"model must be a name, a path or a hub id, not 5 \(int\)"),
    ({"model": b"gpt2"}, "model must be a name, a path or a hub id"),
    ({"dtype": 4}, "dtype must be a weight type"),
    ({"cache": []}, "cache must be f16, f32 or q8_0, not"),
    ({"kernels": {}}, "kernels must be wgsl or triton, not"),
    ({"gpu": 1.5}, "gpu must be the number of a GPU, part of its name, or a list of those, not 1.5"),
    ({"device": "gpu"}, "device must be a GpuDevice, or a list of them, not 'gpu'"),
    ({"tokenizer": 1}, "tokenizer must be a path"),
    ({"resident": 1.5}, "resident must be"),
]


def refused(message: str) -> Any:
    return pytest.raises(WgptError, match=message)


@pytest.mark.parametrize(("prompt", "message"), PROMPTS, ids=lambda x: repr(x)[:20])
def test_prompts(shared: Model, prompt: Any, message: str) -> None:
    for use in (shared.generate, shared.stream, shared.logits, shared.perplexity):
        if isinstance(prompt, list) and prompt and isinstance(prompt[0], list) and use != shared.generate:
            continue  # several prompts are for generate alone
        named = message.replace("prompt", "text") if use == shared.perplexity else message
        with refused(named) as error:
            use(prompt)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(("options", "message"), OPTIONS, ids=lambda x: repr(x)[:30])
def test_options(shared: Model, options: dict[str, Any], message: str) -> None:
    for use in (shared.generate, shared.stream):
        with refused(message) as error:
            use(PROMPT, **options)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(("options", "message"), LOADING, ids=lambda x: repr(x)[:30])
def test_loading(truth: Golden, options: dict[str, Any], message: str) -> None:
    with refused(message):
        load(**{"model": truth.folder, **options})


@pytest.mark.parametrize("text", [None, 5, b"spam", {"a": 1}])
def test_what_is_classified(shared: Model, text: Any) -> None:
    with refused("text must be a string or a list of strings"):
        shared.classify(text)


@pytest.mark.full
def test_nothing_is_the_default(shared: Model) -> None:
    plain = shared.generate(PROMPT, max_tokens=8)
    assert shared.generate(PROMPT, max_tokens=np.int64(8), stop=None, logit_bias=None, seed=None).ids == plain.ids
    assert shared.generate(np.array(PROMPT), max_tokens=8).ids == plain.ids


@pytest.mark.full
def test_without_a_seed_sampling_is_random_and_can_be_repeated(shared: Model) -> None:
    options = {"temperature": 1.0, "max_tokens": 24, "ignore_eos": True}
    first, second = (shared.generate(PROMPT, **options) for _ in range(2))
    assert first.seed != second.seed and first.ids != second.ids
    assert shared.generate(PROMPT, seed=first.seed, **options).ids == first.ids
    rows = shared.generate([PROMPT, PROMPT], seed=2**64 - 1, **options)
    assert [row.seed for row in rows] == [2**64 - 1, 0]
    assert shared.generate(PROMPT, seed=0, **options).ids == rows[1].ids
    stream = shared.stream(PROMPT, **options)
    list(stream)
    assert shared.generate(PROMPT, seed=stream.completion.seed, **options).ids == stream.completion.ids


def test_a_single_stop_text(shared: Model, device: GpuDevice) -> None:
    text = shared.generate(PROMPT, max_tokens=12, ignore_eos=True).text
    stop = text[3:5]
    texts = [shared.generate(PROMPT, max_tokens=12, ignore_eos=True, stop=stops).text for stops in (stop, [stop])]
    assert texts[0] == texts[1] == text[: text.index(stop)]
