"""A Ray cluster of two nodes: training that its workers share, and answers that survive them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import wgpt

from .conftest import JOB_SECONDS, Cluster, finished, free_port
from .jobs import PROMPTS, model_path

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def alone(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What one process trains."""
    return finished(cluster.job("train", str(tmp_path_factory.mktemp("alone") / "one"), "1"))


@pytest.mark.full
def test_two_workers_train_what_one_process_does(cluster: Cluster, alone, tmp_path):
    assert finished(cluster.job("train", str(tmp_path / "two"), "2")) == alone


@pytest.mark.full
@pytest.mark.parametrize("end", [psutil.Process.kill, psutil.Process.terminate])
def test_a_worker_that_dies_is_replaced_and_changes_nothing(cluster: Cluster, alone, tmp_path, end):
    job = cluster.job("train", str(tmp_path / "two"), "2", "1.0")
    until(lambda: step_of(tmp_path / "two") >= 2)
    followers = cluster.actors("Follower")
    assert len(followers) == 1
    end(followers[0])
    assert finished(job) == alone


@pytest.mark.full
def test_a_run_that_is_killed_goes_on_with_another_number_of_workers(cluster: Cluster, alone, tmp_path):
    job = cluster.job("train", str(tmp_path / "two"), "2", "1.0")
    until(lambda: step_of(tmp_path / "two") >= 3)
    job.kill()
    job.communicate()
    assert finished(cluster.job("train", str(tmp_path / "two"), "1", "0", "resume")) == alone


@pytest.mark.slow
def test_a_batch_of_the_command_line_that_is_killed_goes_on(cluster: Cluster, tmp_path):
    texts = [f"Row {i}:" for i in range(24)]
    lines = [json.dumps({"id": i, "prompt": text, "max_tokens": 200 if i > 3 else 6}) for i, text in enumerate(texts)]
    lines += ['{"prompt": ', json.dumps({"id": "bad", "prompt": "A", "top_p": 7})]
    prompts, out = tmp_path / "prompts.jsonl", tmp_path / "answers.jsonl"
    prompts.write_text("\n".join(lines) + "\n")
    job = cluster.job("batch", str(prompts), str(out))
    until(lambda: out.exists() and out.read_text().count("\n") > 2, JOB_SECONDS)
    job.kill()
    job.communicate()
    before = out.read_text().count("\n")
    assert before < len(lines)
    assert finished(cluster.job("batch", str(prompts), str(out))) == 1  # some lines failed
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert {answer.get("id", answer.get("line")) for answer in answers} == {*range(24), 25, "bad"}
    assert len(answers) == len(lines)
    assert {answer.get("id", answer.get("line")) for answer in answers if "error" in answer} == {25, "bad"}
    with wgpt.load(model_path()) as model:
        expected = model.generate(texts[:4], max_tokens=6, ignore_eos=True)
    by_id = {answer.get("id"): answer for answer in answers}
    assert [by_id[i]["text"] for i in range(4)] == [each.text for each in expected]


@pytest.mark.slow
def test_the_python_of_the_guide_runs(cluster: Cluster, tmp_path, smollm2_path):
    answers = finished(cluster.job("guide", str(tmp_path), str(smollm2_path)))
    assert len(answers) == 3 and any("Paris" in text for text in answers)


@pytest.mark.full
def test_a_replica_that_is_killed_ends_its_streams_with_an_error(cluster: Cluster, smollm2_path):
    seen = finished(cluster.job("served", str(smollm2_path), str(free_port("127.0.0.1"))))
    assert seen["refused"] == 401
    assert seen["texts"][0] and seen["texts"][0] == seen["texts"][1]
    assert seen["cached"] > 20  # the second turn went to the replica that had read the first
    error = json.loads(seen["last"].removeprefix("data: "))["error"]
    assert "has died" in error["message"]


@pytest.mark.full
def test_an_actor_and_a_node_are_killed_and_every_row_is_answered_once(cluster: Cluster):
    job = cluster.job("generate", "0.5")
    until(lambda: len(cluster.actors("MapWorker")) >= 2)
    time.sleep(2)
    cluster.actors("MapWorker")[0].kill()
    time.sleep(2)
    cluster.nodes[-1].kill()
    answers = finished(job)
    assert sorted(number for number, _, _ in answers) == list(range(PROMPTS))
    wrong = [number for number, _, error in answers if error]
    assert sorted(wrong) == [7, 57, 107, 157]
    with wgpt.load(model_path(), deterministic=True) as model:
        right = [number for number, _, error in sorted(answers) if not error]
        expected = model.generate([f"Row {i}:" for i in right], max_tokens=6)
    assert [text for _, text, error in sorted(answers) if not error] == [each.text for each in expected]


def step_of(folder: Path) -> int:
    seen = Path(f"{folder}.step")
    return int(seen.read_text() or 0) if seen.exists() else -1


def until(condition, seconds: float = 200.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)
