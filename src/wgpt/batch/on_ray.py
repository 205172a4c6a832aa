"""`wgpt batch --ray`: the lines of a file as rows of Ray Data, answered by actors with a GPU each."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from ..cluster.connection import connected
from ..core.errors import WgptError
from ..engine.errors import EngineError
from ..integrations.ray.rows import Rows
from .answering import Lines, form_of
from .job import Job
from .lines import BrokenLine
from .pending_line import AnsweredLine, PendingLine, begin

_TASKS = 4  # batches per worker, at least: a batch that is lost with its worker is answered again
_CALLS = 2  # batches per worker in progress: when one finishes, the next has already begun
_COUNTS = ("prompt_tokens", "cached_tokens", "tokens")


class AnswerLines(Rows):
    """Adds `answer` to rows that have a line's text: the JSON that `wgpt batch` writes."""

    outputs = ("answer", "failed", *_COUNTS)

    def __init__(self, job: Job) -> None:
        self._defaults, self._lock = dict(job.defaults), Lock()
        super().__init__(job.model, loras=job.loras, engine=job.engine, generates=True, **job.loading)

    def submit(self, row: dict[str, Any]) -> Any:
        form = form_of(json.loads(row["line"]), row["number"])
        with self._lock:
            return _PendingResult(begin(self.engine, self._defaults, row["place"], row["number"], form), self._lock)

    def columns(self, result: AnsweredLine) -> dict[str, Any]:
        counts = {name: getattr(result, name) for name in _COUNTS}
        return {"answer": json.dumps(result.answer), "failed": result.failed, **counts}


class _PendingResult:
    """A line in progress. Two batches are answered at once, but templates and tokenizers are not thread-safe."""

    def __init__(self, line: PendingLine | AnsweredLine, lock: Lock) -> None:
        self._line, self._lock = line, lock

    def result(self) -> AnsweredLine:
        for request in self._line.requests if isinstance(self._line, PendingLine) else ():
            with suppress(WgptError):  # errors that are the line's own fault
                request.result()
        with self._lock:
            return self._line.result()


def answers_on_ray(lines: Lines, job: Job, workers: int | None) -> Generator[AnsweredLine, None, None]:
    """The lines with their answers, as they come. `workers`: GPUs to use; by default all of the cluster."""
    rows = []
    for place, (_, number, form) in enumerate(lines):
        if isinstance(form, BrokenLine):
            yield AnsweredLine.failure(place, form, form.error, 400)
        else:
            rows.append({"place": place, "number": number, "line": json.dumps(form.value)})  # type: ignore[attr-defined]
    if not rows:
        return
    with connected() as ray:
        size = _workers(ray, workers)
        batch = max(1, min(job.max_batch, -(-len(rows) // (_TASKS * size))))
        ray.data.DataContext.get_current().enable_progress_bars = False  # wgpt shows its own progress
        logging.getLogger("ray.data").setLevel(logging.ERROR)  # Ray Data sets this when it is imported
        answers = ray.data.from_items(rows, override_num_blocks=-(-len(rows) // batch)).map_batches(
            AnswerLines,
            fn_constructor_args=(job,),
            compute=ray.data.ActorPoolStrategy(
                size=size,
                max_tasks_in_flight_per_actor=_CALLS,
                max_concurrent_calls_per_actor=_CALLS,
                enable_true_multi_threading=True,
            ),
            num_gpus=1,
            batch_size=batch,
        )
        try:
            for row in answers.iter_rows():
                counts = {name: int(row[name]) for name in _COUNTS}
                yield AnsweredLine(int(row["place"]), json.loads(row["answer"]), bool(row["failed"]), **counts)
        except ray.exceptions.RayError as e:
            raise EngineError(f"Ray: {_reason(e)}") from e


def _workers(ray: Any, wanted: int | None) -> int:
    gpus = int(ray.cluster_resources().get("GPU", 0))
    if gpus < max(1, wanted or 1):
        raise WgptError(
            f"--workers {wanted or 1}: a worker needs a GPU, and this Ray cluster has {gpus}: use fewer workers, or "
            "add nodes (ray start --address=HOST:PORT --num-gpus=N)"
        )
    return wanted or gpus


def _reason(error: Exception) -> str:
    """The cause of the error, without the traceback that Ray adds."""
    cause = getattr(error, "cause", None) or error
    return str(cause).strip().splitlines()[-1]


def absolute(path: str | None) -> str | None:
    """Make an existing path absolute, because actors have another working directory; model names are unchanged."""
    return str(Path(path).resolve()) if path is not None and Path(path).exists() else path
