"""`wgpt batch --replicas`: two processes with an engine each, on one GPU; and what --ray refuses."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from wgpt import load

TINY = str(Path(__file__).parents[1] / "golden" / "models" / "llama-gqa")
CHAT = {
    "custom_id": "chat",
    "url": "/v1/chat/completions",
    "body": {"messages": [{"role": "user", "content": "Hello"}]},
}
pytestmark = pytest.mark.gpu


def jsonl(path: Path, *lines: Any) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def answers_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def command(prompts: Path, out: Path, *options: str) -> list[str]:
    model = ["-m", TINY, "--gpu", "0,0", "--replicas", "--max-batch", "4"]
    return [sys.executable, "-m", "wgpt", "batch", str(prompts), "-o", str(out), *model, *options]


@pytest.mark.slow
def test_all_formats_and_errors(tmp_path: Path, device):
    texts = [f"The quick {i}" for i in range(12)]
    lines: list[Any] = [{"prompt": text, "max_tokens": 5, "ignore_eos": True} for text in texts]
    lines += ['{"prompt": ', {"id": "bad", "prompt": "A", "top_p": 7}, CHAT]
    prompts, out = jsonl(tmp_path / "prompts.jsonl", *lines), tmp_path / "answers.jsonl"
    done = subprocess.run(command(prompts, out, "--in-order", "-n", "3"), capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and "15 of 15 lines; 2 failed" in done.stdout, done.stderr
    answers = answers_of(out)
    with load(TINY, device=device) as model:
        expected = [each.text for each in model.generate(texts, max_tokens=5, ignore_eos=True)]
    assert [answer["text"] for answer in answers[:12]] == expected
    assert "is not JSON" in answers[12]["error"] and "top_p must be" in answers[13]["error"]
    assert answers[14]["response"]["status_code"] == 200


@pytest.mark.slow
def test_lines_of_a_killed_replica_are_answered_by_others(tmp_path: Path):
    lines = ({"id": i, "prompt": f"Number {i}", "max_tokens": 60, "ignore_eos": True} for i in range(40))
    prompts, out = jsonl(tmp_path / "many.jsonl", *lines), tmp_path / "answers.jsonl"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command(prompts, out), text=True, **pipes)
    try:
        began = time.monotonic()
        while not out.exists() or out.stat().st_size < 100:
            assert process.poll() is None and time.monotonic() - began < 120, process.communicate()
            time.sleep(0.02)
        children = psutil.Process(process.pid).children()
        max(children, key=lambda child: child.memory_info().rss).kill()
        stdout, stderr = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0 and "40 of 40 lines; 0 failed" in stdout, stderr
    assert "has stopped (killed by signal 9): its lines are answered again" in stderr
    answers = answers_of(out)
    assert sorted(answer["id"] for answer in answers) == list(range(40))
    assert all(answer["tokens"] == 60 for answer in answers)
    assert psutil.wait_procs(children, timeout=30)[1] == []


def test_what_is_refused(wgpt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    prompts, out = jsonl(tmp_path / "good.jsonl", {"prompt": "A"}), str(tmp_path / "answers.jsonl")
    for options, message in {
        ("--replicas",): "--replicas needs the GPUs to run on, such as --gpu 0,1",
        ("--replicas", "--gpu", "0,"): "--gpu must be GPUs with commas between them, such as 0,1, not '0,'",
        ("--workers", "2"): "--workers needs --ray",
        ("--ray", "--replicas", "--gpu", "0,1"): "--ray and --replicas exclude each other",
        ("--ray", "--gpu", "0"): "--ray and --gpu exclude each other",
    }.items():
        result = wgpt("batch", str(prompts), "-o", out, "-m", TINY, *options)
        assert result.exit_code == 2 and message in result.stderr, (options, result.stderr)
    monkeypatch.setitem(sys.modules, "ray", None)
    result = wgpt("batch", str(prompts), "-o", out, "-m", TINY, "--ray")
    assert result.exit_code == 2 and "pip install 'wgpt[ray]'" in result.stderr and not Path(out).exists()


@pytest.mark.full
def test_a_replica_that_cannot_start_is_told_in_one_line(tmp_path: Path):
    prompts = jsonl(tmp_path / "good.jsonl", {"prompt": "A"})
    wrong = [*command(prompts, tmp_path / "answers.jsonl"), "--gpu", "0,77", "--json"]
    done = subprocess.run(wrong, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and "GPU 77 does not exist" in json.loads(done.stdout)["error"]
    lines = [line for line in done.stderr.splitlines() if not line.startswith("loading on 2 GPUs: ")]  # a slow machine
    assert len(lines) == 1
