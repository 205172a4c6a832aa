"""`wgpt batch --replicas`: a process with an engine on each GPU. If one ends, others answer its lines."""

from __future__ import annotations

import multiprocessing
import warnings
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from ..engine.errors import EngineError
from ..gpu import WgptError
from ..serve.affinity import Affinity, conversation_of
from .batch_flight import AHEAD, Answered
from .batch_job import Job
from .batch_lines import BrokenLine, Form
from .batch_worker import ANSWERED, FAILED, READY, run

_MOST_TRIES = 2  # of a line whose process ends
_MOST_DEATHS = 3  # of a replica that answers nothing in between
_END_SECONDS = 5.0


class _Replica:
    """A process, and the lines that it has."""

    def __init__(self, number: int, gpu: str, job: Job) -> None:
        self.number, self.called = number, f"replica {number} (GPU {gpu})"
        self._gpu, self._job = gpu, job
        self.lines: dict[int, tuple[int, Form]] = {}  # by place
        self.was_ready, self.deaths = False, 0
        self.start()

    def start(self) -> None:
        self.is_ready, self.cause = False, ""
        context = multiprocessing.get_context("spawn")
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=run, args=(self._job, self._gpu, theirs), name="wgpt-replica")
        try:
            self._process.start()
        finally:
            theirs.close()

    def send(self, place: int, number: int, form: Form) -> None:
        self.lines[place] = number, form
        with suppress(OSError):  # if it has ended, that is seen when its answers are read
            self.connection.send((place, number, form))

    def messages(self) -> tuple[list[tuple[Any, ...]], bool]:
        """What it has sent, and whether it has ended."""
        messages = []
        try:
            while self.connection.poll():
                messages.append(self.connection.recv())
        except (EOFError, OSError):
            return messages, True
        return messages, False

    def end(self) -> str:
        """End the process; returns how it ended."""
        self.connection.close()  # which it notices
        self._process.join(_END_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        code = self._process.exitcode or 0
        return self.cause or (f"killed by signal {-code}" if code < 0 else f"exit code {code}")


class ReplicaCrew:
    """Sends each line to the replica that has read the beginning of its conversation, or to the least busy one."""

    def __init__(self, job: Job, gpus: Sequence[str]) -> None:
        self._most = AHEAD * job.max_batch  # lines of a replica
        self._affinity = Affinity(job.max_batch // 4)
        self._waiting: deque[tuple[int, int, Form]] = deque()
        self._finished: list[Answered] = []
        self._tries: Counter[int] = Counter()  # by place, of lines whose process has ended
        self._replicas = [_Replica(number, gpu, job) for number, gpu in enumerate(gpus)]

    def wait_until_ready(self) -> None:
        """Until all have loaded the model. Raises why one has not."""
        while not all(replica.is_ready for replica in self._replicas):
            self._receive_from_all(None)

    def has_room(self) -> bool:
        return not self._waiting and len(self._finished) < self._most and bool(self._loads())

    def start(self, place: int, number: int, form: Form) -> None:
        if isinstance(form, BrokenLine):
            self._finished.append(Answered.failure(place, form, form.error, 400))
        else:
            self._waiting.append((place, number, form))
            self._send()

    def finished(self) -> list[Answered]:
        self._receive_from_all(0.0)
        self._send()
        finished, self._finished = self._finished, []
        return finished

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting or self._finished or any(replica.lines for replica in self._replicas))

    @property
    def unfinished_tokens(self) -> int:
        return 0  # the processes do not tell

    def cancel(self) -> None:
        for replica in self._replicas:
            replica.connection.close()
        for replica in self._replicas:
            replica.end()

    def _loads(self) -> Mapping[int, int]:
        """The lines of the replicas that take more."""
        return {
            each.number: len(each.lines) for each in self._replicas if each.is_ready and len(each.lines) < self._most
        }

    def _send(self) -> None:
        while self._waiting and (loads := self._loads()):
            place, number, form = self._waiting.popleft()
            conversation = conversation_of(_request_of(form))
            replica = self._affinity.order(conversation, loads)[0]
            self._affinity.sent(conversation, replica)
            self._replicas[replica].send(place, number, form)

    def _receive_from_all(self, seconds: float | None) -> None:
        """What they have sent; wait so long for the first message."""
        sending = wait([replica.connection for replica in self._replicas], seconds)
        for replica in [replica for replica in self._replicas if replica.connection in sending]:
            self._receive(replica)

    def _receive(self, replica: _Replica) -> None:
        messages, has_ended = replica.messages()
        for kind, *fields in messages:
            if kind == READY:
                replica.is_ready = replica.was_ready = True
            elif kind == FAILED:
                replica.cause = fields[0]
            elif kind == ANSWERED:
                replica.deaths = 0
                for line in fields[0]:
                    del replica.lines[line.place]
                    self._finished.append(line)
        if has_ended:
            self._ended(replica)

    def _ended(self, replica: _Replica) -> None:
        """Give its lines to the others, and start it again."""
        cause = replica.end()
        if not replica.was_ready:
            raise WgptError(replica.cause or f"{replica.called} ended while it loaded the model ({cause})")
        replica.deaths += 1
        if replica.deaths == _MOST_DEATHS:
            raise EngineError(f"{replica.called} has stopped {_MOST_DEATHS} times without an answer ({cause})")
        warnings.warn(
            f"{replica.called} has stopped ({cause}): its lines are answered again, and it is started again",
            stacklevel=2,
        )
        self._affinity.forget(replica.number)
        for place, (number, form) in sorted(replica.lines.items(), reverse=True):
            self._tries[place] += 1
            if self._tries[place] == _MOST_TRIES:
                error = WgptError(f"the process that answered this line has stopped {_MOST_TRIES} times ({cause})")
                self._finished.append(Answered.failure(place, form, error, 500))
            else:
                self._waiting.appendleft((place, number, form))
        replica.lines.clear()
        replica.start()


def _request_of(form: Form) -> Any:
    """The fields that tell a line's conversation."""
    value = getattr(form, "value", {})
    return value.get("body", value)
