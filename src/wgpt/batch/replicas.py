"""`wgpt batch --replicas`: one engine process per GPU. If a process ends, the others answer its lines."""

from __future__ import annotations

import asyncio
import heapq
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..core.errors import WgptError
from ..engine.errors import EngineError
from ..processes.affinity import Affinity, conversation_of
from ..processes.supervisor import ProcessEnded, Status, Supervised
from .job import Job
from .lines import BrokenLine, Form
from .pending_line import AHEAD, AnsweredLine
from .worker import work

_MOST_TRIES = 2  # attempts at a line whose process ends
_MOST_DEATHS = 3  # how often a replica may end without answering a line in between
_Line = tuple[int, int, Form]  # position in the file, line number, form


class ReplicaExecutor:
    """Sends each line to the replica that has processed the beginning of its conversation, or to the least busy one.

    Its event loop runs only while `finished` or `wait_until_ready` runs.
    """

    def __init__(self, job: Job, gpus: Sequence[str]) -> None:
        self._most = AHEAD * job.max_batch  # most lines that a replica has at once
        self._affinity = Affinity(job.max_batch // 4)
        self._waiting: list[_Line] = []  # a heap ordered by position in the file
        self._finished: list[AnsweredLine] = []
        self._lines: Counter[int] = Counter()  # of each replica
        self._tries: Counter[int] = Counter()  # how often the process answering a line has ended, by position
        self._runner = asyncio.Runner()
        self._asking: set[asyncio.Task[AnsweredLine | None]] = set()
        self._replicas = [
            Supervised(
                work,
                lambda gpu=gpu: (job, gpu),  # type: ignore[misc]
                f"replica {number} (GPU {gpu})",
                name="wgpt-replica",
                ended=partial(self._ended, number),
                most_deaths=_MOST_DEATHS,
            )
            for number, gpu in enumerate(gpus)
        ]

    def wait_until_ready(self) -> None:
        """Start all replicas and wait until they have loaded the model. Raises the reason if one fails."""
        self._run_each(Supervised.start)
        self._run_each(Supervised.until_ready)

    def has_room(self) -> bool:
        return not self._waiting and len(self._finished) < self._most and bool(self._loads())

    def start(self, place: int, number: int, form: Form) -> None:
        if isinstance(form, BrokenLine):
            self._finished.append(AnsweredLine.failure(place, form, form.error, 400))
        else:
            heapq.heappush(self._waiting, (place, number, form))
            self._send()

    def finished(self, seconds: float) -> list[AnsweredLine]:
        self._runner.run(asyncio.sleep(0 if self._finished else seconds))
        for replica in self._replicas:
            if replica.failure:
                raise EngineError(replica.failure)
        finished, self._finished = self._finished, []
        for task in [task for task in self._asking if task.done()]:
            self._asking.remove(task)
            if (answered := task.result()) is not None:
                finished.append(answered)
        self._send()
        return finished

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting or self._finished or self._asking)

    @property
    def unfinished_tokens(self) -> int:
        return 0  # unknown: the processes do not report it

    def cancel(self) -> None:
        if self._replicas:
            self._run_each(Supervised.stop)
            self._runner.close()
            self._replicas = []

    def _run_each(self, do: Any) -> None:
        async def all_of_them() -> None:
            await asyncio.gather(*(do(replica) for replica in self._replicas))

        self._runner.run(all_of_them())

    def _loads(self) -> Mapping[int, int]:
        """The number of lines of each replica that can take more."""
        ready = (number for number, replica in enumerate(self._replicas) if replica.status is Status.READY)
        return {number: self._lines[number] for number in ready if self._lines[number] < self._most}

    def _send(self) -> None:
        while self._waiting and (loads := self._loads()):
            line = heapq.heappop(self._waiting)
            conversation = conversation_of(_request_of(line[2]))
            replica = self._affinity.order(conversation, loads)[0]
            self._affinity.sent(conversation, replica)
            self._lines[replica] += 1
            self._asking.add(self._runner.get_loop().create_task(self._ask(replica, line)))

    async def _ask(self, replica: int, line: _Line) -> AnsweredLine | None:
        """The answer; None if the process ended and the line is to be retried."""
        place, _, form = line
        try:
            answered: AnsweredLine = await self._replicas[replica].call(*line, number=place)
            return answered
        except ProcessEnded:
            self._tries[place] += 1
            if self._tries[place] < _MOST_TRIES:
                heapq.heappush(self._waiting, line)
                return None
            cause = self._replicas[replica].cause
            error = WgptError(f"the process that answered this line has stopped {_MOST_TRIES} times ({cause})")
            return AnsweredLine.failure(place, form, error, 500)
        finally:
            self._lines[replica] -= 1

    def _ended(self, number: int, cause: str) -> None:
        replica = self._replicas[number]
        self._affinity.forget(number)
        if replica.status is Status.FAILED and not replica.failure:
            warnings.warn(
                f"{replica.called} has stopped ({cause}): its lines are answered again, and it is started again",
                stacklevel=2,
            )


def _request_of(form: Form) -> Any:
    """The fields that identify a line's conversation."""
    value = getattr(form, "value", {})
    return value.get("body", value)
