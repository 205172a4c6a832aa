"""Run llama.cpp's own server tests, unedited, against `wgpt serve`, and say which pass, fail, and do not apply.

    git clone https://github.com/ggml-org/llama.cpp
    pip install 'wgpt[serve]' pytest requests aiohttp wget openai
    python scripts/llama_cpp_tests.py llama.cpp [pytest's options, such as -k stream]

The tests think that they start llama-server with a model of their own; here they talk to one wgpt server with
SmolLM2-135M (and one with an API key). So the text of an answer is not compared, tests of other models, templates and
endpoints of llama.cpp alone do not apply, and each of these is listed with its reason.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

FILES = (
    *("basic", "chat_completion", "completion", "compat_anthropic", "compat_oai_responses", "embedding", "metrics"),
    *("security", "stream", "template", "tokenize", "tool_call", "lora", "vision_api", "ignore_eos", "ctx_shift"),
    *("infill", "rerank", "slot_save", "speculative"),
)
KEY = "sk-this-is-the-secret-key"  # as unit/test_security.py has it
# Endpoints of llama.cpp's own protocol.
OTHERS = {
    "/completion": "llama.cpp's own protocol",
    "/props": "llama.cpp's own protocol",
    "/slots": "llama.cpp's own protocol",
    "/infill": "filling in the middle",
    "/lora-adapters": "llama.cpp's way to choose LoRA adapters",
    "/rerank": "reranking",
    "/v1/rerank": "reranking",
    "/embedding": "llama.cpp's own protocol",
    "/embeddings": "llama.cpp's own protocol",
}
# Options of llama-server without which a test has no meaning, and why they do not apply.
OPTIONS = {
    "chat_template": "another model's chat template",
    "chat_template_file": "another model's chat template",
    "mmproj_url": "images",
    "lora_files": "a LoRA adapter of another model",
    "slot_save_path": "slots that are saved to files",
    "model_draft": "another model",
    "spec_type": "llama.cpp's options for speculation",
    "server_tools": "tools that llama-server runs itself",
    "enable_ctx_shift": "a context that slides by itself",
}
DEFAULT_MODELS = (None, "ggml-org/models", "ggml-org/test-model-stories260K")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def server(*options: str) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "wgpt", "serve", "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
                break
            except OSError:
                if process.poll() is not None:
                    sys.exit(f"wgpt serve ended with exit code {process.returncode}")
                time.sleep(0.5)
        yield port
    finally:
        process.terminate()
        process.wait()


def main() -> int:
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "tools/server/tests/utils.py").is_file():
        sys.exit(__doc__)
    tests = Path(sys.argv[1]).resolve() / "tools/server/tests"
    files = [f"unit/test_{name}.py" for name in FILES if (tests / f"unit/test_{name}.py").is_file()]
    here = str(Path(__file__).resolve().parent)
    with ExitStack() as stack:
        ports = [stack.enter_context(server()), stack.enter_context(server("--api-key", KEY))]
        environment = {
            **os.environ,
            "DEBUG_EXTERNAL": "1",
            "PORT": str(ports[0]),
            "WGPT_KEY_PORT": str(ports[1]),
            "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]),
        }
        command = [sys.executable, "-m", "pytest", "-p", "llama_cpp_tests", "-q", "-p", "no:cacheprovider", "--tb=line"]
        return subprocess.run([*command, *sys.argv[2:], *files], cwd=tests, env=environment, check=False).returncode


# As pytest's plugin --------------------------------------------------------------------------------------------


def pytest_configure(config: Any) -> None:
    """Before the tests are imported: their servers are ours, and text is not compared."""
    import pytest

    sys.path.insert(0, os.getcwd())
    import utils

    def start(self: Any, timeout_seconds: int = 0) -> None:
        for name, why in OPTIONS.items():
            if getattr(self, name, None):
                pytest.skip(why)
        if getattr(self, "model_hf_repo", None) not in DEFAULT_MODELS:
            pytest.skip(f"another model: {self.model_hf_repo}")
        self.server_host = "127.0.0.1"
        self.server_port = int(os.environ["WGPT_KEY_PORT" if self.api_key else "PORT"])

    def checked(path: str) -> None:
        name = re.split(r"[?#]", path)[0]
        if name in OTHERS:
            pytest.skip(f"{name}: {OTHERS[name]}")

    for name in ("make_request", "make_stream_request"):
        original = getattr(utils.ServerProcess, name)

        def request(self: Any, method: str, path: str, *args: Any, _original: Any = original, **more: Any) -> Any:
            checked(path)
            return _original(self, method, path, *args, **more)

        setattr(utils.ServerProcess, name, request)
    utils.ServerProcess.start = start
    utils.ServerPreset.load_all = staticmethod(lambda: None)
    utils.match_regex = lambda *_: True


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: every test by its outcome."""
    write, stats = terminalreporter.write_line, terminalreporter.stats
    write("")
    for outcome, title in (("passed", "pass"), ("failed", "FAIL"), ("error", "FAIL"), ("skipped", "does not apply")):
        for report in stats.get(outcome, []):
            reason = ""
            if outcome == "skipped":
                reason = str(report.longrepr[2]).removeprefix("Skipped: ")
            elif outcome in ("failed", "error"):
                reason = getattr(getattr(report.longrepr, "reprcrash", None), "message", str(report.longrepr))
            write(f"{title:15} {report.nodeid.removeprefix('unit/')}  {' '.join(reason.split())[:160]}")
    counts = {name: len(stats.get(name, [])) for name in ("passed", "failed", "error", "skipped")}
    write(
        f"{counts['passed']} pass, {counts['failed'] + counts['error']} fail, {counts['skipped']} do not apply to wgpt"
    )


if __name__ == "__main__":
    sys.exit(main())
