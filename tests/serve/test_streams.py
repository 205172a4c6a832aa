"""Streams without a server: put together, they are the response to a request that does not stream."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import Message
from openai.types import Completion as OpenAICompletion
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response

from wgpt.engine.completion import Completion
from wgpt.formats import open_checkpoint
from wgpt.formats.detokenise import Detokeniser
from wgpt.formats.tokenizer import Tokenizer, load_tokenizer
from wgpt.serve.anthropic.messages import message_response, read_message
from wgpt.serve.anthropic.streaming import MessageStream
from wgpt.serve.conversation import Prepared
from wgpt.serve.openai.chat import chat_response, read_chat
from wgpt.serve.openai.completions import Echo, completion_response, read_completion
from wgpt.serve.openai.objects import Tokens
from wgpt.serve.openai.request import Names
from wgpt.serve.openai.response_events import ResponseStream
from wgpt.serve.openai.responses import read_response, whole_response
from wgpt.serve.openai.streaming import ChatStream, CompletionStream
from wgpt.serve.tools import TAGGED
from wgpt.serve.wire import End, Update

NAMES = Names(("tiny",))
USER = [{"role": "user", "content": "Hello"}]
PLAIN = Prepared(USER, None, None)
CALLING = Prepared(USER, None, None, TAGGED, ("weather", "now"))
TEXTS = [
    'Line one\nand "two" \\ – é 😀 </script>',
    "Wait. " + TAGGED.call("weather", '{"city": "Paris \\" \u00e9"}') + "\n" + TAGGED.call("now", "{}"),
    "",
]


@pytest.fixture(scope="module")
def tokenizer(smollm2_path: Path) -> Tokenizer:
    with open_checkpoint(smollm2_path) as checkpoint:
        return load_tokenizer(checkpoint.tokenizer)


def updates(tokenizer: Tokenizer, text: str, index: int = 0, reason: str = "eos", seed: int = 1) -> list[Update]:
    """A text as the engine sends it: some tokens at a time."""
    ids = tokenizer.encode(text, special=False)
    chance, detokeniser, result, at = random.Random(seed), Detokeniser(tokenizer), [], 0
    while at < len(ids):
        piece = ids[at : at + chance.randint(1, 3)]
        at += len(piece)
        logprobs, tops = tuple(-0.5 for _ in piece), tuple({id: -0.5, 7: -2.0} for id in piece)
        result.append(Update(index, "".join(map(detokeniser.add, piece)), tuple(piece), logprobs, tops))
    result.append(Update(index, detokeniser.finish(), end=End(reason, 12, 5, len(ids), 0.1, 0.5)))
    return result


def whole(parts: list[Update]) -> Completion:
    completion = Completion(prompt_tokens=12, cached_tokens=5)
    for update in parts:
        completion.text += update.text
        completion.ids += update.ids
        completion.logprobs += update.logprobs
        completion.top_logprobs += update.top_logprobs
        completion.reason = update.end.reason if update.end else ""
    return completion


def events(data: bytes) -> list[tuple[str, Any]]:
    """(event, data) of a stream."""
    result = []
    for block in data.decode().split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        value = fields["data"]
        result.append((fields.get("event", ""), value if value == "[DONE]" else json.loads(value)))
    return result


def same(a: Any, b: Any, *ignored: str) -> None:
    """Equal, apart from what is made anew each time."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items() if k not in ("id", "created", "call_id", *ignored)}
        return [plain(item) for item in value] if isinstance(value, list) else value

    assert plain(a) == plain(b)


@pytest.mark.parametrize("prepared", [PLAIN, CALLING])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("reason", ["eos", "length"])
@pytest.mark.parametrize("extra", [{}, {"logprobs": True, "top_logprobs": 2}, {"return_token_ids": True}])
def test_chat(tokenizer: Tokenizer, prepared: Prepared, text: str, reason: str, extra: dict[str, Any]):
    body = {"messages": USER, "n": 2, "stream": True, "stream_options": {"include_usage": True}, **extra}
    request, tokens = read_chat(body, NAMES), Tokens(tokenizer)
    parts = [updates(tokenizer, text, i, reason, seed=i) for i in range(2)]
    expected = chat_response(request, prepared, [whole(each) for each in parts], tokens, [1, 2])
    ChatCompletion.model_validate(expected)
    stream, data = ChatStream(request, prepared, tokens, [1, 2]), b""
    for step in zip(*[each + [None] * 50 for each in parts], strict=False):
        data += stream.add([update for update in step if update is not None])
    data += stream.end()
    *chunks, (_, done) = events(data)
    assert done == "[DONE]"
    _, final = chunks[-1]
    assert final["choices"] == [] and final["usage"] == expected["usage"]
    for index, choice in enumerate(expected["choices"]):
        message: dict[str, Any] = {"content": "", "tool_calls": []}
        logprobs: list[Any] = []
        ids: list[int] = []
        reasons = []
        for _, chunk in chunks[:-1]:
            ChatCompletionChunk.model_validate(chunk)
            (part,) = chunk["choices"]
            if part["index"] != index:
                continue
            message["content"] += part["delta"].get("content") or ""
            for call in part["delta"].get("tool_calls", ()):
                if "id" in call:
                    assert call["index"] == len(message["tool_calls"]) and call["type"] == "function"
                    message["tool_calls"].append({"name": call["function"]["name"], "arguments": ""})
                message["tool_calls"][call["index"]]["arguments"] += call["function"]["arguments"]
            logprobs += (part["logprobs"] or {"content": []})["content"]
            ids += part.get("token_ids", [])
            reasons.append(part["finish_reason"])
        assert message["content"] == (choice["message"]["content"] or "")
        assert message["tool_calls"] == [call["function"] for call in choice["message"].get("tool_calls", ())]
        assert reasons[-1] == choice["finish_reason"] and not any(reasons[:-1])
        assert logprobs == (choice["logprobs"] or {"content": []})["content"]
        assert ids == choice.get("token_ids", [])


