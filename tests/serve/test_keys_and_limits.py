"""Keys, pages of other origins, the queue's limit, LoRA adapters by name, JSON logs."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from .conftest import KEYS
from .running import Running, wait_for
from .test_answers import error_of

pytestmark = pytest.mark.full  # a server of its own


def asked(small: Running, **headers: str) -> httpx.Response:
    return httpx.get(f"{small.address}/v1/models", headers=headers, trust_env=False)


def test_every_key_opens_and_nothing_else_does(small):
    for key in KEYS:
        assert asked(small, authorization=f"Bearer {key}").status_code == 200
        assert asked(small, authorization=f"bearer {key}").status_code == 200
        assert asked(small, **{"x-api-key": key}).status_code == 200
    response = asked(small)
    assert error_of(response, 401)["code"] == "missing_api_key"
    assert response.headers["www-authenticate"] == "Bearer"
    for wrong in ("key-on", "key-onee", "KEY-ONE", "# of two clients", "ключ"):
        response = asked(small, authorization=f"Bearer {wrong}".encode())
        assert error_of(response, 401)["code"] == "invalid_api_key"
    assert error_of(asked(small, authorization=f"Basic {KEYS[0]}"), 401)


def test_what_needs_no_key_and_what_does(small):
    assert httpx.get(f"{small.address}/health", trust_env=False).status_code == 200
    for path in ("/metrics", "/version", "/tokenizer_info", "/v1/completions", "/unknown"):
        assert httpx.get(small.address + path, trust_env=False).status_code == 401
    anthropic = httpx.post(f"{small.address}/v1/messages", json={}, trust_env=False)
    assert anthropic.status_code == 401 and anthropic.json()["error"]["type"] == "authentication_error"


def test_keys_are_never_shown(small):
    asked(small, authorization="Bearer a-secret-that-is-wrong")
    everything = small.log() + small.printed() + small.get("/version").text
    assert not any(key in everything for key in (*KEYS, "a-secret-that-is-wrong"))


def test_pages_of_the_allowed_origin(small):
    origin = "https://chat.example.com"
    preflight = small.client.options(
        f"{small.address}/v1/chat/completions",
        headers={
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, x-stainless-os",
        },
    )
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == origin
    assert preflight.headers["access-control-allow-headers"] == "authorization, x-stainless-os"
    response = asked(small, origin=origin, authorization=f"Bearer {KEYS[0]}")
    assert response.headers["access-control-allow-origin"] == origin
    refused = asked(small, origin=origin)  # a page must be able to read why
    assert refused.status_code == 401 and refused.headers["access-control-allow-origin"] == origin
    other = asked(small, origin="https://evil.example.com", authorization=f"Bearer {KEYS[0]}")
    assert "access-control-allow-origin" not in other.headers


def test_a_lora_adapter_is_asked_for_by_its_name(small):
    body = small.complete(model="pirate", max_tokens=2).json()
    assert body["model"] == "pirate"


def test_adapters_are_loaded_from_one_folder_only(small):
    for path in ("../pirate", "/etc", ".", "", "poet/../../pirate", "poet\0", 5, "nothing"):
        error = error_of(small.post("/v1/load_lora_adapter", {"lora_name": "x", "lora_path": path}), 400)
        assert error["param"] == "lora_path"
    for name in ("", "a b", "x" * 200, 5, "pirate", "smollm2"):
        error = error_of(small.post("/v1/load_lora_adapter", {"lora_name": name, "lora_path": "poet"}), 400)
        assert error["param"] == "lora_name"
    assert small.post("/v1/load_lora_adapter", {"lora_name": "poet", "lora_path": "poet"}).status_code == 200
    assert [each["id"] for each in small.get("/v1/models").json()["data"]] == ["smollm2", "pirate", "poet"]
    assert small.complete(model="poet", max_tokens=1).status_code == 200
    assert small.post("/v1/unload_lora_adapter", {"lora_name": "poet"}).status_code == 200
    assert error_of(small.complete(model="poet"), 404)["code"] == "model_not_found"
    assert error_of(small.post("/v1/unload_lora_adapter", {"lora_name": "poet"}), 404)


def test_a_full_queue_is_a_429(small):
    """Two run and three wait (before the engine looks, only three wait): others are told when to try again."""
    with ThreadPoolExecutor(9) as threads:
        fields = {"max_tokens": 12, "ignore_eos": True}
        answers = list(threads.map(lambda i: small.complete(f"Number {i}:", **fields), range(9)))
    refused = [answer for answer in answers if answer.status_code != 200]
    assert 1 <= len(refused) <= 6
    for answer in refused:
        error = error_of(answer, 429)
        assert (error["code"], error["type"]) == ("queue_full", "rate_limit_error")
        assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert all(answer.json()["usage"]["completion_tokens"] == 12 for answer in answers if answer.status_code == 200)


def test_what_can_never_be_queued_is_a_400(small):
    error = error_of(small.complete(n=4, temperature=1), 400)
    assert "at most 3 may wait" in error["message"] and error["param"] == "n"


def test_the_log_is_json(small):
    response = small.complete(max_tokens=2)
    line = json.loads(small.logged(response.headers["x-request-id"]))
    assert (line["event"], line["path"], line["status"]) == ("request", "/v1/completions", 200)
    assert (line["generated_tokens"], line["reason"], line["model"]) == (2, "length", "smollm2")
    assert line["ttft"] > 0 and line["prompt_tokens"] > 0


@pytest.mark.parametrize("body", [{"prompt": "a", "stop": ["x"] * 17}, {"prompt": "a", "n": 129}])
def test_limits_of_fields(small, body):
    assert error_of(small.post("/v1/completions", body), 400)["param"] in ("stop", "n")


def test_it_is_idle_in_the_end(small):
    wait_for(small.is_idle)
    wait_for(lambda: small.metric("kv_cache_usage_perc") == 0)
