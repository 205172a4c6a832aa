"""Incremental decoding: the pieces add up to the decoded text, and no character is split."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.formats.detokenise import Detokeniser, Mark, StopStrings
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer

from .test_tokenizer import GOLDEN, byte_level, golden, random_text

KINDS = ("bytes", "sentencepiece", "no prefix", "folder", "smollm2")


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    if request.param == "smollm2":
        path: Path = request.getfixturevalue("smollm2_path")
        with open_checkpoint(path) as checkpoint:
            return load_tokenizer(checkpoint.tokenizer)
    if request.param == "no prefix":
        return load_tokenizer(golden("sentencepiece")["metadata"] | {"tokenizer.ggml.add_space_prefix": False})
    if request.param == "bytes":
        return byte_level()
    return load_tokenizer(GOLDEN / request.param)


def parts(tokenizer: Tokenizer, ids: Sequence[int], skip_special: bool = True) -> list[str]:
    text = Detokeniser(tokenizer, skip_special)
    return [text.add(i) for i in ids] + [text.finish()]


@pytest.mark.parametrize("skip_special", [True, False])
def test_random_ids(tokenizer: Tokenizer, skip_special: bool) -> None:
    chance = random.Random(11)
    for round in range(300):
        # Mostly the front of the vocabulary, where the bytes and the special tokens are; some ids beyond its end.
        most = tokenizer.vocab_size + 3 if round % 2 else 270
        ids = [chance.randrange(most) for _ in range(chance.randrange(40))]
        assert "".join(parts(tokenizer, ids, skip_special)) == tokenizer.decode(ids, skip_special), ids


def test_random_texts(tokenizer: Tokenizer) -> None:
    chance = random.Random(12)
    for _ in range(200):
        text = random_text(chance)
        pieces = parts(tokenizer, tokenizer.encode(text))
        assert "\ufffd" not in "".join(pieces)
        assert "".join(pieces) == tokenizer.decode(tokenizer.encode(text))


def test_golden_texts(tokenizer: Tokenizer) -> None:
    for case in golden("smollm2")["texts"]:
        ids = tokenizer.encode(case["text"])
        assert "".join(parts(tokenizer, ids)) == tokenizer.decode(ids)


def test_no_character_is_cut() -> None:
    """A character of several tokens comes whole with the last of them, and words come at once."""
    tokenizer = byte_level()
    parrot = tokenizer.encode("🦜")
    assert len(parrot) > 2
    text = Detokeniser(tokenizer)
    assert [text.add(i) for i in tokenizer.encode("ab")] == ["a", "b"]
    assert [text.add(i) for i in parrot] == [""] * (len(parrot) - 1) + ["🦜"]
    # Half a character that another token ends, and one that nothing ends.
    assert [text.add(parrot[0]), text.add(tokenizer.encode("a")[0])] == ["", "\ufffda"]
    assert [text.add(parrot[0]), text.finish()] == ["", "\ufffd"]


def test_byte_tokens_of_sentencepiece() -> None:
    """A run of byte tokens is decoded as a whole, so its text comes when the run ends."""
    tokenizer = load_tokenizer(golden("sentencepiece")["metadata"])
    (word,) = tokenizer.encode("The", special=False)
    snowman = [i for i in range(300) if tokenizer.token(i) in ("<0xE2>", "<0x98>", "<0x83>")]
    snowman = [snowman[2], snowman[1], snowman[0]]
    text = Detokeniser(tokenizer)
    assert [text.add(i) for i in (*snowman, word)] == ["", "", "", "☃ The"]
    assert [text.add(i) for i in (*snowman, snowman[0], word)][-1] == "\ufffd" * 4 + " The"
    assert text.add(snowman[0]) == "" and text.finish() == "\ufffd"
    # Only the space that encoding puts in front is taken off again.
    text = Detokeniser(tokenizer)
    assert [text.add(word), text.add(word)] == ["The", " The"]


@pytest.mark.parametrize("kind", ["bytes", "sentencepiece"])
def test_each_token_is_looked_at_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = byte_level() if kind == "bytes" else load_tokenizer(golden(kind)["metadata"])
    ids = tokenizer.encode("The quick brown fox 😀 ☃ " * 20)
    expected = tokenizer.decode(ids)
    looked_up: list[int] = []
    spelled = Tokenizer.token
    monkeypatch.setattr(Tokenizer, "decode", None)
    monkeypatch.setattr(Tokenizer, "token", lambda self, id: (looked_up.append(id), spelled(self, id))[1])
    assert "".join(parts(tokenizer, ids)) == expected
    assert looked_up == list(dict.fromkeys(i for i in ids if i not in tokenizer.special_ids))
    looked_up.clear()
    assert "".join(parts(tokenizer, ids)) == expected and not looked_up, "once for all texts"


def test_a_decoder_that_is_not_known_comes_at_the_end() -> None:
    tokenizer = byte_level()
    tokenizer.decoder = {"type": "WordPiece"}
    ids = [1, *tokenizer.encode("The quick 😀")]
    pieces = parts(tokenizer, ids)
    assert (pieces[:-1], pieces[-1]) == ([""] * len(ids), "The quick 😀")


def streamed(stops: Sequence[str], pieces: Sequence[str]) -> tuple[str, bool]:
    stopping = StopStrings(stops)
    text = ""
    for piece in pieces:
        emit, hit = stopping.add(piece)
        text += emit
        if hit:
            return text, True
    return text + stopping.finish(), False


def test_stop_strings() -> None:
    stopping = StopStrings(["\nUser:", "END"])
    assert stopping.add("Hello\nUs") == ("Hello", False)
    assert stopping.add("ed EN") == ("\nUsed ", False)
    assert stopping.add("") == ("", False)
    assert stopping.add("Dless") == ("", True)
    assert stopping.add("more") == ("", True)
    assert (stopping.hit, stopping.finish()) == (True, "")
    assert streamed(["\n\n"], ["a\n", "b\n", "\nc"]) == ("a\nb", True)
    assert streamed(["xyz"], ["ab", "xy"]) == ("abxy", False)
    assert streamed([], ["ab", "c"]) == ("abc", False)
    assert streamed("stop", ["a st", "op b"]) == ("a ", True)  # type: ignore[arg-type]


@pytest.mark.parametrize("stops", [[""], ["a", ""], [None], [5]])
def test_stop_strings_that_are_none(stops: list[str]) -> None:
    with pytest.raises(PreconditionError, match="non-empty string"):
        StopStrings(stops)


MARKED = [
    # (mark, stops, text, what is shown, whether a stop string was found)
    (Mark("<call>"), ["a"], 'Hello<call>{"a": 1}', 'Hello<call>{"a": 1}', False),
    (Mark("<call>"), ["all"], 'Hallo<call>{"a": 1}', "H", True),
    (Mark("<call>"), ["a", "o<c"], "Hello<call>a", "Hello<call>a", False),  # a stop string that ends within the mark
    (Mark("<call>"), ["a", "o<c"], "Hello<cell>a", "Hell", True),
    (Mark("<call>"), ["c"], "Hello<ca", "Hello<", True),  # it did not become one
    (Mark("<call>"), ["z"], "Hello<ca", "Hello<ca", False),
    (Mark("<call>"), [], "Hello<call>", "Hello<call>", False),
    (Mark("{", first=True), ["a", "\n"], ' \n{"a": 1}', ' \n{"a": 1}', False),
    (Mark("{", first=True), ["a", "\n"], 'see {"a": 1}', 'see {"', True),
    (Mark("{", first=True), ["\n"], " \nHello", " ", True),
    (Mark("{", first=True), ["\n"], " \n", " ", True),
]


@pytest.mark.parametrize(("mark", "stops", "text", "expected", "hit"), MARKED)
def test_stop_strings_do_not_count_from_a_mark_on(mark: Mark, stops: list[str], text: str, expected: str, hit: bool):
    """However the text is cut into pieces."""
    for size in range(1, len(text) + 1):
        stopping, shown = StopStrings(stops, mark), ""
        for at in range(0, len(text), size):
            shown += stopping.add(text[at : at + size])[0]
        assert (shown + stopping.finish(), stopping.hit) == (expected, hit), size
        if not hit:
            assert stopping.past_mark == (mark.text in text)


def test_stop_strings_do_not_depend_on_the_pieces() -> None:
    chance = random.Random(13)
    for _ in range(3000):
        text = "".join(chance.choice("ab") for _ in range(chance.randrange(1, 20)))
        stops = [
            "".join(chance.choice("ab") for _ in range(chance.randrange(2, 6))) for _ in range(chance.randrange(3))
        ]
        cuts = sorted(chance.randrange(len(text) + 1) for _ in range(chance.randrange(6)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        # The stop string that is complete first; of several, the longest.
        ends = [end for end in range(len(text) + 1) if any(text[:end].endswith(stop) for stop in stops)]
        expected = text, False
        if ends:
            longest = max(len(stop) for stop in stops if text[: ends[0]].endswith(stop))
            expected = text[: ends[0] - longest], True
        assert streamed(stops, pieces) == expected, (text, stops, pieces)
