"""The stream of a response: events of its items, in the order that OpenAI's clients expect.

response.created, response.in_progress, then for each item response.output_item.added, its parts and deltas, and
response.output_item.done, and at the end response.completed or response.incomplete.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

from ...engine.completion import Completion
from ..calls import CallStart, Piece, TextPiece, new_call_id
from ..conversation import Prepared
from ..errors import ApiError
from ..wire import Update
from .objects import Tokens, finish_reason, new_id
from .responses import ResponseRequest, message_item, response_object, text_part
from .streaming import dumps, take_update


class ResponseStream:
    """The events of a response: call `begin`, `add` for each batch of updates, then `end`."""

    def __init__(self, request: ResponseRequest, prepared: Prepared, tokens: Tokens) -> None:
        self._request, self._tokens = request, tokens
        self._parser = prepared.parser()
        self._id, self._created = new_id("resp"), int(time.time())
        self._number = 0  # the number of the next event
        self._output: list[dict[str, Any]] = []
        self._item: dict[str, Any] | None = None  # the item that is being written
        self._logprobs: list[dict[str, Any]] = []
        self._delta_head = ""  # the constant beginning of a delta event, up to its text
        self._completion = Completion()

    def begin(self) -> bytes:
        response = response_object(self._request, self._id, self._created)
        return "".join(
            self._event(f"response.{name}", {"response": response}) for name in ("created", "in_progress")
        ).encode()

    def add(self, updates: Sequence[Update]) -> bytes:
        events: list[str] = []
        for update in updates:
            take_update(self._completion, update)
            pieces: list[Piece] = [TextPiece(update.text)] if update.text else []
            if self._parser is not None:
                pieces = self._parser.add(update.text)
                if update.end is not None:
                    pieces += self._parser.finish()
            logprobs: list[dict[str, Any]] = []
            if self._request.logprobs:
                logprobs = self._tokens.chat_logprobs(update.ids, update.logprobs, update.top_logprobs)
                self._logprobs += logprobs
            for piece in pieces:
                self._add(events, piece, logprobs)
                logprobs = []
        return "".join(events).encode()

    def end(self) -> bytes:
        events: list[str] = []
        cut = finish_reason(self._completion) == "length"
        if self._item is None and not self._output:  # the answer is empty
            self._begin_message(events)
        self._finish(events, "incomplete" if cut else "completed")
        response = response_object(self._request, self._id, self._created, self._output, self._completion)
        events.append(self._event("response.incomplete" if cut else "response.completed", {"response": response}))
        return "".join(events).encode()

    def error(self, error: ApiError) -> bytes:
        """The last event of a failed stream."""
        details = {"code": error.code or "server_error", "message": error.message, "param": error.param}
        return self._event("error", details).encode()

    # ----------------------------------------------------------------------------------------------------------

    def _event(self, kind: str, fields: dict[str, Any]) -> str:
        number, self._number = self._number, self._number + 1
        return f"event: {kind}\ndata: {dumps({'type': kind, 'sequence_number': number, **fields})}\n\n"

    def _place(self) -> dict[str, Any]:
        assert self._item is not None
        return {"item_id": self._item["id"], "output_index": len(self._output)}

    def _add(self, events: list[str], piece: Piece, logprobs: list[dict[str, Any]]) -> None:
        if isinstance(piece, TextPiece):
            if self._item is None or self._item["type"] != "message":
                self._finish(events)
                self._begin_message(events)
            assert self._item is not None
            self._item["content"][0]["text"] += piece.text
            number, self._number = self._number, self._number + 1
            events.append(
                f'{self._delta_head}{number},"delta":{encode_basestring(piece.text)},'
                f'"logprobs":{dumps(logprobs) if logprobs else "[]"}}}\n\n'
            )
        elif isinstance(piece, CallStart):
            self._finish(events)
            self._item = self._request.call_item(new_id("fc"), new_call_id(), piece.name, "", "in_progress")
            self._added(events)
        else:
            assert self._item is not None
            self._item["arguments"] += piece.arguments
            fields = {**self._place(), "delta": piece.arguments}
            events.append(self._event("response.function_call_arguments.delta", fields))

    def _added(self, events: list[str]) -> None:
        events.append(
            self._event("response.output_item.added", {"output_index": len(self._output), "item": self._item})
        )

    def _begin_message(self, events: list[str]) -> None:
        self._item = message_item(new_id("msg"), [], "in_progress")
        self._added(events)
        part = text_part("")
        fields = {**self._place(), "content_index": 0}
        events.append(self._event("response.content_part.added", {**fields, "part": part}))
        self._item["content"].append(part)
        kind = "response.output_text.delta"
        self._delta_head = f'event: {kind}\ndata: {dumps({"type": kind, **fields})[:-1]},"sequence_number":'

    def _finish(self, events: list[str], status: str = "completed") -> None:
        """Complete the current item, possibly cut off."""
        item = self._item
        if item is None:
            return
        if item["type"] == "message":
            (part,) = item["content"]
            part["logprobs"], self._logprobs = self._logprobs, []
            fields = {**self._place(), "content_index": 0}
            done = {**fields, "text": part["text"], "logprobs": part["logprobs"]}
            events.append(self._event("response.output_text.done", done))
            events.append(self._event("response.content_part.done", {**fields, "part": part}))
        else:
            done = {**self._place(), "name": item["name"], "arguments": item["arguments"]}
            events.append(self._event("response.function_call_arguments.done", done))
        item["status"] = status
        events.append(self._event("response.output_item.done", {"output_index": len(self._output), "item": item}))
        self._output.append(item)
        self._item = None
