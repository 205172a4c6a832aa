"""Behind nginx, as the guide sets it up: streams are not held back, and the chat page works under the proxy's name."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from .fuzzed_bodies import TINY
from .running import Running, events, serving, wait_for

UNPACKED = Path(__file__).parents[2] / "build" / "nginx" / "usr" / "sbin"  # by scripts/setup-nginx
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH')}:/usr/sbin:{UNPACKED}")
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.full,
    pytest.mark.skipif(NGINX is None, reason="nginx, which wgpt does not need, is missing: scripts/setup-nginx"),
]
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "serving.md"
NAME = "chat.example.com"
ORIGIN = {"origin": f"http://{NAME}"}


@contextmanager
def proxied(folder: Path, server: Running) -> Iterator[httpx.Client]:
    """A client of the server, through nginx with the location of the guide."""
    (block,) = re.findall(r"^```nginx\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    location = block.replace("http://127.0.0.1:8000", server.address)
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "".join(f"{kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    listening = f"server {{ listen 127.0.0.1:{port}; server_name {NAME}; {location} }}"
    text = f"{user} pid pid; error_log log; daemon off; events {{}} http {{ access_log off; {temporary} {listening} }}"
    folder.mkdir()
    (folder / "nginx.conf").write_text(text)
    assert NGINX is not None
    process = subprocess.Popen([NGINX, "-p", str(folder), "-e", "log", "-c", "nginx.conf"])
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"host": NAME}, timeout=300) as client:
            wait_for(lambda: _answers(client))
            yield client
    finally:
        process.terminate()
        process.wait()


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/health").status_code == 200
    except httpx.TransportError:
        return False


def test_streams_and_the_page(tmp_path: Path):
    with serving(tmp_path / "server", TINY, "--no-warm-up") as server, proxied(tmp_path / "nginx", server) as client:
        streamed = {"prompt": "a", "max_tokens": 100, "temperature": 0, "stream": True, "ignore_eos": True}
        with client.stream("POST", "/v1/completions", json=streamed) as response:
            pieces = [len(piece) for piece in response.iter_raw()]
        assert sum(pieces) > 100 * 100
        assert sum(piece < 1000 for piece in pieces) >= 3, pieces  # with buffering, all but the last have 4 KiB
        with client.stream("POST", "/v1/completions", json={**streamed, "overflow": "slide", "max_tokens": 10**6}) as r:
            next(events(r))
        wait_for(server.is_idle)  # nginx passes on that the client has gone
        body = {"prompt": "a", "max_tokens": 1}
        assert client.get("/").status_code == 200 and client.post("/v1/completions", json=body).status_code == 200
        refused = client.post("/v1/completions", json=body, headers=ORIGIN)
        assert refused.status_code == 403
        message = refused.json()["error"]["message"]
        assert f"--cors-origin http://{NAME} (also if it is behind a reverse proxy" in message and "key" in message


def test_the_page_where_its_origin_is_allowed(tmp_path: Path):
    options = ["--no-warm-up", "--cors-origin", f"http://{NAME}"]
    with serving(tmp_path / "server", TINY, *options) as server, proxied(tmp_path / "nginx", server) as client:
        allowed = client.post("/tokenize", json={"prompt": "a"}, headers=ORIGIN)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == f"http://{NAME}"
        evil = client.post("/tokenize", json={"prompt": "a"}, headers={"origin": "http://evil.example.com"})
        assert evil.status_code == 403
