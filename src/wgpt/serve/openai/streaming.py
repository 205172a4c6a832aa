"""Streams of chat completions and completions: chunks as server-sent events.

Only the text of a chunk is escaped; what is around it is put together once for a stream.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

from ...engine.completion import Completion
from ..calls import CallStart, Piece, TextPiece, new_call_id
from ..conversation import Prepared
from ..wire import Update
from .chat import ChatRequest, chat_reason
from .completions import CompletionRequest, Echo
from .objects import Tokens, finish_reason, new_id, usage

DONE = b"data: [DONE]\n\n"


def event(data: Any) -> bytes:
    return f"data: {dumps(data)}\n\n".encode()


def dumps(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def take_update(completion: Completion, update: Update) -> None:
    """Note an update's counts; its text is sent and not kept."""
    completion.ids += update.ids
    if (end := update.end) is not None:
        completion.reason, completion.prompt_tokens = end.reason, end.prompt_tokens
        completion.cached_tokens, completion.first_token_s = end.cached_tokens, end.first_token_s
        completion.seconds = end.seconds


class _Chunks:
    """The chunks of a stream: {head "choices": [{"index": i, ...}] tail}."""

    def __init__(self, kind: str, object: str, model: str, sequences: int, n: int, include_usage: bool) -> None:
        head = {"id": new_id(kind), "object": object, "created": int(time.time()), "model": model}
        self._head = dumps(head)[:-1] + ',"system_fingerprint":null,'
        self._usage = ',"usage":null' if include_usage else ""
        self._include_usage, self._n = include_usage, n
        self.completions = [Completion() for _ in range(sequences)]

    def choice(self, index: int, fields: str) -> str:
        """An event for one choice; `fields` is JSON."""
        return f'data: {self._head}"choices":[{{"index":{index},{fields}}}]{self._usage}}}\n\n'

    def end(self) -> bytes:
        """The usage, if requested, and the end of the stream."""
        if not self._include_usage:
            return DONE
        counts = dumps(usage(self.completions, self._n))
        return f'data: {self._head}"choices":[],"usage":{counts}}}\n\n'.encode() + DONE


class ChatStream:
    """The chunks of a chat completion: call `add` for each batch of updates, then `end`."""

    def __init__(self, request: ChatRequest, prepared: Prepared, tokens: Tokens, prompt_ids: Sequence[int]) -> None:
        common = request.common
        n, kind = common.n, "chat.completion.chunk"
        self._chunks = _Chunks("chatcmpl", kind, common.name, n, n, common.include_usage)
        self._request, self._tokens, self._prompt_ids = request, tokens, prompt_ids
        self._plain = not request.logprobs and not common.return_token_ids and prepared.style is None
        self._parsers = [prepared.parser() for _ in range(common.n)]
        self._calls = [0] * common.n
        self._begun = [False] * common.n

    def add(self, updates: Sequence[Update]) -> bytes:
        events: list[str] = []
        for update in updates:
            index = update.index
            if not self._begun[index]:
                self._begin(events, index)
            take_update(self._chunks.completions[index], update)
            if self._plain:
                if update.text:
                    delta = f'"delta":{{"content":{encode_basestring(update.text)}}}'
                    events.append(self._chunks.choice(index, f'{delta},"logprobs":null,"finish_reason":null'))
            else:
                self._add_pieces(events, update)
            if update.end is not None:
                reason = chat_reason(self._chunks.completions[index], self._calls[index] > 0)
                fields = f'"delta":{{}},"logprobs":null,"finish_reason":"{reason}"'
                events.append(self._chunks.choice(index, fields))
        return "".join(events).encode()

    def end(self) -> bytes:
        return self._chunks.end()

    def _begin(self, events: list[str], index: int) -> None:
        self._begun[index] = True
        fields = '"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null'
        if self._request.common.return_token_ids and index == 0:
            fields += f',"prompt_token_ids":{dumps(list(self._prompt_ids))}'
        events.append(self._chunks.choice(index, fields))

    def _add_pieces(self, events: list[str], update: Update) -> None:
        """For tools, log-probabilities or token ids; the last two go with the first piece."""
        index, parser = update.index, self._parsers[update.index]
        pieces: list[Piece] = [TextPiece(update.text)] if update.text else []
        if parser is not None:
            pieces = parser.add(update.text)
            if update.end is not None:
                pieces += parser.finish()
        details = '"logprobs":null'
        if self._request.logprobs and update.ids:
            content = self._tokens.chat_logprobs(update.ids, update.logprobs, update.top_logprobs)
            details = f'"logprobs":{dumps({"content": content, "refusal": None})}'
        if self._request.common.return_token_ids:
            details += f',"token_ids":{dumps(list(update.ids))}'
        if not pieces and update.ids and details != '"logprobs":null':
            pieces = [TextPiece("")]
        for piece in pieces:
            delta = self._delta(index, piece)
            events.append(self._chunks.choice(index, f'"delta":{delta},{details},"finish_reason":null'))
            details = '"logprobs":null'

    def _delta(self, index: int, piece: Piece) -> str:
        if isinstance(piece, TextPiece):
            return f'{{"content":{encode_basestring(piece.text)}}}'
        if isinstance(piece, CallStart):
            self._calls[index] += 1
            function = {"name": piece.name, "arguments": ""}
            call = {"index": piece.index, "id": new_call_id(), "type": "function", "function": function}
            return dumps({"tool_calls": [call]})
        arguments = encode_basestring(piece.arguments)
        return f'{{"tool_calls":[{{"index":{piece.index},"function":{{"arguments":{arguments}}}}}]}}'


