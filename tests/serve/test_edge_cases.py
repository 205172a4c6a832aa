"""Requests at the edges of what is allowed: each gets a right answer, or an error that says what is wrong."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import httpx
import openai
import pytest

from wgpt.engine.errors import ContextError
from wgpt.serve.errors import api_error

from .running import Running
from .test_answers import error_of

pytestmark = [pytest.mark.gpu, pytest.mark.full]  # a server of its own

USER: Any = [{"role": "user", "content": "Hi"}]
PARAMETERS = {"type": "object", "properties": {"a": {"enum": ["aaa", "bbb"]}}, "required": ["a"]}
TOOL = {"type": "function", "function": {"name": "call_it", "parameters": PARAMETERS}}


def sent(server: Running, path: str, body: str) -> httpx.Response:
    """The answer to a body that Python would not write."""
    return server.client.post(server.address + path, content=body, headers={"content-type": "application/json"})


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


LONG: Any = [{"role": "user", "content": "abc " * 1500}]


def test_the_clients_of_openai_and_anthropic_find_the_id_of_a_request(tiny: Running):
    with anthropic.Anthropic(base_url=tiny.address, api_key="none", max_retries=0) as claude:
        with pytest.raises(anthropic.BadRequestError, match=r"too long: \d{4} tokens > 1021 maximum") as error:
            claude.messages.create(model="smollm2", max_tokens=5, messages=LONG)
        assert error.value.request_id and error.value.request_id in tiny.logged(error.value.request_id)
        assert claude.messages.create(model="smollm2", max_tokens=1, messages=USER)._request_id
    with openai.OpenAI(base_url=f"{tiny.address}/v1", api_key="none", max_retries=0) as client:
        with pytest.raises(openai.BadRequestError, match="maximum context length is 1021 tokens") as refused:
            client.chat.completions.create(model="smollm2", messages=LONG)
        assert (refused.value.code, refused.value.param) == ("context_length_exceeded", "messages")
        assert refused.value.request_id and refused.value.request_id in tiny.logged(refused.value.request_id)


def test_litellm_recognises_a_prompt_that_is_too_long(tiny: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # no download
    import litellm

    to = {"openai/smollm2": f"{tiny.address}/v1", "anthropic/smollm2": tiny.address}
    for model, address in to.items():
        with pytest.raises(litellm.ContextWindowExceededError):
            litellm.completion(model=model, api_base=address, api_key="none", messages=LONG, max_tokens=5)
    with pytest.raises(litellm.ContextWindowExceededError):
        litellm.embedding("openai/smollm2", LONG[0]["content"], api_base=f"{tiny.address}/v1", api_key="none")


def test_an_empty_prompt_is_not_a_long_one():
    assert api_error(ContextError("the prompt is empty")).code is None
    error = api_error(ContextError("100 tokens need 99 positions", 149, 128))
    assert error.code == "context_length_exceeded" and "need 99 positions" in error.message
    assert "This model's maximum context length is 128 tokens. However, your prompt resulted in 149" in error.message
    assert "prompt is too long: 149 tokens > 128 maximum" in error.anthropic()["error"]["message"]


def test_what_is_not_ensured_is_refused(tiny: Running):
    answer = tiny.complete(seed=77, temperature=1, deterministic=True)
    assert error_of(answer, 400)["param"] == "deterministic" and "--deterministic" in answer.json()["error"]["message"]
    assert tiny.complete(seed=77, temperature=1, deterministic=False).status_code == 200


@pytest.mark.parametrize("depth", [300, 900, 985])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/apply-template"])
def test_what_is_nested_too_deeply_is_a_400(tiny: Running, path: str, depth: int):
    """Whether it is found by a check or where something follows it: never a 500."""
    deep = '{"a":' * depth + "1" + "}" * depth
    user = json.dumps(USER)
    tools = f'[{{"type": "function", "function": {{"name": "f", "parameters": {{"type": "object", "a": {deep}}}}}}}]'
    for field, value in (("chat_template_kwargs", deep), ("tools", tools), ("metadata", deep), ("unknown", deep)):
        body = f'{{"messages": {user}, "{field}": {value}}}'
        if path == "/v1/responses":
            body = f'{{"input": {user}, "max_output_tokens": 1, "{field}": {value}}}'
        elif path.startswith("/v1"):
            body = f'{{"model": "smollm2", "max_tokens": 1, "messages": {user}, "{field}": {value}}}'
        answer = sent(tiny, path, body)
        assert answer.status_code in ((200, 400) if field == "metadata" else (400,)), (field, answer.text[:300])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("x" * 5000, "is not a folder below that of --admin"),
        ("x/" * 3000, "is not a folder below that of --admin"),
        ("\0", "lora_path must be a path"),
        ("broken", "broken: has no adapter_config.json"),  # as the request names it, not where it is
    ],
)
def test_an_adapter_that_cannot_be_loaded(tiny: Running, path: str, message: str):
    body = json.dumps({"lora_name": "x", "lora_path": path})
    error = error_of(sent(tiny, "/v1/load_lora_adapter", body), 400)
    assert error["param"] == "lora_path"
    assert error["message"].startswith(message) if path == "broken" else message in error["message"]


def test_a_bias_that_leaves_no_token_is_refused(tiny: Running):
    bias = ", ".join(f'"{token}": -1e999' for token in range(320))
    error = error_of(sent(tiny, "/v1/completions", f'{{"prompt": "Hi", "logit_bias": {{{bias}}}}}'), 400)
    assert error["param"] == "logit_bias" and "rules out all 320 tokens" in error["message"]


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
