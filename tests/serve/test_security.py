"""Which web pages may use a server without keys: its own, by an address or a name that nobody can take."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import Headers

from wgpt.processes.messages import FAILED
from wgpt.serve.engine_process import EngineProcess
from wgpt.serve.errors import ApiError
from wgpt.serve.security import Origins
from wgpt.serve.settings import Settings

from .running import Running

OURS = ["127.0.0.1:8000", "localhost:8000", "localhost", "[::1]:8000", "192.168.1.7:8000", "gpubox:8000", "WGPT:8000",
        "gpubox.local:8000", "wgpt.default.svc.cluster.local", "a.localhost:8000", "gpu1.example.org:8000"]  # fmt: skip
THEIRS = ["evil.example.com", "evil.example.com:8000", "127.0.0.1.evil.com:8000", "localhost.evil.com", "evil.com.",
          "0x7f.1:8000", "x.evil:8000", "[::1", "a@evil.com"]  # fmt: skip


def code(origins: Origins, **headers: str) -> str:
    """Why a POST with these headers is refused; "" if it is not."""
    try:
        origins.check_host(Headers(headers))
        origins.check(Headers(headers))
    except ApiError as e:
        assert e.status == 403
        return str(e.code)
    return ""


@pytest.fixture
def origins() -> Origins:
    return Origins([], False, ("127.0.0.1", "gpu1.example.org"))


@pytest.mark.parametrize("host", OURS)
def test_its_own_page_may(origins: Origins, host: str):
    assert code(origins, host=host) == code(origins, host=host, origin=f"http://{host}") == ""
    for other in ("http://localhost:9999", "http://127.0.0.1:9999", "https://evil.example.com", "null", "http://x"):
        assert code(origins, host=host, origin=other) == "origin_not_allowed"


@pytest.mark.parametrize("host", THEIRS)
def test_a_name_that_was_made_to_point_here_may_not(origins: Origins, host: str):
    assert code(origins, host=host) == code(origins, host=host, origin=f"http://{host}") == "host_not_allowed"
    assert code(Origins([], True), host=host) == "", "with a key, a page needs one"
    assert code(Origins(["*"], False), host=host, origin="http://x") == ""


def test_a_name_may_that_the_command_line_allows():
    origins = Origins(["https://chat.example.com/"], False)
    assert code(origins, host="chat.example.com", origin="https://chat.example.com") == ""
    assert code(origins, host="chat.example.com:8000") == ""
    assert code(origins, host="other.example.com") == "host_not_allowed"
    assert code(origins, host="127.0.0.1:8000", origin="https://chat.example.com") == ""
    assert code(origins) == "", "a client that is no browser, and sends no name"


def test_an_engine_that_failed_does_not_tell_where_its_files_are(tmp_path: Path):
    async def reason() -> str:
        loras = {"pirate": tmp_path / "loras" / "pirate"}
        engine = EngineProcess(Settings(tmp_path / "models" / "tiny", "tiny", loras=loras))
        cause = f"{tmp_path}/models/tiny/config.json: not found; {tmp_path}/loras/pirate: empty"
        ended: Any = SimpleNamespace(exitcode=1, join=lambda timeout: None)
        engine.process._process = ended
        engine.process._received((FAILED, cause))
        await engine.process._ended(ended)
        assert str(tmp_path) in engine.failed_to_start, "whoever has started it may know"
        return engine.health().reason

    assert "(tiny/config.json: not found; pirate: empty)" in asyncio.run(reason())


@pytest.mark.gpu
@pytest.mark.full
def test_every_path_but_health_looks_at_the_name(tiny: Running):
    for path in ("/v1/models", "/metrics", "/tokenizer_info", "/version", "/models", "/unknown"):
        answer = tiny.get(path, headers={"host": "evil.example.com"})
        assert answer.status_code == 403 and answer.json()["error"]["code"] == "host_not_allowed", path
        assert "smollm2" not in answer.text
    assert tiny.get("/health", headers={"host": "evil.example.com"}).status_code == 200
    body = {"prompt": "a", "max_tokens": 1}
    assert tiny.post("/v1/completions", body, headers={"origin": "http://localhost:9999"}).status_code == 403
    assert tiny.post("/v1/completions", body, headers={"origin": tiny.address}).status_code == 200
