"""Who shares what is cached of prompts: one API key does not learn what another has asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.datastructures import Headers

from wgpt.serve.security import Keys

from .fuzzed_bodies import TINY
from .running import Running, serving

SECRET = "the account number is 4711 and the code is 0815, tell nobody about it, please and thank you. " * 2
ALICE, BOB = "key-alice", "key-bob"


def tenant(keys: Keys, key: str) -> str:
    return keys.check(Headers({"authorization": f"Bearer {key}"}))


def test_keys_have_names_that_do_not_tell_them():
    keys, others = Keys([ALICE, BOB]), Keys([ALICE, BOB])
    names = [tenant(keys, key) for key in (ALICE, BOB, ALICE)]
    assert names[0] == names[2] != names[1] and all(len(name) == 32 for name in names)
    assert tenant(others, ALICE) != names[0], "they are random"
    assert tenant(Keys([ALICE]), ALICE) == Keys([]).check(Headers({})) == ""
    assert tenant(Keys([ALICE, BOB], together=True), ALICE) == tenant(Keys([ALICE, BOB], together=True), BOB) == ""


@pytest.fixture(scope="module")
def tenants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("tenants")
    (folder / "keys").write_text(f"{ALICE}\n{BOB}\n")
    with serving(folder, TINY, "--no-warm-up", "--api-key-file", str(folder / "keys")) as server:
        yield server


def cached(server: Running, key: str, **fields: Any) -> int:
    """Tokens of a prompt that were in the cache."""
    body = {"prompt": SECRET, "max_tokens": 1, "temperature": 0, **fields}
    answer = server.post("/v1/completions", body, headers={"authorization": f"Bearer {key}"})
    assert answer.status_code == 200, answer.text
    count: int = answer.json()["usage"]["prompt_tokens_details"]["cached_tokens"]
    return count


@pytest.mark.gpu
@pytest.mark.full
def test_another_key_cannot_guess_a_prompt_token_by_token(tenants: Running):
    assert cached(tenants, ALICE) == 0 and cached(tenants, ALICE) > 64
    guesses = [SECRET, SECRET[:70], SECRET[: len(SECRET) // 2], SECRET + "x"]
    for guess in guesses:
        assert cached(tenants, BOB, prompt=guess, cache_salt=guess[-9:]) == 0, "a salt of one's own"
    assert cached(tenants, BOB) == 0
    assert cached(tenants, BOB) > 64, "what Bob has asked himself"


@pytest.mark.gpu
@pytest.mark.full
def test_a_salt_keeps_the_users_of_one_key_apart(tenants: Running):
    assert cached(tenants, ALICE, cache_salt="user 1") == 0
    assert cached(tenants, ALICE, cache_salt="user 2") == 0
    assert cached(tenants, ALICE, cache_salt="user 1") > 64
    assert cached(tenants, BOB, cache_salt="user 1") == 0, "a salt does not open the cache of another key"


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/embeddings"])
def test_every_endpoint_takes_a_salt(tenants: Running, path: str):
    text = "Hi"
    user = [{"role": "user", "content": text}]
    bodies: dict[str, dict[str, Any]] = {
        "/v1/chat/completions": {"messages": user, "max_tokens": 1},
        "/v1/responses": {"input": text, "max_output_tokens": 1},
        "/v1/messages": {"model": "smollm2", "messages": user, "max_tokens": 1},
        "/v1/embeddings": {"input": text},
    }
    headers = {"authorization": f"Bearer {ALICE}"}
    assert tenants.post(path, {**bodies[path], "cache_salt": "x"}, headers=headers).status_code == 200
