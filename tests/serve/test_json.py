"""JSON that comes and goes in pieces."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from wgpt.serve.json_pieces import json_bytes
from wgpt.serve.json_structure import JsonStructure
from wgpt.serve.large_json import LongStringError, decoded


def made(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.choice("dllsifnb" if depth < 4 else "sifnb")
    if kind == "d":
        return {made_text(chance): made(chance, depth + 1) for _ in range(chance.choice([0, 1, 7]))}
    if kind == "l":
        size, same = chance.choice([0, 1, 7, 131]), chance.random() < 0.5
        return [made(chance, depth + 1 if same else 6) for _ in range(size)]
    if kind == "s":
        return made_text(chance)
    return {"i": chance.randrange(-9, 10**9), "f": chance.random(), "n": None, "b": True}[kind]


def made_text(chance: random.Random) -> str:
    return "".join(chance.choices('ab"\\,[]{}:\n\té😀\u2028', k=chance.choice([0, 3, 31])))


def parts(value: Any) -> int:
    """Strings, objects and lists."""
    if isinstance(value, dict):
        return 1 + len(value) + sum(map(parts, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(parts, value))
    return isinstance(value, str)


def commas(value: Any) -> int:
    items = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return max(0, len(items) - 1) + sum(map(commas, items))


@pytest.mark.parametrize("seed", range(63))
def test_any_value(seed: int) -> None:
    """Written as by the library, and counted however it is cut."""
    chance = random.Random(seed)
    value = {"value": [made(chance) for _ in range(17)]}
    written = b"".join(json_bytes(value))
    assert written == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    for data in (written, json.dumps(value).encode()):
        structure, at = JsonStructure(), 0
        while at < len(data):
            size = chance.choice([1, 2, 63, 4096])
            structure.add(data[at : at + size])
            at += size
        assert (structure.parts, structure.commas) == (parts(value), commas(value))


def test_large_ones_come_in_pieces() -> None:
    value = {"data": [{"vector": [0.5] * 1023}] * 63, "ids": (i for i in range(100_000))}
    pieces = list(json_bytes(value))
    assert len(pieces) > 5 and max(map(len, pieces)) < 200_000
    read = json.loads(b"".join(pieces))
    assert read["ids"] == list(range(100_000)) and read["data"] == value["data"]


def test_what_json_lacks() -> None:
    value = {"a": [float("inf"), 1.5], "b": float("nan"), 5: "\ud800"}
    assert json.loads(b"".join(json_bytes(value))) == {"a": [None, 1.5], "b": None, "5": "\ud800"}


LONG = "é a " * (3 << 18)  # 3 MB
LARGE = {
    "text": [LONG, LONG],
    "nested": [[[[[[[[[LONG]]]], {"a": {"b": LONG + "\n"}}]]]]],
    "ids": {"ids": list(range(200_000)), "text": LONG},
    "pairs": [{"role": "user", "content": "a" * 997}] * 3001,
    "numbers": [1.5, -7, None, True] * 99_999,
}


@pytest.mark.parametrize("name", LARGE)
def test_large_ones_are_read_in_parts(name: str) -> None:
    value = {name: LARGE[name], "model": "m"}
    for written in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        data = b"\n" * 331 + written.encode()
        assert decoded(data, most=32 << 20) == value
        for wrong in (data[:-1], data + b"]", data.replace(b"model", b"mod\xffl")):
            with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
                decoded(wrong, most=32 << 20)


def test_what_python_reads_in_large_ones() -> None:
    written = '{"a": [' + " " * (1 << 20) + "1e999, -1e999, 5], " + '"b": 1, "b": 2}'
    assert decoded(written.encode(), most=5) == {"a": [float("inf"), float("-inf"), 5], "b": 2}


@pytest.mark.parametrize("around", ['"%s"', '{"a": [1, {"b": "%s"}]}', '[[[[["%s"]]]]]'])
def test_a_long_string_is_refused(around: str) -> None:
    most = (1 << 20) + 63
    value = decoded((around % ("a" * most)).encode(), most)
    assert value == json.loads(around % ("a" * most))
    with pytest.raises(LongStringError, match=f"a string has {most + 1} bytes; at most {most} are read"):
        decoded((around % ("a" * (most + 1))).encode(), most)
