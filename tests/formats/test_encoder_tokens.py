"""GGUF vocabularies of encoders and of Gemma 4: ids of transformers, SentencePiece and Gemma's published pipeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats.detokenise import Detokeniser
from wgpt.formats.errors import FormatError
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer

GOLDEN = Path(__file__).parents[1] / "golden" / "encoder_tokens"
NAMES = ("wordpiece", "cased", "unigram", "gemma4")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def loaded(name: str, **changes: Any) -> Tokenizer:
    return load_tokenizer(golden(name)["metadata"] | {f"tokenizer.ggml.{k}": value for k, value in changes.items()})


@pytest.mark.parametrize("name", NAMES)
def test_ids(name: str) -> None:
    tokenizer, data = loaded(name), golden(name)
    for text, ids in zip(data["texts"], data["ids"], strict=True):
        # SentencePiece puts a space even before its own mark of one; tokenizer.json files do not.
        if name != "unigram" or not text.startswith("▁"):
            assert tokenizer.encode(text) == ids, text


def test_what_goes_around_a_text() -> None:
    assert [loaded("wordpiece").encode("")[i] for i in (0, -1)] == [2, 3]  # [CLS], [SEP]
    assert loaded("wordpiece", add_sep_token=False).encode("") == [2]
    assert loaded("unigram").encode("") == [1]  # </s>
    assert loaded("unigram", add_eos_token=False).encode("") == []
    assert loaded("gemma4").encode("") == [1] and loaded("gemma4", add_bos_token=False).encode("") == []
    for name in NAMES:
        assert loaded(name).encode("fox", special=False) == [
            i for i in loaded(name).encode("fox") if i not in loaded(name).special_ids
        ]


def test_words_are_spelled_as_bert_does() -> None:
    tokenizer = loaded("wordpiece")
    tokens = [tokenizer.token(i) for i in tokenizer.encode("Jumping foxes")]
    assert tokens[0] == "[CLS]" and tokens[-1] == "[SEP]"
    assert "".join(t.removeprefix("##") for t in tokens[1:-1]) == "jumpingfoxes"
    assert tokenizer.decode(tokenizer.encode("The quick brown fox")) == "the quick brown fox"


def test_gemma_4_text_comes_back_in_pieces() -> None:
    tokenizer = loaded("gemma4")
    for text in golden("gemma4")["texts"]:
        ids = tokenizer.encode(text)
        pieces = Detokeniser(tokenizer)
        assert "".join([*map(pieces.add, ids), pieces.finish()]) == tokenizer.decode(ids) == text.replace("▁", " ")


@pytest.mark.parametrize(
    ("name", "field", "value", "message"),
    [
        ("unigram", "scores", None, "scores is missing: a unigram vocabulary"),
        ("unigram", "precompiled_charsmap", [1, 2], "precompiled_charsmap has 2 bytes"),
        ("unigram", "precompiled_charsmap", [255, 255, 255, 0, 1, 2, 3, 4], "do not hold the trie"),
        ("unigram", "precompiled_charsmap", [0, 0, 0, 0, *[97] * 80, 0], "replaces a character by 80 bytes"),
        ("unigram", "precompiled_charsmap", ["x"], "is not a list of bytes"),
        ("gemma4", "merges", None, "merges is missing: Gemma 4's vocabulary"),
        ("wordpiece", "bos_token_id", 10**6, "bos_token_id is 1000000, but the vocabulary has"),
        ("wordpiece", "model", "rwkv", "model is 'rwkv'; supported: gpt2, llama, gemma4, bert, t5: give .*tokenizer="),
    ],
)
def test_what_is_refused(name: str, field: str, value: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        loaded(name, **{field: value})


def test_words_that_are_there_twice() -> None:
    metadata = golden("wordpiece")["metadata"]
    tokens = list(metadata["tokenizer.ggml.tokens"])
    tokens[-1] = "##" + next(t for t in tokens if not t.startswith(("▁", "[")))
    tokens[-2] = "▁##" + tokens[-1][2:]
    with pytest.raises(FormatError, match="twice: the file is damaged"):
        loaded("wordpiece", tokens=tokens)
