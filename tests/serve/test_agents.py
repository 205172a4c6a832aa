"""What coding agents send: Claude Code to /v1/messages, Codex to /v1/responses. Names and paths of other servers."""

from __future__ import annotations

from typing import Any

import pytest
from openai import OpenAI

from wgpt.serve.anthropic.messages import COUNTED

from .conftest import ALIAS
from .openai_requests import MODEL, USER, chat
from .running import Running
from .test_answers import error_of

pytestmark = pytest.mark.gpu


def function(name: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return {"type": "function", "name": name, "description": f"{name}.", "strict": False, "parameters": schema}


AGENTS: Any = {
    "type": "namespace",
    "name": "agents",
    "description": "Other agents.",
    "tools": [function("close", target={"enum": ["a", "b"]}), function("list")],
}
# Claude Code 2.1, as it was recorded; with one of its 24 tools.
CLAUDE_CODE = {
    "model": MODEL,
    "max_tokens": 4,
    "temperature": 0,
    "system": [
        {"type": "text", "text": "You are an agent."},
        {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}},
    ],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]},
        {"role": "system", "content": "Available agent types: claude"},
    ],
    "tools": [
        {
            "name": "TaskCreate",
            "description": "Create a task.",
            "input_schema": {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "properties": {
                    "subject": {"type": "string", "description": "A title"},
                    "metadata": {"type": "object", "propertyNames": {"type": "string"}, "additionalProperties": {}},
                },
                "required": ["subject"],
                "additionalProperties": False,
            },
        }
    ],
    "metadata": {"user_id": '{"device_id":"4a5a","account_uuid":"","session_id":"a1b7"}'},
    "thinking": {"type": "adaptive"},
    "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    "output_config": {"effort": "high"},
    "stream": True,
}
# Codex 0.166, as it was recorded; with three of its nine tools.
CODEX = {
    "model": MODEL,
    "input": [
        {
            "type": "message",
            "id": "msg_787e",
            "role": "developer",
            "content": [{"type": "input_text", "text": "You are an agent."}],
        },
        {"type": "message", "id": "msg_01a1", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
    ],
    "tools": [function("exec_command", cmd={"type": "string"}), AGENTS],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "reasoning": {"summary": "auto"},
    "store": False,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "01a1e4a5",
    "client_metadata": {"session_id": "01a1e4a5", "x-codex-window-id": "01a1e4a5:0"},
    "max_output_tokens": 4,
    "temperature": 0,
    "stream": True,
}


def event_lines(server: Running, path: str, body: dict[str, Any]) -> list[str]:
    """The names of a stream's events."""
    with server.client.stream("POST", f"{server.address}{path}", json=body) as response:
        assert response.status_code == 200, response.read()
        return [line for line in response.iter_lines() if line.startswith("event: ")]


@pytest.mark.full
def test_claude_code(server: Running):
    lines = event_lines(server, "/v1/messages?beta=true", CLAUDE_CODE)
    assert lines[0] == "event: message_start" and lines[-1] == "event: message_stop"


@pytest.mark.full
def test_what_claude_code_sends(server: Running):
    counted = {name: value for name, value in CLAUDE_CODE.items() if name in COUNTED}
    assert server.post("/v1/messages/count_tokens?beta=true", counted).json()["input_tokens"] > 50
    for field, value, message in (
        ("thinking", {"type": "enabled", "budget_tokens": 1024}, "only disabled and adaptive are supported"),
        ("output_config", {"effort": "max"}, "output_config.effort 'max' is unsupported; only high"),
        ("context_management", {"edits": [{"type": "clear_tool_uses_20250919"}]}, "unsupported type 'clear_tool_uses"),
    ):
        refused = server.post("/v1/messages", {**CLAUDE_CODE, field: value})
        assert refused.status_code == 400 and message in refused.json()["error"]["message"]


@pytest.mark.full
def test_codex(server: Running):
    lines = event_lines(server, "/v1/responses", CODEX)
    assert lines[0] == "event: response.created" and lines[-1] == "event: response.incomplete"


@pytest.mark.full
def test_what_codex_sends(server: Running):
    assert server.post("/v1/responses/input_tokens", CODEX).json()["input_tokens"] > 50
    search = {**CODEX, "tools": [*CODEX["tools"], {"type": "web_search", "external_web_access": False}]}
    assert "tools[2]: unsupported type 'web_search'" in error_of(server.post("/v1/responses", search), 400)["message"]


@pytest.mark.slow
@pytest.mark.parametrize("stream", [False, True])
def test_functions_in_a_namespace(client: OpenAI, stream: bool):
    """A call has the namespace beside the name, and comes back that way."""
    fields: Any = {"model": MODEL, "tools": [AGENTS], "temperature": 0, "max_output_tokens": 60}
    only: Any = {"type": "function", "name": "agents.close"}
    answer = client.responses.create(input="Close a.", tool_choice=only, stream=stream, **fields)
    if stream:
        answer = next(event.response for event in answer if event.type == "response.completed")
    (call,) = answer.output
    assert (call.type, call.namespace, call.name) == ("function_call", "agents", "close")
    items: Any = [{"role": "user", "content": "Close a."}, call.to_dict()]
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": "closed"})
    followed = client.responses.create(input=items, **{**fields, "max_output_tokens": 2})
    assert followed.usage.input_tokens > answer.usage.input_tokens


@pytest.mark.full
def test_other_names_for_the_model(server: Running, client: OpenAI):
    assert chat(client, model=ALIAS, max_tokens=1).model == ALIAS
    assert client.models.retrieve(ALIAS).root == MODEL
    assert [model.id for model in client.models.list()] == [MODEL]
    assert server.post("/tokenize", {"model": ALIAS, "prompt": "a"}).status_code == 200
    error = error_of(server.post("/v1/chat/completions", {"model": "gpt-5", "messages": USER}), 404)
    assert error["code"] == "model_not_found" and error["param"] == "model"


@pytest.mark.full
def test_paths_without_the_version(server: Running):
    """As with a base URL that lacks /v1."""
    with OpenAI(base_url=server.address, api_key="none", max_retries=0) as client:
        assert chat(client, max_tokens=1).choices[0].finish_reason == "length"
        assert [model.id for model in client.models.list()] == [MODEL]
        assert client.models.retrieve(MODEL).id == MODEL


@pytest.mark.full
def test_counting_the_tokens_of_a_prompt(server: Running, client: OpenAI):
    counted = client.responses.input_tokens.count(model=MODEL, input=USER[0]["content"])
    answer = client.responses.create(model=MODEL, input=USER[0]["content"], max_output_tokens=1)
    assert counted.input_tokens == answer.usage.input_tokens and counted.object == "response.input_tokens"
    chats = server.post("/v1/chat/completions/input_tokens", {"messages": USER}).json()
    assert chats["input_tokens"] == chat(client, max_tokens=1).usage.prompt_tokens
