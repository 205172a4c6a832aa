"""Tokenizers: damaged and hostile tokenizer.json files, and GGUF vocabularies."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

from tests.formats.test_tokenizer import GOLDEN, golden
from wgpt.formats.tokenizer import load_tokenizer

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .configs import JUNK
from .mutations import BINARY, reworded
from .opened import use_tokenizer

_ATOMS = ("a", ".", r"\s", r"\p{L}", "[a-z]", "[^x]", "(?:ab)")
_EXPLOSIVE = ("({0}+)+{1}", "({0}*)*{1}", "({0}|{0})*{1}", "(?:{0}?)*{1}", "({0}{{1,9}})+{1}", "(({0}+)x?)*{1}")
_SPECIAL = ("bos_token_id", "eos_token_id", "unknown_token_id", "add_bos_token", "add_space_prefix", "chat_template")


@area("tokenizers")
def tokenizer(rng: Rng, folder: Path) -> Case:
    chance = rng.random()
    if chance < 0.25:
        return _vocabulary(rng)
    place = folder / "t"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(GOLDEN / pick(rng, ("folder", "sentencepiece")), place)
    path = place / "tokenizer.json"

    def use() -> None:
        use_tokenizer(load_tokenizer(place))

    if chance < 0.28:
        return Case("a sound tokenizer.json", ACCEPTED, use)
    if chance < 0.5:
        text = bytearray(path.read_bytes())
        for _ in range(int(rng.choice([1, 1, 2, 4]))):
            pick(rng, (*BINARY, *[reworded] * 6))(text, rng, len(text))
        path.write_bytes(text)
        return Case("a damaged tokenizer.json", EITHER, use)
    state = json.loads(path.read_bytes())
    if chance < 0.7:
        description, expect = _replaced(rng, state), EITHER
    else:
        description, expect = _hostile(rng, state), REFUSED
    path.write_text(json.dumps(state))
    return Case(f"a tokenizer.json with {description}"[:300], expect, use)


def _replaced(rng: Rng, state: dict[str, Any]) -> str:
    """Junk somewhere, mostly not in the vocabulary."""
    node: Any = state
    where = []
    while isinstance(node, dict | list) and node:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = pick(rng, keys)
        where.append(key)
        if not isinstance(node[key], dict | list) or not node[key] or rng.random() < 0.3:
            node[key] = pick(rng, JUNK)
            break
        node = node[key]
    return f"junk at {where}"


def _hostile(rng: Rng, state: dict[str, Any]) -> str:
    kind = int(rng.integers(6))
    many = int(rng.integers(100, 5000))
    if kind == 0:
        regex = pick(rng, _EXPLOSIVE).format(pick(rng, _ATOMS), pick(rng, ("", "b", "$", r"\d")))
        part = pick(rng, ("normalizer", "pre_tokenizer", "decoder"))
        step = {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}
        state[part] = (
            step if part == "pre_tokenizer" else {"type": "Replace", "pattern": {"Regex": regex}, "content": "x"}
        )
        return f"the expression {regex} in its {part}"
    if kind == 1:
        wide = int(rng.integers(3, 12))
        steps = [{"type": "Replace", "pattern": {"String": "a"}, "content": "a" * wide}] * int(rng.integers(5, 30))
        state["normalizer"] = {"type": "Sequence", "normalizers": steps}
        return f"{len(steps)} replacements by {wide} characters"
    if kind == 2:
        state["normalizer"] = {"type": "Sequence", "normalizers": [{"type": "NFC"}] * many}
        return f"{many} normalizers"
    if kind == 3:
        state["normalizer"] = {"type": "Prepend", "prepend": "a" * many}
        return f"a prefix of {many} characters"
    if kind == 4:
        token = {"id": "a", "ids": [0] * many, "tokens": ["a"] * many}
        template = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "a", "type_id": 0}}], "pair": []}
        state["post_processor"] = template | {"special_tokens": {"a": token}}
        return f"{many} tokens around every text"
    blank = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    state["added_tokens"] = [{"id": i, "content": f"<{i}>" * 40} | blank for i in range(many * 10)]
    if many * 10 < 1 << 13:
        state["added_tokens"][0]["content"] = "<" * (2 << 20)
    return f"{many * 10} added tokens"


def _vocabulary(rng: Rng) -> Case:
    metadata = copy.deepcopy(golden(pick(rng, ("sentencepiece", "bytes")))["metadata"])
    metadata.setdefault("tokenizer.ggml.pre", "gpt-2")
    chance = rng.random()
    if chance < 0.1:
        return Case("a sound vocabulary", ACCEPTED, lambda: use_tokenizer(load_tokenizer(metadata)))
    if chance < 0.2:
        letters, longest = int(rng.integers(5, 20)), int(rng.integers(450, 1024))
        tokens = ["<unk>", *(chr(97 + i) * n for i in range(letters) for n in range(1, longest + 1))]
        types = [2] + [1] * (len(tokens) - 1)
        metadata = {
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": types,
        }
        metadata["tokenizer.ggml.scores"] = [float(-i * i) for i in range(len(tokens))]
        return Case(
            f"runs of {letters} letters up to {longest}", REFUSED, lambda: use_tokenizer(load_tokenizer(metadata))
        )
    key = pick(rng, (*metadata, *(f"tokenizer.ggml.{name}" for name in _SPECIAL)))
    junk = pick(rng, JUNK)
    if isinstance(metadata.get(key), list) and rng.random() < 0.7:
        metadata[key][int(rng.integers(len(metadata[key])))] = junk
    else:
        metadata[key] = junk
    return Case(f"a vocabulary with {junk!r} in {key}"[:300], EITHER, lambda: use_tokenizer(load_tokenizer(metadata)))
