"""The process of a replica of `wgpt batch`: lines come as calls, and each call's result is its answer."""

from __future__ import annotations

import queue

from ..core.naming import as_options
from ..processes.child import Link
from .answering import POLL_SECONDS
from .flight import EngineCrew
from .job import Job
from .lines import Form

_Line = tuple[int, int, Form]  # place, number, form


def work(link: Link, job: Job, gpu: str) -> None:
    """What the process does. The number of a call is the line's place."""
    lines: queue.SimpleQueue[_Line] = queue.SimpleQueue()
    link.listen(lambda _, *line: lines.put(line))
    with as_options(), job.opened(gpu) as engine:
        link.ready()
        crew = EngineCrew(engine, job.defaults, job.max_batch)
        while True:
            while crew.has_room():
                try:
                    crew.start(*lines.get(block=not crew.is_busy))
                except queue.Empty:
                    break
            for line in crew.finished(POLL_SECONDS):
                link.done(line.place, line)
