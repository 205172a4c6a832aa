"""A conversation: its messages, its limits, and a reply that may be cut short."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..api import Model
from ..infer.generate import Completion
from ..infer.session import ContextError
from .streaming import INTERRUPTED, show


class Conversation:
    """`reply` answers; what it could not answer is not part of the conversation."""

    def __init__(self, model: Model, options: dict[str, Any], system: str | None = None) -> None:
        self.model, self.system = model, system
        self.messages: list[dict[str, Any]] = []
        self.last: Completion | None = None
        self.forgotten = 0  # messages that slid out of the context at the last reply
        self._options = options
        self._replies = 0

    def reset(self) -> None:
        """Begin anew; instructions stay."""
        self.messages = []

    def all(self) -> list[dict[str, Any]]:
        """The instructions and every message."""
        return [*([{"role": "system", "content": self.system}] if self.system else []), *self.messages]

    def reply(self, text: str, emit: Callable[[str], object]) -> Completion:
        """Ask; the answer is written as it comes. One that Ctrl-C ends is kept as far as it came, and marked."""
        before = list(self.messages)
        self.messages.append({"role": "user", "content": text})
        try:
            ids = self._ids()
            # Another seed for each reply, or a question asked twice would be answered the same.
            options = {**self._options, "seed": (self._options["seed"] + self._replies) % 2**64}
            done = show(lambda step: self.model.stream(ids, progress=step, **options), emit)
        except BaseException:
            self.messages = before
            raise
        mark = {INTERRUPTED: True} if done.reason == INTERRUPTED else {}
        self.messages.append({"role": "assistant", "content": done.text, **mark})
        self.last = done
        self._replies += 1
        return done

    def _ids(self) -> list[int]:
        """The conversation as tokens. Where the context may slide, old turns go until a quarter of it is free."""
        context = self.model.context
        ids, self.forgotten = self.model.chat_ids(self.all()), 0
        if self._options["overflow"] == "slide":
            while len(ids) > context - context // 4 and len(self.messages) > 2:
                self.messages, self.forgotten = self.messages[2:], self.forgotten + 2
                ids = self.model.chat_ids(self.all())
        if len(ids) > context:
            raise ContextError(
                f"the conversation has {len(ids)} tokens and the context is {context}: /reset begins anew, "
                "or start with --overflow slide to forget old turns"
            )
        return ids

    def save(self, path: Path) -> None:
        """The messages as JSON."""
        path.write_text(json.dumps(self.all(), indent=2, ensure_ascii=False) + "\n", "utf-8")
