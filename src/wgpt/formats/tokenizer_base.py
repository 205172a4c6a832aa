"""Converts text to token ids and back, with the `tokenizers` library."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import models, processors

from ..core.errors import PreconditionError
from .control_tokens import ChatText, ControlTokens, ids_of
from .errors import FormatError, shown

# Special tokens that end a reply or a document, in addition to the file's: chat models differ in what they emit.
_ENDS_OF_TURN = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<turn|>",
    "<|tool_response>",
    "<|return|>",
    "<|call|>",
    "<|calls|>",
    "<|flush|>",
    "<end_of_utterance>",
    "[e~[",
)
# If a vocabulary has all tokens of a row, <|end|> ends only a message: the answer follows the analysis.
_MESSAGES_GO_ON = (("<|return|>", "<|call|>"), ("<|calls|>", "<|flush|>"))


class Tokenizer:
    """A model's vocabulary.

    tokenizer = load_tokenizer(checkpoint.tokenizer)
    ids = tokenizer.encode("Hello world")
    assert tokenizer.decode(ids) == "Hello world"
    """

    def __init__(
        self,
        backend: Backend,
        *,
        vocab_size: int,
        bos_id: int | None,
        eos_id: int | None,
        eos_ids: Iterable[int],
        chat_template: str | None,
    ) -> None:
        self._backend = backend
        self.vocab_size = vocab_size  # one more than the highest id
        self.bos_id = bos_id
        self.eos_id = eos_id
        self.eos_ids = frozenset(eos_ids)  # ids that end a reply
        self.chat_template = chat_template
        self.allow_control_tokens = False  # whether chat messages may spell control tokens
        self.pieces: dict[int, Any] = {}  # tokens as detokenise.py needs them, looked up once

    def encode(self, text: str, special: bool = True, *, unlocked: bool = False) -> list[int]:
        """Ids of a text; with `special`, the tokens that the model wants around it (bos), as for a prompt.

        unlocked: other threads run meanwhile.

        A rendered chat has them already: encode it with special=False. Special tokens that are spelled out in the
        text become their ids either way, as they do in transformers; of `chat_text`, those that the template wrote.
        """
        if not isinstance(text, str):
            raise PreconditionError(f"the text to encode must be a str, not {type(text).__name__}")
        try:
            with backend_errors("the tokenizer cannot encode this text"):
                if isinstance(text, ChatText):
                    return self.control_tokens.encode(text, special, unlocked=unlocked)
                return ids_of(self._backend, text, special, unlocked)
        except (UnicodeError, TypeError):
            at = next((i for i, c in enumerate(text) if "\ud800" <= c <= "\udfff"), 0)
            raise PreconditionError(
                f"the text is not valid Unicode: it has half a surrogate pair ({text[at]!a}) at character {at}"
            ) from None

    def encode_pair(self, first: str, second: str) -> tuple[list[int], list[int]]:
        """Ids of two texts that a cross-encoder reads together, and the token type of each.

        A tokenizer.json says what goes between them. GGUF files do not: BERT and ModernBERT have one separator there,
        XLM-RoBERTa, whose vocabulary is a unigram model, has two.
        """
        one, other = (self.encode(text, special=False, unlocked=True) for text in (first, second))
        around = self.encode("")
        with backend_errors("the tokenizer cannot encode these texts"):
            (pair,) = self._backend.encode_batch_fast([(first, second)])
        if len(pair.ids) - len(one) - len(other) > len(around):
            return list(pair.ids), list(pair.type_ids)
        if len(around) != 2:
            raise FormatError("the tokenizer does not say how to separate two texts: give the model's tokenizer.json")
        begin, end = around
        double = isinstance(self._backend.model, models.Unigram)
        before = [begin, *one, end, *([end] if double else [])]
        return [*before, *other, end], [0] * len(before) + [1] * (len(other) + 1)

    def decode(self, ids: Sequence[int], skip_special: bool = True, *, unlocked: bool = False) -> str:
        """The text of ids; bytes that are not UTF-8 become U+FFFD. unlocked: as for `encode`."""
        try:
            with backend_errors("the tokenizer cannot decode these ids"):
                whole = [operator.index(i) for i in ids]
                if unlocked:
                    return self._backend.decode_batch([whole], skip_special_tokens=skip_special)[0]
                return self._backend.decode(whole, skip_special_tokens=skip_special)
        except (OverflowError, TypeError, ValueError):
            raise PreconditionError(
                f"token ids must be integers from 0 to {self.vocab_size - 1}, not {shown(list(ids))}"
            ) from None

    def words(self, text: str) -> list[str]:
        """The words of a text, before BPE."""
        return words_of(self._backend.normalizer, self._backend.pre_tokenizer, text)

    def token(self, id: int) -> str:
        """A token as the vocabulary spells it: " the" is "Ġthe" or "▁the"."""
        piece = self._backend.id_to_token(id) if 0 <= id < 1 << 32 else None
        if piece is None:
            raise PreconditionError(f"token id {id} is not in the vocabulary of {self.vocab_size}")
        return piece

    def has(self, id: int) -> bool:
        """Whether the vocabulary has this id: a model's table may have more rows."""
        return 0 <= id < 1 << 32 and self._backend.id_to_token(id) is not None

    def to_json(self) -> str:
        """The tokenizer as the contents of a tokenizer.json."""
        return str(self._backend.to_str(pretty=False))

    @property
    def bos(self) -> str | None:
        return None if self.bos_id is None else self.token(self.bos_id)

    @property
    def eos(self) -> str | None:
        return None if self.eos_id is None else self.token(self.eos_id)

    @cached_property
    def control_tokens(self) -> ControlTokens:
        return ControlTokens(self._backend)

    @cached_property
    def special_ids(self) -> frozenset[int]:
        """The ids that `decode` skips."""
        return frozenset(special_tokens(self._backend).values())

    @cached_property
    def decoder(self) -> Any:
        """How tokens are joined to a text, as tokenizer.json describes it."""
        state = self._backend.decoder
        return None if state is None else json.loads(state.__getstate__())


