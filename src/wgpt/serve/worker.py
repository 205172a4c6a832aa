"""The engine's process: it loads the model, and sends one message with what a step brought."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..api import Engine, Model
from ..api.loading import open_engine
from ..core.errors import WgptError
from ..core.naming import as_options
from ..core.sizes import PAGE, readable_bytes
from ..engine.errors import GrammarError, RequestCancelledError
from ..engine.health import Health
from ..engine.reading import ReadRequest
from ..engine.request import Request
from ..processes.child import Link, or_exit, report
from .errors import ApiError, api_error
from .settings import Settings
from .warm_up import warm_up
from .wire import (
    EMBED,
    LOAD_LORA,
    RERANK,
    SCORE,
    STATE,
    STEP,
    SUBMIT,
    UNLOAD_LORA,
    End,
    Job,
    ModelInfo,
    Relevance,
    Score,
    State,
)

_STATE_SECONDS = 1.0
_CLOSE_SECONDS = 3.0
_SWITCH_SECONDS = 0.001  # seconds after which a thread that records a Program lets steps go on
_READERS = 16  # requests that are scored or embedded at once
T = TypeVar("T")


def work(link: Link, settings: Settings, again: bool) -> None:
    """What the process does. `again`: after a failure; a LoRA adapter whose files are gone does not keep the others
    from working then."""
    Worker(link, settings, again).work()


@dataclass(eq=False)
class _Sequence:
    """A request in the engine, and how much of it was sent."""

    job: int
    index: int
    request: Request
    stream: bool
    characters: int = 0
    tokens: int = 0

    def update(self) -> tuple[Any, ...] | None:
        """What came since the last time: the fields of an Update behind the job's number."""
        done, completion = self.request.done, self.request.completion
        first, count = self.tokens, len(completion.ids)
        if not done and (first == count or not self.stream):
            return None
        text, ids = completion.text[self.characters :], tuple(completion.ids[first:count])
        self.characters += len(text)
        self.tokens = count
        end = self._end() if done else None
        if not completion.logprobs:
            return self.job, self.index, text, ids, (), (), end
        logprobs, top = tuple(completion.logprobs[first:count]), tuple(completion.top_logprobs[first:count])
        return self.job, self.index, text, ids, logprobs, top, end

    def _end(self) -> End:
        c = self.request.completion
        error, status = "", 0
        try:
            self.request.result(timeout=0)
        except GrammarError as e:
            error, status = str(e), 400
        except WgptError as e:
            error, status = str(e), max(500, api_error(e).status)
        except BaseException as e:
            error, status = f"{type(e).__name__}: {e}", 500
        times = (c.first_token_s, c.seconds, c.queue_s)
        return End(c.reason, c.prompt_tokens, c.cached_tokens, len(c.ids), *times, c.seed, error, status)


