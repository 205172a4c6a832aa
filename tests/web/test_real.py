"""The real SmolLM2-135M in Node with Dawn: Python's tokens, its seeds, its logits; three turns; a LoRA adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wgpt
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats.chat import encode_chat
from wgpt.gpu import GpuDevice

from .conftest import Run, export

QUESTION = {"role": "user", "content": "What is the capital of France?"}
MORE = {"role": "user", "content": "And of Italy? 🇮🇹"}

pytestmark = [pytest.mark.gpu, pytest.mark.slow]


def test_the_tokens_are_those_of_python(node: Run, device: GpuDevice, smollm2_path: Path, tmp_path: Path) -> None:
    with wgpt.load(smollm2_path, device=device, cache="f32", context=512) as model:
        seeded: dict[str, Any] = {"max_tokens": 6, "temperature": 0.9, "top_p": 0.95, "seed": 11}
        ids = encode_chat(model.tokenizer, [QUESTION])
        first = model.generate(ids, max_tokens=10)
        answer = {"role": "assistant", "content": first.text}
        second_ids = encode_chat(model.tokenizer, [QUESTION, answer, MORE])
        second = model.generate(second_ids, max_tokens=6)
        third_messages = [QUESTION, answer, MORE, {"role": "assistant", "content": second.text}, QUESTION]
        third = model.generate(encode_chat(model.tokenizer, third_messages), **seeded)
        with FixedBatch(model.network, 128, cache="f32", logits=True) as batch:
            batch.start({0: ids + list(first.ids)[:6]})
            logits = batch.step().result()["logits"].reshape(-1)
    site = export(smollm2_path, tmp_path / "site", cache="f32", context=512)
    sampled = {"maxTokens": 6, "temperature": 0.9, "topP": 0.95, "seed": 11}
    generations = [
        {"messages": [QUESTION], "options": {"maxTokens": 7, "logits": True}},
        {"messages": [QUESTION, answer, MORE], "options": {"maxTokens": 6}},
        {"messages": third_messages, "options": sampled},
    ]
    [result] = node("generate", sites=[str(site)], generations=generations)
    turns = result["results"]
    assert result["target"] == "software"
    assert turns[0]["text"] == first.text == "The capital of France is Paris."
    assert turns[1]["ids"] == list(second.ids)[: len(turns[1]["ids"])] and turns[1]["ids"]
    assert turns[2]["ids"] == list(third.ids)[: len(turns[2]["ids"])] and turns[2]["ids"]
    assert np.abs(np.array(turns[0]["logits"]) - logits).max() < 1e-4
    # The template's texts around an answer that was stopped early differ from nothing: all of the first turn is kept.
    assert turns[1]["usage"]["cached"] >= len(ids)
    assert turns[2]["usage"]["cached"] >= len(second_ids)
