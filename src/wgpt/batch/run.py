"""A whole run of `wgpt batch`: reads the prompts, continues the answers, and says what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..api import Model
from ..core.progress import Progress
from ..table import number
from ..train.interrupt import deferred
from .answering import Answer, Counts, LineRunner, Lines, Show, Writer, forms
from .answers import open_answers
from .job import Job
from .lines import keys
from .on_ray import answers_on_ray
from .pending_line import RUN_ERRORS, EngineExecutor
from .replicas import ReplicaExecutor

Bar = Callable[[str], AbstractContextManager[Progress]]  # shows progress under a label


@dataclass(frozen=True)
class Outcome:
    """What a run has done. `skipped`: lines that were already answered; `failed`: errors in the whole file."""

    counts: Counts
    lines: int
    skipped: int
    failed: int

    def facts(self) -> dict[str, Any]:
        """The counts as a dict, for --json."""
        own = {"failed": self.failed, "skipped": self.skipped, "lines": self.lines}
        return {**asdict(self.counts), **own, "rate": self.counts.rate}

    def __str__(self) -> str:
        counts = self.counts
        before = f" ({self.skipped} of them before)" if self.skipped else ""
        parts = [
            f"{'stopped after ' if counts.stopped else ''}{counts.lines + self.skipped} of {self.lines} lines{before}",
            f"{self.failed} failed",
            f"{counts.prompt_tokens:,} tokens in ({counts.cached_tokens:,} cached), {counts.tokens:,} out",
            f"{number(counts.seconds)} s, {number(counts.rate)} tok/s",
        ]
        return "; ".join(parts)


@contextmanager
def answered(
    prompts: Path,
    out: Path,
    answering: Callable[[], AbstractContextManager[Answer]],
    bar: Bar,
    *,
    in_order: bool = False,
    force: bool = False,
) -> Iterator[Outcome]:
    """Answer the lines of a file that have no answer yet. SIGTERM is deferred until the block ends, so that its output
    is complete.

    answering: opens what answers the lines (`on_engine`, `on_replicas` or `on_ray`); not called if no line is left.
    """
    known = keys(prompts)
    with ExitStack() as opened:
        answers = opened.enter_context(open_answers(out, prompts, known, force))
        skipped, failed, total, counts = len(answers.done), answers.failed, len(known), Counts()
        if skipped < total:
            lines = (line for line in forms(prompts) if line[0] not in answers.done)
            answer, stop = opened.enter_context(answering()), opened.enter_context(deferred())
            with bar("answering") as progress, _kept(out):

                def show(counts: Counts, rate: float) -> None:
                    wrong = f", {counts.failed} failed" if counts.failed else ""
                    progress(skipped + counts.lines, total, f"{number(rate)} tok/s{wrong}")

                progress(skipped, total, "")
                counts = answer(lines, Writer(answers, in_order), show, stop)
        yield Outcome(counts, total, skipped, failed + counts.failed)


@contextmanager
def on_engine(model: Model, job: Job) -> Iterator[Answer]:
    """One engine, in this process; the model is loaded."""
    with job.engine_of(model) as engine:
        yield LineRunner(EngineExecutor(engine, job.defaults, job.max_batch)).run


@contextmanager
def on_replicas(job: Job, gpus: Sequence[str], bar: Bar) -> Iterator[Answer]:
    """One engine process per GPU."""
    executor = ReplicaExecutor(job, gpus)
    try:
        with bar(f"loading on {len(gpus)} GPUs"):
            executor.wait_until_ready()
        yield LineRunner(executor).run
    finally:
        executor.cancel()


@contextmanager
def on_ray(job: Job, workers: int | None) -> Iterator[Answer]:
    """The GPUs of a Ray cluster: this number of them, or all."""

    def answer(lines: Lines, writer: Writer, show: Show, stop: Callable[[], bool]) -> Counts:
        counts = writer.counts
        with closing(answers_on_ray(lines, job, workers)) as answers:
            for line in answers:
                writer.write(line)
                show(counts, counts.rate)
                if stop():
                    counts.stopped = True
                    break
        return counts

    yield answer


@contextmanager
def _kept(out: Path) -> Iterator[None]:
    """Add to an error that ends the run where the finished answers are."""
    try:
        yield
    except RUN_ERRORS as e:
        raise type(e)(f"{e} (finished answers are in {out}; run the same command again to continue)") from e
