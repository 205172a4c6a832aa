"""The example data: held-out questions are worded differently, and have answers from the training data; no GPU."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.models.vocabulary import write_tokenizer
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.train.data import load_data

FOLDER = Path(__file__).parents[2] / "examples" / "finetune"


def pairs(name: str) -> list[tuple[str, str]]:
    chats = [json.loads(line)["messages"] for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    assert all([message["role"] for message in chat] == ["user", "assistant"] for chat in chats)
    return [(chat[0]["content"], chat[1]["content"]) for chat in chats]


def test_facts(tmp_path):
    trained, tested = pairs("facts.jsonl"), pairs("facts-test.jsonl")
    assert 60 <= len(trained) <= 100 and len(tested) == 24
    questions = [question for question, _ in trained + tested]
    assert len(set(questions)) == len(questions)
    assert set(Counter(answer for _, answer in trained).values()) == {7}
    assert {answer for _, answer in tested} == {answer for _, answer in trained}
    write_tokenizer(tmp_path)
    for name in ("facts.jsonl", "facts-test.jsonl"):
        data = load_data(FOLDER / name, load_tokenizer(tmp_path))
        assert data.counts.broken == data.counts.empty == data.counts.truncated == 0