class _Reading:
    """Texts that are read for a client, some at a time. `cancel`: it has left, perhaps between two of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._requests: Sequence[ReadRequest[Any]] = ()

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
        self._stop()

    def check(self) -> None:
        if self._cancelled:
            raise RequestCancelledError("the request was cancelled")

    def results(self, requests: Sequence[ReadRequest[T]]) -> list[T]:
        try:
            with self._lock:
                self._requests = requests
                self.check()
            return [request.result() for request in requests]
        finally:
            self._stop()

    def _stop(self) -> None:
        for request in self._requests:
            request.cancel()


def _state(h: Health) -> State:
    guesses = {"spec_decode_num_draft_tokens": h.drafted, "spec_decode_num_accepted_tokens": h.accepted}
    cache = (h.pages_used, h.pages, h.preemptions)
    return State(h.running, h.waiting, h.step_age, *cache, h.error, guesses, h.compiling, h.longest_step)


class Worker:
    """One thread reads messages, one is the engine's, one does what takes long; the main thread sends the state."""

    def __init__(self, link: Link, settings: Settings, again: bool) -> None:
        self._link, self._settings, self._again = link, settings, again
        self._lock = threading.Lock()
        self._sequences: list[_Sequence] = []
        self._stop = threading.Event()
        self._slow = ThreadPoolExecutor(1, "wgpt-slow")
        self._readers = ThreadPoolExecutor(_READERS, "wgpt-read")
        self._tasks: dict[int, Future[None]] = {}
        self._reading: dict[int, _Reading] = {}
        self._model: Model | None = None
        self._engine: Engine | None = None
        link.listen(self._called, self._cancel, self._stop.set, drained=self._collect)

    def work(self) -> None:
        """Load the model, and go on until the other process ends."""
        sys.setswitchinterval(_SWITCH_SECONDS)
        with as_options():
            engine = self._load()
        model = engine.model
        self._model, self._engine = model, engine
        self._link.ready(_info(self._settings, model, engine))
        while not self._stop.wait(_STATE_SECONDS):
            self._send_state()
        timer = threading.Timer(_CLOSE_SECONDS, os._exit, [0])
        timer.daemon = True
        timer.start()
        engine.close()
        model.close()

    def _load(self) -> Engine:
        settings = self._settings
        sizes: dict[str, Any] = {"max_batch": settings.max_batch, "max_queue": settings.max_queue}
        engine = open_engine(
            settings.model,
            loras=settings.loras,
            engine=dict(**sizes, **settings.engine, on_turn=self._collect),
            lora_failed=self._lora_failed,
            **settings.load,
        )
        if settings.warm_up:
            warm_up(engine, min(settings.max_batch, settings.max_queue))
        return engine

    def _lora_failed(self, name: str, folder: str | Path, e: WgptError) -> None:
        if not self._again:
            raise WgptError(f"--lora {name}={folder}: {e}") from None
        report()

    def _send_state(self) -> None:
        assert self._engine is not None
        h = self._engine.health
        self._collect()
        self._link.tell(STATE, _state(h))
        if not h.alive:
            raise WgptError(h.error)

    # What was generated -------------------------------------------------------------------------------------

    @or_exit
    def _collect(self) -> None:
        """Send what came since the last time. While the reader is behind, it waits and is sent together."""
        with self._lock:
            if self._link.is_behind:
                return
            updates, ended = [], False
            for sequence in self._sequences:
                update = sequence.update()
                if update is not None:
                    updates.append(update)
                    ended = ended or update[-1] is not None
            if ended:
                over = {update[:2] for update in updates if update[-1] is not None}
                self._sequences = [s for s in self._sequences if (s.job, s.index) not in over]
            if ended and self._engine is not None:  # who has an answer finds it in the metrics
                self._link.tell(STATE, _state(self._engine.health))
            if updates:
                self._link.tell(STEP, updates)

    # Messages -----------------------------------------------------------------------------------------------

    def _called(self, number: int, kind: int, *arguments: Any) -> None:
        if kind == SUBMIT:
            self._answer(number, partial(self._submit, number, *arguments))
        else:
            self._later(kind, number, *arguments)

    def _answer(self, number: int, work: Callable[[], Any]) -> None:
        """Send the result, or why there is none."""
        try:
            self._link.done(number, work())
        except ApiError as e:
            self._refuse(number, e)
        except WgptError as e:
            self._refuse(number, api_error(e))
        except Exception as e:
            report()
            self._refuse(number, ApiError(500, f"the engine failed: {type(e).__name__}"))

    def _refuse(self, number: int, e: ApiError) -> None:
        more = {"param": e.param, "code": e.code, "type": e.type, "retry_after": e.retry_after}
        more["anthropic_message"] = e.anthropic_message
        self._link.refuse(number, (e.status, e.message, more))

    def _submit(self, number: int, job: Job) -> None:
        _, engine = self._opened()
        rows, most = len(job.prompts) * job.n, self._settings.max_queue
        if rows > most:
            raise ApiError(400, f"the request asks for {rows} texts; at most {most} may wait (--max-queue)", param="n")
        samples = engine.submit_all(job.prompts, n=job.n, lora=job.lora, priority=job.priority, **job.options)
        requests = [request for each in samples for request in each]
        with self._lock:
            self._sequences += [_Sequence(number, i, request, job.stream) for i, request in enumerate(requests)]
        if any(request.done for request in requests):  # the engine may already have nothing to do
            self._collect()

    def _cancel(self, number: int) -> None:
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
        reading = self._reading.get(number)
        if reading is not None:
            reading.cancel()
        with self._lock:
            requests = [sequence.request for sequence in self._sequences if sequence.job == number]
        for request in requests:
            request.cancel()

    def _later(self, kind: int, number: int, *arguments: Any) -> None:
        """Have the other thread do it, in turn."""
        if len(self._tasks) > self._settings.max_queue:
            self._refuse(number, ApiError(429, "too many requests are waiting: try later", retry_after=1))
            return
        work: dict[int, Callable[..., Any]] = {
            SCORE: self._score,
            EMBED: self._embed,
            RERANK: self._rerank,
            LOAD_LORA: self._load_lora,
            UNLOAD_LORA: self._unload_lora,
        }
        reads = kind in (SCORE, EMBED, RERANK)
        threads = self._readers if reads else self._slow
        if reads:
            reading = self._reading[number] = _Reading()
            arguments = (reading, *arguments)
        task = threads.submit(self._answer, number, partial(work[kind], *arguments))
        self._tasks[number] = task
        task.add_done_callback(lambda _: self._forget(number))

    def _forget(self, number: int) -> None:
        self._tasks.pop(number, None)
        self._reading.pop(number, None)

    def _score(
        self, reading: _Reading, ids: list[list[int]], lora: str | None, top: int, cache_salt: str | None
    ) -> list[Score]:
        engine = self._opened()[1]
        return [
            Score(tuple(s.logprobs.tolist()), tuple(s.likeliest.tolist()), tuple(s.top_logprobs))
            for s in self._read_texts(reading, ids, partial(engine.score, top=top, lora=lora, cache_salt=cache_salt))
        ]

    def _embed(
        self,
        reading: _Reading,
        ids: list[list[int]],
        pooling: str | None,
        lora: str | None,
        normalise: bool | None,
        cache_salt: str | None,
    ) -> list[list[float]]:
        engine = self._opened()[1]
        ask = partial(engine.embed, pooling=pooling, normalise=normalise, lora=lora, cache_salt=cache_salt)
        return [e.vector.tolist() for e in self._read_texts(reading, ids, ask)]

    def _rerank(
        self, reading: _Reading, query: str, texts: list[str], truncate: bool, cache_salt: str | None
    ) -> list[Relevance]:
        """Some texts at a time, so that those of others find a place in the queue."""
        engine = self._opened()[1]
        most, results = max(1, self._settings.max_batch // 2), list[Relevance]()
        for at in range(0, len(texts), most):
            reading.check()
            ranked = engine.rerank(query, texts[at : at + most], truncate=truncate, cache_salt=cache_salt)
            results += [Relevance(each.score, each.tokens) for each in sorted(ranked, key=lambda each: each.index)]
        return results

    def _read_texts(
        self, reading: _Reading, texts: list[list[int]], ask: Callable[[list[int]], ReadRequest[T]]
    ) -> Iterator[T]:
        """The results of texts, some at a time, so that those of others find a place in the queue."""
        for at in range(0, len(texts), self._settings.max_batch):
            reading.check()
            yield from reading.results([ask(each) for each in texts[at : at + self._settings.max_batch]])

    def _load_lora(self, name: str, folder: str) -> None:
        self._opened()[0].load_lora(Path(folder), name)

    def _unload_lora(self, name: str) -> None:
        self._opened()[0].unload(name)

    def _opened(self) -> tuple[Model, Engine]:
        if self._model is None or self._engine is None:
            raise ApiError(503, "the model is being loaded", retry_after=2)
        return self._model, self._engine


def _info(settings: Settings, model: Model, engine: Engine) -> ModelInfo:
    tokens = engine.health.pages * PAGE
    weights, cache = readable_bytes(model.network.nbytes), readable_bytes(engine.nbytes)
    config = model.config
    return ModelInfo(
        settings.name,
        engine.context,
        config.vocab,
        config.hidden,
        tuple(name for name in settings.loras if name in model.loras),
        int(time.time()),
        f"{readable_bytes(model.nbytes)} of GPU memory ({weights} of weights; {cache} for steps and {tokens:,} tokens)",
        ", ".join(device.info.name for device in model.network.devices),
        config.family,
        _encoder(model),
        config.encoder is not None and config.encoder.labels == 1,
        dict(model.sentences.prompts),
        model.sentences.default_prompt,
        model.sentences.lowercase,
    )


def _encoder(model: Model) -> str:
    """Why a model generates no text."""
    try:
        model.network.check_generates()
    except WgptError as e:
        return str(e)
    return ""
