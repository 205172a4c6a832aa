"""One log line per request, written by a thread: neither a full disk nor a closed terminal stops the server."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .generation import Generation
from .presence import Presence

_MOST_LINES = 10_000  # lines that may be queued; further ones are dropped
_FLUSH_SECONDS = 1.0


@dataclass(eq=False)
class Record:
    """What is known of a request when it ends."""

    id: str
    client: str
    method: str
    path: str
    began: float = field(default_factory=time.monotonic)
    status: int = 0
    model: str = ""
    error: str = ""
    presence: Presence = field(default_factory=Presence)
    body: Mapping[str, Any] | None = None  # as the client sent it
    # which clients share cached prompts: a random name per API key, where keys are separated; never logged
    tenant: str = ""
    generations: list[Generation] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """The fields of the log line."""
        seconds = time.monotonic() - self.began
        facts: dict[str, Any] = {
            "id": self.id,
            "client": self.client,
            "method": self.method,
            "path": self.path,
            "status": self.status,
            "seconds": round(seconds, 4),
        }
        if self.generations:
            facts |= self._generated()
        elif self.model:
            facts["model"] = self.model
        if self.presence.gone:
            facts["reason"] = "client_gone"
        if self.error:
            facts["error"] = self.error
        return facts

    def _generated(self) -> dict[str, Any]:
        every = [end for generation in self.generations for end in generation.ends.values()]
        # one entry per prompt
        firsts = [g.ends[i] for g in self.generations for i in sorted(g.ends) if i % g.job.n == 0]
        asked = sum(len(prompt) for generation in self.generations for prompt in generation.job.prompts)
        tokens = sum(generation.tokens for generation in self.generations)
        known = [end.first_token_s for end in every if end.completion_tokens]
        first = min(known or [generation.first_s for generation in self.generations])
        writing = max((end.seconds for end in every), default=0.0) - first
        reasons = sorted({end.reason for end in every if end.reason})
        return {
            "model": self.generations[0].model,
            "prompt_tokens": asked,
            "generated_tokens": tokens,
            "cached_tokens": sum(end.cached_tokens for end in firsts),
            "ttft": round(first, 4),
            "tokens_per_second": round((tokens - len(every)) / writing, 1)
            if writing > 0 and tokens > len(every)
            else 0.0,
            "reason": ",".join(reasons) or "failed",
        }


current_record: ContextVar[Record | None] = ContextVar("current_record", default=None)


class Log(logging.Handler):
    """Writes lines to a file descriptor from a thread. Also takes Python's log records, such as tracebacks."""

    def __init__(self, descriptor: int = 2, as_json: bool = False) -> None:
        super().__init__()
        self._descriptor, self._json = descriptor, as_json
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._closed, self._dropped = False, 0
        self._thread = threading.Thread(target=self._work, name="wgpt-log", daemon=True)
        self._thread.start()

    def request(self, record: Record) -> None:
        facts = record.facts()
        if self._json:
            self._put(json.dumps({"time": _now(), "event": "request", **facts}))
        else:
            self._put(f"{_now()} {_line(facts)}")

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record of Python's logging."""
        text = self.format(record)
        if self._json:
            self._put(json.dumps({"time": _now(), "event": record.levelname.lower(), "message": text}))
        else:
            self._put(f"{_now()} {record.levelname.lower()}: {text}")

    def _put(self, line: str) -> None:
        with self._changed:
            if len(self._lines) >= _MOST_LINES:
                self._dropped += 1
                return
            self._lines.append(line)
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._lines and not self._closed:
                    self._changed.wait()
                if not self._lines:
                    return
                lines = list(self._lines)
                self._lines.clear()
                if self._dropped:
                    lines.append(f"{_now()} warning: {self._dropped} lines were not logged: the log was too slow")
                    self._dropped = 0
            _write(self._descriptor, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))

    def close(self) -> None:
        """Write what is queued, if that is possible soon."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(_FLUSH_SECONDS)
        super().close()


def _write(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:  # a full disk or a closed pipe: the server continues
        pass


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _line(facts: dict[str, Any]) -> str:
    """A readable line: the request, then name=value."""
    rest = {name: value for name, value in facts.items() if name not in ("id", "client", "method", "path", "status")}
    pairs = " ".join(f"{name}={_value(value)}" for name, value in rest.items())
    request = f"{facts['id']} {facts['client']} {facts['method']} {_value(facts['path'])} {facts['status']}"
    return f"{request} {pairs}"


def _value(value: Any) -> str:
    """The value on one line, in quotes if it contains spaces."""
    text = str(value)
    plain = text.isascii() and text.isprintable() and " " not in text and '"' not in text
    return text if plain and text else json.dumps(text[:500])
