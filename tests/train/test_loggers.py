"""Logs of a fine-tuning: JSON lines, TensorBoard (read by its own reader) and W&B (a stand-in: the client is large)."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from wgpt.core.errors import PreconditionError, WgptError
from wgpt.train.loggers import LOG, Start, Target, metrics, opened, targets_of
from wgpt.train.trainer import Moment

SETTINGS = {"rank": 4, "lr": 1e-3, "targets": ["q_proj", "v_proj"], "schedule": "cosine", "full": False, "steps": None}
NEW = Start("0123abcd", SETTINGS, None, False)
RESUMED = Start("0123abcd", SETTINGS | {"rank": 5}, 2, False)


def moment(step: int) -> Moment:
    held_out = 5.0 - step if step % 2 == 0 else None
    loss = math.nan if step == 0 else 4.0 / step
    return Moment(step, 9, 0, loss, held_out, None, 1e-3 * step, 0.5, 100.0 * step, math.nan, 1 << 20)


def log_steps(targets, folder, start, steps) -> None:
    with opened(targets, folder, start) as log:
        for step in steps:
            log(moment(step))


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    events = EventAccumulator(str(folder))
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def test_targets_as_users_write_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        targets_of("a.jsonl")
        == targets_of(["jsonl:a.jsonl", Path("a.jsonl")])
        == (Target("jsonl", str(tmp_path / "a.jsonl")),)
    )
    assert targets_of(["tensorboard", "tensorboard:runs"]) == (
        Target("tensorboard"),
        Target("tensorboard", str(tmp_path / "runs")),
    )
    for target in targets_of(["a.jsonl", "tensorboard:runs", "tensorboard"]):
        assert targets_of(str(target)) == (target,)  # as a checkpoint keeps it


@pytest.mark.parametrize(
    ("log_to", "message"),
    [
        ("mlflow", "unknown log target 'mlflow'; supported: FILE.jsonl"),
        ("jsonl", "jsonl:FILE"),
        (3, "log_to must be FILE.jsonl"),
        ([b"a.jsonl"], "log_to must be"),
    ],
)
def test_an_unknown_target_is_refused_by_name(log_to, message):
    with pytest.raises(PreconditionError, match=message.replace("[", r"\[")):
        targets_of(log_to)


@pytest.mark.parametrize(("kind", "package"), [("tensorboard", "tensorboardX"), ("wandb", "wandb")])
def test_a_target_that_is_not_installed_says_how_to_get_it(kind, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PreconditionError, match=rf"'{kind}' needs {package} .*pip install 'wgpt\[{kind}\]'"):
        targets_of(kind)


def test_what_is_logged_of_a_step():
    assert metrics(moment(0)) == {"held_out_loss": 5.0}
    assert metrics(moment(2)) == {
        **{"loss": 2.0, "learning_rate": 2e-3, "gradient_norm": 0.5, "tokens_per_second": 200.0},
        "held_out_loss": 3.0,
    }
    assert "held_out_loss" not in metrics(moment(1))


def test_a_resumed_log_has_every_step_once(tmp_path):
    """Killed after step 4, the last line cut; the checkpoint is of step 2."""
    other = tmp_path / "other.jsonl"
    log_steps(targets_of(other), tmp_path, NEW, range(5))
    with (tmp_path / LOG).open("ab") as file:
        file.write(b'{"step": 5, "lo')
    log_steps(targets_of(other), tmp_path, RESUMED, range(3, 7))
    for path in (tmp_path / LOG, other):
        settings, *steps = lines(path)
        assert settings["settings"]["rank"] == 5
        assert steps == [{"step": step, **metrics(moment(step))} for step in range(7)]


def test_the_log_of_another_run_is_not_lost(tmp_path):
    path = tmp_path / "log.jsonl"
    log_steps(targets_of(path), None, NEW, range(3))
    before = path.read_bytes()
    with pytest.raises(PreconditionError, match="has the log of another run"):
        log_steps(targets_of(path), None, NEW, range(3))
    assert path.read_bytes() == before
    log_steps(targets_of(path), None, Start("1", {}, None, True), range(2))
    assert len(lines(path)) == 3
    log_steps((), tmp_path, NEW, range(1))  # the run's own folder, which has been looked at before
    assert len(lines(path)) == 2
    path.write_text("my notes\n")
    for start in (NEW, RESUMED, Start("1", {}, None, True)):
        with pytest.raises(WgptError, match=r"is not a wgpt log"):
            log_steps((), tmp_path, start, range(3))
    assert path.read_text() == "my notes\n"


def test_tensorboard_reads_every_step_once(tmp_path):
    log_steps(targets_of("tensorboard"), tmp_path, NEW, range(5))
    log_steps(targets_of("tensorboard"), tmp_path, RESUMED, range(3, 7))
    read = scalars(tmp_path / "tensorboard")
    expected = {name: [] for name in metrics(moment(2))}
    for step in range(7):
        for name, value in metrics(moment(step)).items():
            expected[name].append((step, pytest.approx(value)))
    assert read == expected
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    data = events.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
    assert b"schedule" in data and b"cosine" in data and b"q_proj" in data


def test_tensorboard_events_of_another_run_are_not_mixed_in(tmp_path):
    targets = targets_of(f"tensorboard:{tmp_path}")
    log_steps(targets, None, NEW, range(5))
    with pytest.raises(PreconditionError, match="has the TensorBoard events of another run"):
        log_steps(targets, None, NEW, range(5))
    log_steps(targets, None, Start("1", SETTINGS, None, True), range(2))
    assert scalars(tmp_path)["loss"] == [(1, 4.0)]
    with pytest.raises(PreconditionError, match="tensorboard:DIR"):
        log_steps(targets_of("tensorboard"), None, NEW, range(5))


class Wandb:
    """The parts of the client that are used."""

    Error = type("Error", (Exception,), {})

    def __init__(self, step: int = 0, refuses: bool = False) -> None:
        self.step, self.refuses = step, refuses
        self.logged: list[tuple[int, dict]] = []
        self.finished: list[int | None] = []

    def init(self, **options):
        if self.refuses:
            raise self.Error("No API key configured")
        self.options = options
        log = lambda values, step: self.logged.append((step, values))
        return SimpleNamespace(step=self.step, log=log, finish=lambda exit_code=None: self.finished.append(exit_code))


def test_wandb(tmp_path, monkeypatch):
    client = Wandb()
    monkeypatch.setitem(sys.modules, "wandb", client)
    log_steps(targets_of("wandb:kites"), tmp_path, NEW, range(4))
    assert client.options == {
        **{"project": "kites", "id": "0123abcd", "resume": "never", "config": SETTINGS, "dir": str(tmp_path)}
    }
    assert client.logged == [(step, metrics(moment(step))) for step in range(4)] and client.finished == [None]
    client = Wandb(step=5)  # it has steps 0 to 4; the checkpoint is of step 2
    monkeypatch.setitem(sys.modules, "wandb", client)
    log_steps(targets_of("wandb"), tmp_path, RESUMED, range(3, 7))
    assert client.options["project"] == "wgpt" and client.options["resume"] == "allow"
    assert [step for step, _ in client.logged] == [5, 6]


def test_wandb_that_refuses_or_a_run_that_fails(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", Wandb(refuses=True))
    with pytest.raises(WgptError, match=r"No API key configured.*WANDB_MODE=offline"):
        log_steps(targets_of("wandb"), tmp_path, NEW, range(3))
    client = Wandb()
    monkeypatch.setitem(sys.modules, "wandb", client)
    with pytest.raises(ZeroDivisionError), opened(targets_of("wandb"), tmp_path, NEW):
        raise ZeroDivisionError
    assert client.finished == [1]
