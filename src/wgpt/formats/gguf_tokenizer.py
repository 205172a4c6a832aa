"""A tokenizer from a GGUF file's metadata: byte-level BPE ("gpt2") and SentencePiece BPE ("llama").

The ids are those of the tokenizer.json that the model was published with. (transformers' own GGUF reader knows
neither SmolLM's digits nor Qwen's normalisation, and drops leading spaces of SentencePiece models.)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tokenizers import AddedToken, decoders, models, normalizers
from tokenizers import Tokenizer as Backend

from ..gpu.naming import argument
from .errors import FormatError, shown
from .splitting import splitting
from .tokenizer_base import Tokenizer, ends_of_turn, guarded, surround
from .tokenizer_limits import MAX_MERGES, MAX_TOKENS, check_added

KEY = "tokenizer.ggml."
MAX_TOKEN_LENGTH = 1 << 10  # the longest in real vocabularies are runs of some hundred spaces or dashes
# Of all tokens, the squares of their lengths: what it takes to look at every way to split each, and to keep them.
# 262,144 tokens of some seven characters make 20 million.
MAX_SPLITTING = 1 << 26
_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _UNUSED, _BYTE = range(1, 7)
_ENDS = ("eos", "eot", "eom")


def from_gguf(metadata: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer that the `tokenizer.*` fields describe."""
    kind = metadata.get(KEY + "model")
    if kind is None:
        raise FormatError(
            f"the GGUF file has no tokenizer ({KEY}model is missing): give one with {argument('tokenizer', 'DIR')}, "
            "a folder with the model's tokenizer.json"
        )
    if kind not in ("gpt2", "llama"):
        raise FormatError(
            f"{KEY}model is {shown(kind)}; supported: gpt2, llama: give the model's tokenizer.json folder "
            f"with {argument('tokenizer', 'DIR')}"
        )
    tokens = _tokens(metadata)
    types = _numbers(metadata, "token_type", len(tokens), int) or [_NORMAL] * len(tokens)
    with guarded("the GGUF file's tokenizer"):
        backend, add_bos = (_byte_level if kind == "gpt2" else _sentencepiece)(metadata, tokens, types)
        return _finish(metadata, tokens, types, backend, add_bos)


def _byte_level(metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]) -> tuple[Backend, bool]:
    how = splitting(metadata.get(KEY + "pre"))
    vocab = {token: i for i, token in enumerate(tokens)}
    backend = Backend(models.BPE(vocab, _merges(metadata, vocab), ignore_merges=how.ignore_merges))
    if normalizer := how.normalizer():
        backend.normalizer = normalizer
    backend.pre_tokenizer = how.pre_tokenizer()
    backend.decoder = decoders.ByteLevel()
    return backend, how.add_bos


def _sentencepiece(metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]) -> tuple[Backend, bool]:
    vocab = {token: i for i, token in enumerate(tokens)}
    if KEY + "merges" in metadata:
        merges = _merges(metadata, vocab)
    else:
        scores = _numbers(metadata, "scores", len(tokens), float)
        if scores is None:
            raise FormatError(f"{KEY}scores is missing: a SentencePiece vocabulary cannot be read without it")
        merges = merges_of_scores(tokens, scores, types)
    unknown = _id(metadata, "unknown", tokens)
    if unknown is None and _UNKNOWN in types:
        unknown = types.index(_UNKNOWN)
    name = None if unknown is None else tokens[unknown]
    backend = Backend(models.BPE(vocab, merges, unk_token=name, fuse_unk=True, byte_fallback=True))
    prefix = _flag(metadata, "add_space_prefix", True)
    spaces = [normalizers.Prepend("▁")] if prefix else []
    backend.normalizer = normalizers.Sequence([*spaces, normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if prefix else steps)
    return backend, True


def _finish(
    metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int], backend: Backend, add_bos: bool
) -> Tokenizer:
    """Special tokens, what is added around a text, and where a reply ends."""
    ids = {name: _id(metadata, name, tokens) for name in ("bos", "padding", *_ENDS)}
    named = {i for i in ids.values() if i is not None}
    special = [i for i, kind in enumerate(types) if kind in (_CONTROL, _UNKNOWN) or i in named]
    defined = [i for i, kind in enumerate(types) if kind == _USER_DEFINED]
    check_added((tokens[i] for i in (*special, *defined)), "the GGUF file")
    backend.add_special_tokens([AddedToken(tokens[i], normalized=False, special=True) for i in special])
    backend.add_tokens([AddedToken(tokens[i], normalized=False) for i in defined])
    bos, eos = ids["bos"], ids["eos"]
    surround(
        backend,
        bos if _flag(metadata, "add_bos_token", add_bos) else None,
        eos if _flag(metadata, "add_eos_token", False) else None,
    )
    template = metadata.get("tokenizer.chat_template")
    if template is not None and not isinstance(template, str):
        raise FormatError(f"tokenizer.chat_template is {shown(template)}, not a string")
    ends = [i for name in _ENDS if (i := ids[name]) is not None]
    return Tokenizer(
        backend,
        vocab_size=len(tokens),
        bos_id=bos,
        eos_id=eos,
        eos_ids=[*ends, *ends_of_turn(backend)],
        chat_template=template,
    )


