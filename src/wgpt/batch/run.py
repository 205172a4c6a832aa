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
from .flight import NOT_THE_LINE, EngineCrew
from .job import Job
from .lines import keys
from .on_ray import answers_on_ray
from .replicas import ReplicaCrew

Bar = Callable[[str], AbstractContextManager[Progress]]  # shows progress under a label


@dataclass(frozen=True)
class Outcome:
    """What a run has done. `skipped`: lines that had an answer before it; `failed`: those of all runs."""

    counts: Counts
    lines: int
    skipped: int
    failed: int

    def facts(self) -> dict[str, Any]:
        """For programs."""
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
    """Answer the lines of a file that have no answer yet. Within the block SIGTERM waits: what it prints is printed.

    answering: opens what answers lines (`on_engine`, `on_replicas`, `on_ray`); not called if nothing is left to do.
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
        yield LineRunner(EngineCrew(engine, job.defaults, job.max_batch)).run


@contextmanager
def on_replicas(job: Job, gpus: Sequence[str], bar: Bar) -> Iterator[Answer]:
    """An engine on each GPU, each in a process of its own."""
    crew = ReplicaCrew(job, gpus)
    try:
        with bar(f"loading on {len(gpus)} GPUs"):
            crew.wait_until_ready()
        yield LineRunner(crew).run
    finally:
        crew.cancel()


@contextmanager
def on_ray(job: Job, workers: int | None) -> Iterator[Answer]:
    """The GPUs of a Ray cluster: so many of them, or all."""

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
    """Say in an error that ends the run that nothing is lost."""
    try:
        yield
    except NOT_THE_LINE as e:
        raise type(e)(f"{e} (finished answers are in {out}; run the same command again to continue)") from e