@pytest.mark.parametrize("extra", [{}, {"logprobs": 2}, {"logprobs": 0, "echo": True}, {"return_token_ids": True}])
def test_completions(tokenizer: Tokenizer, extra: dict[str, Any]):
    request, tokens = read_completion({"prompt": ["a", "b"], "stream": True, **extra}, NAMES), Tokens(tokenizer)
    prompts = [[10], [20, 21]]
    echoes = [Echo(f"{p}", p, [None, *[-1.0] * (len(p) - 1)], [None, *[{}] * (len(p) - 1)]) for p in prompts]
    parts = [updates(tokenizer, text, i) for i, text in enumerate(TEXTS[:2])]
    echoes = echoes if request.echo else []
    expected = completion_response(request, prompts, [whole(each) for each in parts], tokens, echoes)
    if not request.echo:  # a prompt's first token has null, which OpenAI's own type does not know
        OpenAICompletion.model_validate(expected)
    stream = CompletionStream(request, prompts, tokens, echoes)
    data = b"".join(stream.add(each) for each in parts) + stream.end()
    chunks = [chunk for _, chunk in events(data)][:-1]
    for index, choice in enumerate(expected["choices"]):
        mine = [chunk["choices"][0] for chunk in chunks if chunk["choices"][0]["index"] == index]
        assert "".join(part["text"] for part in mine) == choice["text"]
        assert mine[-1]["finish_reason"] == choice["finish_reason"]
        if choice["logprobs"] is not None:
            for name in ("tokens", "token_logprobs", "text_offset"):
                assert [v for part in mine for v in (part["logprobs"] or {name: []})[name]] == choice["logprobs"][name]
        assert [id for part in mine for id in part.get("token_ids", ())] == choice.get("token_ids", [])


@pytest.mark.parametrize("prepared", [PLAIN, CALLING])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("reason", ["eos", "length"])
def test_responses(tokenizer: Tokenizer, prepared: Prepared, text: str, reason: str):
    request, tokens = read_response({"input": "a", "stream": True}, NAMES), Tokens(tokenizer)
    parts = updates(tokenizer, text, reason=reason)
    expected = whole_response(request, prepared, whole(parts), tokens)
    Response.model_validate(expected)
    stream = ResponseStream(request, prepared, tokens)
    data = events(stream.begin() + b"".join(stream.add([update]) for update in parts) + stream.end())
    assert [value["sequence_number"] for _, value in data] == list(range(len(data)))
    assert all(kind == value["type"] for kind, value in data)
    same(data[-1][1]["response"], expected, "completed_at", "created_at", "status")
    assert data[-1][0] == ("response.incomplete" if reason == "length" else "response.completed")
    text_deltas = "".join(value["delta"] for kind, value in data if kind == "response.output_text.delta")
    assert text_deltas == "".join(i["content"][0]["text"] for i in expected["output"] if i["type"] == "message")


@pytest.mark.parametrize("prepared", [PLAIN, CALLING])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("reason", "stop"), [("eos", ""), ("length", ""), ("stop", "X"), ("stop", ""), ("context", "")]
)
def test_messages(tokenizer: Tokenizer, prepared: Prepared, text: str, reason: str, stop: str):
    """`stop`: the stop sequence that ended it, which is among its tokens and not in its text; else its grammar did."""
    body = {"model": "tiny", "messages": USER, "max_tokens": 5, "stop_sequences": ["X"], "stream": True}
    request = read_message(body, NAMES)
    parts = updates(tokenizer, text, reason=reason)
    parts.insert(-1, Update(0, "", tuple(tokenizer.encode(stop, special=False))))
    expected = message_response(request, prepared, whole(parts), tokenizer)
    Message.model_validate(expected)
    stream = MessageStream(request, prepared, tokenizer, 12)
    data = events(stream.begin() + b"".join(stream.add([update]) for update in parts) + stream.end())
    assert [kind for kind, _ in data[:1]] + [kind for kind, _ in data[-2:]] == [
        "message_start", "message_delta", "message_stop"
    ]  # fmt: skip
    blocks: list[dict[str, Any]] = []
    for kind, value in data:
        assert kind == value["type"]
        if kind == "content_block_start":
            assert value["index"] == len(blocks)
            blocks.append({**value["content_block"], "json": ""})
        elif kind == "content_block_delta":
            delta = value["delta"]
            blocks[-1]["json" if "partial_json" in delta else "text"] += delta.get("text", delta.get("partial_json"))
    for block in blocks:
        arguments = block.pop("json")
        if block["type"] == "tool_use":
            block["input"] = json.loads(arguments)
    same(blocks, expected["content"])
    assert data[-2][1]["delta"] == {name: expected[name] for name in ("stop_reason", "stop_sequence")}
    assert data[-2][1]["usage"]["output_tokens"] == expected["usage"]["output_tokens"]
    if reason == "stop":
        calls = any(block["type"] == "tool_use" for block in expected["content"])
        why = "tool_use" if calls else "stop_sequence" if stop else "end_turn"
        assert (expected["stop_reason"], expected["stop_sequence"]) == (why, "X" if why == "stop_sequence" else None)
    assert expected["usage"]["input_tokens"] == 7 and expected["usage"]["cache_read_input_tokens"] == 5
