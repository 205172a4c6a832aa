"""Training data as token ids, and which of them to learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..formats.chat import ChatError, chat_text, checked
from ..formats.errors import shown
from ..formats.tokenizer import Tokenizer
from .lines import MAX_LINE, TOO_LONG, Line

Answers = Literal["all", "last"]
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")


@dataclass(frozen=True, eq=False)
class Example:
    """One sequence. Token i is learnt (predicted from those before it) where learn[i] is true."""

    ids: NDArray[np.int32]
    learn: NDArray[np.bool_]
    label: int = -1  # number of its class; -1 without classification
    line: int = 0  # its line number in the data

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def targets(self) -> NDArray[np.int32]:
        """For each token the one it should predict, or -1. For classification, the last token predicts the label."""
        targets = np.full(len(self.ids), -1, np.int32)
        if self.label >= 0:
            targets[-1] = self.label
        else:
            targets[:-1] = np.where(self.learn[1:], self.ids[1:], -1)
        return targets

    @property
    def count(self) -> int:
        """Target tokens."""
        return 1 if self.label >= 0 else int(self.learn[1:].sum())

    def cut(self, length: int) -> Example:
        """The first `length` tokens, for classification as well."""
        return Example(self.ids[:length], self.learn[:length], self.label, self.line)


class Encoder:
    """Turns lines into examples. Only answers are learnt, except of `text`, or with `everything`."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        answers: Answers = "all",
        everything: bool = False,
        doubt: Callable[[Line, str], None] = lambda line, message: None,
    ) -> None:
        """`doubt` is called for lines that are valid, but probably unintended."""
        self._tokenizer, self._answers, self._everything = tokenizer, answers, everything
        self._doubt = doubt
        self._lead = _lead(tokenizer)

    def messages(self, line: Line) -> Example:
        """A chat, rendered with the model's template; all answers of the assistant are learnt, or only the last."""
        try:
            messages = checked(line.value["messages"])
            ids, spans = self._chat(line, messages)
            self._look_at(line, messages)
        except ChatError as e:
            raise line.error(str(e)) from None
        learn = np.zeros(len(ids), np.bool_)
        for first, last in spans:
            learn[first:last] = True
        return self._example(line, ids, learn)

    def _look_at(self, line: Line, messages: Sequence[Mapping[str, Any]]) -> None:
        for i, message in enumerate(messages):
            if message["role"] not in _ROLES:
                known = ", ".join(_ROLES)
                self._doubt(line, f"messages[{i}] has the unknown role {shown(message['role'])}; known: {known}")
            elif message["role"] == "assistant" and not (message["content"] or message.get("tool_calls")):
                self._doubt(line, f"the answer in messages[{i}] is empty: the model learns to say nothing")
            if not self._tokenizer.allow_control_tokens and (
                found := self._tokenizer.control_tokens.spelled(str(message.get("content") or ""))
            ):
                self._doubt(line, f"messages[{i}] spells {shown(found[0])}, which is learnt as text, as in a chat")
        if messages[-1]["role"] == "user":
            self._doubt(line, "ends with a user message, which has no answer to learn")

    def _chat(self, line: Line, messages: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[tuple[int, int]]]:
        turns = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
        if not turns:
            raise line.error("has no assistant message, so there is nothing to learn")
        if turns[0] == 0:
            raise line.error("begins with an assistant message: add the message that it answers before it")
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
        text = chat_text(words, messages, add_generation_prompt=prompt)
        return text, self._encode(line, text)

    def _inexact(self, turn: int, turns: list[int], in_text: bool) -> str:
        why = "renders it differently when more follows" if in_text else "joins it to its neighbours within one token"
        earlier = self._answers == "all" and turn != turns[-1]
        way_out = "learn only the last answer (answers='last')" if earlier else "use prompt and completion instead"
        return f"the answer in messages[{turn}] cannot be located exactly: the chat template {why}: {way_out}"

    def _end(self, ids: list[int], first: int, last: int) -> int:
        """The end of an answer: after the token that ends a turn. The following line break belongs to the template."""
        for at in range(last - 1, first - 1, -1):
            if ids[at] in self._tokenizer.eos_ids:
                return at + 1
            if self._tokenizer.decode([ids[at]], skip_special=False).strip():
                break
        return last

    def completion(self, line: Line) -> Example:
        """The completion and its end token are learnt."""
        prompt, completion = line.text("prompt"), line.text("completion")
        if not completion:
            self._doubt(line, "the completion is empty: the model learns to say nothing")
        head = self._encode(line, prompt)
        whole = self._encode(line, prompt + completion)
        # As in generation: first the tokens of the prompt alone, whatever follows.
        ids = whole if whole[: len(head)] == head else head + self._encode(line, completion)
        ids = [*self._lead, *self._ended(ids)]
        return self._example(line, ids, np.arange(len(ids)) >= len(self._lead) + len(head))

    def text(self, line: Line) -> Example:
        """All of the text is learnt, and its end token."""
        ids = self._encode(line, line.text("text"))
        whole = [*self._lead, *self._ended(ids)] if ids else []
        return self._example(line, whole, np.ones(len(whole), np.bool_))

    def labelled(self, line: Line) -> tuple[Example, str]:
        """A text to classify, and the name of its class."""
        label = line.value["label"]
        if isinstance(label, bool) or not isinstance(label, str | int) or label == "":
            raise line.error(f"'label' is {label!r}, not a name or a whole number")
        try:
            text = line.text("text")
            if len(text) > MAX_LINE:
                raise line.error(TOO_LONG)
            whole = ids_to_classify(self._tokenizer, text)
        except PreconditionError as e:
            raise line.error(str(e)) from None
        return self._example(line, whole, np.zeros(len(whole), np.bool_)), str(label)

    def _encode(self, line: Line, text: str) -> list[int]:
        if len(text) > MAX_LINE:  # of objects in memory; lines of files were checked before
            raise line.error(TOO_LONG)
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
    """A text as a classifier sees it: without an end token, because its last token predicts the class."""
    ids = tokenizer.encode(text, special=False)
    return [*_lead(tokenizer), *ids] if ids else []


def _lead(tokenizer: Tokenizer) -> list[int]:
    """The special tokens that the tokenizer puts before a text."""
    bare, whole = tokenizer.encode("a", special=False), tokenizer.encode("a", special=True)
    starts = (at for at in range(len(whole) - len(bare) + 1) if whole[at : at + len(bare)] == bare)
    return whole[: next(starts, 0)]
