"""Two texts for a cross-encoder: as tokenizer.json says, or as BERT and XLM-RoBERTa have it where a file does not."""

from __future__ import annotations

import json

import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers

from wgpt.formats import FormatError
from wgpt.formats.tokenizer_base import Tokenizer, surround

from ..models.encoder_vocabulary import CLS, SEP, tokenizer_json


def tokenizer(backend: Backend) -> Tokenizer:
    size = backend.get_vocab_size()
    return Tokenizer(backend, vocab_size=size, bos_id=None, eos_id=None, eos_ids=(), chat_template=None)


def tokens(pair: tuple[list[int], list[int]], of: Tokenizer) -> tuple[str, str]:
    return " ".join(map(of.token, pair[0])), "".join(map(str, pair[1]))


@pytest.mark.parametrize("types", [True, False])
def test_as_tokenizer_json_says(types: bool) -> None:
    made = tokenizer(Backend.from_str(json.dumps(tokenizer_json(types))))
    between, kinds = ("[SEP]", "000011") if types else ("[SEP] [SEP]", "0000000")
    text = f"[CLS] the cat {between} sat [SEP]"
    assert tokens(made.encode_pair("the cat", "sat"), made) == (text, kinds)


def test_one_separator_between_word_pieces() -> None:
    backend = Backend.from_str(json.dumps(tokenizer_json() | {"post_processor": None}))
    surround(backend, CLS, SEP)
    made = tokenizer(backend)
    assert tokens(made.encode_pair("the cat", "sat on"), made) == ("[CLS] the cat [SEP] sat on [SEP]", "0000111")


def test_two_separators_in_a_unigram_vocabulary() -> None:
    pieces = [("<s>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("a", -1.0), ("b", -2.0)]
    backend = Backend(models.Unigram(pieces, unk_id=2))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    surround(backend, 0, 1)
    made = tokenizer(backend)
    assert tokens(made.encode_pair("a b", "b"), made)[0] == "<s> a b </s> </s> b </s>"


def test_without_separators() -> None:
    made = tokenizer(Backend.from_str(json.dumps(tokenizer_json() | {"post_processor": None})))
    with pytest.raises(FormatError, match="does not say how to separate two texts"):
        made.encode_pair("a", "b")
