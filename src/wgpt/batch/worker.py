"""The process of a replica of `wgpt batch`: each call carries a line, its result is the answer."""

from __future__ import annotations

import queue

from ..core.naming import as_options
from ..processes.child import Link
from .answering import POLL_SECONDS
from .job import Job
from .lines import Form
from .pending_line import EngineExecutor

_Line = tuple[int, int, Form]  # position in the file, line number, form


def work(link: Link, job: Job, gpu: str) -> None:
    """The main loop of the process. A call's number is the line's position in the file."""
    lines: queue.SimpleQueue[_Line] = queue.SimpleQueue()
    link.listen(lambda _, *line: lines.put(line))
    with as_options(), job.opened(gpu) as engine:
        link.ready()
        executor = EngineExecutor(engine, job.defaults, job.max_batch)
        while True:
            while executor.has_room():
                try:
                    executor.start(*lines.get(block=not executor.is_busy))
                except queue.Empty:
                    break
            for line in executor.finished(POLL_SECONDS):
                link.done(line.place, line)
