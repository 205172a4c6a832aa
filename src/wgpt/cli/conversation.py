"""A conversation: its messages, its limits, and a reply that may be cut short."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..api import Model
from ..core.atomic import replacing
from ..engine.completion import Completion
from ..engine.errors import ContextError
from ..formats.chat import keeping
from .streaming import INTERRUPTED, show


class Conversation:
    """The messages so far. A message that `reply` could not answer is not kept."""

    def __init__(self, model: Model, options: dict[str, Any], system: str | None = None) -> None:
        self.model, self.system = model, system
        self.messages: list[dict[str, Any]] = []
        self.last: Completion | None = None
        self.forgotten = 0  # messages dropped from the context by the last reply
        self._options = options
        self._replies = 0

    def reset(self) -> None:
        """Start a new conversation with the same system prompt."""
        self.messages = []

    def all(self) -> list[dict[str, Any]]:
        """The system prompt and every message."""
        return [*([{"role": "system", "content": self.system}] if self.system else []), *self.messages]

    def reply(self, text: str, emit: Callable[[str], object]) -> Completion:
        """Answer `text`, passing each piece to `emit`. An answer cut short by Ctrl-C is kept and marked as such."""
        before = list(self.messages)
        self.messages.append({"role": "user", "content": text})
        try:
            ids = self._ids()
            # A new seed for each reply: otherwise a repeated question would get the same answer.
            options = {**self._options, "seed": (self._options["seed"] + self._replies) % 2**64}
            options = keeping(options, self.all(), self.model.chat_ids, ids)
            completion = show(lambda step: self.model.stream(ids, progress=step, **options), emit)
        except BaseException:
            self.messages = before
            raise
        mark = {INTERRUPTED: True} if completion.reason == INTERRUPTED else {}
        self.messages.append({"role": "assistant", "content": completion.text, **mark})
        self.last = completion
        self._replies += 1
        return completion

    def _ids(self) -> list[int]:
        """The token ids of the conversation. With --overflow slide, old turns are dropped until a quarter of the
        context is free."""
        context = self.model.context
        ids, self.forgotten = self.model.chat_ids(self.all()), 0
        if self._options["overflow"] == "slide":
            while len(ids) > context - context // 4 and len(self.messages) > 2:
                self.messages, self.forgotten = self.messages[2:], self.forgotten + 2
                ids = self.model.chat_ids(self.all())
        if len(ids) > context:
            raise ContextError(
                f"the conversation has {len(ids)} tokens and the context length is {context}: /reset starts a new "
                "conversation, or start with --overflow slide to forget old turns"
            )
        return ids

    def save(self, path: Path) -> None:
        """Write the messages as JSON, overwriting an existing file."""
        with replacing(path) as file:
            file.write((json.dumps(self.all(), indent=2, ensure_ascii=False) + "\n").encode())
