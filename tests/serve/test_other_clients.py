"""Smoke tests of clients that are built on others: LangChain and LiteLLM."""

from __future__ import annotations

import os
from typing import Any

import pytest
from pydantic import BaseModel

from .running import Running

pytestmark = [pytest.mark.gpu, pytest.mark.full]
QUESTION = "What is the capital of France?"


class Answer(BaseModel):
    capital: str


def test_langchain(server: Running):
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings

    @tool
    def now() -> str:
        """The time."""
        return "noon"

    common: Any = {"base_url": f"{server.address}/v1", "api_key": "none", "model": "smollm2", "max_retries": 0}
    chat = ChatOpenAI(**common, temperature=0, max_tokens=12)
    answer = chat.invoke(QUESTION)
    assert "Paris" in answer.content and answer.usage_metadata["output_tokens"] <= 12
    assert "".join(str(chunk.content) for chunk in chat.stream(QUESTION)) == answer.content
    typed = ChatOpenAI(**common, temperature=0, max_tokens=60).with_structured_output(Answer)
    assert isinstance(typed.invoke(QUESTION), Answer)
    bound = ChatOpenAI(**common, temperature=0, max_tokens=60).bind_tools(
        [now], tool_choice="now", parallel_tool_calls=False
    )
    (call,) = bound.invoke("What time is it?").tool_calls
    assert call["name"] == "now" and call["args"] == {}
    embeddings = OpenAIEmbeddings(**common, check_embedding_ctx_length=False)
    assert len(embeddings.embed_query("Hello")) == 576


def test_litellm(server: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # no download
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"]
    import litellm

    common: Any = {"model": "openai/smollm2", "api_base": f"{server.address}/v1", "api_key": "none"}
    messages = [{"role": "user", "content": QUESTION}]
    answer = litellm.completion(**common, messages=messages, max_tokens=12, temperature=0)
    assert "Paris" in answer.choices[0].message.content
    chunks = litellm.completion(**common, messages=messages, max_tokens=12, temperature=0, stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert text == answer.choices[0].message.content
    anthropic: Any = {"model": "anthropic/smollm2", "api_base": server.address, "api_key": "none"}
    answer = litellm.completion(**anthropic, messages=messages, max_tokens=12, temperature=0)
    assert answer.choices[0].message.content == text
    assert len(litellm.embedding(**common, input=["Hello"]).data[0]["embedding"]) == 576
