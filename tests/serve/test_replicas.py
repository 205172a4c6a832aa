"""`wgpt serve --replicas`: two engines on one GPU, which is all that the tests need."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import psutil
import pytest

from wgpt.processes.affinity import Affinity, conversation_of, conversation_of_body

from ..train import golden
from .running import Running, serving, text_of, wait_for
from .test_faults import Streams, ends_with_an_error, finish_reasons, is_gone, refusal

TURNS = [
    {"role": "user", "content": "Count to ten. " * 10},  # more than a page of the KV cache
    {"role": "assistant", "content": "One."},
    {"role": "user", "content": "Go on."},
]


def test_a_conversation_is_known_by_what_its_turns_begin_with():
    first, second = {"messages": TURNS[:1]}, {"messages": TURNS}
    assert conversation_of(first) == conversation_of(second) != ""
    assert conversation_of(first) != conversation_of({**first, "system": "Be brief."})
    assert conversation_of({"prompt": "A"}) != conversation_of({"prompt": "B"})
    assert conversation_of({}) == conversation_of([]) == conversation_of_body(b"[") == ""
    assert conversation_of(first, "salt") == conversation_of(second, "salt") != conversation_of(first)


def test_a_prompt_cache_key_names_it_whatever_it_begins_with():
    named = [{"prompt": text, "prompt_cache_key": key} for text in ("A", "B") for key in ("x", "y")]
    known = [conversation_of(fields) for fields in named]
    assert known[:2] == known[2:] and known[0] != known[1]
    assert conversation_of({"prompt": "A"}) not in known


def test_it_goes_to_the_replica_that_knows_it_unless_that_is_much_busier():
    affinity = Affinity(slack=4)
    assert affinity.order("", {0: 3, 1: 2}) == [1, 0]
    affinity.sent("talk", 1)
    assert affinity.order("talk", {0: 0, 1: 3}) == [1, 0]
    assert affinity.order("talk", {0: 0, 1: 4}) == [0, 1]
    assert affinity.order("talk", {0: 9}) == [0]  # the other one is being started
    assert affinity.order("new", {0: 2, 1: 2}) == [0, 1]  # which has had fewer
    affinity.forget(1)
    assert affinity.order("talk", {0: 0, 1: 3}) == [0, 1]


@pytest.mark.full
def test_replicas_need_gpus():
    assert "--replicas needs the GPUs to run on, such as --gpu 0,1" in refusal("--replicas")
    assert "--gpu must be GPUs with commas between them, such as 0,1, not '0,,1'" in refusal(
        "--gpu", "0,,1", "--replicas"
    )


def replica_processes(server: Running) -> list[psutil.Process]:
    """Those with a model: the two with the most memory."""
    children = psutil.Process(server.process.pid).children()
    return sorted(children, key=lambda child: -child.memory_info().rss)[:2]


def generated(server: Running) -> list[float]:
    return [server.metric("generation_tokens_total", engine=str(i)) for i in range(2)]


@pytest.mark.full
def test_a_life_of_two_replicas(tmp_path: Path):
    """Conversations, LoRA adapters, metrics, a replica that is killed, and SIGTERM."""
    tiny = golden.load("llama-gqa")
    shutil.copytree(tiny.adapter, tmp_path / "more" / "poet")
    options = ["--gpu", "0,0", "--replicas", "--max-batch", "4", "--admin", str(tmp_path / "more")]
    options += ["--shutdown-timeout", "300", "--step-timeout", "300"]
    with serving(tmp_path, Path(tiny.model), *options) as server:
        assert "2 replicas: " in server.printed()
        assert server.get("/health").json() == {"status": "ok", "replicas": [{"status": "ok"}] * 2}
        turns_of_a_conversation(server)
        adapters_on_all(server)
        one_is_killed(server)
        drained(server)


def both_answer(server: Running, **fields: str) -> None:
    """Requests of which each replica gets some, as those that had fewer requests come first."""
    before = generated(server)
    for i in range(16):
        answer = server.complete(f"{before} {i}", ignore_eos=True, **fields)
        assert answer.status_code == 200, answer.text
    assert all(now > then for now, then in zip(generated(server), before, strict=True))


def turns_of_a_conversation(server: Running) -> None:
    ask = {"temperature": 0, "max_tokens": 4, "model": "smollm2", "ignore_eos": True}
    assert server.post("/v1/chat/completions", {**ask, "messages": TURNS[:1]}).status_code == 200
    assert generated(server) == [4, 0]
    server.complete(ignore_eos=True)
    assert generated(server) == [4, 4]  # the one that had nothing
    server.complete("A, B, C,", ignore_eos=True)
    assert generated(server) == [8, 4]
    second = server.post("/v1/chat/completions", {**ask, "messages": TURNS}).json()
    assert generated(server) == [12, 4]  # where the first turn was, not where there was less to do
    assert second["usage"]["prompt_tokens_details"]["cached_tokens"] >= 64
    assert server.metric("http_requests_total", handler="/v1/chat/completions") == 2


def adapters_on_all(server: Running) -> None:
    loaded = server.post("/v1/load_lora_adapter", {"lora_name": "poet", "lora_path": "poet"})
    assert loaded.status_code == 200, loaded.text
    both_answer(server, model="poet")
    assert server.post("/v1/load_lora_adapter", {"lora_name": "x", "lora_path": "none"}).status_code == 400
    assert server.post("/v1/unload_lora_adapter", {"lora_name": "poet"}).status_code == 200
    assert server.complete(model="poet").status_code == 404


def one_is_killed(server: Running) -> None:
    """Streams of the replica end with an error, those of the other one go on, and it is started again."""
    victim = replica_processes(server)[0]
    with Streams(server, 4, max_tokens=220) as running:
        victim.kill()
        ends = running.chunks()
    failed = [chunks for chunks in ends if "error" in chunks[-1]]
    assert len(failed) == 2 and all(ends_with_an_error(chunks, "has stopped (killed by signal 9)") for chunks in failed)
    assert all(finish_reasons(chunks) == ["length"] for chunks in ends if chunks not in failed)
    health = server.get("/health")
    assert health.status_code == 200 and health.json()["status"] == "degraded"
    assert sorted(each["status"] == "ok" for each in health.json()["replicas"]) == [False, True]
    assert server.post("/v1/load_lora_adapter", {"lora_name": "poet", "lora_path": "poet"}).status_code == 503
    assert all(server.complete().status_code == 200 for _ in range(2))
    wait_for(lambda: server.get("/health").json()["status"] == "ok", 300)
    assert server.metric("engine_restarts_total") == 1
    both_answer(server)


def drained(server: Running) -> None:
    processes = replica_processes(server)
    with Streams(server, 2, max_tokens=20) as running:
        server.signal(signal.SIGTERM)
        for chunks in running.chunks():
            assert text_of(chunks) and finish_reasons(chunks) == ["length"]
    assert server.process.wait(60) == 0
    assert all(is_gone(process) for process in processes)
    assert "Traceback" not in server.log()
