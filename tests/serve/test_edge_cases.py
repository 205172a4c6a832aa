"""Requests at the edges of what is allowed: each gets a right answer, or an error that says what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .running import Running
from .test_answers import error_of

pytestmark = [pytest.mark.gpu, pytest.mark.full]  # a server of its own

USER = [{"role": "user", "content": "Hi"}]
PARAMETERS = {"type": "object", "properties": {"a": {"enum": ["aaa", "bbb"]}}, "required": ["a"]}
TOOL = {"type": "function", "function": {"name": "call_it", "parameters": PARAMETERS}}


@pytest.mark.parametrize("stop", [{"stop": ["a"]}, {"stop": ["<tool", "}"]}, {"stop_token_ids": []}])
def test_a_call_is_whole_though_it_has_a_stop_string(tiny: Running, stop: dict[str, Any]):
    if "stop_token_ids" in stop:
        stop = {"stop_token_ids": tiny.post("/tokenize", {"content": 'a"b'}).json()["tokens"]}
    body = {"messages": USER, "tools": [TOOL], "tool_choice": "required", "parallel_tool_calls": False, **stop}
    (choice,) = tiny.post("/v1/chat/completions", body).json()["choices"]
    (call,) = choice["message"]["tool_calls"]
    assert json.loads(call["function"]["arguments"])["a"] in ("aaa", "bbb")
    assert choice["finish_reason"] == "tool_calls" and choice["message"]["content"] is None
    if "stop" not in stop:
        return
    tools = [{"name": "call_it", "input_schema": PARAMETERS}]
    choose = {"type": "any", "disable_parallel_tool_use": True}
    body = {"model": "smollm2", "messages": USER, "max_tokens": 120, "tools": tools, "tool_choice": choose}
    answer = tiny.post("/v1/messages", {**body, "stop_sequences": stop["stop"]}).json()
    assert answer["content"][0]["input"]["a"] in ("aaa", "bbb")
    assert (answer["stop_reason"], answer["stop_sequence"]) == ("tool_use", None)


def test_what_is_not_ensured_is_refused(tiny: Running):
    answer = tiny.complete(seed=77, temperature=1, deterministic=True)
    assert error_of(answer, 400)["param"] == "deterministic" and "--deterministic" in answer.json()["error"]["message"]
    assert tiny.complete(seed=77, temperature=1, deterministic=False).status_code == 200


def test_an_echo_alone_is_streamed(tiny: Running):
    with tiny.stream(["Hello", "Good morning"], max_tokens=0, echo=True, logprobs=1, n=1) as stream:
        chunks = list(stream)
    texts = ["".join(c["text"] for e in chunks for c in e["choices"] if c["index"] == i) for i in range(2)]
    assert texts == ["Hello", "Good morning"]
    assert [c["finish_reason"] for e in chunks for c in e["choices"] if c["finish_reason"]] == ["length"] * 2
    body = {"prompt": "Hello", "max_tokens": 0, "echo": True, "stream": True}
    usage = {"stream_options": {"include_usage": True}}
    answer = tiny.post("/v1/completions", {**body, **usage})
    assert answer.headers["content-type"].startswith("text/event-stream") and answer.text.endswith("data: [DONE]\n\n")
    assert json.loads(answer.text.split("\n\n")[-3].removeprefix("data: "))["usage"]["completion_tokens"] == 0
