"""Damaged and hostile tokenizers: one line each, never a traceback or a panic."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import FormatError
from wgpt.formats.tokenizer import load_tokenizer

from .test_tokenizer import GOLDEN, folder_with, golden

BYTES = golden("bytes")["metadata"] | {"tokenizer.ggml.pre": "gpt-2"}
PIECES = golden("sentencepiece")["metadata"]


def refused(source: Any) -> str:
    with pytest.raises(FormatError) as caught:
        load_tokenizer(source)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 600
    return message


@pytest.mark.parametrize(
    ("base", "key", "value", "message"),
    [
        (BYTES, "model", None, "tokenizer='DIR'"),
        (BYTES, "model", "rwkv", "'rwkv'; supported: gpt2, llama"),
        (BYTES, "model", ["gpt2"], "supported: gpt2, llama"),
        (BYTES, "pre", None, "tokenizer.ggml.pre is missing"),
        (BYTES, "pre", "kimi-k2", "'kimi-k2', so how this vocabulary splits text is not known"),
        (BYTES, "pre", 7, "tokenizer='DIR'"),
        (BYTES, "tokens", None, "no vocabulary"),
        (BYTES, "tokens", [], "no vocabulary"),
        (BYTES, "tokens", "abc", "'abc', not a list"),
        (BYTES, "tokens", ["a", 5], "tokens[1] is 5, not a string"),
        (BYTES, "tokens", ["a", "b", "a"], "'a' 2 times, first at 0"),
        (BYTES, "tokens", ["a" * 5000], "5000 characters long"),
        (BYTES, "token_type", [1, 1], "2 entries for 1001 tokens"),
        (BYTES, "token_type", ["x"] * 1001, "token_type has 'x' among its numbers"),
        (BYTES, "merges", None, "merges is missing"),
        (BYTES, "merges", ["a"], "merges[0] is 'a', not two tokens"),
        (BYTES, "merges", ["a b c"], "not two tokens"),
        (BYTES, "merges", [5], "merges[0] is 5"),
        (BYTES, "merges", ["a \u0001"], "is not in the vocabulary"),
        (BYTES, "merges", ["\u0120 \u0120\u0120\u0120\u0120z"], "is not in the vocabulary"),
        (BYTES, "bos_token_id", 1001, "bos_token_id is 1001, but the vocabulary has 1001"),
        (BYTES, "eos_token_id", -7, "eos_token_id is -7"),
        (BYTES, "eos_token_id", "2", "not a token id"),
        (BYTES, "eot_token_id", 1 << 40, "eot_token_id"),
        (BYTES, "add_bos_token", "yes", "'yes', not true or false"),
        (PIECES, "scores", None, "scores is missing"),
        (PIECES, "scores", [0.0], "1 entries for 700"),
        (PIECES, "scores", [float("nan")] * 700, "scores has nan among"),
        (PIECES, "scores", [0.0] * 699 + [10**400], "scores has 1000"),
        (BYTES, "token_type", [1] * 1000 + [-(10**400)], "token_type has -1000"),
        (PIECES, "unknown_token_id", 700, "unknown_token_id is 700"),
    ],
)
def test_metadata(base: dict[str, Any], key: str, value: Any, message: str) -> None:
    changed = base | {f"tokenizer.ggml.{key}": value}
    if value is None:
        del changed[f"tokenizer.ggml.{key}"]
    assert message in refused(changed)


def test_a_chat_template_that_is_no_text() -> None:
    assert "chat_template is 5" in refused(BYTES | {"tokenizer.chat_template": 5})


def test_a_million_tokens_that_lie() -> None:
    assert "entries" in refused(PIECES | {"tokenizer.ggml.tokens": [f"t{i}" for i in range(1_000_000)]})
    tokens = [f"t{i}" for i in range(50_000)]
    numbers = {"tokenizer.ggml.scores": [0.0] * 50_000, "tokenizer.ggml.token_type": [1] * 50_000}
    load_tokenizer(PIECES | {"tokenizer.ggml.tokens": tokens} | numbers)  # useless, but no harm


JUNK = [None, -1, 1 << 33, 1 << 70, 1e308, "", [], {}, "x" * 2000, [[]], {"a": 1}, True, "(((", ["a", "b"], 0]


def test_metadata_at_random() -> None:
    chance = random.Random(5)
    for _ in range(150):
        metadata = copy.deepcopy(chance.choice([BYTES, PIECES]))
        key = chance.choice(list(metadata))
        if isinstance(metadata[key], list) and chance.random() < 0.7:
            metadata[key][chance.randrange(len(metadata[key]))] = chance.choice(JUNK)
        else:
            metadata[key] = chance.choice(JUNK)
        survives(metadata)


def survives(source: Any) -> bool:
    """Loads and works, or is refused in one line."""
    try:
        tokenizer = load_tokenizer(source)
    except FormatError as e:
        assert "\n" not in str(e) and len(str(e)) < 700
        return False
    tokenizer.encode("Hello world 123 é 😀")
    tokenizer.decode(range(50))
    return True


@pytest.mark.parametrize("kind", ["folder", "sentencepiece"])
def test_tokenizer_json_at_random(kind: str, tmp_path: Path) -> None:
    chance = random.Random(6)
    text = (GOLDEN / kind / "tokenizer.json").read_bytes()
    path = tmp_path / "tokenizer.json"
    outcomes = set()
    for i in range(80):
        data = bytearray(text)
        if i % 2:
            state = json.loads(text)
            where = chance.choice([state, state["model"], state["added_tokens"][0], state["post_processor"]])
            where[chance.choice(list(where))] = chance.choice(JUNK)
            data = bytearray(json.dumps(state).encode())
        else:
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(1, 50)] = b"" if chance.random() < 0.5 else b"\xff"
        path.write_bytes(data)
        outcomes.add(survives(tmp_path))
    assert outcomes == {True, False}


def test_a_template_that_names_an_unlisted_token(tmp_path: Path) -> None:
    state = json.loads((GOLDEN / "folder" / "tokenizer.json").read_text())
    state["post_processor"]["single"][0]["SpecialToken"]["id"] = "nobody"
    assert "names the token 'nobody', which it does not list" in refused(folder_with(tmp_path, tokenizer=state))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokenizer_config", {"eos_token": 5}, "names the token 5"),
        ("tokenizer_config", {"chat_template": {"a": 1}}, "not a string"),
        ("tokenizer_config", {"added_tokens_decoder": {"x": "a"}}, "not by ids"),
        ("tokenizer_config", [1], "not a JSON object"),
        ("generation_config", {"eos_token_id": "2"}, "eos_token_id is '2'"),
        ("generation_config", {"eos_token_id": [2, -1]}, "not a token id or a list of them"),
    ],
)
def test_the_files_beside(name: str, content: Any, message: str, tmp_path: Path) -> None:
    folder = folder_with(tmp_path, **{name: content})
    if name == "tokenizer_config":
        (folder / "chat_template.jinja").unlink()
    assert message in refused(folder)


def test_folders_without_a_tokenizer(tmp_path: Path) -> None:
    assert "has no tokenizer.json" in refused(tmp_path)
    (tmp_path / "tokenizer.model").write_bytes(b"x")
    assert "tokenizer.model alone is unsupported" in refused(tmp_path)
    for name in ("vocab.json", "merges.txt"):
        (tmp_path / name).write_bytes((GOLDEN / "old-folder" / name).read_bytes())
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    assert "download the model's tokenizer.json" in refused(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2TokenizerFast"}')
    assert load_tokenizer(tmp_path).vocab_size == 1000
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b c\n")
    assert "vocab.json cannot be used" in refused(tmp_path)
    (tmp_path / "tokenizer.json").write_text("version https://git-lfs.github.com/spec/v1\n")
    assert "Git LFS pointer" in refused(tmp_path)
