"""Tokenizers that would exhaust memory or time are refused before `tokenizers` builds them."""

from __future__ import annotations

import base64
import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from wgpt.formats import FormatError
from wgpt.formats.gguf_tokenizer import merges_of_scores
from wgpt.formats.regex_limits import regex_problem
from wgpt.formats.splitting import SPLITTINGS
from wgpt.formats.tokenizer import load_tokenizer

from .test_tokenizer import GOLDEN, folder_with, golden
from .test_tokenizer_bad import PIECES, refused

TOKENIZER = json.loads((GOLDEN / "folder" / "tokenizer.json").read_text())


def replaces(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def splits(regex: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def in_sequence(kind: str, steps: list[Any]) -> dict[str, Any]:
    return {"type": "Sequence", kind: steps}


def special(name: str, ids: list[int]) -> dict[str, Any]:
    return {"id": name, "ids": ids, "tokens": ["a"] * len(ids)}


TENFOLD = replaces({"String": "a"}, "a" * 10)
ADDED = TOKENIZER["added_tokens"][0]
LONG_MAP = base64.b64encode((4).to_bytes(4, "little") + bytes(4) + b"x" * 9999 + b"\0").decode()
TEMPLATE = {"type": "TemplateProcessing", "pair": [], "special_tokens": {"a": special("a", [0])}}
HOSTILE = {
    "nine replacements": ({"normalizer": in_sequence("normalizers", [TENFOLD] * 9)}, r"makes up to 1e\+09"),
    "in sequences of sequences": (
        {"normalizer": in_sequence("normalizers", [in_sequence("normalizers", [TENFOLD] * 3)] * 3)},
        r"normalizer makes up to 1e\+09 characters of one; the limit is 64",
    ),
    "one large replacement": ({"normalizer": replaces({"String": "a"}, "a" * 999)}, r"makes up to 999 char"),
    "between all characters": ({"normalizer": replaces({"Regex": "x*"}, "a" * 999)}, r"makes up to 1e\+03 characters"),
    "in the decoder": ({"decoder": in_sequence("decoders", [TENFOLD] * 9)}, r"decoder makes up to 1e\+09 characters"),
    "many steps": ({"normalizer": in_sequence("normalizers", [{"type": "NFC"}] * 99)}, r"normalizer has 99 steps"),
    "a long prefix": ({"normalizer": {"type": "Prepend", "prepend": "a" * 999}}, r"prepends 999 characters"),
    "a table of long texts": (
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": LONG_MAP}},
        r"normalizer replaces a character by 9999 bytes",
    ),
    "many ids at once": (
        {"post_processor": TEMPLATE | {"single": [], "special_tokens": {"a": special("a", [0] * 999)}}},
        r"post_processor adds 999 ids at once",
    ),
    "many pieces": (
        {"post_processor": TEMPLATE | {"single": [{"SpecialToken": {"id": "a", "type_id": 0}}] * 999}},
        r"post_processor has 999 pieces",
    ),
    "many added tokens": (
        {"added_tokens": [ADDED | {"id": i, "content": f"<{i}>"} for i in range(70_000)]},
        r"has 70000 special or added tokens",
    ),
    "long added tokens": ({"added_tokens": [ADDED | {"content": "a" * (2 << 20)}]}, r"1 special or added tokens"),
}  # fmt: skip
REGEXES = (
    "(.*)*(.*)*(.*)*",
    "(a+)+$",
    "(a|a)*b",
    "(?:a?)*b",
    r"(\s*\w*)+",
    "(a{1,9}){1,99}",
    ".*" * 9,
    r"(a)\1",
    "a{2,}{2,}",
)


def in_reach(source: Any, message: str) -> None:
    """Check that it is refused with this message, at once and in little memory."""
    start = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=message) as caught:
            load_tokenizer(source)
        assert tracemalloc.get_traced_memory()[1] < 400 << 20
    finally:
        tracemalloc.stop()
    assert time.process_time() - start < 10
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 700


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_descriptions(case: str, tmp_path: Path) -> None:
    changes, message = HOSTILE[case]
    in_reach(folder_with(tmp_path, tokenizer=TOKENIZER | changes), message)


@pytest.mark.parametrize("part", ["normalizer", "pre_tokenizer", "decoder"])
@pytest.mark.parametrize("regex", REGEXES)
def test_expressions_without_end(regex: str, part: str, tmp_path: Path) -> None:
    step = splits(regex) if part == "pre_tokenizer" else replaces({"Regex": regex}, "x")
    in_reach(
        folder_with(tmp_path, tokenizer=TOKENIZER | {part: step}), f"its {part} has the regular expression .*, which"
    )


@pytest.mark.parametrize(
    "regex", [*sum((s.regexes for s in SPLITTINGS.values()), ()), "a++b", "[[a-z]&&[^x]]+", r"\[+"]
)
def test_published_expressions(regex: str) -> None:
    assert regex_problem(regex) is None


@pytest.mark.parametrize(
    "regex",
    [
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",  # GPT-2
        # o200k
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        # DeepSeek-V3
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",
        r" ?[^(\s|[.,!?…。，、।۔،])]+",  # BLOOM
        r"(?<=\d)(?=(?:\d{3})+(?!\d))",
        " {2,}",
    ],
)
def test_expressions_of_other_models(regex: str) -> None:
    assert regex_problem(regex) is None


def test_a_file_of_brackets(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_bytes(b'{"a": [' + b"[]," * (3 << 20) + b"0]}")
    in_reach(tmp_path, "more lists, objects or values than any tokenizer")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with open(tmp_path / "tokenizer.json", "wb") as file:
        file.truncate(70 << 20)
    in_reach(tmp_path, "has 73400320 bytes; the limit for a tokenizer is")


def test_merges_by_the_million(tmp_path: Path) -> None:
    for name in ("vocab.json", "merges.txt", "config.json"):
        (tmp_path / name).write_bytes((GOLDEN / "old-folder" / name).read_bytes())
    load_tokenizer(tmp_path)
    (tmp_path / "merges.txt").write_bytes(b"a b\n" * (2 << 20))
    in_reach(tmp_path, "merges.txt has 2097152 lines; the limit is")


def runs(letters: str, longest: int) -> dict[str, Any]:
    """Every run of each letter: a token of n letters can be merged from about n pairs of others."""
    tokens = ["<unk>", *(letter * n for letter in letters for n in range(1, longest + 1))]
    numbers = {"scores": [float(-i * i) for i in range(len(tokens))], "token_type": [2] + [1] * (len(tokens) - 1)}
    metadata = {f"tokenizer.ggml.{name}": value for name, value in numbers.items()}
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": tokens} | metadata


@pytest.mark.full
def test_a_vocabulary_with_quadratic_scores() -> None:
    in_reach(runs("abcdefghij", 1024), "too many long tokens")
    in_reach(runs("abcde", 400), "too many long tokens: their squared lengths are 10")
    letters = "".join(chr(0x4E00 + i) for i in range(600))
    in_reach(runs(letters, 64), "can be put together in more than 1048576 ways")


def test_scores_are_merged_as_ever() -> None:
    """The same merges as by the definition: all pairs, best score first, then the longer left half."""
    tokens, scores = ["a", "b", "ab", "aba", "ba", "abab"], [-1.0, -2.0, -3.0, -4.0, -3.0, -5.0]
    assert merges_of_scores(tokens, scores, [1] * 6) == [
        ("a", "b"), ("b", "a"), ("ab", "a"), ("a", "ba"), ("aba", "b"), ("ab", "ab"),
    ]  # fmt: skip


def test_too_many_tokens_and_merges() -> None:
    many = [f"t{i}" for i in range((1 << 20) + 1)]
    assert "tokens has 1048577 entries; the limit is 1048576" in refused(PIECES | {"tokenizer.ggml.tokens": many})
    bytes_ = golden("bytes")["metadata"] | {"tokenizer.ggml.pre": "gpt-2"}
    assert "merges has 1048577 entries" in refused(bytes_ | {"tokenizer.ggml.merges": ["a b"] * ((1 << 20) + 1)})


def test_special_tokens_without_end() -> None:
    tokens = [f"<{i}>" for i in range(100_000)]
    numbers = {"tokenizer.ggml.scores": [0.0] * 100_000, "tokenizer.ggml.token_type": [3] * 100_000}
    assert "special or added tokens" in refused(PIECES | {"tokenizer.ggml.tokens": tokens} | numbers)


def test_added_tokens_beside_the_tokenizer(tmp_path: Path) -> None:
    """Some ten thousand are added at once, in order."""
    names = {str(2000 + i): {"content": f"<x{i}>"} for i in range(20_000)}
    start = time.process_time()
    tokenizer = load_tokenizer(folder_with(tmp_path, tokenizer_config={"added_tokens_decoder": names}))
    assert time.process_time() - start < 10
    first = tokenizer.encode("<x0>", special=False)
    assert tokenizer.encode("<x19999>", special=False) == [first[0] + 19_999]


def test_a_panic_is_one_line() -> None:
    """The library's panics are not Exceptions; each becomes a one-line error."""
    from wgpt.formats.tokenizer_base import backend_errors

    class PanicException(BaseException):
        pass

    with (
        pytest.raises(FormatError, match=r"cannot encode this text: 'called .unwrap"),
        backend_errors("it cannot encode this text"),
    ):
        raise PanicException("called `unwrap`")
    with pytest.raises(KeyboardInterrupt), backend_errors("it"):
        raise KeyboardInterrupt


def test_a_text_without_a_token_for_it(tmp_path: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "missing"}
    words = TOKENIZER | {
        "model": model,
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "added_tokens": [],
    }
    tokenizer = load_tokenizer(folder_with(tmp_path, tokenizer=words))
    with pytest.raises(FormatError, match="the tokenizer cannot encode this text: "):
        tokenizer.encode("b")


def test_a_bad_template_is_blamed_on_its_own_file(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    (folder / "chat_template.jinja").write_bytes(b"{{ messages }}\xff\xfe")
    message = refused(folder)
    assert "chat_template.jinja: is not UTF-8 at byte 14" in message and "tokenizer.json" not in message
