"""A real `wgpt serve` in processes of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

START_SECONDS = 300  # a busy machine
ANSWER_SECONDS = 300


class Running:
    """A server, and what it printed."""

    def __init__(self, process: subprocess.Popen[bytes], out: Path, log: Path) -> None:
        self.process, self._out, self._log = process, out, log
        self.address = ""
        self.client = httpx.Client(timeout=ANSWER_SECONDS, trust_env=False)

    def wait_until_ready(self) -> None:
        def found() -> bool:
            if self.process.poll() is not None:
                raise AssertionError(f"it ended with {self.process.returncode}: {self.log()}")
            match = re.search(r"^serving .* at (http://\S+)$", self.printed(), re.M)
            self.address = match[1] if match else ""
            return bool(match)

        wait_for(found, START_SECONDS)

    def printed(self) -> str:
        return self._out.read_text()

    def log(self) -> str:
        return self._log.read_text() if self._log.is_file() else ""

    def logged(self, id: str) -> str:
        """The line of a request; it is written soon after the answer."""
        lines: list[str] = []

        def found() -> bool:
            lines[:] = [line for line in self.log().splitlines() if id in line]
            return bool(lines)

        wait_for(found)
        return lines[-1]

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.client.get(self.address + path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.client.post(self.address + path, json=body, **options)

    def complete(self, prompt: str = "One, two, three,", **fields: Any) -> httpx.Response:
        return self.post("/v1/completions", {"prompt": prompt, "max_tokens": 4, "temperature": 0, **fields})

    @contextmanager
    def stream(self, prompt: str = "One, two, three,", **fields: Any) -> Iterator[Iterator[dict[str, Any]]]:
        """The events of a streamed completion, as they come."""
        body = {"prompt": prompt, "max_tokens": 4, "temperature": 0, "stream": True, **fields}
        with self.client.stream("POST", f"{self.address}/v1/completions", json=body) as response:
            assert response.status_code == 200, response.read()
            yield events(response)

    def metric(self, name: str, **labels: str) -> float:
        """A value of /metrics, over all labels that are not given."""
        total = 0.0
        for line in self.get("/metrics").text.splitlines():
            match = re.fullmatch(r"(\S+?)(\{.*\})? (\S+)", line)
            if (
                match
                and match[1] == f"wgpt:{name}"
                and all(f'{k}="{v}"' in (match[2] or "") for k, v in labels.items())
            ):
                total += float(match[3])
        return total

    def is_idle(self) -> bool:
        return self.metric("num_requests_running") + self.metric("num_requests_waiting") == 0

    def engine(self) -> psutil.Process:
        """The process with the GPU: the one with the most memory."""
        children = psutil.Process(self.process.pid).children()
        return max(children, key=lambda child: child.memory_info().rss)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    def end(self) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in response.iter_lines():
        if line.startswith("data: ") and line != "data: [DONE]":
            yield json.loads(line.removeprefix("data: "))


def text_of(chunks: Sequence[dict[str, Any]]) -> str:
    return "".join(choice["text"] for chunk in chunks for choice in chunk.get("choices", ()))


def wait_for(condition: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


@contextmanager
def serving(
    folder: Path, model: Path, *options: str, log: Path | None = None, wait: bool = True, **environment: str
) -> Iterator[Running]:
    """`wgpt serve` with these options, on a free port. `log`: where stderr goes."""
    folder.mkdir(parents=True, exist_ok=True)
    out, log = folder / "stdout", log or folder / "stderr"
    command = [sys.executable, "-m", "wgpt", "serve", "-m", str(model), "--name", "smollm2", "-p", "0", *options]
    with out.open("wb") as stdout, log.open("wb") as stderr:
        process = subprocess.Popen(
            command, stdout=stdout, stderr=stderr, stdin=subprocess.DEVNULL, env={**os.environ, **environment}
        )
    running = Running(process, out, log)
    try:
        if wait:
            running.wait_until_ready()
        yield running
    finally:
        running.end()