def words_of(normalizer: Any, splitter: Any, text: str) -> list[str]:
    """The words that a normaliser and a pre-tokenizer make of a text."""
    text = text if normalizer is None else normalizer.normalize_str(text)
    return [text] if splitter is None else [word for word, _ in splitter.pre_tokenize_str(text)]


def special_tokens(backend: Backend) -> dict[str, int]:
    return {token.content: i for i, token in backend.get_added_tokens_decoder().items() if token.special}


def ends_of_turn(backend: Backend) -> list[int]:
    known = special_tokens(backend)
    goes_on = {"<|end|>"} if any(known.keys() >= {*row} for row in _MESSAGES_GO_ON) else set()
    return [known[token] for token in _ENDS_OF_TURN if token in known and token not in goes_on]


def surround(backend: Backend, bos: int | None, eos: int | None) -> None:
    """Have `encode` add these ids before and after a text."""
    ids = {name: i for name, i in (("bos", bos), ("eos", eos)) if i is not None}
    template = [name for name in ("bos", "$A", "eos") if name == "$A" or name in ids]
    backend.post_processor = processors.TemplateProcessing(
        single=template,
        special_tokens=[{"id": name, "ids": [i], "tokens": [backend.id_to_token(i)]} for name, i in ids.items()],
    )


@contextmanager
def backend_errors(message: str) -> Iterator[None]:
    """Turn everything that `tokenizers` raises into FormatError, including bare Exceptions and Rust's panics, which are
    no Exceptions.
    """
    try:
        yield
    except BaseException as e:
        if type(e) is not Exception and type(e).__name__ != "PanicException":
            raise
        raise FormatError(f"{message}: {shown(str(e), 200)}") from None


@contextmanager
def guarded(label: str) -> Iterator[None]:
    """Turn any error of `tokenizers` about its input into a one-line FormatError."""
    try:
        with backend_errors(f"{label} cannot be used"):
            yield
    except FormatError:
        raise
    except Exception as e:
        raise FormatError(f"{label} cannot be used: {shown(str(e), 200)}") from None
