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
from .flight import Answered, Flight, begin
from .job import Job
from .lines import BrokenLine

_TASKS = 4  # of each worker, at least: a batch that is lost with its worker is answered again
_CALLS = 2  # batches that a worker answers at once: while one ends, the next has begun
_COUNTS = ("prompt_tokens", "cached_tokens", "tokens")


class AnswerLines(Rows):
    """Adds `answer` to rows with a line's text: what `wgpt batch` writes, as JSON."""

    outputs = ("answer", "failed", *_COUNTS)

    def __init__(self, job: Job) -> None:
        self._defaults, self._lock = dict(job.defaults), Lock()
        super().__init__(job.model, loras=job.loras, engine=job.engine, generates=True, **job.loading)

    def submit(self, row: dict[str, Any]) -> Any:
        form = form_of(json.loads(row["line"]), row["number"])
        with self._lock:
            return _Pending(begin(self.engine, self._defaults, row["place"], row["number"], form), self._lock)

    def columns(self, result: Answered) -> dict[str, Any]:
        counts = {name: getattr(result, name) for name in _COUNTS}
        return {"answer": json.dumps(result.answer), "failed": result.failed, **counts}


class _Pending:
    """A line's answer. Two batches are answered at once: templates and tokenizers have one user at a time."""

    def __init__(self, line: Flight | Answered, lock: Lock) -> None:
        self._line, self._lock = line, lock

    def result(self) -> Answered:
        for request in self._line.requests if isinstance(self._line, Flight) else ():
            with suppress(WgptError):  # which the line's result is about
                request.result()
        with self._lock:
            return self._line.result()


def answers_on_ray(lines: Lines, job: Job, workers: int | None) -> Generator[Answered, None, None]:
    """The lines with their answers, as they come. `workers`: GPUs to use; by default all of the cluster."""
    rows = []
    for place, (_, number, form) in enumerate(lines):
        if isinstance(form, BrokenLine):
            yield Answered.failure(place, form, form.error, 400)
        else:
            rows.append({"place": place, "number": number, "line": json.dumps(form.value)})  # type: ignore[attr-defined]
    if not rows:
        return
    with connected() as ray:
        size = _workers(ray, workers)
        batch = max(1, min(job.max_batch, -(-len(rows) // (_TASKS * size))))
        ray.data.DataContext.get_current().enable_progress_bars = False  # ours shows more
        logging.getLogger("ray.data").setLevel(logging.ERROR)  # which Ray Data sets when it is imported
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
                yield Answered(int(row["place"]), json.loads(row["answer"]), bool(row["failed"]), **counts)
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
    """What went wrong, without the traceback that Ray puts around it."""
    cause = getattr(error, "cause", None) or error
    return str(cause).strip().splitlines()[-1]


def absolute(path: str | None) -> str | None:
    """A path that actors find, whose working directory is another; names are left as they are."""
    return str(Path(path).resolve()) if path is not None and Path(path).exists() else path
