"""The stream of a message: message_start, blocks with their deltas, message_delta, message_stop."""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

from ...engine.completion import Completion
from ...formats.tokenizer import Tokenizer
from ..calls import CallStart, Piece, TextPiece, new_call_id
from ..conversation import Prepared
from ..errors import ApiError
from ..openai.objects import new_id
from ..openai.streaming import dumps, take_update
from ..wire import Update
from .messages import MessageRequest, message_object, stop_of, usage


def event(kind: str, fields: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {dumps({'type': kind, **fields})}\n\n"


PING = event("ping", {}).encode()  # Anthropic's own API sends this during a silence


class MessageStream:
    """The events of a message: call `begin`, `add` for each batch of updates, then `end`."""

    def __init__(self, request: MessageRequest, prepared: Prepared, tokenizer: Tokenizer, prompt_tokens: int) -> None:
        self._request, self._tokenizer = request, tokenizer
        self._parser = prepared.parser()
        self._completion = Completion(prompt_tokens=prompt_tokens)
        self._block = -1  # the index of the open block
        self._open = ""  # the type of the open block
        self._calls = 0

    def begin(self) -> bytes:
        message = message_object(new_id("msg"), self._request.common.name, [], self._completion)
        return event("message_start", {"message": message}).encode()

    def add(self, updates: Sequence[Update]) -> bytes:
        events: list[str] = []
        for update in updates:
            take_update(self._completion, update)
            self._completion.text += update.text
            pieces: list[Piece] = [TextPiece(update.text)] if update.text else []
            if self._parser is not None:
                pieces = self._parser.add(update.text)
                if update.end is not None:
                    pieces += self._parser.finish()
            for piece in pieces:
                self._add(events, piece)
        return "".join(events).encode()

    def end(self) -> bytes:
        events: list[str] = []
        if self._block < 0:  # the answer is empty
            self._start(events, "text", {"type": "text", "text": ""})
        self._stop(events)
        completion = self._completion
        stop = stop_of(completion, self._calls > 0, self._request.stops, self._tokenizer)
        counts = {name: value for name, value in usage(completion).items() if name != "service_tier"}
        events.append(event("message_delta", {"delta": stop, "usage": counts}))
        events.append(event("message_stop", {}))
        return "".join(events).encode()

    def error(self, error: ApiError) -> bytes:
        body = error.anthropic()
        return event("error", {name: value for name, value in body.items() if name != "type"}).encode()

    # ----------------------------------------------------------------------------------------------------------

    def _add(self, events: list[str], piece: Piece) -> None:
        if isinstance(piece, TextPiece):
            if self._open != "text":
                self._start(events, "text", {"type": "text", "text": ""})
            delta = f'{{"type":"text_delta","text":{encode_basestring(piece.text)}}}'
        elif isinstance(piece, CallStart):
            self._calls += 1
            block = {"type": "tool_use", "id": new_call_id("toolu_"), "name": piece.name, "input": {}}
            self._start(events, "tool_use", block)
            return
        else:
            delta = f'{{"type":"input_json_delta","partial_json":{encode_basestring(piece.arguments)}}}'
        kind = "content_block_delta"
        events.append(f'event: {kind}\ndata: {{"type":"{kind}","index":{self._block},"delta":{delta}}}\n\n')

    def _start(self, events: list[str], kind: str, block: dict[str, Any]) -> None:
        self._stop(events)
        self._block, self._open = self._block + 1, kind
        events.append(event("content_block_start", {"index": self._block, "content_block": block}))

    def _stop(self, events: list[str]) -> None:
        if self._open:
            events.append(event("content_block_stop", {"index": self._block}))
            self._open = ""
