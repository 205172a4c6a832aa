"""Lines of training data as token ids, and which of them are to be learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..formats.chat import ChatError, checked, render_chat
from ..formats.tokenizer import Tokenizer
from ..gpu.errors import PreconditionError
from .lines import Line

Answers = Literal["all", "last"]


@dataclass(frozen=True, eq=False)
class Example:
    """One sequence. Token i is learnt (predicted from those before it) where learn[i] is true."""

    ids: NDArray[np.int32]
    learn: NDArray[np.bool_]
    label: int = -1  # of its class; -1 where nothing is classified
    line: int = 0  # where it came from

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def targets(self) -> NDArray[np.int32]:
        """For each token the one that it should predict, or -1. To classify, the last token predicts the label."""
        found = np.full(len(self.ids), -1, np.int32)
        if self.label >= 0:
            found[-1] = self.label
        else:
            found[:-1] = np.where(self.learn[1:], self.ids[1:], -1)
        return found

    @property
    def count(self) -> int:
        """Target tokens."""
        return 1 if self.label >= 0 else int(self.learn[1:].sum())

    def cut(self, length: int) -> Example:
        """The first `length` tokens; to classify, the beginning is kept just so."""
        return Example(self.ids[:length], self.learn[:length], self.label, self.line)


class Encoder:
    """Makes examples of lines. Loss falls on answers only, except on `text`, or with `everything`."""

    def __init__(self, tokenizer: Tokenizer, answers: Answers = "all", everything: bool = False) -> None:
        if answers not in ("all", "last"):
            raise PreconditionError(f"answers must be 'all' or 'last', not {answers!r}")
        self._tokenizer, self._answers, self._everything = tokenizer, answers, everything
        self._lead = _lead(tokenizer)

    def messages(self, line: Line) -> Example:
        """A chat through the model's template; every answer of the assistant is learnt, or the last one only."""
        try:
            messages = checked(line.value["messages"])
            ids, spans = self._chat(line, messages)
        except ChatError as e:
            raise line.error(str(e)) from None
        learn = np.zeros(len(ids), np.bool_)
        for first, last in spans:
            learn[first:last] = True
        return self._example(line, ids, learn)

    def _chat(self, line: Line, messages: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[tuple[int, int]]]:
        turns = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
        if not turns:
            raise line.error("has no message of the assistant, so there is nothing to learn from it")
        if turns[0] == 0:
            raise line.error("begins with an answer: put the message before it that it answers")
        whole, ids = self._rendered(line, messages, False)
        if self._everything:
            return ids, [(0, len(ids))]
        spans = []
        for turn in turns if self._answers == "all" else turns[-1:]:
            before = self._rendered(line, messages[:turn], True)
            after = (whole, ids) if turn == len(messages) - 1 else self._rendered(line, messages[: turn + 1], False)
            for text, part in (before, after):
                if not whole.startswith(text) or ids[: len(part)] != part:
                    raise line.error(self._inexact(turn, turns, in_text=not whole.startswith(text)))
            spans.append((len(before[1]), self._end(ids, len(before[1]), len(after[1]))))
        return ids, spans

    def _rendered(self, line: Line, messages: Sequence[Mapping[str, Any]], prompt: bool) -> tuple[str, list[int]]:
        words = self._tokenizer
        text = render_chat(words.chat_template, messages, add_generation_prompt=prompt, bos=words.bos, eos=words.eos)
        return text, self._encode(line, text)

    def _inexact(self, turn: int, turns: list[int], in_text: bool) -> str:
        why = "renders it differently once more follows" if in_text else "joins it to its neighbours within one token"
        earlier = self._answers == "all" and turn != turns[-1]
        way_out = "learn the last answer only (answers='last')" if earlier else "give prompt and completion instead"
        return f"the answer in messages[{turn}] cannot be found exactly: the chat template {why}: {way_out}"

    def _end(self, ids: list[int], first: int, last: int) -> int:
        """Where an answer ends: with the token that ends a turn. The line break that follows is the template's."""
        for at in range(last - 1, first - 1, -1):
            if ids[at] in self._tokenizer.eos_ids:
                return at + 1
            if self._tokenizer.decode([ids[at]], skip_special=False).strip():
                break
        return last

    def completion(self, line: Line) -> Example:
        """The completion and the end are learnt."""
        prompt, completion = line.text("prompt"), line.text("completion")
        head = self._encode(line, prompt)
        whole = self._encode(line, prompt + completion)
        # As generation would see it: first the prompt's own tokens, whatever follows.
        ids = whole if whole[: len(head)] == head else head + self._encode(line, completion)
        ids = [*self._lead, *self._ended(ids)]
        return self._example(line, ids, np.arange(len(ids)) >= len(self._lead) + len(head))

    def text(self, line: Line) -> Example:
        """All of it is learnt, and that it ends."""
        ids = self._encode(line, line.text("text"))
        whole = [*self._lead, *self._ended(ids)] if ids else []
        return self._example(line, whole, np.ones(len(whole), np.bool_))

    def labelled(self, line: Line) -> tuple[Example, str]:
        """A text to classify, and the name of its class."""
        label = line.value["label"]
        if isinstance(label, bool) or not isinstance(label, str | int) or label == "":
            raise line.error(f"'label' is {label!r}, not a name or a whole number")
        try:
            whole = ids_to_classify(self._tokenizer, line.text("text"))
        except PreconditionError as e:
            raise line.error(str(e)) from None
        return self._example(line, whole, np.zeros(len(whole), np.bool_)), str(label)

    def _encode(self, line: Line, text: str) -> list[int]:
        try:
            return self._tokenizer.encode(text, special=False)
        except PreconditionError as e:
            raise line.error(str(e)) from None

    def _ended(self, ids: list[int]) -> list[int]:
        end = self._tokenizer.eos_id
        return ids if end is None or (ids and ids[-1] in self._tokenizer.eos_ids) else [*ids, end]

    def _example(self, line: Line, ids: list[int], learn: NDArray[np.bool_]) -> Example:
        learn = np.ones(len(ids), np.bool_) if self._everything else learn
        return Example(np.array(ids, np.int32), learn, line=line.number)


def ids_to_classify(tokenizer: Tokenizer, text: str) -> list[int]:
    """A text as a classifier sees it, trained or used: it does not end, for its last token is the one that tells."""
    ids = tokenizer.encode(text, special=False)
    return [*_lead(tokenizer), *ids] if ids else []


def _lead(tokenizer: Tokenizer) -> list[int]:
    """What the model wants before a text."""
    bare, whole = tokenizer.encode("a", special=False), tokenizer.encode("a", special=True)
    starts = (at for at in range(len(whole) - len(bare) + 1) if whole[at : at + len(bare)] == bare)
    return whole[: next(starts, 0)]
