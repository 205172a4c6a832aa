"""The runtime's tokenizer gives the ids of `tokenizers`, and the texts; what it does not support is refused by name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import open_checkpoint
from wgpt.formats.splitting import SPLITTINGS
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer
from wgpt.web.errors import WebExportError
from wgpt.web.regex import for_javascript
from wgpt.web.tokenizer_data import tokenizer_data

from .conftest import ROOT, Run

GOLDEN = ROOT / "tests" / "golden" / "tokens"
NASTY = (
    "",
    " ",
    "a",
    "Hello world",
    "  two  spaces\tand\ttabs \n\n newlines\r\n and \u00a0 no-break\u2003em \u3000 wide\u0085next\ufeffbom",
    "I'll don't it's WE'VE y'all'd'ſ 'S 'Ll 'ſ 'K 'K",
    "numbers 1234567890 ١٢٣ ½ ² Ⅷ 3.14e-10 1234² 12345½ 1234é 1234_ 1234①",
    "日本語のテキスト。中文 字符 한국어 ไทย हिन्दी العربية עברית",
    "e\u0301 é ﬁ Å \u212b \u1e9b\u0323 \uac00 \u1100\u1161",
    "👩‍👩‍👧‍👦 🇫🇷 🏳️‍🌈 \U0001f600\U0001d54f \u200d\u200b\u2060",
    "\x00\x01\x1f\x7f\x80\x9f\xad control",
    "<|im_start|>user\n<|im_end|><|endoftext|> <s></s><unk> <0x41> <|im_start",
    "▁ under ▁▁ marks Ġ ĠĊ Ċ",
    "if (x<=1) {\n\treturn `${a}`; // 100%\n}\n\n\n    \n",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "...!!!???---___***###@@@ \\ / | ~ ^ ` \" ' ,;:",
    "Ünïcödé ĲĳŁłŒœßẞ ǅ ʰ ͅ ϗ Ωω Ѐя",
)


def texts_for(tokenizer: Tokenizer) -> list[str]:
    """The nasty ones, and random mixtures of their pieces and of the vocabulary's."""
    rng = random.Random(7)
    characters = "".join(NASTY)
    pieces = [tokenizer.token(i) for i in rng.sample(range(tokenizer.vocab_size), 60) if tokenizer.has(i)]
    mixed = ["".join(rng.choice((rng.choice(characters), rng.choice(pieces), " ", "\n")) for _ in range(40))
             for _ in range(60)]  # fmt: skip
    return [*NASTY, *mixed]


def held_against(node: Run, tokenizer: Tokenizer) -> None:
    texts = texts_for(tokenizer)
    ids = [tokenizer.encode(text) for text in texts]
    strange = [[i, i, i + 3] for i in range(0, tokenizer.vocab_size - 3, 7)]
    given = [*ids, *strange[:200]]
    result = node("tokenize", data=tokenizer_data(tokenizer, "test"), texts=texts, ids=given)
    for text, expected, found in zip(texts, ids, result["ids"], strict=True):
        assert found == expected, text
    for each, found in zip(given, result["texts"], strict=True):
        assert found == tokenizer.decode(each), each


@pytest.mark.full
@pytest.mark.parametrize("pre", SPLITTINGS)
def test_every_splitting_of_bytes(node: Run, pre: str) -> None:
    metadata = json.loads((GOLDEN / "bytes.json").read_text())["metadata"]
    held_against(node, load_tokenizer(metadata | {"tokenizer.ggml.pre": pre}))


@pytest.mark.parametrize("prefix", [True, False])
def test_sentencepiece(node: Run, prefix: bool) -> None:
    metadata = json.loads((GOLDEN / "sentencepiece.json").read_text())["metadata"]
    held_against(node, load_tokenizer(metadata | {"tokenizer.ggml.add_space_prefix": prefix}))


@pytest.mark.parametrize("folder", ["folder", "old-folder", "sentencepiece"])
def test_folders(node: Run, folder: str) -> None:
    held_against(node, load_tokenizer(GOLDEN / folder))


def test_the_real_model(node: Run, smollm2_path: Path) -> None:
    with open_checkpoint(smollm2_path) as checkpoint:
        held_against(node, load_tokenizer(checkpoint.tokenizer))


def described(change: Any) -> Tokenizer:
    from tokenizers import Tokenizer as Backend

    tokenizer = load_tokenizer(GOLDEN / "folder")
    description = json.loads(tokenizer.to_json())
    change(description)
    backend = Backend.from_str(json.dumps(description))
    return Tokenizer(backend, vocab_size=tokenizer.vocab_size, bos_id=None, eos_id=None, eos_ids=[], chat_template=None)


def test_added_tokens_that_take_the_spaces_around_them(node: Run) -> None:
    def change(description: Any) -> None:
        for i, token in enumerate(description["added_tokens"]):
            token.update(lstrip=i % 2 == 0, rstrip=i % 3 == 0, normalized=i % 2 == 1)

    held_against(node, described(change))


@pytest.mark.parametrize(
    ("key", "step", "name"),
    [
        ("normalizer", {"type": "Lowercase"}, "Lowercase"),
        ("pre_tokenizer", {"type": "Whitespace"}, "Whitespace"),
        ("decoder", {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}, "Metaspace"),
    ],
)
def test_unsupported_steps_are_refused_by_name(key: str, step: Any, name: str) -> None:
    tokenizer = described(lambda description: description.update({key: step}))
    with pytest.raises(WebExportError, match=f"{name}.*unsupported"):
        tokenizer_data(tokenizer, "test")


def test_a_vocabulary_without_letters_is_refused() -> None:
    def change(description: Any) -> None:
        vocabulary = {"t": 0, "x": 1, "tx": 2}
        description["model"].update(vocab=vocabulary, merges=["t x"], byte_fallback=False, unk_token=None)
        description.update(added_tokens=[], post_processor=None)

    with pytest.raises(WebExportError, match="no token for the letter a"):
        tokenizer_data(described(change), "test")


def test_expressions() -> None:
    kelvin = "\u212a"
    expected = rf"(?:'[sSſ]|[kK{kelvin}])\p{{White_Space}}[^\P{{White_Space}}\p{{Nd}}]-"
    assert for_javascript(r"(?i:'s|k)\s[^\S\d]\-") == expected
    assert for_javascript(r"[*+]+| ?+\p{L}++") == r"[*+]+|(?=(?<p1> ?))\k<p1>(?=(?<p2>\p{L}+))\k<p2>"
    assert for_javascript(r"'(?i:[st])") == r"'(?:[sSſtT])"
    refused = (r"(a)++", r"(?>a)", r"\w+", r"[a&&b]", r"[[:alpha:]]", r"[a[b]]", r"(?i)a", r"\p{L}{1,3}+", "\\")
    for pattern in (*refused, r"(?i:[a-z])", r"[\b]", r"\B"):
        with pytest.raises(WebExportError, match="expression"):
            for_javascript(pattern)
