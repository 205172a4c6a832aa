"""Requests with fuzzed bodies: never a 500, never a hang, never a traceback.

python -m tests.serve.fuzzed_bodies 10000              starts a server with a tiny model and sends so many
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from wgpt.serve.anthropic.messages import FIELDS as MESSAGE
from wgpt.serve.openai.chat import FIELDS as CHAT
from wgpt.serve.openai.completions import FIELDS as COMPLETION
from wgpt.serve.openai.embeddings import FIELDS as EMBEDDING
from wgpt.serve.openai.fields import LABELS
from wgpt.serve.openai.request import OFF
from wgpt.serve.openai.responses import FIELDS as RESPONSE

from .running import Running, serving

TINY = Path(__file__).parents[1] / "golden" / "models" / "llama-gqa"
SECONDS = 120.0  # for an answer; with 128 texts of 256 tokens on a busy machine
USER = [{"role": "user", "content": "Hi"}]
TOOL = {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}
ENDPOINTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "/v1/chat/completions": ({"messages": USER, "max_tokens": 2}, CHAT),
    "/v1/completions": ({"prompt": "Hi", "max_tokens": 2}, COMPLETION),
    "/v1/responses": ({"input": "Hi", "max_output_tokens": 2}, RESPONSE),
    "/v1/messages": ({"model": "smollm2", "messages": USER, "max_tokens": 2}, MESSAGE),
    "/v1/messages/count_tokens": ({"model": "smollm2", "messages": USER}, MESSAGE),
    "/v1/embeddings": ({"input": "Hi"}, EMBEDDING),
}
# Values that are nearly right for some field, so that requests get further than the first check.
NEARLY: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 0.5, 1.0, 20, 2**31, 2**64, -(2**63), 1e308, "", "a", "auto", "none", "required"),
    *("smollm2", "text", "mean", "base64", "high", "\ud800", "\x00", "é😀", [], {}, [[]], [{}], [""], ["a"]),
    *([1, 2], [[1], "a"]),
    *({"type": "text"}, {"type": "json_object"}, {"type": "function", "function": {"name": "f"}}, {"1": 1}, {"a": 1}),
    *([{"type": "function", "function": TOOL}], [{"type": "function", **TOOL}], {"type": "any"}, {"type": "disabled"}),
    *([{"name": "f", "input_schema": {"type": "object"}}], {"include_usage": True}, {"effort": None}, {"user_id": "x"}),
    {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "integer"}}},
    {"type": "json_schema", "json_schema": {"name": "x", "schema": {"$ref": "#"}}},
    {"format": {"type": "json_schema", "name": "x", "schema": {"enum": [1]}}},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "string"}}},
    *({"json": {"type": "null"}}, {"choice": ["a"]}, "a|b", "(", 'start: "a"', "start: start", "[a-z]{1,1000000}"),
    [{"role": "user", "content": [{"type": "text", "text": "a"}]}, {"role": "assistant", "content": "b"}],
    [{"role": "user", "content": "a"}, {"role": "tool", "tool_call_id": "x", "content": "b"}],
    [{"role": "assistant", "content": None, "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{"}}]}],
    [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": []}]}],
    [{"type": "function_call", "call_id": "x", "name": "f", "arguments": "[]"}],
]  # fmt: skip
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_values = st.sampled_from(NEARLY) | _json


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, bytes]:
    """(path, body)."""
    path = draw(st.sampled_from(sorted(ENDPOINTS)))
    base, fields = ENDPOINTS[path]
    names = [*fields, *LABELS, *OFF]
    if draw(st.integers(0, 19)) == 0:  # not even an object
        return path, draw(st.binary(max_size=60) | _json.map(lambda value: json.dumps(value).encode()))
    body = {**base, **draw(st.dictionaries(st.sampled_from(names) | st.text(max_size=6), _values, max_size=4))}
    if draw(st.booleans()):
        body.pop(draw(st.sampled_from(sorted(body))))
    text = json.dumps(body, ensure_ascii=draw(st.booleans()))
    return path, text.encode(errors="surrogatepass")


def check(client: httpx.Client, address: str, path: str, body: bytes) -> int:
    """Send it; returns the status. Raises AssertionError for an answer that should not be."""
    headers = {"content-type": "application/json"}
    response = client.post(address + path, content=body, headers=headers, timeout=SECONDS)
    status, text = response.status_code, response.text
    problem = f"{status} {path} {body!r} -> {text[:500]}"
    assert status < 500 and "Traceback" not in text, problem
    if response.headers["content-type"].startswith("text/event-stream"):
        blocks = [block for block in text.split("\n\n") if block]
        last = blocks[-1].partition("data: ")[2]
        ends = ("[DONE]", '"message_stop"', '"response.completed"', '"response.incomplete"')
        assert any(end in last for end in ends), problem
        return status
    value = json.loads(text)
    if status != 200:
        assert 400 <= status < 500 and value["error"]["message"] and "type" in value["error"], problem
    return status


def run(address: str, count: int) -> Counter[int]:
    """Send so many requests; returns how often each status came."""
    statuses: Counter[int] = Counter()
    with httpx.Client(trust_env=False) as client:

        @settings(
            max_examples=count, deadline=None, database=None, derandomize=count < 1000,
            suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink],
        )  # fmt: skip
        @given(requests())
        def each(request: tuple[str, bytes]) -> None:
            statuses[check(client, address, *request)] += 1

        each()
        assert client.get(f"{address}/health").status_code == 200
    return statuses


def main() -> None:
    count, began = int(sys.argv[1]), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), TINY, "--no-warm-up") as server:
        assert isinstance(server, Running)
        statuses = run(server.address, count)
        assert "Traceback" not in server.log()
    print(f"{sum(statuses.values())} requests in {time.monotonic() - began:.0f} s: {dict(sorted(statuses.items()))}")


if __name__ == "__main__":
    main()