class CompletionStream:
    """The chunks of a completion: call `add` for each batch of updates, then `end`."""

    def __init__(
        self,
        request: CompletionRequest,
        prompts: Sequence[Sequence[int]],
        tokens: Tokens,
        echoes: Sequence[Echo] = (),
    ) -> None:
        common, self._sequences = request.common, len(prompts) * request.common.n
        self._chunks = _Chunks("cmpl", "text_completion", common.name, self._sequences, common.n, common.include_usage)
        self._request, self._prompts, self._tokens, self._echoes = request, prompts, tokens, echoes
        self._begun = [False] * self._sequences
        self._offsets = [0] * self._sequences

    def add(self, updates: Sequence[Update]) -> bytes:
        events: list[str] = []
        for update in updates:
            index = update.index
            if not self._begun[index]:
                self._begin(events, index)
            take_update(self._chunks.completions[index], update)
            details = '"logprobs":null'
            if self._request.logprobs is not None and update.ids:
                details = f'"logprobs":{self._logprobs(index, update.ids, update.logprobs, update.top_logprobs)}'
            if self._request.common.return_token_ids:
                details += f',"token_ids":{dumps(list(update.ids))}'
            if update.text or (update.ids and details != '"logprobs":null'):
                events.append(self._chunk(index, update.text, details, "null"))
            if update.end is not None:
                events.append(self._finish(index))
        return "".join(events).encode()

    def end(self) -> bytes:
        return self._chunks.end()

    def _finish(self, index: int) -> str:
        return self._chunk(index, "", '"logprobs":null', f'"{finish_reason(self._chunks.completions[index])}"')

    def _begin(self, events: list[str], index: int) -> None:
        """The prompt, if it is echoed."""
        self._begun[index] = True
        common = self._request.common
        echo = self._echoes[index // common.n] if self._echoes else None
        details = '"logprobs":null'
        if echo is not None and self._request.logprobs is not None:
            details = f'"logprobs":{self._logprobs(index, echo.ids, echo.logprobs, echo.top_logprobs)}'
        if common.return_token_ids:
            details += f',"prompt_token_ids":{dumps(list(self._prompts[index // common.n]))}'
        if echo is not None or common.return_token_ids:
            events.append(self._chunk(index, echo.text if echo else "", details, "null"))

    def _chunk(self, index: int, text: str, details: str, reason: str) -> str:
        return self._chunks.choice(index, f'"text":{encode_basestring(text)},{details},"finish_reason":{reason}')

    def _logprobs(self, index: int, ids: Any, logprobs: Any, tops: Any) -> str:
        tops = tops if self._request.logprobs else None
        details = self._tokens.text_logprobs(ids, logprobs, tops, self._offsets[index])
        self._offsets[index] += sum(map(len, details["tokens"]))
        return dumps(details)
