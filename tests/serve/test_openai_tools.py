"""The real openai client against a real server: structured output, tools, responses."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel, Field

from .openai_requests import MODEL, USER, chat, complete, respond

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}, "unit": {"enum": ["C", "F"]}},
            "required": ["city", "unit"],
            "additionalProperties": False,
        },
    },
}
NOW: Any = {"type": "function", "function": {"name": "now"}}


# Structured output ----------------------------------------------------------------------------------------------


class Person(BaseModel):
    name: str
    age: int
    mood: Literal["happy", "sad"]


def test_parse_with_pydantic(client: OpenAI):
    messages: Any = [{"role": "user", "content": "Invent a person."}]
    answer = client.chat.completions.parse(
        model=MODEL, messages=messages, response_format=Person, max_tokens=120, temperature=0
    )
    person = answer.choices[0].message.parsed
    assert isinstance(person, Person) and answer.choices[0].finish_reason == "stop"
    response = client.responses.parse(model=MODEL, input="Invent a person.", text_format=Person, temperature=0)
    assert isinstance(response.output_parsed, Person)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=1, le=9)]


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: Annotated[list[Literal["sit", "roll"]], Field(max_length=2)]


class Owner(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


def test_a_discriminated_union(client: OpenAI):
    """pydantic writes it as oneOf. What tells its branches apart is kept; branches that overlap are refused."""
    schema = str(Owner.model_json_schema())
    assert "oneOf" in schema
    messages: Any = [{"role": "user", "content": "A dog that can sit. Answer in JSON."}]
    answer = client.chat.completions.parse(
        model=MODEL, messages=messages, response_format=Owner, max_tokens=60, temperature=0
    )
    owner = answer.choices[0].message.parsed
    assert isinstance(owner, Owner) and isinstance(owner.pet, Cat | Dog)
    overlapping: Any = {"name": "x", "schema": {"oneOf": [{"type": "number"}, {"type": "integer"}]}}
    with pytest.raises(openai.BadRequestError, match="oneOf is supported only if its branches exclude each other"):
        chat(client, response_format={"type": "json_schema", "json_schema": overlapping})


def test_guided_output(client: OpenAI):
    def text(**extra: Any) -> str:
        return chat(client, max_tokens=60, extra_body=extra).choices[0].message.content

    assert text(guided_choice=["red", "green"]) in ("red", "green")
    assert text(guided_regex="[0-9]{3}-[0-9]{2}")[3] == "-"
    assert text(guided_grammar='start: "a" "b"+ "."').strip("ab.") == ""
    assert json.loads(text(guided_json={"type": "array", "items": {"type": "integer"}, "maxItems": 3})) is not None
    assert text(structured_outputs={"choice": ["été", 'a "b"\n']}) in ("été", 'a "b"\n')
    assert json.loads(text(structured_outputs={"json": {"enum": [1, 2]}})) in (1, 2)
    object = chat(client, max_tokens=3, response_format={"type": "json_object"}).choices[0].message.content
    assert object.lstrip().startswith("{")
    assert complete(client, extra_body={"guided_choice": ["London"]}, max_tokens=9).choices[0].text == "London"


# Tools ----------------------------------------------------------------------------------------------------------


def test_one_call(client: OpenAI):
    choice: Any = {"type": "function", "function": {"name": "now"}}
    answer = chat(client, tools=[NOW], tool_choice=choice, max_tokens=40).choices[0]
    assert answer.finish_reason == "tool_calls" and answer.message.content is None
    assert [(call.function.name, call.function.arguments) for call in answer.message.tool_calls] == [("now", "{}")]


def test_choices(client: OpenAI):
    assert chat(client, extra_body={"guided_choice": ["red", "green"]}).choices[0].message.content in ("red", "green")


def test_a_tool_loop(client: OpenAI):
    messages: Any = [{"role": "user", "content": "What is the weather in Paris?"}]
    once: Any = {"tool_choice": "required", "parallel_tool_calls": False, "max_tokens": 90}
    choice = chat(client, messages=messages, tools=[WEATHER], **once).choices[0]
    assert choice.finish_reason == "tool_calls" and choice.message.tool_calls
    for call in choice.message.tool_calls:
        assert call.type == "function" and call.id.startswith("call_")
        assert set(json.loads(call.function.arguments)) == {"city", "unit"}
    messages.append(choice.message)
    messages += [{"role": "tool", "tool_call_id": c.id, "content": "18 degrees"} for c in choice.message.tool_calls]
    after = chat(client, messages=messages, tools=[WEATHER], tool_choice="none", max_tokens=8)
    assert after.choices[0].message.content and not after.choices[0].message.tool_calls
    assert "tool_call" not in after.choices[0].message.content


def test_one_function_and_its_stream(client: OpenAI):
    choice: Any = {"type": "function", "function": {"name": "get_weather"}}
    fields: dict[str, Any] = {"tools": [WEATHER, NOW], "tool_choice": choice, "max_tokens": 90}
    whole = chat(client, **fields).choices[0]
    (call,) = whole.message.tool_calls
    assert whole.finish_reason == "tool_calls" and call.function.name == "get_weather"
    deltas = []
    for chunk in chat(client, **fields, stream=True):
        assert not chunk.choices[0].delta.content
        deltas += chunk.choices[0].delta.tool_calls or []
        reason = chunk.choices[0].finish_reason
    assert reason == "tool_calls" and deltas[0].id and deltas[0].function.name == "get_weather"
    assert all(delta.index == 0 and delta.id is None for delta in deltas[1:]) and len(deltas) > 2
    assert "".join(delta.function.arguments for delta in deltas) == call.function.arguments


def test_auto_answers_or_calls(client: OpenAI):
    answer = chat(client, tools=[NOW], tool_choice="auto", max_tokens=20).choices[0]
    assert answer.message.content or answer.message.tool_calls
    one = chat(client, tools=[NOW], tool_choice="required", parallel_tool_calls=False, max_tokens=60).choices[0]
    assert len(one.message.tool_calls) == 1
    cut = chat(client, tools=[WEATHER], tool_choice="required", max_tokens=14).choices[0]
    assert cut.finish_reason == "length"


# Responses ------------------------------------------------------------------------------------------------------


def test_responses(client: OpenAI):
    answer = respond(client)
    assert "Paris" in answer.output_text and answer.status in ("completed", "incomplete")
    assert answer.usage.input_tokens > 10 and answer.usage.output_tokens <= 16
    cut = respond(client, max_output_tokens=2)
    assert cut.status == "incomplete" and cut.incomplete_details.reason == "max_output_tokens"
    items = [{"role": "user", "content": [{"type": "input_text", "text": USER[0]["content"]}]}]
    assert respond(client, input=items).output_text == answer.output_text
    more = [*items, *answer.output, {"role": "user", "content": "And of Italy?"}]
    assert respond(client, input=more, instructions="Be brief.", metadata={"a": "b"}).metadata == {"a": "b"}
    logprobs = respond(client, include=["message.output_text.logprobs"], top_logprobs=2, max_output_tokens=3)
    assert len(logprobs.output[0].content[0].logprobs) == 3
    for fields, param in (
        ({"previous_response_id": "resp_1"}, "previous_response_id"), ({"background": True}, "background"),
        ({"store": True}, "store"), ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input"), ({"truncation": "auto"}, "truncation"),
    ):  # fmt: skip
        with pytest.raises(openai.BadRequestError) as info:
            respond(client, **fields)
        assert info.value.param == param


def test_the_events_of_a_response(client: OpenAI):
    events = list(respond(client, stream=True))
    kinds = [event.type for event in events]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    deltas = kinds.count("response.output_text.delta")
    assert kinds == [
        "response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
        *["response.output_text.delta"] * deltas, "response.output_text.done", "response.content_part.done",
        "response.output_item.done", events[-1].type,
    ]  # fmt: skip
    assert events[-1].type in ("response.completed", "response.incomplete") and deltas > 3
    assert events[-1].response.output_text == respond(client).output_text
    tool = {"type": "function", **WEATHER["function"]}
    once: Any = {"tool_choice": "required", "parallel_tool_calls": False, "max_output_tokens": 90}
    fields: dict[str, Any] = {"tools": [tool], **once}
    with client.responses.stream(model=MODEL, input="The weather in Paris?", temperature=0, **fields) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    assert "response.function_call_arguments.delta" in kinds
    call = final.output[0]
    assert call.type == "function_call" and set(json.loads(call.arguments)) == {"city", "unit"}
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}
    history = [{"role": "user", "content": "The weather in Paris?"}, call.model_dump(exclude_none=True), result]
    assert respond(client, input=history, tools=[tool], tool_choice="none").output_text
