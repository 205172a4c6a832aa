"""The fields of requests, without a server: what is refused names the field, and null means that it is not set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wgpt.engine.options import MOST_SALT
from wgpt.serve.anthropic.messages import read_message
from wgpt.serve.openai.chat import read_chat
from wgpt.serve.openai.completions import read_completion
from wgpt.serve.openai.embeddings import read_embedding
from wgpt.serve.openai.fields import FieldError
from wgpt.serve.openai.request import Names
from wgpt.serve.openai.responses import read_response

NAMES = Names(("tiny", "folder/tiny"), ("pirate",))
USER = [{"role": "user", "content": "Hello"}]
BODIES: dict[str, tuple[Any, dict[str, Any]]] = {
    "chat": (read_chat, {"messages": USER}),
    "completion": (read_completion, {"prompt": "Hello"}),
    "response": (read_response, {"input": "Hello"}),
    "message": (read_message, {"model": "tiny", "messages": USER, "max_tokens": 5}),
    "embedding": (read_embedding, {"input": "Hello"}),
}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def read(endpoint: str, **fields: Any) -> Any:
    reader, body = BODIES[endpoint]
    return reader({**body, **fields}, NAMES)


def error(endpoint: str, **fields: Any) -> FieldError:
    with pytest.raises(FieldError) as info:
        read(endpoint, **fields)
    return info.value


@pytest.mark.parametrize("endpoint", BODIES)
def test_unknown_fields_and_models_are_refused_by_name(endpoint: str):
    assert error(endpoint, temprature=1).name == "temprature"
    assert error(endpoint, model=7).name == "model"
    missing = error(endpoint, model="gpt-5")
    assert (missing.status, missing.code, missing.name) == (404, "model_not_found", "model")
    assert "tiny" in str(missing) and "pirate" in str(missing)
    assert error(endpoint, lora="poet").name == "lora"
    for spelling in ("tiny", "TINY", "folder/tiny"):
        read(endpoint, model=spelling)


@pytest.mark.parametrize("endpoint", BODIES)
def test_null_means_not_set(endpoint: str):
    nothing = dict.fromkeys(("temperature", "n", "stop", "unknown_field", "stream", "tools", "user", "logit_bias"))
    read(endpoint, **nothing)


@pytest.mark.parametrize("endpoint", BODIES)
def test_the_prompt_cache(endpoint: str):
    """A salt is one, a key chooses a replica, and what else there is to ask for cannot be kept."""
    read(endpoint, cache_salt="user 1", prompt_cache_key="k", prompt_cache_retention="in_memory")
    read(endpoint, prompt_cache_options={"mode": "implicit"})
    for salt in ("", 5, ["x"], "x" * (MOST_SALT + 1)):
        wrong = error(endpoint, cache_salt=salt)
        assert wrong.name == "cache_salt" and f"a string of 1 to {MOST_SALT} characters" in str(wrong)
    for name, value in (("prompt_cache_retention", "24h"), ("prompt_cache_options", {"mode": "explicit"})):
        wrong = error(endpoint, **{name: value})
        assert wrong.name == name and "is supported" in str(wrong)
    assert error(endpoint, prompt_cache_key=7).name == "prompt_cache_key"


@pytest.mark.parametrize("endpoint", BODIES)
@pytest.mark.parametrize("body", [None, [], "text", 3])
def test_a_body_is_an_object(endpoint: str, body: Any):
    with pytest.raises(FieldError, match="the body must be a JSON object"):
        BODIES[endpoint][0](body, NAMES)


@pytest.mark.parametrize("endpoint", ["chat", "completion", "response", "message"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", "hot"), ("temperature", -1), ("temperature", True), ("temperature", {}), ("top_p", 0),
        ("top_k", 1.5), ("min_p", 1), ("repetition_penalty", 0), ("presence_penalty", 3), ("frequency_penalty", []),
        ("seed", 0.5), ("seed", 2**64), ("logit_bias", []), ("logit_bias", {"a": 1}), ("logit_bias", {"1": "x"}),
        ("logit_bias", {str(i): 1 for i in range(5000)}), ("stop_token_ids", 3), ("stop_token_ids", ["a"]),
        ("ignore_eos", 1), ("min_tokens", -1), ("overflow", "burst"), ("priority", 1.0), ("priority", 10**6),
        ("stream", "yes"), ("lora", 3),
    ],
)  # fmt: skip
def test_a_wrong_value_names_its_field(endpoint: str, name: str, value: Any):
    assert error(endpoint, **{name: value}).name == name


@pytest.mark.parametrize("value", [{}, "", 0, False])
def test_what_is_no_list_of_tools_is_refused_though_it_is_empty(value: Any):
    for endpoint in ("chat", "response", "message"):
        assert error(endpoint, tools=value).name == "tools"
    function = {"name": "f", "parameters": [] if value == {} else value}
    for endpoint, tool in (("chat", {"type": "function", "function": function}), ("response", function)):
        wrong = error(endpoint, tools=[{"type": "function", **tool}])
        assert wrong.name is not None and wrong.name.endswith("parameters")
    anthropic = {"name": "f", "input_schema": function["parameters"]}
    assert error("message", tools=[anthropic]).name == "tools[0].input_schema"
    wrong = error("message", tools=[{"name": "f", "input_schema": {}, "input_examples": {}}])
    assert wrong.name == "tools[0].input_examples"
    for name in ("audio", "function_call"):
        assert error("chat", messages=[{"role": "user", "content": "a", name: {}}]).name == "messages"


def test_stops():
    assert read("chat", stop="a").common.options["stop"] == ["a"]
    for bad in ([""], [1], {}, ["a"] * 17, ["a" * 2000]):
        assert error("chat", stop=bad).name == "stop"
    assert read("message", stop_sequences=["a", "b"]).stops == ("a", "b")
    assert error("message", stop_sequences="a").name == "stop_sequences"


def test_tokens_to_generate():
    assert read("chat", max_completion_tokens=3).common.options["max_tokens"] == 3
    assert error("chat", max_completion_tokens=3, max_tokens=3).name == "max_tokens"
    assert error("chat", max_completion_tokens=0).name == "max_completion_tokens"
    assert read("response", max_output_tokens=3).common.options["max_tokens"] == 3
    assert error("completion", max_tokens=0).name == "max_tokens"
    assert read("completion", max_tokens=0, echo=True).max_tokens == 0
    assert error("message", max_tokens=None).name == "max_tokens"
    for endpoint in ("chat", "completion", "message"):
        for wrong in (10**20, 2**31 + 1, 0, -1, 5.0, "5", True):
            assert error(endpoint, max_tokens=wrong).name == "max_tokens"
    for endpoint, name in (("chat", "max_completion_tokens"), ("response", "max_output_tokens")):
        assert error(endpoint, **{name: 10**20}).name == name
    assert read("chat", min_tokens=500).common.options["min_tokens"] == 500
    assert error("chat", min_tokens=500, max_tokens=5).name == "min_tokens"


def test_options_as_others_write_them():
    assert read("chat", seed=-1).common.options["seed"] == 2**64 - 1
    assert read("chat", top_k=-1).common.options["top_k"] == 0
    assert read("chat", logit_bias={"7": -100}).common.options["logit_bias"] == {7: -100}
    assert read("chat", model="pirate").common.lora == "pirate"
    assert read("chat", model="tiny", lora="pirate").common.lora == "pirate"
    assert error("chat", model="pirate", lora="other").name == "lora"


def test_log_probabilities():
    assert read("chat", logprobs=True).common.options["logprobs"] == 0
    assert read("chat", logprobs=True, top_logprobs=5).common.options["logprobs"] == 5
    assert "logprobs" not in read("chat", logprobs=False).common.options
    assert error("chat", logprobs=3).name == "logprobs"
    assert error("chat", logprobs=True, top_logprobs=21).name == "top_logprobs"
    assert read("completion", logprobs=0).logprobs == 0 and read("completion").logprobs is None
    assert error("completion", logprobs=True).name == "logprobs"


def test_streams():
    assert read("chat", stream=True, stream_options={"include_usage": True}).common.include_usage
    assert error("chat", stream_options={}).name == "stream_options"
    assert error("chat", stream=True, stream_options={"x": 1}).name == "stream_options.x"
    assert error("chat", stream=True, stream_options={"include_usage": 1}).name == "stream_options.include_usage"


@pytest.mark.parametrize(
    "messages",
    [
        "Hello", [], [3], [{"role": "user"}], [{"content": "a"}], [{"role": "king", "content": "a"}],
        [{"role": "user", "content": 3}], [{"role": "user", "content": "a", "mood": "x"}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}], [{"role": "user", "content": ["a"]}],
        [{"role": "tool", "content": "a"}], [{"role": "assistant", "content": None}],
        [{"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}],
        [{"role": "user", "content": "a", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}],
        [{"role": "assistant", "content": "a", "audio": {"id": "x"}}],
    ],
)  # fmt: skip
def test_bad_messages(messages: Any):
    assert error("chat", messages=messages).name == "messages"


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def test_what_is_nested_too_deeply_names_its_field():
    for endpoint in ("chat", "response", "message"):
        read(endpoint, chat_template_kwargs=nested(63))
        wrong = error(endpoint, chat_template_kwargs=nested(900))
        assert wrong.name == "chat_template_kwargs" and "nested more than 100 levels deep" in str(wrong)
    function = {"name": "f", "parameters": {"type": "object", "properties": nested(900)}}
    assert error("chat", tools=[{"type": "function", "function": function}]).name == "tools[0].function.parameters"
    use = {"type": "tool_use", "id": "x", "name": "f", "input": nested(900)}
    assert error("message", messages=[{"role": "assistant", "content": [use]}]).name == "messages"
    arguments = json.dumps(nested(900))
    call = {"id": "x", "type": "function", "function": {"name": "f", "arguments": arguments}}
    (message,) = read("chat", messages=[{"role": "assistant", "tool_calls": [call]}]).conversation.messages
    assert message["tool_calls"][0]["function"]["arguments"] == arguments, "a text, which a template can read"


def test_messages_as_templates_read_them():
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    messages = [
        {"role": "developer", "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "kind."}]},
        {"role": "assistant", "content": None, "refusal": None, "annotations": [], "tool_calls": [call]},
        {"role": "tool", "content": "1", "tool_call_id": "c1"},
    ]
    system, assistant, tool = read("chat", messages=messages).conversation.messages
    assert system == {"role": "system", "content": "Be kind."}
    assert assistant["tool_calls"][0]["function"]["arguments"] == {"a": 1} and assistant["content"] == ""
    assert tool["name"] == "f"


def test_tools_and_choices():
    def tools(**fields: Any) -> Any:
        return read("chat", tools=[TOOL, {"type": "function", "function": {"name": "g"}}], **fields).conversation.tools

    assert [f.name for f in tools().functions] == ["f", "g"] and not tools().required
    assert not tools(tool_choice="none") and tools(tool_choice="required").required
    one = tools(tool_choice={"type": "function", "function": {"name": "g"}})
    assert [f.name for f in one.functions] == ["g"] and one.required and not one.parallel
    allowed = {"mode": "auto", "tools": [{"type": "function", "function": {"name": "f"}}]}
    some = tools(tool_choice={"type": "allowed_tools", "allowed_tools": allowed})
    assert [f.name for f in some.functions] == ["f"] and not some.required
    assert not tools(parallel_tool_calls=False).parallel
    for bad, name in (
        ([{"type": "custom"}], "tools[0].type"), ([TOOL, TOOL], "tools[1].function.name"), ("x", "tools"),
        ([{"type": "function", "function": {"name": "a b"}}], "tools[0].function.name"),
        ([{"type": "function", "function": {"name": "a", "parameters": []}}], None),
        ([{"type": "function", "function": {"name": "a", "parameters": {"type": "array"}}}],
         "tools[0].function.parameters"),
        ([{"type": "function", "function": {"name": "a", "extra": 1}}], "tools[0].function.extra"),
        ([{"type": "function", "function": {"name": f"f{i}"}} for i in range(129)], "tools"),
    ):  # fmt: skip
        if name is not None:
            assert error("chat", tools=bad).name == name
    for choice in ("always", {"type": "function", "function": {"name": "h"}}, 3, {"type": "x"}):
        assert str(error("chat", tools=[TOOL], tool_choice=choice).name).startswith("tool_choice")
    assert error("chat", tool_choice="required").name == "tool_choice"
    assert error("chat", tools=[TOOL], parallel_tool_calls=1).name == "parallel_tool_calls"


def test_rules_for_the_text():
    def rule(**fields: Any) -> Any:
        return read("chat", **fields).conversation.rule

    assert rule() is None and rule(response_format={"type": "text"}) is None
    assert rule(response_format={"type": "json_object"}).kind == "json_object"
    schema = {"type": "integer"}
    named = {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}}
    assert rule(response_format=named).source == schema == rule(guided_json='{"type": "integer"}').source
    assert rule(structured_outputs={"json": schema}).source == schema
    assert rule(structured_outputs={"regex": "a+"}).kind == "regex"
    assert rule(guided_grammar="start: /a/").kind == "lark"
    assert rule(guided_choice=["a", 'b"']).source == 'start: "a" | "b\\""\n'
    deep: Any = {}
    for _ in range(200):
        deep = {"items": deep}
    for fields, name in (
        ({"response_format": {"type": "xml"}}, "response_format.type"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}},
         "response_format.json_schema.schema"),
        ({"response_format": {"type": "json_object", "x": 1}}, "response_format.x"),
        ({"guided_json": "{"}, "guided_json"), ({"guided_json": {"x-guidance": {}}}, "guided_json"),
        ({"guided_json": deep}, "guided_json"), ({"guided_json": {"enum": ["x" * 200_000]}}, "guided_json"),
        ({"guided_regex": 3}, "guided_regex"), ({"guided_regex": ""}, "guided_regex"),
        ({"guided_choice": []}, "guided_choice"), ({"guided_choice": [3]}, "guided_choice"),
        ({"guided_choice": ["\ud800"]}, "guided_choice"), ({"structured_outputs": {}}, "structured_outputs"),
        ({"structured_outputs": {"regex": "a", "json": {}}}, "structured_outputs"),
        ({"guided_regex": "a", "guided_json": {}}, "guided_regex"),
    ):  # fmt: skip
        assert error("chat", **fields).name == name, fields


def test_prompts():
    assert read("completion", prompt=[1, 2]).prompts == [[1, 2]]
    assert read("completion", prompt=[[1], "a"]).prompts == [[1], "a"]
    for bad in ("", [], [[]], [1, "a"], [1.5], ["a", 3], {}, 3, [True]):
        assert error("completion", prompt=bad).name == "prompt"
    assert error("completion", prompt=["a"] * 1025).name == "prompt"
    assert error("completion", prompt=["a"] * 65, n=2).name == "n"


def test_embeddings():
    request = read("embedding", input=["a", "b"], encoding_format="base64", pooling="last", normalize=False)
    assert request.base64 and request.pooling == "last" and not request.normalize
    bad = {"encoding_format": "hex", "pooling": "max", "normalize": 1, "dimensions": "7", "input": 3}
    for name, value in bad.items():
        assert error("embedding", **{name: value}).name == name


def test_responses_items():
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}", "id": "x", "status": "completed"},
        {"type": "function_call", "call_id": "d", "name": "g", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "1"},
    ]
    system, user, calls, tool = read("response", input=items, instructions="Be kind.").conversation.messages
    assert system["role"] == "system" and user["content"] == "a" and len(calls["tool_calls"]) == 2
    assert tool == {"role": "tool", "content": "1", "tool_call_id": "c", "name": "f"}
    for name, value in {
        "previous_response_id": "x", "store": True, "background": True, "truncation": "auto", "max_tool_calls": 1,
        "input": [{"type": "reasoning"}], "include": ["x"], "instructions": 3, "tool_choice": "x", "conversation": "x",
    }.items():  # fmt: skip
        assert error("response", **{name: value}).name == name
    assert error("response", reasoning={"effort": "high"}).name == "reasoning.effort"
    assert error("response", text={"format": {"type": "json_schema", "name": "x"}}).name == "text.format.schema"
    assert error("response", tools=[{"type": "web_search"}]).name == "tools[0].type"


def test_anthropic_blocks():
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [{"type": "text", "text": "b"},
                                          {"type": "tool_use", "id": "t", "name": "f", "input": {"x": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "no", "is_error": True},
                                     {"type": "text", "text": "c"}]},
    ]  # fmt: skip
    system = [{"type": "text", "text": "s1"}, {"type": "text", "text": "s2"}]
    conversation = read("message", messages=messages, system=system).conversation
    assert [message["role"] for message in conversation.messages] == ["system", "user", "assistant", "tool", "user"]
    assert conversation.messages[0]["content"] == "s1\ns2" and conversation.messages[3]["content"] == "Error: no"
    prefill = [*USER, {"role": "assistant", "content": "Sure"}]
    assert read("message", messages=prefill).conversation.continue_final_message
    tool = {"name": "f", "input_schema": {"type": "object"}}
    assert read("message", tools=[tool], tool_choice={"type": "any"}).conversation.tools.required
    assert not read("message", tools=[tool], tool_choice={"type": "none"}).conversation.tools
    one = {"type": "auto", "disable_parallel_tool_use": True}
    assert not read("message", tools=[tool], tool_choice=one).conversation.tools.parallel
    assert read("message", output_config={"effort": "high"}).conversation.rule is None  # Anthropic's default
    image = [{"role": "user", "content": [{"type": "image", "source": {}}]}]
    for fields, name in (
        ({"messages": image}, "messages"), ({"messages": []}, "messages"), ({"system": 3}, "system"),
        ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, "thinking"), ({"container": "x"}, "container"),
        ({"tools": [{"type": "bash_20250124", "name": "bash"}]}, "tools[0].type"), ({"max_tokens": 0}, "max_tokens"),
        ({"tools": [{"name": "f"}]}, "tools[0].input_schema"), ({"tool_choice": {"type": "x"}}, "tool_choice.type"),
        ({"output_config": {"effort": "low"}}, "output_config.effort"), ({"metadata": {"x": 1}}, "metadata.x"),
    ):  # fmt: skip
        assert error("message", **fields).name == name, fields


def test_what_a_model_thought_reaches_the_template():
    def thoughts(endpoint: str, messages: list[dict[str, Any]], **fields: Any) -> list[Any]:
        conversation = read(endpoint, messages=messages, **fields).conversation
        return [message.get("reasoning_content") for message in conversation.messages if message["role"] != "user"]

    for name in ("reasoning_content", "reasoning", "thinking"):
        assert thoughts("chat", [*USER, {"role": "assistant", "content": "x", name: "Hm."}, *USER]) == ["Hm."]
    both = {"role": "assistant", "content": "x", "reasoning": "a", "thinking": "b"}
    assert "mean the same, but differ" in str(error("chat", messages=[*USER, both]))
    assert thoughts("chat", [*USER, {**both, "thinking": "a"}]) == ["a"]

    def answer(thought: str) -> dict[str, Any]:
        blocks = [{"type": "thinking", "thinking": thought, "signature": "s"}, {"type": "text", "text": "x"}]
        return {"role": "assistant", "content": blocks}

    turns = [*USER, answer("a"), *USER, answer("b"), *USER, answer("c"), *USER]
    assert thoughts("message", turns) == ["a", "b", "c"]

    def edited(**keep: Any) -> list[Any]:
        edit = {"type": "clear_thinking_20251015", **keep}
        return thoughts("message", turns, context_management={"edits": [edit]})

    assert edited() == [None, None, "c"]
    assert edited(keep={"type": "thinking_turns", "value": 2}) == [None, "b", "c"]
    assert edited(keep="all") == edited(keep={"type": "all"}) == ["a", "b", "c"]
    wrong = {"edits": [{"type": "clear_thinking_20251015", "keep": 0}]}
    assert error("message", context_management=wrong).name == "context_management.edits[0].keep"
    assert "thinking" in str(error("message", messages=[{**answer("a"), "role": "user"}]))
    hidden = {"role": "assistant", "content": [{"type": "redacted_thinking"}]}
    assert "redacted" in str(error("message", messages=[hidden]))
