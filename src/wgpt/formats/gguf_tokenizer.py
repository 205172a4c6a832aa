"""A tokenizer from a GGUF file's metadata: byte-level BPE ("gpt2"), SentencePiece BPE ("llama"), and Gemma 4's.

The ids are those of the tokenizer.json that the model was published with. (transformers' own GGUF reader knows
neither SmolLM's digits nor Qwen's normalisation, and drops leading spaces of SentencePiece models.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tokenizers import AddedToken, decoders, models, normalizers
from tokenizers import Tokenizer as Backend

from ..core.naming import argument
from .errors import FormatError, shown
from .gguf_encoder_tokenizer import SurroundingTokens, unigram, wordpiece
from .gguf_token_fields import KEY, flag, list_of, numbers, token_id
from .splitting import splitting
from .tokenizer_base import Tokenizer, ends_of_turn, guarded, surround
from .tokenizer_limits import MAX_MERGES, MAX_TOKENS, check_added

MAX_TOKEN_LENGTH = 1 << 10  # the longest real tokens are runs of some hundred spaces or dashes
# The sum of all tokens' squared lengths: a measure of the time and memory to find every split of each.
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
    if not isinstance(kind, str) or kind not in _MODELS:
        raise FormatError(
            f"{KEY}model is {shown(kind)}; supported: {', '.join(_MODELS)}: give the model's tokenizer.json folder "
            f"with {argument('tokenizer', 'DIR')}"
        )
    tokens = _tokens(metadata)
    types = numbers(metadata, "token_type", len(tokens), int) or [_NORMAL] * len(tokens)
    with guarded("the GGUF file's tokenizer"):
        return _finish(metadata, tokens, types, *_MODELS[kind](metadata, tokens, types))


def _byte_level(
    metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]
) -> tuple[Backend, SurroundingTokens]:
    how = splitting(metadata.get(KEY + "pre"))
    vocab = {token: i for i, token in enumerate(tokens)}
    backend = Backend(models.BPE(vocab, _merges(metadata, vocab), ignore_merges=how.ignore_merges))
    if normalizer := how.normalizer():
        backend.normalizer = normalizer
    backend.pre_tokenizer = how.pre_tokenizer()
    backend.decoder = decoders.ByteLevel()
    return backend, SurroundingTokens(bos=how.add_bos)


def _sentencepiece(
    metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int], prefix: bool = True
) -> tuple[Backend, SurroundingTokens]:
    """`prefix`: whether a space goes before a text, if the file does not say."""
    vocab = {token: i for i, token in enumerate(tokens)}
    if KEY + "merges" in metadata:
        merges = _merges(metadata, vocab)
    else:
        scores = numbers(metadata, "scores", len(tokens), float)
        if scores is None:
            raise FormatError(f"{KEY}scores is missing: a SentencePiece vocabulary cannot be read without it")
        merges = merges_of_scores(tokens, scores, types)
    unknown = token_id(metadata, "unknown", tokens)
    if unknown is None and _UNKNOWN in types:
        unknown = types.index(_UNKNOWN)
    name = None if unknown is None else tokens[unknown]
    backend = Backend(models.BPE(vocab, merges, unk_token=name, fuse_unk=True, byte_fallback=True))
    prefix = flag(metadata, "add_space_prefix", prefix)
    spaces = [normalizers.Prepend("▁")] if prefix else []
    backend.normalizer = normalizers.Sequence([*spaces, normalizers.Replace(" ", "▁")])
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if prefix else steps)
    return backend, SurroundingTokens(bos=True)


def _gemma4(metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]) -> tuple[Backend, SurroundingTokens]:
    """SentencePiece's characters and bytes, with merges instead of scores, and no leading space."""
    if metadata.get(KEY + "merges") is None:
        raise FormatError(f"{KEY}merges is missing: Gemma 4's vocabulary cannot be read without it")
    return _sentencepiece(metadata, tokens, types, prefix=False)


_MODELS: dict[str, Callable[[Mapping[str, Any], list[str], Sequence[int]], tuple[Backend, SurroundingTokens]]] = {
    "gpt2": _byte_level,
    "llama": _sentencepiece,
    "gemma4": _gemma4,
    "bert": wordpiece,
    "t5": unigram,
}


def _finish(
    metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int], backend: Backend, around: SurroundingTokens
) -> Tokenizer:
    """Add special tokens, the tokens around a text, and those that end a reply."""
    ids = {name: token_id(metadata, name, tokens) for name in ("bos", "padding", *_ENDS)}
    named = {i for i in ids.values() if i is not None}
    special = [i for i, kind in enumerate(types) if kind in (_CONTROL, _UNKNOWN) or i in named]
    defined = [i for i, kind in enumerate(types) if kind == _USER_DEFINED]
    check_added((tokens[i] for i in (*special, *defined)), "the GGUF file")
    backend.add_special_tokens([AddedToken(tokens[i], normalized=False, special=True) for i in special])
    backend.add_tokens([AddedToken(tokens[i], normalized=False) for i in defined])
    bos = ids["bos"] if around.first is None else around.first
    eos = ids["eos"] if around.last is None else around.last
    surround(
        backend,
        bos if flag(metadata, "add_bos_token", around.bos) else None,
        eos if flag(metadata, around.flag, around.eos) else None,
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
        # store the tokens themselves, not slices: a piece occurs in many merges
        merges += [(scores[i], len(tokens[l]), len(tokens[r]), tokens[l], tokens[r]) for l, r in pairs]
        if len(merges) > MAX_MERGES:
            raise FormatError(
                f"{KEY}tokens can be put together in more than {MAX_MERGES} ways, more than in any real vocabulary"
            )
    merges.sort(key=lambda merge: merge[:3], reverse=True)
    return [(l, r) for _, _, _, l, r in merges]


def _tokens(metadata: Mapping[str, Any]) -> list[str]:
    raw = list_of(metadata, "tokens")
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
    raw = list_of(metadata, "merges")
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
