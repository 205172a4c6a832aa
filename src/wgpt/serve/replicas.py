"""Several engines behind one server, each in a process on its own GPU; endpoints see a single engine.

A request goes to the replica that has processed the beginning of its conversation, else to the least busy one. If a
replica's process ends, its requests fail and it is restarted; the others continue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..processes.affinity import Affinity, conversation_of
from .access_log import current_record
from .engine_process import EngineProcess, Health, Status
from .errors import ApiError
from .generation import Generation
from .settings import Settings
from .wire import Ids, Job, ModelInfo, Pooling, Relevance, Score


def engine_of(settings: Settings) -> AnyEngine:
    """One engine, or several if the settings say so."""
    return Replicas(settings) if settings.replicas else EngineProcess(settings)


class Replicas:
    """All engines of `settings.replicas`, with the interface of EngineProcess for endpoints and server."""

    def __init__(self, settings: Settings) -> None:
        self.changed = asyncio.Event()
        self.processes = [
            EngineProcess(
                replace(settings, load={**settings.load, "gpu": gpu}, replicas=()),
                self.changed,
                f"replica {number} (GPU {gpu})",
            )
            for number, gpu in enumerate(settings.replicas)
        ]
        self._affinity = Affinity(settings.max_batch // 4)
        self._restarts = [0] * len(self.processes)

    # For endpoints ------------------------------------------------------------------------------------------

    async def submit(self, job: Job) -> Generation:
        """Begin a job. Raises ApiError: 429 if all queues are full, 503 without an engine, 400 if it is refused."""
        record = current_record.get()
        conversation = conversation_of(record.body, job.options.get("cache_salt")) if record is not None else ""
        order = self._order(conversation, job.lora)
        for number in order:
            # counted before it is submitted: other requests are placed meanwhile
            self._affinity.sent(conversation, number)
            try:
                return await self.processes[number].submit(job)
            except ApiError as e:
                if e.status != 429 or number == order[-1]:
                    raise
                if record is not None:  # the next replica records it again
                    record.generations.pop()
        raise AssertionError("unreachable")

    async def score(self, ids: Ids, lora: str | None, top: int, cache_salt: str | None) -> list[Score]:
        return await self._least_busy(lora).score(ids, lora, top, cache_salt)

    async def embed(
        self, ids: Ids, pooling: Pooling | None, lora: str | None, normalise: bool | None, cache_salt: str | None
    ) -> list[list[float]]:
        return await self._least_busy(lora).embed(ids, pooling, lora, normalise, cache_salt)

    async def rerank(self, query: str, texts: Sequence[str], truncate: bool, cache_salt: str | None) -> list[Relevance]:
        return await self._least_busy(None).rerank(query, texts, truncate, cache_salt)

    async def load_lora(self, name: str, path: Path) -> None:
        """Load on all replicas or on none, even if the client disconnects."""
        await asyncio.shield(self._load_lora(name, path))

    async def _load_lora(self, name: str, path: Path) -> None:
        self._check_all_ready()
        results = await asyncio.gather(
            *(process.load_lora(name, path) for process in self.processes), return_exceptions=True
        )
        errors = [result for result in results if result is not None]
        if not errors:
            return
        loaded = [process for process, result in zip(self.processes, results, strict=True) if result is None]
        await asyncio.gather(*(process.unload_lora(name) for process in loaded), return_exceptions=True)
        raise errors[0]

    async def unload_lora(self, name: str) -> None:
        await asyncio.shield(self._unload_lora(name))

    async def _unload_lora(self, name: str) -> None:
        self._check_all_ready()
        having = [process for process in self.processes if name in process.info.loras] or self.processes[:1]
        results = await asyncio.gather(*(process.unload_lora(name) for process in having), return_exceptions=True)
        for result in results:
            if result is not None:
                raise result

    @property
    def info(self) -> ModelInfo:
        ready = [process for process in self.processes if process.status is Status.READY] or self.processes
        infos = [process.info for process in ready]
        loras = tuple(dict.fromkeys(name for info in infos for name in info.loras))
        gpus = f"{len(self.processes)} replicas: {', '.join(info.gpu for info in infos)}"
        return replace(infos[0], loras=loras, gpu=gpus, memory=f"{infos[0].memory} each")

    @property
    def pages(self) -> int:
        """Of the smallest KV cache; 0 if unknown."""
        return min((process.pages for process in self.processes if process.pages), default=0)

    def health(self) -> Health:
        """Healthy as long as one replica is: requests are answered."""
        every = tuple(process.health() for process in self.processes)
        best = next((each for each in every if each.ok), every[0])
        return replace(best, replicas=every)

    # Which replica ------------------------------------------------------------------------------------------

    def _order(self, conversation: str, lora: str | None) -> list[int]:
        """The numbers of the replicas that can take a request, the best first. Raises ApiError if there are none."""
        for number, process in enumerate(self.processes):
            if process.restarts != self._restarts[number]:
                self._restarts[number] = process.restarts
                self._affinity.forget(number)
        ready = {i: process for i, process in enumerate(self.processes) if process.status is Status.READY}
        if not ready:
            self.processes[0].check_ready()
        having = {i: each for i, each in ready.items() if lora is None or lora in each.info.loras} or ready
        healthy = {i: each for i, each in having.items() if each.health().ok} or having
        return self._affinity.order(conversation, {i: each.load for i, each in healthy.items()})

    def _least_busy(self, lora: str | None) -> EngineProcess:
        number = self._order("", lora)[0]
        self._affinity.sent("", number)
        return self.processes[number]

    def _check_all_ready(self) -> None:
        for process in self.processes:
            process.check_ready()

    # For the server -----------------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        return all(process.started for process in self.processes)

    @property
    def failed_to_start(self) -> str:
        return next((process.failed_to_start for process in self.processes if process.failed_to_start), "")

    async def start(self) -> None:
        await asyncio.gather(*(process.start() for process in self.processes))

    async def watch(self) -> None:
        await asyncio.gather(*(process.watch() for process in self.processes))

    def fail_all(self, message: str) -> None:
        for process in self.processes:
            process.fail_all(message)

    async def stop(self) -> None:
        await asyncio.gather(*(process.stop() for process in self.processes))

    def kill(self) -> None:
        for process in self.processes:
            process.kill()


AnyEngine = EngineProcess | Replicas
