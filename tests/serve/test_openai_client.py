"""The real openai client against a real server: chats, completions, embeddings, fields, clients that go away."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import numpy as np
import openai
import pytest
from openai import AsyncOpenAI, OpenAI

from .openai_requests import MODEL, USER, chat, complete
from .running import Running

pytestmark = pytest.mark.gpu

# Chat -----------------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_chat(client: OpenAI):
    answer = chat(client)
    (choice,) = answer.choices
    assert "Paris" in choice.message.content and choice.message.role == "assistant"
    assert answer.object == "chat.completion" and answer.model == MODEL and answer.id.startswith("chatcmpl-")
    assert answer.usage.completion_tokens == 8 if choice.finish_reason == "length" else choice.finish_reason == "stop"
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    again = chat(client)
    assert again.choices[0].message.content == choice.message.content
    assert again.usage.prompt_tokens_details.cached_tokens > 0


@pytest.mark.full
def test_a_stream_has_the_same_text(client: OpenAI):
    whole = chat(client).choices[0]
    chunks = list(chat(client, stream=True, stream_options={"include_usage": True}))
    assert len({chunk.id for chunk in chunks}) == 1 and chunks[0].choices[0].delta.role == "assistant"
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == whole.message.content
    reasons = [c.choices[0].finish_reason for c in chunks if c.choices]
    assert reasons[-1] == whole.finish_reason and not any(reasons[:-1])
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens == 8
    assert all(chunk.usage is None for chunk in chunks[:-1])
    without = list(chat(client, stream=True))
    assert all(chunk.choices for chunk in without)


@pytest.mark.full
def test_the_streaming_helper(client: OpenAI):
    with client.chat.completions.stream(model=MODEL, messages=USER, max_tokens=8, temperature=0) as stream:
        text = "".join(event.delta for event in stream if event.type == "content.delta")
        assert stream.get_final_completion().choices[0].message.content == text != ""


@pytest.mark.slow
def test_several_samples(client: OpenAI):
    answer = chat(client, n=3, temperature=1.0, seed=5, max_completion_tokens=6, max_tokens=openai.NOT_GIVEN)
    assert [choice.index for choice in answer.choices] == [0, 1, 2]
    texts = [choice.message.content for choice in answer.choices]
    assert len(set(texts)) > 1
    assert chat(client, n=3, temperature=1.0, seed=5, max_tokens=6).choices[2].message.content == texts[2]
    streamed = ["", "", ""]
    for chunk in chat(client, n=3, temperature=1.0, seed=5, max_tokens=6, stream=True):
        for choice in chunk.choices:
            streamed[choice.index] += choice.delta.content or ""
    assert streamed == texts
    assert chat(client, n=2, seed=-7, max_tokens=1).choices[1].index == 1


@pytest.mark.full
def test_stops_bias_and_penalties(client: OpenAI):
    free = chat(client, max_tokens=12).choices[0].message.content
    stop = free.split()[2]
    cut = chat(client, max_tokens=12, stop=[stop, "zzz"]).choices[0]
    assert cut.finish_reason == "stop" and cut.message.content == free[: free.index(stop)]
    ids = chat(client, max_tokens=1, extra_body={"return_token_ids": True})
    first = ids.choices[0].token_ids[0]
    assert ids.prompt_token_ids[-1] >= 0
    other = chat(client, max_tokens=1, logit_bias={str(first): -100}, extra_body={"return_token_ids": True})
    assert other.choices[0].token_ids[0] != first
    chat(client, presence_penalty=0.5, frequency_penalty=-0.5, top_p=0.9, seed=1, max_tokens=2)


@pytest.mark.full
def test_extra_sampling_fields(client: OpenAI):
    extra = {"top_k": 5, "min_p": 0.05, "repetition_penalty": 1.1, "priority": -1, "lora": None}
    chat(client, temperature=1.0, extra_body=extra, max_tokens=2)
    long = chat(client, max_tokens=30, extra_body={"ignore_eos": True})
    assert long.usage.completion_tokens == 30 and long.choices[0].finish_reason == "length"
    first = chat(client, max_tokens=2, extra_body={"return_token_ids": True}).choices[0].token_ids
    ended = chat(client, max_tokens=9, extra_body={"stop_token_ids": [first[1]]})
    assert ended.usage.completion_tokens <= 2 and ended.choices[0].finish_reason == "stop"
    least = chat(client, max_tokens=9, extra_body={"stop_token_ids": [first[1]], "min_tokens": 5})
    assert least.usage.completion_tokens >= 5
    off = chat(client, max_tokens=2, extra_body={"top_k": -1})
    assert off.usage.completion_tokens == 2


@pytest.mark.full
def test_chat_logprobs(client: OpenAI):
    choice = chat(client, logprobs=True, top_logprobs=3, max_tokens=4).choices[0]
    content = choice.logprobs.content
    assert len(content) == 4 and all(len(token.top_logprobs) == 3 for token in content)
    assert content[0].logprob == pytest.approx(content[0].top_logprobs[0].logprob)  # greedy
    assert "".join(bytes(token.bytes).decode() for token in content) == choice.message.content
    streamed = [
        token
        for chunk in chat(client, logprobs=True, top_logprobs=3, max_tokens=4, stream=True)
        for token in (chunk.choices[0].logprobs.content if chunk.choices[0].logprobs else ())
    ]
    assert [token.token for token in streamed] == [token.token for token in content]
    assert [t.logprob for t in streamed] == pytest.approx([t.logprob for t in content], abs=1e-3)


@pytest.mark.full
def test_continue_the_last_message(client: OpenAI):
    messages = [*USER, {"role": "assistant", "content": "The capital of France is"}]
    answer = chat(client, messages=messages, max_tokens=2, extra_body={"continue_final_message": True})
    assert answer.choices[0].message.content.strip().startswith("Paris")
    chat(client, extra_body={"add_generation_prompt": False, "chat_template_kwargs": {"x": 1}}, max_tokens=1)


@pytest.mark.full
def test_content_in_parts_and_roles(client: OpenAI):
    parts = [{"type": "text", "text": "What is the capital "}, {"type": "text", "text": "of France?"}]
    same = chat(client, messages=[{"role": "user", "content": parts}])
    assert same.choices[0].message.content == chat(client).choices[0].message.content
    system = [{"role": "developer", "content": "You are a pirate."}, *USER]
    as_system = [{"role": "system", "content": "You are a pirate."}, *USER]
    texts = {chat(client, messages=each).choices[0].message.content for each in (system, as_system)}
    assert len(texts) == 1
    fed_back = chat(client).choices[0].message.model_dump()
    chat(client, messages=[*USER, fed_back, *USER], max_tokens=1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, "messages"),
        ({"temperature": 1e9}, "temperature"),
        ({"extra_body": {"temprature": 1}}, "temprature"),
        ({"extra_body": {"top_p": "high"}}, "top_p"),
        ({"n": 0}, "n"),
        ({"top_logprobs": 2}, "top_logprobs"),
        ({"stream_options": {"include_usage": True}}, "stream_options"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"store": True}, "store"),
        ({"reasoning_effort": "high"}, "reasoning_effort"),
        ({"stop": ["a"] * 17}, "stop"),
        ({"logit_bias": {"999999": 1}}, "logit_bias"),
        ({"extra_body": {"lora": "none"}}, "lora"),
        ({"response_format": {"type": "json_schema",
                              "json_schema": {"name": "x", "schema": {"propertyNames": {"pattern": "a"}}}}},
         "response_format.json_schema.schema"),
        ({"extra_body": {"guided_regex": "("}}, "guided_regex"),
        ({"extra_body": {"guided_grammar": "start: nothing"}}, "guided_grammar"),
    ],
)  # fmt: skip
def test_a_bad_field_is_named(client: OpenAI, fields: dict[str, Any], param: str):
    with pytest.raises(openai.BadRequestError) as info:
        chat(client, **fields)
    assert info.value.param == param and info.value.type == "invalid_request_error"
    assert param.split(".")[-1] in info.value.message or param == "messages"


@pytest.mark.full
def test_unknown_models_and_long_prompts(client: OpenAI):
    with pytest.raises(openai.NotFoundError) as missing:
        chat(client, model="gpt-5")
    assert missing.value.code == "model_not_found" and missing.value.param == "model" and MODEL in missing.value.message
    with pytest.raises(openai.BadRequestError) as long:
        chat(client, messages=[{"role": "user", "content": "word " * 9000}])
    assert long.value.code == "context_length_exceeded" and "8192" in long.value.message
    assert chat(client, model=MODEL.upper(), max_tokens=1).model == MODEL.upper()


@pytest.mark.full
def test_labels_change_nothing(client: OpenAI):
    labels: Any = {"user": "me", "metadata": {"a": "b"}, "safety_identifier": "x", "prompt_cache_key": "k"}
    labels["store"] = False
    expected = chat(client).choices[0].message.content
    assert chat(client, **labels, service_tier="auto").choices[0].message.content == expected


# Completions ----------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_completions(client: OpenAI):
    text = complete(client).choices[0].text
    assert text.startswith(" Paris")
    answer = complete(client, extra_body={"return_token_ids": True})
    ids = answer.choices[0].prompt_token_ids
    assert len(ids) == answer.usage.prompt_tokens == 5
    assert complete(client, ids).choices[0].text == text
    several = complete(client, [ids, ids[:2]], n=2)
    assert [c.index for c in several.choices] == [0, 1, 2, 3] and several.choices[1].text == text
    mixed = complete(client, ["The capital of France is", "2 + 2 ="])
    assert mixed.choices[0].text == text and mixed.usage.prompt_tokens > 5
    streamed = {0: "", 1: ""}
    for chunk in complete(client, ["The capital of France is", "2 + 2 ="], stream=True):
        streamed[chunk.choices[0].index] += chunk.choices[0].text
    assert streamed == {i: choice.text for i, choice in enumerate(mixed.choices)}
    assert complete(client, max_tokens=openai.NOT_GIVEN).usage.completion_tokens <= 16


@pytest.mark.full
def test_echo_and_logprobs(client: OpenAI):
    prompt = "The capital of France is Paris"
    answer = complete(client, prompt, echo=True, logprobs=1, max_tokens=0).choices[0]
    assert answer.text == prompt and answer.finish_reason == "length"
    logprobs = answer.logprobs
    assert "".join(logprobs.tokens) == prompt
    assert logprobs.token_logprobs[0] is None and logprobs.top_logprobs[0] is None
    assert logprobs.text_offset == [prompt.index(token) for token in logprobs.tokens]
    assert all(value <= 0 for value in logprobs.token_logprobs[1:])
    assert max(logprobs.top_logprobs[-1], key=logprobs.top_logprobs[-1].get) == " Paris"
    after = complete(client, prompt, echo=True, logprobs=2, max_tokens=3).choices[0]
    assert after.text.startswith(prompt) and len(after.logprobs.tokens) == len(logprobs.tokens) + 3
    assert after.logprobs.token_logprobs[1:6] == pytest.approx(logprobs.token_logprobs[1:6], abs=1e-3)
    streamed = list(complete(client, prompt, echo=True, max_tokens=3, stream=True))
    assert "".join(chunk.choices[0].text for chunk in streamed) == after.text
    alone = complete(client, prompt, logprobs=2, max_tokens=3).choices[0].logprobs
    assert len(alone.tokens) == 3 and len(alone.top_logprobs[0]) == 2
    with pytest.raises(openai.BadRequestError, match="max_tokens"):
        complete(client, max_tokens=0)


@pytest.mark.full
@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"prompt": ""}, "prompt"), ({"prompt": [10**6]}, "prompt"), ({"prompt": ["a", 1]}, "prompt"),
        ({"suffix": "x"}, "suffix"), ({"best_of": 2}, "best_of"), ({"logprobs": 99}, "logprobs"),
        ({"prompt": ["a"] * 100, "n": 2}, "n"),
    ],
)  # fmt: skip
def test_bad_completions(client: OpenAI, fields: dict[str, Any], param: str):
    with pytest.raises(openai.BadRequestError) as info:
        complete(client, **fields)
    assert info.value.param == param


# Embeddings -----------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_embeddings(client: OpenAI):
    texts = ["The cat sat.", "A cat was sitting.", "Quarterly revenue grew."]
    vectors = [np.array(each.embedding) for each in client.embeddings.create(model=MODEL, input=texts).data]
    assert [vector.shape for vector in vectors] == [(576,)] * 3
    assert all(np.linalg.norm(vector) == pytest.approx(1, abs=1e-5) for vector in vectors)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    one = client.embeddings.create(model=MODEL, input=texts[0], encoding_format="float")
    assert np.array(one.data[0].embedding) == pytest.approx(vectors[0], abs=1e-4) and one.usage.prompt_tokens > 2
    last = client.embeddings.create(
        model=MODEL, input=texts[0], extra_body={"pooling": "last", "normalize": False}, dimensions=576
    )
    assert np.linalg.norm(last.data[0].embedding) != pytest.approx(1, abs=1e-2)
    ids = client.embeddings.create(model=MODEL, input=[[504, 6376], [19556]])
    assert len(ids.data) == 2 and ids.usage.total_tokens == 3
    for name, value in {"dimensions": 64, "input": []}.items():
        with pytest.raises(openai.BadRequestError) as info:
            client.embeddings.create(**{"model": MODEL, "input": "a", name: value})
        assert info.value.param == name


# asyncio, and clients that go away ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_async_client(server: Running):
    async def run() -> None:
        async with AsyncOpenAI(base_url=f"{server.address}/v1", api_key="none", max_retries=0) as client:

            async def one(i: int) -> str:
                messages: Any = [{"role": "user", "content": f"Say {i}."}]
                stream = await client.chat.completions.create(
                    model=MODEL, messages=messages, max_tokens=5, temperature=0, stream=True
                )
                return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

            texts = await asyncio.gather(*[one(i) for i in range(6)])
            assert texts[0] == await one(0) and all(texts)
            vectors = await client.embeddings.create(model=MODEL, input="a")
            assert math.isfinite(vectors.data[0].embedding[0])

    asyncio.run(run())


@pytest.mark.full
def test_streams_closed_early(client: OpenAI):
    for fields in ({}, {"n": 4, "temperature": 1.0}):
        with chat(client, stream=True, max_tokens=4000, extra_body={"ignore_eos": True}, **fields) as stream:
            for _, chunk in zip(range(3), stream, strict=False):
                assert chunk.choices
    assert chat(client, max_tokens=1).choices  # nothing of it is left in the way