def merges_of_scores(tokens: list[str], scores: Sequence[float], types: Sequence[int]) -> list[tuple[str, str]]:
    """The merges behind a SentencePiece BPE vocabulary: every way to join two pieces into a third, best score first."""
    pieces = {t: i for i, t in enumerate(tokens) if types[i] in (_NORMAL, _USER_DEFINED, _UNUSED)}
    if (work := sum(len(token) ** 2 for token in pieces)) > MAX_SPLITTING:
        raise FormatError(
            f"{KEY}tokens has too many long tokens: their squared lengths are {work} in all, and at most "
            f"{MAX_SPLITTING} are read of a SentencePiece vocabulary"
        )
    merges: list[tuple[float, int, int, str, str]] = []
    for token, i in pieces.items():
        halves = [(pieces.get(token[:at]), pieces.get(token[at:])) for at in range(1, len(token))]
        pairs = sorted((l, r) for l, r in halves if l is not None and r is not None)
        # The tokens themselves, not the slices: a piece is in many merges.
        merges += [(scores[i], len(tokens[l]), len(tokens[r]), tokens[l], tokens[r]) for l, r in pairs]
        if len(merges) > MAX_MERGES:
            raise FormatError(
                f"{KEY}tokens can be put together in more than {MAX_MERGES} ways, more than in any real vocabulary"
            )
    merges.sort(key=lambda merge: merge[:3], reverse=True)
    return [(l, r) for _, _, _, l, r in merges]


def _tokens(metadata: Mapping[str, Any]) -> list[str]:
    raw = _list(metadata, "tokens")
    if not raw:
        raise FormatError(f"{KEY}tokens is missing or empty: the file has no vocabulary")
    if len(raw) > MAX_TOKENS:
        raise FormatError(f"{KEY}tokens has {len(raw)} entries; the limit is {MAX_TOKENS}: the file is damaged")
    for i, token in enumerate(raw):
        if not isinstance(token, str):
            raise FormatError(f"{KEY}tokens[{i}] is {shown(token)}, not a string")
    longest = max(raw, key=len)
    if len(longest) > MAX_TOKEN_LENGTH:
        raise FormatError(
            f"{KEY}tokens[{raw.index(longest)}] is {len(longest)} characters long; the limit is {MAX_TOKEN_LENGTH}"
        )
    # llama.cpp gives an empty token this name too; BPE could never make it.
    tokens = [token or f"[EMPTY_{i}]" for i, token in enumerate(raw)]
    if len(set(tokens)) < len(tokens):
        twice, count = Counter(tokens).most_common(1)[0]
        raise FormatError(
            f"{KEY}tokens has {shown(twice)} {count} times, first at {tokens.index(twice)}: the file is damaged"
        )
    return tokens


def _merges(metadata: Mapping[str, Any], vocab: Mapping[str, int]) -> list[tuple[str, str]]:
    raw = _list(metadata, "merges")
    if raw is None:
        raise FormatError(f"{KEY}merges is missing: a BPE vocabulary cannot be read without it")
    if len(raw) > MAX_MERGES:
        raise FormatError(f"{KEY}merges has {len(raw)} entries; the limit is {MAX_MERGES}: the file is damaged")
    pairs = [tuple(merge.split(" ")) if isinstance(merge, str) else () for merge in raw]
    for i, pair in enumerate(pairs):
        if len(pair) != 2:
            raise FormatError(f"{KEY}merges[{i}] is {shown(raw[i])}, not two tokens with a space between")
    merges: list[tuple[str, str]] = pairs  # type: ignore[assignment]
    used = {l for l, _ in merges} | {r for _, r in merges} | {l + r for l, r in merges}
    if unknown := used - vocab.keys():
        raise FormatError(f"{KEY}merges uses {shown(min(unknown))}, which is not in the vocabulary")
    return merges


def _list(metadata: Mapping[str, Any], name: str) -> list[Any] | None:
    value = metadata.get(KEY + name)
    if value is None:
        return None
    if hasattr(value, "tolist"):  # a NumPy array
        value = value.tolist()
    if not isinstance(value, list | tuple):
        raise FormatError(f"{KEY}{name} is {shown(value)}, not a list")
    return list(value)


def _numbers(metadata: Mapping[str, Any], name: str, length: int, kind: type) -> list[Any] | None:
    """A list of numbers, one for each token."""
    values = _list(metadata, name)
    if values is None:
        return None
    if len(values) != length:
        raise FormatError(f"{KEY}{name} has {len(values)} entries for {length} tokens: the file is damaged")
    if not set(map(type, values)) <= {int, kind} or not all(map(math.isfinite, values)):
        wrong = next(v for v in values if type(v) not in (int, kind) or not math.isfinite(v))
        raise FormatError(f"{KEY}{name} has {shown(wrong)} among its numbers: the file is damaged")
    return values


def _id(metadata: Mapping[str, Any], name: str, tokens: list[str]) -> int | None:
    value = metadata.get(f"{KEY}{name}_token_id")
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise FormatError(f"{KEY}{name}_token_id is {shown(value)}, not a token id")
    number = int(value)
    if number in (0xFFFFFFFF, -1):  # converters write this for "none"
        return None
    if not 0 <= number < len(tokens):
        raise FormatError(f"{KEY}{name}_token_id is {number}, but the vocabulary has {len(tokens)} tokens")
    return number


def _flag(metadata: Mapping[str, Any], name: str, default: bool) -> bool:
    value = metadata.get(KEY + name, default)
    if not isinstance(value, bool) and value not in (0, 1):
        raise FormatError(f"{KEY}{name} is {shown(value)}, not true or false")
    return bool(value)
