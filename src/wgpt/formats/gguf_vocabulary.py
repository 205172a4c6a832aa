"""A tokenizer.json as the `tokenizer.*` fields of a GGUF file: the way back of gguf_tokenizer.py.

How a tokenizer splits text has a name in GGUF files: that of the known splitting that makes the same words of texts
with everything that tokenizers differ in. What is written is read again and compared with the tokenizer on the same
texts; a tokenizer that GGUF has no name for is refused.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .errors import FormatError, shown
from .gguf_fields import Field, Fields
from .gguf_tokenizer import KEY, from_gguf
from .splitting import SPLITTINGS, Splitting
from .tokenizer_base import Tokenizer, words_of

_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)
_ENDS = ("eos", "eot", "eom")
# Contractions, digits, spaces, line ends, punctuation, scripts, marks, emoji, code.
PROBE = (
    "Hello, World! It's WE'LL i'm don't 3 33 333 3333 33333 1,234.5 x=1;\n\n\n \n\t\tif (a>=b){return c[0]**2;} // ok\r"
    "\n  two  three   four    café naïve Ŵ e\u0301 ﬁ Ωμέγα Привет мир שלום مرحبا ١٢٣ हिन्दी ไทย 你好，世界。漢字 "
    "かな カナ 한국어 🚀 👩\u200d👩\u200d👧 🇫🇷 ✅ \u200b\ufeff\u00a0… “quotes” ‘x’ <tag/> snake_case camelCase "
    "HTTPServer a.b-c/d\\e #hash @at $5 100% i'Ve 'LL ''' \"\"\" ((())) --- ___ ~~~ ``` 1st ½ ² \u0300 \x01 \x7f end"
)

_FLAGS = ("lstrip", "rstrip", "single_word")
_SHOWN = 5  # tokens to name in a note


def _mixed_texts() -> list[str]:
    """Texts that tell splittings apart: the difference may be as little as two line ends before a combining mark."""
    rng = random.Random(0)
    alphabet = "aZé'sSdß 12345\n\n\r\t  .,!<|/#_-\u0301\u0300\u20dd\u093f漢カ한٣½\u00a0\u2028\u3000🚀\u200d\ufeff"
    return ["".join(rng.choices(alphabet, k=rng.randint(2, 12))) for _ in range(600)]


def vocabulary_fields(tokenizer: Tokenizer, rows: int, ends: Sequence[int], name: str) -> Fields:
    """The fields of a model whose embedding has this number of rows and whose config has these end tokens.

    `name` is for errors.
    """
    state = json.loads(tokenizer.to_json())
    model = state["model"]
    if model.get("type") != "BPE":
        raise FormatError(
            f"{name}: {shown(model.get('type'))} tokenizers cannot be written to a GGUF file yet; only BPE"
        )
    if tokenizer.vocab_size > rows:
        raise FormatError(f"{name}: the tokenizer has {tokenizer.vocab_size} tokens, the embedding only {rows} rows")
    fields = _common(tokenizer, state, rows, ends)
    texts = [PROBE, PROBE[::-1], "", " ", "a"]
    own = _sentencepiece(state, fields)
    if not model.get("byte_fallback"):
        texts += _mixed_texts()
        own = _byte_level(tokenizer, state, texts)
    for each in own:
        if _same(tokenizer, fields | each, texts):
            return fields | each
    raise FormatError(
        f"{name}: how its tokenizer splits text has no name in GGUF files; known: {', '.join(SPLITTINGS)}"
    )


def unsaid(tokenizer: Tokenizer) -> list[str]:
    """A note on what GGUF files cannot say about added tokens; llama.cpp knows it for some models, by name."""
    added = {t["content"]: [f for f in _FLAGS if t[f]] for t in json.loads(tokenizer.to_json())["added_tokens"]}
    losing = {token: flags for token, flags in added.items() if flags}
    if not losing:
        return []
    some = ", ".join(shown(token) for token in list(losing)[:_SHOWN])
    more = f" and {len(losing) - _SHOWN} more" if len(losing) > _SHOWN else ""
    flags = ", ".join(flag for flag in _FLAGS if any(flag in each for each in losing.values()))
    return [
        f"GGUF files do not say which spaces and letters may be around added tokens ({flags} of {some}{more}): texts "
        "with these tokens may have other ids than with the folder's tokenizer.json"
    ]


def _same(tokenizer: Tokenizer, fields: Fields, texts: Sequence[str]) -> bool:
    try:
        again = from_gguf({key: field.value for key, field in fields.items()})
    except FormatError:
        return False
    return all(again.encode(text) == tokenizer.encode(text) for text in texts)


def _common(tokenizer: Tokenizer, state: Mapping[str, Any], rows: int, ends: Sequence[int]) -> Fields:
    """The fields of all vocabularies: tokens, their types, and special ones."""
    vocab: dict[str, int] = state["model"]["vocab"]
    added = {token["id"]: token for token in state["added_tokens"]}
    by_id = {i: token for token, i in vocab.items()} | {i: token["content"] for i, token in added.items()}
    unknown = state["model"].get("unk_token")
    tokens, types = [], []
    for i in range(rows):
        tokens.append(by_id.get(i, f"[PAD{i}]"))
        types.append(_type(tokens[-1], i in by_id, added.get(i), unknown, bool(state["model"].get("byte_fallback"))))
    values: dict[str, Any] = {"tokens": tokens, "token_type": types}
    first, last = tokenizer.encode("")[:1], tokenizer.encode("a")[-1:]
    values["add_bos_token"] = tokenizer.bos_id is not None and first == [tokenizer.bos_id]
    values["add_eos_token"] = tokenizer.eos_id is not None and last == [tokenizer.eos_id]
    ids = {"bos": tokenizer.bos_id, "unknown": vocab.get(unknown) if unknown else None}
    own = [] if tokenizer.eos_id is None else [tokenizer.eos_id]
    ids |= dict(zip(_ENDS, dict.fromkeys([*own, *ends]), strict=False))
    values |= {f"{which}_token_id": i for which, i in ids.items() if i is not None}
    fields = {KEY + key: Field.of(value) for key, value in values.items()}
    if tokenizer.chat_template:
        fields["tokenizer.chat_template"] = Field.of(tokenizer.chat_template)
    return fields


def _type(token: str, present: bool, added: Mapping[str, Any] | None, unknown: str | None, has_bytes: bool) -> int:
    if not present:
        return _UNUSED
    if token == unknown and has_bytes:
        return _UNKNOWN
    if added is not None:
        return _CONTROL if added["special"] else _USER_DEFINED
    return _BYTE if has_bytes and len(token) == 6 and token.startswith("<0x") and token.endswith(">") else _NORMAL


def _merges(state: Mapping[str, Any]) -> list[list[str]]:
    return [merge.split(" ") if isinstance(merge, str) else list(merge) for merge in state["model"]["merges"]]


def _byte_level(tokenizer: Tokenizer, state: Mapping[str, Any], texts: Sequence[str]) -> Iterator[Fields]:
    """Splittings with equal results come first: with a small vocabulary, several may give the same ids."""
    merges = Field.of([" ".join(pair) for pair in _merges(state)])
    wanted = [tokenizer.words(text) for text in texts]
    ignores = bool(state["model"].get("ignore_merges"))

    def unlike(how: Splitting) -> tuple[int, bool]:
        normalizer, splitter = how.normalizer(), how.pre_tokenizer()
        words = (words_of(normalizer, splitter, text) for text in texts)
        return sum(a != b for a, b in zip(words, wanted, strict=True)), how.ignore_merges != ignores

    names: dict[Splitting, str] = {}
    for name, how in SPLITTINGS.items():
        names.setdefault(how, name)
    for pre in sorted(names.values(), key=lambda name: unlike(SPLITTINGS[name])):
        yield {f"{KEY}model": Field.of("gpt2"), f"{KEY}pre": Field.of(pre), f"{KEY}merges": merges}


def _sentencepiece(state: Mapping[str, Any], fields: Fields) -> Iterator[Fields]:
    """GGUF has scores instead of merges here: a token that is merged earlier has a higher score."""
    tokens: list[str] = fields[f"{KEY}tokens"].value
    rank: dict[str, int] = {}
    for i, (left, right) in enumerate(_merges(state)):
        rank.setdefault(left + right, i + 1)
    last = len(rank) + 1
    types: list[int] = fields[f"{KEY}token_type"].value
    scores = [float(-rank.get(token, last)) if types[i] == _NORMAL else 0.0 for i, token in enumerate(tokens)]
    for prefix in (True, False):
        yield {
            f"{KEY}model": Field.of("llama"),
            f"{KEY}pre": Field.of("default"),
            f"{KEY}scores": Field.of(scores),
            f"{KEY}add_space_prefix": Field.of(prefix),
        }
