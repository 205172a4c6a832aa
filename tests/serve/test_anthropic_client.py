"""The real anthropic client against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from .running import Running

pytestmark = pytest.mark.gpu
MODEL = "smollm2"
USER: Any = [{"role": "user", "content": "What is the capital of France?"}]
NOW: Any = {"name": "now", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}}


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[Anthropic]:
    with Anthropic(base_url=server.address, api_key="none", max_retries=0) as client:
        yield client


def ask(client: Anthropic, **fields: Any) -> Any:
    extra = {"temperature": 0, **fields.pop("extra_body", {})}
    return client.messages.create(**{"model": MODEL, "messages": USER, "max_tokens": 12, "extra_body": extra, **fields})


@pytest.mark.full
def test_messages(client: Anthropic):
    answer = ask(client)
    assert answer.type == "message" and answer.role == "assistant" and "Paris" in answer.content[0].text
    assert answer.stop_reason in ("end_turn", "max_tokens") and answer.usage.output_tokens <= 12
    again = ask(client, metadata={"user_id": "me"})
    assert again.content[0].text == answer.content[0].text and again.usage.cache_read_input_tokens > 0
    total = again.usage.input_tokens + again.usage.cache_read_input_tokens
    assert client.messages.count_tokens(model=MODEL, messages=USER).input_tokens == total
    stop = answer.content[0].text.split()[2]
    cut = ask(client, stop_sequences=["zzz", stop])
    assert cut.stop_reason == "stop_sequence" and cut.stop_sequence == stop
    assert ask(client, max_tokens=1).stop_reason == "max_tokens"
    system: Any = [{"type": "text", "text": "You are a pirate.", "cache_control": {"type": "ephemeral"}}]
    assert ask(client, system=system, max_tokens=2).content[0].text
    prefill = ask(client, messages=[*USER, {"role": "assistant", "content": "The capital is"}], max_tokens=3)
    assert "Paris" in prefill.content[0].text


@pytest.mark.full
def test_a_stream(client: Anthropic):
    expected = ask(client).content[0].text
    with client.messages.stream(model=MODEL, messages=USER, max_tokens=12, extra_body={"temperature": 0}) as stream:
        assert "".join(stream.text_stream) == expected
        assert stream.get_final_message().usage.output_tokens > 3
    kinds = [event.type for event in ask(client, stream=True)]
    deltas = kinds.count("content_block_delta")
    assert kinds == [
        "message_start", "content_block_start", *["content_block_delta"] * deltas, "content_block_stop",
        "message_delta", "message_stop",
    ]  # fmt: skip
    with ask(client, stream=True, max_tokens=4000) as early:
        assert next(iter(early)).type == "message_start"


@pytest.mark.slow
def test_tools(client: Anthropic):
    question: Any = [{"role": "user", "content": "What time is it?"}]
    answer = ask(client, messages=question, tools=[NOW], tool_choice={"type": "tool", "name": "now"}, max_tokens=60)
    (block,) = answer.content
    assert answer.stop_reason == "tool_use" and block.id.startswith("toolu_")
    assert block.name == "now" and block.input == {}
    result: Any = {"type": "tool_result", "tool_use_id": block.id, "content": "Noon"}
    history = [*question, {"role": "assistant", "content": answer.content}, {"role": "user", "content": [result]}]
    after = ask(client, messages=history, max_tokens=8)
    assert after.content[0].type == "text"
    with client.messages.stream(
        model=MODEL, messages=question, tools=[NOW], tool_choice={"type": "any", "disable_parallel_tool_use": True},
        max_tokens=60, extra_body={"temperature": 0},
    ) as stream:  # fmt: skip
        final = stream.get_final_message()
    assert final.stop_reason == "tool_use" and final.content[0].name == "now"


@pytest.mark.full
def test_a_schema(client: Anthropic):
    format: Any = {"type": "json_schema", "schema": {"enum": ["yes", "no"]}}
    assert ask(client, output_config={"format": format}).content[0].text in ('"yes"', '"no"')


@pytest.mark.full
def test_errors_in_anthropics_shape(client: Anthropic):
    image: Any = [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "x"}}]}]
    for fields, message in (
        ({"messages": image}, "image"), ({"max_tokens": 0}, "max_tokens"), ({"extra_body": {"x": 1}}, "x"),
        ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, "thinking"),
    ):  # fmt: skip
        with pytest.raises(anthropic.BadRequestError) as info:
            ask(client, **fields)
        body: Any = info.value.body
        assert body["type"] == "error" and body["error"]["type"] == "invalid_request_error"
        assert message in body["error"]["message"]
    with pytest.raises(anthropic.NotFoundError):
        ask(client, model="claude")
