"""Processes that are killed, signals, and logs that cannot be written."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from .running import Running, serving, text_of, wait_for


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Streams:
    """Streams that are read by threads, up to their end."""

    def __init__(self, server: Running, count: int, **fields: Any) -> None:
        self._threads = ThreadPoolExecutor(count)
        self._begun = threading.Semaphore(0)
        self._server, self._count, self._fields = server, count, {"ignore_eos": True, **fields}
        self._results: list[Future[list[dict[str, Any]]]] = []

    def __enter__(self) -> Streams:
        self._results = [self._threads.submit(self._read, i) for i in range(self._count)]
        for _ in range(self._count):
            assert self._begun.acquire(timeout=300)
        return self

    def _read(self, i: int) -> list[dict[str, Any]]:
        chunks = []
        with self._server.stream(f"Story {i}:", **self._fields) as stream:
            for chunk in stream:
                if not chunks:
                    self._begun.release()
                chunks.append(chunk)
        return chunks

    def chunks(self) -> list[list[dict[str, Any]]]:
        return [result.result(300) for result in self._results]

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def ends_with_an_error(chunks: list[dict[str, Any]], message: str) -> bool:
    error = chunks[-1].get("error")
    return error is not None and message in error["message"] and not any("error" in chunk for chunk in chunks[:-1])


def finish_reasons(chunks: list[dict[str, Any]]) -> list[str]:
    choices = [choice for chunk in chunks for choice in chunk.get("choices", ())]
    return [choice["finish_reason"] for choice in choices if choice["finish_reason"]]


def is_gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def killed_engine(server: Running, streams: int) -> None:
    """Kill the engine during streams: each ends with an error, and the server works again soon."""
    restarts = server.metric("engine_restarts_total")
    engine = server.engine()
    waiting = ThreadPoolExecutor(1).submit(server.complete, max_tokens=2000, ignore_eos=True)
    with Streams(server, streams, max_tokens=2000) as running:
        engine.kill()
        for chunks in running.chunks():
            assert ends_with_an_error(chunks, "the engine has stopped (killed by signal 9)")
    answer = waiting.result(300)
    assert answer.status_code == 503 and answer.json()["error"]["code"] == "engine_failed"
    health = server.get("/health")
    assert health.status_code == 503 and health.json()["reason"]
    refused = server.complete()
    assert refused.status_code == 503 and int(refused.headers["retry-after"]) >= 1
    wait_for(lambda: server.get("/health").status_code == 200, 300)
    assert server.complete().status_code == 200
    assert server.metric("engine_restarts_total") == restarts + 1
    assert server.engine().pid != engine.pid and is_gone(engine)


@pytest.mark.slow
def test_a_life_with_a_full_disk_for_the_log(smollm2_path, tmp_path):
    """Loading, a killed engine, and SIGTERM: all with a log that cannot be written."""
    port = free_port()
    options = ["--port", str(port), "--no-warm-up", "--shutdown-timeout", "300"]
    with serving(tmp_path, smollm2_path, *options, log=Path("/dev/full"), wait=False) as server:
        server.address = f"http://127.0.0.1:{port}"
        is_loading(server)
        server.wait_until_ready()
        assert server.get("/health").status_code == 200
        killed_engine(server, 2)
        engine = server.engine()
        with Streams(server, 2, max_tokens=40) as running:
            server.signal(signal.SIGTERM)
            wait_for(lambda: server.get("/health").json()["status"] == "stopping")
            refused = server.complete()
            assert refused.status_code == 503 and refused.headers["retry-after"]
            assert refused.json()["error"]["code"] == "shutting_down"
            for chunks in running.chunks():
                assert text_of(chunks) and finish_reasons(chunks) == ["length"]
        assert server.process.wait(60) == 0
        assert is_gone(engine)


def is_loading(server: Running) -> None:
    """Answers while the model is being loaded."""

    def listens() -> bool:
        try:
            return bool(server.get("/health").status_code)
        except httpx.ConnectError:
            return False

    wait_for(listens)
    assert server.get("/health").json() == {"status": "loading", "reason": "the model is being loaded"}
    assert server.get("/health").status_code == 503
    refused = server.complete()
    assert refused.status_code == 503 and refused.json()["error"]["code"] == "engine_not_ready"
    assert int(refused.headers["retry-after"]) >= 1
    assert server.get("/v1/models").json()["data"][0]["id"] == "smollm2"


@pytest.mark.full
def test_sixteen_streams_and_a_killed_engine(smollm2_path, tmp_path):
    with serving(tmp_path, smollm2_path) as server:
        killed_engine(server, 16)
        assert "Traceback" not in server.log()


@pytest.mark.slow
def test_an_engine_that_hangs(smollm2_path, tmp_path):
    """A stopped process says nothing: /health sees it, and after twice --step-timeout it is started again."""
    with serving(tmp_path, smollm2_path, "--step-timeout", "15") as server:
        engine = server.engine()
        engine.suspend()
        wait_for(lambda: server.get("/health").status_code == 503)
        assert "has sent nothing" in server.get("/health").json()["reason"]
        engine.resume()
        wait_for(lambda: server.get("/health").status_code == 200)
        engine.suspend()
        waiting = server.complete()  # it does not wait forever
        assert waiting.status_code == 503 and "the engine has stopped" in waiting.json()["error"]["message"]
        wait_for(lambda: server.get("/health").status_code == 200, 300)
        assert is_gone(engine) and server.metric("engine_restarts_total") == 1
        assert server.complete().status_code == 200


@pytest.mark.full
def test_ctrl_c_ends_what_does_not_finish_in_time(smollm2_path, tmp_path):
    with serving(tmp_path, smollm2_path, "--shutdown-timeout", "1") as server:
        engine = server.engine()
        with Streams(server, 3, max_tokens=4000) as running:
            engine.send_signal(signal.SIGINT)  # a terminal sends it to all
            server.signal(signal.SIGINT)
            for chunks in running.chunks():
                assert ends_with_an_error(chunks, "the server is shutting down")
        assert server.process.wait(60) == 0
        assert is_gone(engine)
        assert "Traceback" not in server.log()


@pytest.mark.slow
def test_a_second_signal_ends_it_at_once(smollm2_path, tmp_path):
    with serving(tmp_path, smollm2_path) as server:
        engine = server.engine()
        with Streams(server, 1, max_tokens=4000):
            server.signal(signal.SIGTERM)
            wait_for(lambda: "stopping" in server.log())
            server.signal(signal.SIGTERM)
            assert server.process.wait(10) == 128 + signal.SIGTERM
        wait_for(lambda: is_gone(engine))


@pytest.mark.full
def test_the_engine_does_not_survive_its_server(smollm2_path, tmp_path):
    with serving(tmp_path, smollm2_path) as server:
        engine = server.engine()
        with Streams(server, 1, max_tokens=4000):
            server.signal(signal.SIGKILL)
            wait_for(lambda: is_gone(engine))
            server.process.wait()


@pytest.mark.full
def test_without_stderr(smollm2_path, tmp_path):
    """A closed stderr, and nobody who reads stdout."""
    port = free_port()
    command = f"exec {sys.executable} -m wgpt serve -m {smollm2_path} -p {port} --no-warm-up 2>&- | true"
    process = subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, start_new_session=True)
    server = Running(process, tmp_path / "none", tmp_path / "none")
    server.address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: healthy(server), 300)
        assert server.complete().status_code == 200
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        server.end()


def healthy(server: Running) -> bool:
    try:
        return server.get("/health").status_code == 200
    except httpx.ConnectError:
        return False


def refusal(*arguments: str, warning: str = "", **environment: str) -> str:
    """The one line that a command ends with, perhaps after a warning."""
    command = [sys.executable, "-m", "wgpt", "serve", "-p", "0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""
    *before, last = done.stderr.splitlines()
    assert warning in "\n".join(before)
    return last


@pytest.mark.full
def test_wrong_options_are_refused_before_anything_is_loaded(smollm2_path, tmp_path):
    model = ("-m", str(smollm2_path))
    assert "unknown model 'no-such-model'" in refusal("-m", "no-such-model")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"cannot listen on 127.0.0.1, port {port}" in refusal(*model, "-p", port)
        loud = "0.0.0.0 can be reached from other machines, and there is no key"
        assert "cannot listen" in refusal(*model, "-p", port, "--host", "0.0.0.0", warning=loud)
    assert "--context must be a whole number from 1 to 8192, not 9000" in refusal(*model, "--context", "9000")
    assert "exclude each other" in refusal(*model, "--speculation", "ngram", "--deterministic")
    assert "--share-cache needs several keys" in refusal(*model, "--share-cache", "--api-key", "x")
    (tmp_path / "empty").write_text("# no key\n")
    assert "has no key" in refusal(*model, "--api-key-file", str(tmp_path / "empty"))
    message = refusal(*model, WGPT_API_KEY="a secret")
    assert "must be of printable ASCII characters" in message and "secret" not in message


@pytest.mark.full
def test_what_only_the_engine_can_refuse(smollm2_path, tmp_path):
    (tmp_path / "none").mkdir()
    message = refusal("-m", str(smollm2_path), "--lora", f"x={tmp_path / 'none'}")
    assert "--lora x=" in message and "adapter_config.json" in message
    assert "--cache-memory" in refusal("-m", str(smollm2_path), "--cache-memory", "1KiB")
