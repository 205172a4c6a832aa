"""What the tests of OpenAI's client share: its requests to the server of the tests."""

from __future__ import annotations

from typing import Any

from openai import OpenAI

MODEL = "smollm2"
USER: Any = [{"role": "user", "content": "What is the capital of France?"}]


def chat(client: OpenAI, **fields: Any) -> Any:
    return client.chat.completions.create(
        **{"model": MODEL, "messages": USER, "max_tokens": 8, "temperature": 0, **fields}
    )


def complete(client: OpenAI, prompt: Any = "The capital of France is", **fields: Any) -> Any:
    return client.completions.create(**{"model": MODEL, "prompt": prompt, "max_tokens": 4, "temperature": 0, **fields})


def respond(client: OpenAI, **fields: Any) -> Any:
    question = USER[0]["content"]
    return client.responses.create(
        **{"model": MODEL, "input": question, "max_output_tokens": 16, "temperature": 0, **fields}
    )
