"""Encoders' vocabularies in GGUF files: WordPiece ("bert") and unigram ("t5")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers
from tokenizers import Tokenizer as Backend

from .errors import FormatError, shown
from .gguf_token_fields import KEY, flag, list_of, numbers, token_id
from .tokenizer_limits import check_charsmap

_UNKNOWN, _CONTROL, _BYTE = 2, 3, 6
_SPACE = "▁"


@dataclass(frozen=True)
class SurroundingTokens:
    """The default tokens around a text."""

    bos: bool = False
    eos: bool = False
    first: int | None = None  # instead of bos
    last: int | None = None  # instead of eos
    flag: str = "add_eos_token"  # the field that says whether `last` is added


def wordpiece(
    metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]
) -> tuple[Backend, SurroundingTokens]:
    """BERT's vocabulary. GGUF files spell the beginning of a word "▁the" and its continuation "ing"; BERT "the" and
    "##ing"."""
    spelled = [_spelled(token, kind) for token, kind in zip(tokens, types, strict=True)]
    vocab = {token: i for i, token in enumerate(spelled)}
    if len(vocab) < len(spelled):
        twice = next(token for i, token in enumerate(spelled) if vocab[token] != i)
        raise FormatError(f"{KEY}tokens has {shown(twice)} twice: the file is damaged")
    ids = {
        name: _named(metadata, field, vocab, token)
        for name, field, token in (
            ("unknown", "unknown", "[UNK]"),
            ("first", "bos", "[CLS]"),
            ("last", "seperator", "[SEP]"),  # GGUF's spelling
        )
    }
    backend = Backend(models.WordPiece(vocab, unk_token=spelled[ids["unknown"]], max_input_chars_per_word=100))
    lowercase = flag(metadata, "normalizer.lowercase", True)
    accents = flag(metadata, "normalizer.strip_accents", lowercase)
    backend.normalizer = normalizers.BertNormalizer(lowercase=lowercase, strip_accents=accents)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece()
    tokens[:] = spelled
    return backend, SurroundingTokens(bos=True, eos=True, first=ids["first"], last=ids["last"], flag="add_sep_token")


def _spelled(token: str, kind: int) -> str:
    if kind in (_CONTROL, _UNKNOWN) or (token.startswith("[") and token.endswith("]")):
        return token
    return token[1:] if token.startswith(_SPACE) else f"##{token}"


def _named(metadata: Mapping[str, Any], field: str, vocab: Mapping[str, int], token: str) -> int:
    """The id of a special token, from the file's field or by its usual name."""
    given = token_id(metadata, field, list(vocab))
    if given is None:
        given = vocab.get(token)
    if given is None:
        raise FormatError(
            f"{KEY}{field}_token_id is missing, and the vocabulary has no {token}: the file is incomplete"
        )
    return given


def unigram(metadata: Mapping[str, Any], tokens: list[str], types: Sequence[int]) -> tuple[Backend, SurroundingTokens]:
    """SentencePiece's unigram model, as in T5 and XLM-RoBERTa: the most probable segmentation of a text."""
    scores = numbers(metadata, "scores", len(tokens), float)
    if scores is None:
        raise FormatError(f"{KEY}scores is missing: a unigram vocabulary cannot be read without it")
    unknown = token_id(metadata, "unknown", tokens)
    if unknown is None:
        if _UNKNOWN not in types:
            raise FormatError(f"{KEY}unknown_token_id is missing: a unigram vocabulary cannot be read without it")
        unknown = types.index(_UNKNOWN)
    vocab = list(zip(tokens, map(float, scores), strict=True))
    backend = Backend(models.Unigram(vocab, unk_id=unknown, byte_fallback=_BYTE in types))
    steps: list[Any] = []
    if charsmap := list_of(metadata, "precompiled_charsmap"):
        steps.append(normalizers.Precompiled(_bytes(charsmap)))
    if flag(metadata, "remove_extra_whitespaces", True):
        steps += [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()]
    if steps:
        backend.normalizer = normalizers.Sequence(steps)
    prefix = "always" if flag(metadata, "add_space_prefix", True) else "never"
    backend.pre_tokenizer = pre_tokenizers.Metaspace(_SPACE, prefix, split=False)
    backend.decoder = decoders.Metaspace(_SPACE, prefix, split=False)
    return backend, SurroundingTokens(eos=True)


def _bytes(values: list[Any]) -> bytes:
    try:
        raw = bytes(value & 255 for value in values)  # signed in some files
    except TypeError:
        raise FormatError(f"{KEY}precompiled_charsmap is not a list of bytes: the file is damaged") from None
    check_charsmap(raw, f"{KEY}precompiled_charsmap")
    return raw
