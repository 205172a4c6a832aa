"""Logs of a fine-tuning run: JSON lines, TensorBoard, Weights & Biases.

A run with a folder always has a log.jsonl; `log_to` names further targets. A resumed run continues its logs: entries
after the checkpoint are dropped, because those steps run again.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.arguments import brief
from ..core.atomic import check_file, check_folder, replacing, writing
from ..core.errors import PreconditionError, WgptError
from .trainer import Moment

LOG = "log.jsonl"  # in the run's folder
KINDS = "FILE.jsonl, jsonl:FILE, tensorboard[:DIR] or wandb[:PROJECT]"
_PACKAGES = {"jsonl": "json", "tensorboard": "tensorboardX", "wandb": "wandb"}
_PROJECT = "wgpt"
_METRICS = ("loss", "held_out_loss", "accuracy", "learning_rate", "gradient_norm", "tokens_per_second")

Log = Callable[[int, Mapping[str, float]], None]


@dataclass(frozen=True)
class Target:
    """A log target; `place` is a file, a folder or a project."""

    kind: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.place}" if self.place else self.kind


@dataclass(frozen=True)
class Start:
    """How a run begins: its settings, and whether its logs are new."""

    run_id: str  # the same when it is resumed
    settings: Mapping[str, Any]
    resumed_at: int | None  # the step of the checkpoint; None for a new run
    replace: bool  # overwrite existing logs


def targets_of(log_to: Any) -> tuple[Target, ...]:
    """Parse one or several targets; refuses unknown ones and those whose package is not installed."""
    names = [log_to] if isinstance(log_to, str | Path) else log_to
    if not isinstance(names, list | tuple) or not all(isinstance(name, str | Path) for name in names):
        raise PreconditionError(f"log_to must be {KINDS}, or a list of them, not {brief(log_to)}")
    targets = tuple(dict.fromkeys(_target(str(name)) for name in names))
    for target in targets:
        _check_installed(target.kind)
    return targets


def _target(text: str) -> Target:
    kind, _, place = text.partition(":")
    if kind not in _PACKAGES:
        if not text.endswith(".jsonl"):
            raise PreconditionError(f"unknown log target {brief(text)}; supported: {KINDS}")
        kind, place = "jsonl", text
    if kind == "jsonl" and not place:
        raise PreconditionError("log target 'jsonl' needs a file: jsonl:FILE")
    if kind != "wandb" and place:
        place = str(Path(place).expanduser().absolute())  # a run is resumed from any directory
    return Target(kind, place)


def _check_installed(kind: str) -> None:
    try:
        importlib.import_module(_PACKAGES[kind])
    except ImportError as e:
        raise PreconditionError(f"log target {kind!r} needs {_PACKAGES[kind]} ({e}): pip install 'wgpt[{kind}]'") from e


@contextmanager
def opened(targets: Sequence[Target], folder: Path | None, start: Start) -> Iterator[Callable[[Moment], None]]:
    """Yields a function to call after every step. All targets are opened first, or none."""
    with ExitStack() as stack:
        own = [] if folder is None else [_jsonl(folder / LOG, start, replace=True)]
        logs = [stack.enter_context(log) for log in own + [_opened(target, folder, start) for target in targets]]

        def log(moment: Moment) -> None:
            values = metrics(moment)
            if values:
                for write in logs:
                    write(moment.step, values)

        yield log


def _opened(target: Target, folder: Path | None, start: Start) -> Any:
    if target.kind == "jsonl":
        return _jsonl(Path(target.place), start, replace=start.replace)
    if target.kind == "wandb":
        return _wandb(target.place or _PROJECT, folder, start)
    if not target.place and folder is None:
        raise PreconditionError("log target 'tensorboard' needs a folder because the run has none: tensorboard:DIR")
    return _tensorboard(Path(target.place) if target.place else Path(folder or "", "tensorboard"), start)


def metrics(moment: Moment) -> dict[str, float]:
    """The logged values of a step. Before the first step there are only held-out ones."""
    step = {} if moment.step == 0 else {"loss": moment.loss, "learning_rate": moment.lr, "gradient_norm": moment.norm}
    speed = {"tokens_per_second": moment.rate} if moment.rate else {}
    measured = {"held_out_loss": moment.held_out, "accuracy": moment.accuracy}
    return {**step, **speed, **{name: value for name, value in measured.items() if value is not None}}


@contextmanager
def _jsonl(path: Path, start: Start, replace: bool) -> Iterator[Log]:
    """The settings in the first line, then a line for each step."""
    check_file(path)
    records = _records(path) if path.exists() else []
    if start.resumed_at is None and records and not replace:
        raise PreconditionError(
            f"{path}: has the log of another run: choose another file, continue with --resume (resume=True), or "
            "overwrite it with --force (force=True)"
        )
    last = -1 if start.resumed_at is None else start.resumed_at
    kept = [record for record in records if record.get("step", last + 1) <= last]
    with replacing(path) as whole:
        for record in ({"settings": dict(start.settings)}, *kept):
            whole.write(_line(record))
    with writing(path), path.open("ab", buffering=0) as file:

        def log(step: int, values: Mapping[str, float]) -> None:
            with writing(path):
                file.write(_line({"step": step, **values}))

        yield log


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record).encode() + b"\n"


def _records(path: Path) -> list[dict[str, Any]]:
    """The records of a log; the last line may be cut off if a process was killed. Refuses other files."""
    records = []
    for line in path.read_bytes().splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            break
    if path.stat().st_size and not (records and isinstance(records[0], dict) and "settings" in records[0]):
        raise WgptError(f"{path}: exists and is not a wgpt log: choose another name, or remove it first")
    return records


@contextmanager
def _tensorboard(folder: Path, start: Start) -> Iterator[Log]:
    from tensorboardX import SummaryWriter
    from tensorboardX.summary import hparams

    check_folder(folder)
    events = folder.is_dir() and any(folder.glob("events.out.tfevents.*"))
    if events and start.resumed_at is None and not start.replace:
        raise PreconditionError(
            f"{folder}: has the TensorBoard events of another run: choose another folder, continue with --resume "
            "(resume=True), or overwrite them with --force (force=True)"
        )
    first = 0 if start.resumed_at is None else start.resumed_at + 1
    options: dict[str, Any] = {"filename_suffix": f".{first:09}"}  # file names are by the second and could collide
    if events:
        options["purge_step"] = first  # TensorBoard forgets earlier events from this step on
    with writing(folder), SummaryWriter(str(folder), **options) as writer:
        if start.resumed_at is None or not events:
            for summary in hparams(_flat(start.settings), dict.fromkeys(_METRICS)):
                writer.file_writer.add_summary(summary)

        def log(step: int, values: Mapping[str, float]) -> None:
            for name, value in values.items():
                writer.add_scalar(name, value, step)
            writer.flush()  # a killed process must not lose steps that its checkpoint has

        yield log


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, strings and flags only."""
    return {name: value if isinstance(value, int | float | str) else str(value) for name, value in settings.items()}


@contextmanager
def _wandb(project: str, folder: Path | None, start: Start) -> Iterator[Log]:
    import wandb

    try:
        run = wandb.init(
            project=project,
            id=start.run_id,
            resume="never" if start.resumed_at is None else "allow",
            config=dict(start.settings),
            dir=None if folder is None else str(folder),
        )
    except wandb.Error as e:
        raise WgptError(
            f"log target 'wandb': {e} (`wandb login` logs in; with WANDB_MODE=offline it needs no network)"
        ) from e
    last = run.step - 1  # steps that the run has already: they run again, and W&B accepts no step twice

    def log(step: int, values: Mapping[str, float]) -> None:
        if step > last:
            run.log(dict(values), step=step)

    try:
        yield log
    except BaseException:
        run.finish(exit_code=1)
        raise
    run.finish()
