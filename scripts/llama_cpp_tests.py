"""Run llama.cpp's own server tests, unedited, against `wgpt serve`, and print which pass, fail, and do not apply.

    git clone https://github.com/ggml-org/llama.cpp
    python scripts/llama_cpp_tests.py llama.cpp [options of pytest, such as -k stream]

Each test starts a server with options of llama-server. Here it gets a `wgpt serve` with the same options where wgpt has
them (name, context, API key, no page, CORS), and SmolLM2-135M instead of its model. So texts are not compared, and a
test does not apply if it needs another model, an endpoint, a field or an option of llama.cpp alone, or asserts a number
of tokens that holds for its own model. Every such test is listed with its reason. The exit code is 1 if a test fails.

What the tests import and this Python lacks is installed into a temporary folder for the run; wgpt[serve] must be there.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OWN = "llama.cpp's own protocol"
# Files whose tests are about something else throughout.
FILES = {
    "compat_gcp": "Google Cloud's protocol",
    "kv_keep_only_active": "slots of llama.cpp",
    "mcp_servers": "llama-server as a client of MCP servers",
    "proxy": "llama-server's proxy for web pages",
    "router": "llama-server's router for several models",
    "sleep": "llama-server's sleep",
    "stream": "llama-server's router and its streams that can be resumed",
    "tools_builtin": "tools that llama-server runs itself",
}
ENDPOINTS = {
    **dict.fromkeys(("/completion", "/completions", "/embedding", "/embeddings", "/props", "/slots"), OWN),
    "/infill": "filling in the middle",
    "/lora-adapters": "llama.cpp's way to choose LoRA adapters",
    **dict.fromkeys(("/rerank", "/v1/rerank"), "reranking"),
    "/cors-proxy": "llama-server's proxy for web pages",
}
# Fields that only llama.cpp has. wgpt refuses them by name.
FIELDS = ("n_predict", "grammar", "json_schema", "timings_per_token", "return_progress", "id_slot", "verbose")
# Options of llama-server without which a test has no meaning.
OPTIONS = {
    "chat_template": "another model's chat template",
    "chat_template_file": "another model's chat template",
    "mmproj_url": "images",
    "lora_files": "a LoRA adapter of another model",
    "slot_save_path": "slots that are saved to files",
    "model_draft": "another model",
    "spec_type": "llama.cpp's options for speculation",
    "server_reranking": "reranking",
    "enable_ctx_shift": "a context that slides by itself",
    "model_tags": "tags of models",
}
MODELS = (None, "ggml-org/models", "ggml-org/test-model-stories260K")
# What a test asserts, where it fails, that holds for llama.cpp or for its model alone.
ASSERTIONS = (
    (r"n_prompt$|n_cache$|== n_tokens|== 2 \* 9", "the number of tokens of its own model"),
    (r"os\.path\.exists\(server\.chat_template_file", "another model's chat template"),
    (r"bosId", "the tokenizer of its own model"),
    (r"system_fingerprint", "llama.cpp's build number; OpenAI's clients take null"),
    (r"delta.*content.* is None", "llama.cpp begins a stream with content null, OpenAI and wgpt with an empty string"),
    (r"exceed_context_size_error", "llama.cpp's name for it; OpenAI's is context_length_exceeded, as wgpt has it"),
    (r'"too large" in', "llama.cpp's text of the error"),
    (r"Process-Start-Time-Unix|== 501", "llama.cpp's metrics; wgpt has vLLM's"),
    (r"status_code == 500$", "llama.cpp answers 500 to an image; wgpt 400"),
    (r"/sw.js|Expected 200 for", "the files of llama.cpp's page"),
)
# Tests that do not apply as a whole, for reasons that cannot be read off a line.
TESTS = {
    "test_no_ui": "two servers, one after the other, at one address",
    "test_invalid_chat_completion_req[messages7]": "two messages of the assistant at the end, which llama.cpp refuses "
    "because it goes on with the last one by itself; wgpt does that with continue_final_message",
    "test_anthropic_empty_messages": "an empty list of messages, which Anthropic and wgpt refuse",
    "test_anthropic_thinking": "thinking, which wgpt refuses by name",
    "test_embedding_mixed_input[-False]": "an empty input, which OpenAI and wgpt refuse",
    "test_embedding_mixed_input[input3-False]": "texts and token ids in one prompt",
    "test_embedding_mixed_input[input7-True]": "texts and token ids in one prompt",
    "test_embedding_pooling_none_oai": "pooling as an option of the server; wgpt has it as a field of requests",
    "test_cors_options": "CORS without being asked for; wgpt has --cors-origin",
    "test_cors_origins_localhost_reflects": "llama.cpp's --cors-origins localhost; wgpt has origins one by one",
    "test_cors_origins_localhost_rejects": "llama.cpp's --cors-origins localhost; wgpt has origins one by one",
}
# llama-server answers whatever `model` a request names; wgpt refuses unknown names, and has --alias.
NAMES = (
    "test",
    "codellama70b",
    "davinci-002",
    "gpt-3.5-turbo",
    "gpt-3.5-turbo-instruct",
    "gpt-4.1",
    "text-embedding-3-small",
)
MODULES = ("pytest", "requests", "wget", "openai")  # that the tests import; packages of the same names
MOST_SERVERS = 2
noted: list[str] = []  # why the running test does not apply; it may have been found out in a thread of the test
START_SECONDS = 600


def main() -> int:
    if len(sys.argv) < 2 or not (Path(sys.argv[1]) / "tools/server/tests/utils.py").is_file():
        sys.exit(__doc__)
    tests = Path(sys.argv[1]).resolve() / "tools/server/tests"
    if find_spec("wgpt") is None:
        sys.exit("wgpt is not installed: pip install 'wgpt[serve]'")
    with tempfile.TemporaryDirectory() as folder:
        install([module for module in MODULES if find_spec(module) is None], folder)
        paths = [str(Path(__file__).resolve().parent), os.environ.get("PYTHONPATH", ""), folder]
        environment = {**os.environ, "DEBUG_EXTERNAL": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        command = [sys.executable, "-m", "pytest", "-p", "llama_cpp_tests", "-p", "no:cacheprovider", "-q", "--tb=no"]
        return subprocess.run([*command, *sys.argv[2:], "unit"], cwd=tests, env=environment, check=False).returncode


def install(packages: list[str], folder: str) -> None:
    if packages:
        print(f"installing {', '.join(packages)} into a temporary folder", flush=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, *packages]
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"cannot install {', '.join(packages)}: install what is missing yourself, and try again")


# As a plugin of pytest -----------------------------------------------------------------------------------------


class Servers:
    """Servers of wgpt by their options; the one that was used least recently ends when there are too many."""

    def __init__(self) -> None:
        self._running: OrderedDict[tuple[str, ...], tuple[subprocess.Popen[bytes], int]] = OrderedDict()
        atexit.register(self.end)

    def port(self, options: tuple[str, ...]) -> int:
        if options not in self._running:
            while len(self._running) >= MOST_SERVERS:
                _stop(self._running.popitem(last=False)[1][0])
            self._running[options] = self._start(options)
        self._running.move_to_end(options)
        return self._running[options][1]

    def end(self) -> None:
        while self._running:
            _stop(self._running.popitem()[1][0])

    def _start(self, options: tuple[str, ...]) -> tuple[subprocess.Popen[bytes], int]:
        """The system chooses a free port, and the server prints it when it is ready."""
        command = [sys.executable, "-m", "wgpt", "serve", "--no-warm-up", "--port", "0", *options]
        for name in NAMES:
            command += ["--alias", name]
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(command, stdout=printed, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + START_SECONDS
            while time.monotonic() < deadline:
                if process.poll() is not None:
                    raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}")
                text = os.pread(printed.fileno(), 1 << 16, 0).decode()
                if ready := re.search(r"^serving .* at http://\S+:(\d+)$", text, re.M):
                    return process, int(ready[1])
                time.sleep(0.2)
        _stop(process)
        raise RuntimeError(f"{' '.join(command)} was not ready after {START_SECONDS} s")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def options_of(server: Any) -> tuple[str, ...]:
    """The options of `wgpt serve` for those of llama-server."""
    options: list[str] = []
    if server.model_alias:
        name, *others = server.model_alias.split(",")
        options += ["--name", name]
        for other in others:
            options += ["--alias", other]
    if server.n_ctx:
        options += ["--context", str(server.n_ctx)]
    if server.api_key:
        options += ["--api-key", server.api_key]
    if server.no_ui:
        options += ["--no-page"]
    if getattr(server, "cors_origins", None):
        options += ["--cors-origin", server.cors_origins]
    return tuple(options)


def pytest_configure(config: Any) -> None:
    """Before the tests are imported: their servers are ours, and texts are not compared."""
    import pytest

    sys.path.insert(0, os.getcwd())
    import utils

    servers = Servers()

    def does_not_apply(reason: str) -> None:
        noted.append(reason)
        pytest.skip(reason)

    def start(self: Any, timeout_seconds: int = 0) -> None:
        for name, reason in OPTIONS.items():
            if getattr(self, name, None):
                does_not_apply(reason)
        if getattr(self, "model_hf_repo", None) not in MODELS:
            does_not_apply(f"another model: {self.model_hf_repo}")

    def port(self: Any) -> int:
        """Only a test that sends a request starts a server."""
        return servers.port(options_of(self))

    def check(path: str, data: Any) -> None:
        name = re.split(r"[?#]", path)[0]
        if name in ENDPOINTS:
            does_not_apply(f"{name}: {ENDPOINTS[name]}")
        for field in data if isinstance(data, Mapping) else ():
            if field in FIELDS:
                does_not_apply(f"field {field} of llama.cpp alone")

    for name in ("make_request", "make_stream_request"):
        original = getattr(utils.ServerProcess, name)

        def request(
            self: Any, method: str, path: str, data: Any = None, *args: Any, _original: Any = original, **more: Any
        ) -> Any:
            check(path, data)
            return _original(self, method, path, data, *args, **more)

        setattr(utils.ServerProcess, name, request)
    utils.ServerProcess.start = start
    utils.ServerProcess.server_port = property(port, lambda self, port: None)
    utils.download_file = lambda url, *_: does_not_apply("a file of another model")
    utils.ServerPreset.load_all = staticmethod(lambda: None)
    utils.match_regex = lambda *_: True


def pytest_collection_modifyitems(items: list[Any]) -> None:
    import pytest

    for item in items:
        reason = FILES.get(item.path.stem.removeprefix("test_")) or TESTS.get(item.name) or TESTS.get(item.originalname)
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_runtest_setup(item: Any) -> None:
    noted.clear()


def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    """A failure at a line that holds for llama.cpp alone is not one."""
    from _pytest.runner import pytest_runtest_makereport as make_report

    report = make_report(item, call)
    if report.failed and call.excinfo is not None:
        line = _failing_line(call.excinfo)
        report.user_properties.append(("line", line))
        reason = next((reason for pattern, reason in ASSERTIONS if re.search(pattern, line)), *noted[:1] or [None])
        if reason:
            report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: {reason}")
    return report


def _failing_line(excinfo: Any) -> str:
    """The statement of a test that did not hold."""
    lines = [entry for entry in excinfo.traceback if "unit" in Path(str(entry.path)).parts]
    return " ".join(str(lines[-1].statement).split()) if lines else ""


def _reason(report: Any) -> str:
    if report.skipped:
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    line = dict(report.user_properties).get("line", "")
    crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", str(report.longrepr))
    return f"{line}  # {' '.join(crash.split())[:200]}"


def _rows(stats: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for outcome, title in (("passed", "pass"), ("failed", "FAIL"), ("error", "FAIL"), ("skipped", "does not apply")):
        for report in stats.get(outcome, ()):
            name = report.nodeid.removeprefix("unit/").replace("\n", " ")
            yield title, name[:120], "" if outcome == "passed" else _reason(report)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: every test by its outcome, then the reasons, then the numbers."""
    write, rows = terminalreporter.write_line, list(_rows(terminalreporter.stats))
    write("")
    for title, name, reason in rows:
        write(f"{title:15} {name}  {reason}".rstrip())
    write("")
    for reason, count in Counter(reason for title, _, reason in rows if title == "does not apply").most_common():
        write(f"{count:5}  {reason}")
    counts = Counter(title for title, _, _ in rows)
    write(f"{counts['pass']} pass, {counts['FAIL']} fail, {counts['does not apply']} do not apply to wgpt")


if __name__ == "__main__":
    sys.exit(main())
