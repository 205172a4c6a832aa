"""Every pre-tokenizer name: the ids of the published tokenizer.json's pre-tokenizer, and those of llama.cpp."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer as Backend

from tests.formats.test_tokenizer import byte_level
from wgpt.formats.errors import FormatError
from wgpt.formats.splitting import SPLITTINGS

LLAMA_CPP = json.loads((Path(__file__).parents[1] / "golden" / "splittings" / "llama.cpp.json").read_text())
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
DIGITS = {"type": "Digits", "individual_digits": True}
GPT2 = [BYTE_LEVEL | {"use_regex": True}]
ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = (
    rf"{UPPER}*{LOWER}+{ENDINGS}?|{UPPER}+{LOWER}*{ENDINGS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CL100K = (
    rf"{ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = CL100K.replace("{1,3}", "")
WITHOUT_PUNCTUATION = r" ?[^(\s|.,!?…。，、।۔،)]+"


def splits(*regexes: str) -> list[dict[str, Any]]:
    steps = [{"type": "Split", "pattern": {"Regex": r}, "behavior": "Isolated", "invert": False} for r in regexes]
    return [*steps, BYTE_LEVEL | {"use_regex": False}]


# The pre-tokenizers of published tokenizer.json files, as they spell them. Others are in test_tokenizer.py.
PUBLISHED: dict[str, list[dict[str, Any]]] = {
    "command-r": [DIGITS, *GPT2],
    "starcoder": [DIGITS, *GPT2],
    "olmo": GPT2,
    "dbrx": splits(CL100K),
    "stablelm2": splits(QWEN2),
    "qwen35": splits(
        rf"{ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "laguna": splits(r"[^\n]+|[\n]+", QWEN2),
    "gpt-4o": splits(O200K),
    "granite-embed-multi-97m": splits(O200K),
    "tiny_aya": splits(r"\d{1,3}(?=(?:\d{3})*\b)", O200K),
    "youtu": splits(
        "[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥\u3040-ゟ゠-ヿ]+", O200K.replace("{1,3}", "")
    ),
    "minicpm5": splits(r"\p{N}{1,3}", CL100K.replace("{1,3}", "+")),
    "bailingmoe": splits(
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
        r"|\s*[\r\n]|\s+(?!\S)|\s+"
    ),
    "seed-coder": splits(
        ENDINGS + "|[^\r\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\r\n]+|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
    ),
    "exaone-moe": splits(
        rf"{ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
    ),
    "jais-2": splits(
        CL100K.replace(
            r"|\s+(?!\S)|\s+",
            r"|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)"
            r"|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}",
        )
    ),
    "falcon": [{"type": "Punctuation", "behavior": "Contiguous"}, *GPT2, *splits("[0-9][0-9][0-9]")[:1]],
    "bloom": splits(WITHOUT_PUNCTUATION),
    "viking": splits(WITHOUT_PUNCTUATION, r"\p{N}"),
    "deepseek-v3": splits(
        r"\p{N}{1,3}",
        "[一-龥\u3040-ゟ゠-ヿ]+",
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
        "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
    ),
}
# Texts where llama.cpp, whose regular expressions know no \p{M} or \p{Lu} and other white space, splits in its own way.
DIFFERENT = {
    "gpt-4o": ("naïve", "e\u0301 A", "שלום", "नमस्ते", "สวัส"),
    "tekken": ("naïve", "e\u0301 A", "שלום", "नमस्ते", "สวัส"),
    "granite-embed-multi-97m": ("naïve",),
    "tiny_aya": ("a  5", "x   12", "CamelCase"),
    "youtu": ("CamelCase",),
    "deepseek-llm": ("zero\u200b",),
    "deepseek-coder": ("zero\u200b",),
}
# Only llama.cpp says what these are: their models' files are not spelled out above.
BY_LLAMA_CPP_ALONE = {"default", "deepseek-llm"}
IN_TEST_TOKENIZER = {"gpt-2", "smollm", "llama-bpe", "qwen2", "tekken", "deepseek-coder"}


def published(name: str, own: Any) -> Backend:
    """The vocabulary of `own` behind the published pre-tokenizer."""
    state = json.loads(own.to_json())
    steps = [dict(step) for step in PUBLISHED[name]]
    return Backend.from_str(json.dumps(state | {"pre_tokenizer": {"type": "Sequence", "pretokenizers": steps}}))


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_pre_tokenizers(name: str) -> None:
    own = byte_level(name)
    theirs = published(name, own)
    for text in LLAMA_CPP["texts"]:
        assert own.encode(text) == theirs.encode(text).ids, text


@pytest.mark.parametrize("name", SPLITTINGS)
def test_llama_cpp(name: str) -> None:
    how = SPLITTINGS[name]
    starts = next((texts for other, texts in DIFFERENT.items() if SPLITTINGS[other] == how), ())
    tokenizer = byte_level(name)
    for text, ids in zip(LLAMA_CPP["texts"], LLAMA_CPP["ids"][LLAMA_CPP["names"][name]], strict=True):
        if not text.startswith(starts) and (not how.nfc or unicodedata.is_normalized("NFC", text)):
            assert tokenizer.encode(text) == ids, text


def test_every_name_is_held_against_something_published() -> None:
    assert set(SPLITTINGS) == set(LLAMA_CPP["names"])
    shown = {SPLITTINGS[name] for name in {*PUBLISHED, *BY_LLAMA_CPP_ALONE, *IN_TEST_TOKENIZER}}
    assert set(SPLITTINGS.values()) == shown


def test_normalisation() -> None:
    """Only where transformers' class for the model normalises."""
    for name, how in SPLITTINGS.items():
        same = byte_level(name).encode("e\u0301") == byte_level(name).encode("é")
        assert (
            same
            == how.nfc
            == (name in ("qwen2", "deepseek-r1-qwen", "f2llmv2", "qwen35", "command-r", "mpt", "olmo", "modern-bert"))
        )


@pytest.mark.parametrize("name", ["kimi-k2", "superbpe", "afmoe", "chameleon", "whitespace", "LLAMA-BPE", ""])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(
        FormatError, match=r"tokenizer.ggml.pre is .*how this vocabulary splits text is not known.*tokenizer="
    ):
        byte_level(name)
