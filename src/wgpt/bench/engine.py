"""`wgpt bench engine`: throughput and latency of many requests at once.

Each load runs once before it is measured, with other token ids, and again until no new Program was recorded: recording
happens when a number of rows is first needed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..engine.draft import DraftModel
from ..engine.engine import MAX_BATCH, Engine
from ..engine.options import Options
from ..engine.request import Request
from ..models.network import AnyNetwork
from .models import Chosen, check_room
from .origin import origin

REQUESTS, REQUESTS_SOFTWARE = (1, 4, 16, 64, 128), (1, 4)
LOADS = (0.25, 0.5, 0.9)  # Poisson arrivals, as shares of the rate at which requests finish if all arrive at once
PROMPT, PROMPT_SOFTWARE = 128, 16
NEW, NEW_SOFTWARE = 128, 8
_MOST_RUNS = 4  # most runs of a load until one records no Program
_POLL_SECONDS = 0.0005

Span = tuple[int, int]  # from, to
T = TypeVar("T")


class _TimedIds(list[int]):
    """Token ids that record when each was added."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def append(self, token: int) -> None:
        self.times.append(time.perf_counter())
        super().append(token)


class TimedEngine(Engine):
    """An Engine that records when each token was read."""

    def __init__(self, network: AnyNetwork, **settings: Any) -> None:
        super().__init__(network, None, **settings)

    def _enqueue(self, sequences: Sequence[Any], requests: Sequence[Any]) -> None:
        for sequence in sequences:
            sequence.completion.ids = _TimedIds()
        super()._enqueue(sequences, requests)


def token_times(request: Request) -> NDArray[np.float64]:
    """When each token was read."""
    assert isinstance(request.completion.ids, _TimedIds)
    return np.array(request.completion.ids.times)


@dataclass(frozen=True)
class Load:
    """The results of one load. Times are in seconds; `gap` is the time between two tokens of a sequence."""

    requests: int
    rate: float  # requests per second on average; 0: all at once
    # share of the rate at which requests finish if all arrive at once; 0 if they do, or if `rate` was chosen
    share: float
    tokens_per_second: float
    seconds: float
    first_median: float
    first_p99: float
    gap_median: float
    gap_p99: float
    gap_longest: float
    prompt_tokens: int
    cached_tokens: int
    preemptions: int
    recorded: int  # Programs recorded during the measurement
    drafted: int = 0  # tokens that a draft model guessed
    accepted: int = 0  # guesses that were right
    busy: tuple[float, ...] = ()  # share of the time in which each GPU worked, if there are several

    @property
    def arrivals(self) -> str:
        if not self.rate:
            return "at once"
        return f"{self.rate:.3g}/s" + (f" ({self.share:.0%})" if self.share else "")


@dataclass(frozen=True)
class EngineBench:
    """The results of all loads."""

    origin: dict[str, Any]
    chosen: Chosen
    cache: str
    prompt: Span
    new: int
    gpu_bytes: int
    loads: tuple[Load, ...]
    draft: str | None = None  # the draft model's name
    gpus: tuple[str, ...] = ()  # the GPUs' names, if there are several

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "bench": "engine",
            "model": self.chosen.to_dict(),
            "cache": self.cache,
            "draft": self.draft,
            "gpus": list(self.gpus),
            "prompt": list(self.prompt),
            "new": self.new,
            "gpu_bytes": self.gpu_bytes,
            "loads": [{**asdict(load), "arrivals": load.arrivals} for load in self.loads],
        }


class Prompts:
    """Random token ids, never the same twice."""

    def __init__(self, vocab: int) -> None:
        self._vocab, self._rng = vocab, np.random.default_rng(0)

    def ids(self, tokens: int) -> list[int]:
        return self._rng.integers(0, self._vocab, tokens).tolist()

    def some(self, count: int, span: Span) -> list[list[int]]:
        return [self.ids(int(self._rng.integers(span[0], span[1] + 1))) for _ in range(count)]

    def arrivals(self, count: int, rate: float) -> list[float]:
        """Times of arrival in seconds, of a Poisson process."""
        return np.cumsum(self._rng.exponential(1 / rate, count)).tolist() if rate else [0.0] * count


@contextmanager
def opened(network: AnyNetwork, **settings: Any) -> Iterator[TimedEngine]:
    engine = TimedEngine(network, **settings)
    try:
        yield engine
    finally:
        engine.close()


def options(new: int) -> Options:
    return Options(max_tokens=new, ignore_eos=True)


def defaults(
    network: AnyNetwork, requests: Sequence[int] | None, prompt: Span | None, new: int | None
) -> tuple[Sequence[int], Span, int]:
    software = network.device.software
    usual = PROMPT_SOFTWARE if software else PROMPT
    requests = requests or (REQUESTS_SOFTWARE if software else REQUESTS)
    prompt, new = prompt or (usual, usual), new or (NEW_SOFTWARE if software else NEW)
    check_room(network, prompt[1] + new, prompt[1])
    return requests, prompt, new


def measure(
    network: AnyNetwork,
    chosen: Chosen,
    requests: Sequence[int] | None = None,
    prompt: Span | None = None,
    new: int | None = None,
    rates: Sequence[float] = (),
    cache: str = "f16",
    cache_bytes: int | None = None,
    progress: Progress | None = None,
    kernels: str = "wgsl",
    draft: DraftModel | None = None,
) -> EngineBench:
    """Every number of requests at once, and as Poisson arrivals at the given rates, or at shares of the first rate."""
    requests, prompt, new = defaults(network, requests, prompt, new)
    settings = {"cache": cache, "cache_bytes": cache_bytes, "kernels": kernels, "draft": draft}
    batch = min(MAX_BATCH, max(requests))
    prompts, loads = Prompts(network.config.vocab), list[Load]()
    with opened(network, context=min(network.config.context, prompt[1] + new), max_batch=batch, **settings) as engine:
        total = sum(1 + (len(rates or LOADS) if count > 1 else 0) for count in requests)
        for count in requests:
            plans = [(0.0, 0.0)]
            while plans:
                rate, share = plans.pop(0)
                if progress:
                    progress(len(loads), total, f"{count} requests")
                load = _load(engine, prompts, count, prompt, new, rate, share)
                loads.append(load)
                if not rate and count > 1:
                    ended = count / load.seconds
                    plans = [(each, 0.0) for each in rates] or [(share * ended, share) for share in LOADS]
        nbytes = sum(device.bytes_in_use for device in network.devices)
    name = None if draft is None else draft.name
    gpus = tuple(device.info.name for device in network.devices) if len(network.devices) > 1 else ()
    return EngineBench(origin(network.device), chosen, cache, prompt, new, nbytes, tuple(loads), name, gpus)


def _load(engine: TimedEngine, prompts: Prompts, count: int, prompt: Span, new: int, rate: float, share: float) -> Load:
    arrivals = prompts.arrivals(count, rate)
    return measured_warm(engine, lambda: _run(engine, prompts.some(count, prompt), arrivals, new, rate, share))


def measured_warm(engine: TimedEngine, run: Callable[[], T]) -> T:
    """The result of the first run, not counting the warm-up, that records no Program; if all do, of the last."""
    result = run()
    for _ in range(_MOST_RUNS - 1):
        engine.forget()
        before = engine.runner.recorded
        result = run()
        if engine.runner.recorded == before:
            break
    return result


def submit_and_wait(
    engine: TimedEngine,
    prompts: Sequence[Sequence[int]],
    arrivals: Sequence[float],
    new: int,
    loras: Sequence[int] = (),
) -> tuple[list[Request], list[float]]:
    """Submit each prompt at its time and wait for all; returns (requests, submission times)."""
    start, requests, when = time.perf_counter(), list[Request](), list[float]()
    if not any(arrivals) and not loras:
        requests = engine.submit_all(list(enumerate(prompts)), options(new))
        return _ended(requests), [start] * len(requests)
    for i, (ids, arrival) in enumerate(zip(prompts, arrivals, strict=True)):
        while arrival and (left := start + arrival - time.perf_counter()) > 0:
            time.sleep(left)
        when.append(time.perf_counter())
        requests.append(engine.submit(ids, options(new), lora=loras[i % len(loras)] if loras else 0))
    return _ended(requests), when


def _ended(requests: list[Request]) -> list[Request]:
    for request in requests:
        request.result()
    return requests


def _run(
    engine: TimedEngine,
    prompts: Sequence[Sequence[int]],
    arrivals: Sequence[float],
    new: int,
    rate: float,
    share: float,
) -> Load:
    recorded, before, busy = engine.runner.recorded, engine.health, engine.runner.busy_seconds
    requests, when = submit_and_wait(engine, prompts, arrivals, new)
    times = [token_times(request) for request in requests]
    first = np.array([t[0] - at for t, at in zip(times, when, strict=True)])
    seconds = float(max(t[-1] for t in times) - when[0])
    return Load(
        requests=len(requests),
        rate=rate,
        share=share,
        tokens_per_second=sum(len(t) for t in times) / seconds,
        seconds=seconds,
        **latencies(first, times),
        prompt_tokens=sum(request.completion.prompt_tokens for request in requests),
        cached_tokens=sum(request.completion.cached_tokens for request in requests),
        preemptions=engine.health.preemptions - before.preemptions,
        recorded=engine.runner.recorded - recorded,
        drafted=engine.health.drafted - before.drafted,
        accepted=engine.health.accepted - before.accepted,
        busy=tuple((now - then) / seconds for now, then in zip(engine.runner.busy_seconds, busy, strict=True)),
    )


def latencies(first: Sequence[float] | NDArray[np.float64], times: Sequence[Any]) -> dict[str, float]:
    """The latency fields of a load: the time to the first token, and between tokens at `times`."""
    gaps = np.concatenate([np.diff(t) for t in times])
    first_median, first_p99 = map(float, np.percentile(first, [50, 99]))
    gap_median, gap_p99, gap_longest = map(float, np.percentile(gaps if gaps.size else np.zeros(1), [50, 99, 100]))
    return {
        "first_median": first_median,
        "first_p99": first_p99,
        "gap_median": gap_median,
        "gap_p99": gap_p99,
        "gap_longest": gap_longest,
    }


def wait_for(ready: Callable[[], bool], seconds: float = 600) -> None:
    began = time.perf_counter()
    while not ready():
        if time.perf_counter() - began > seconds:
            raise PreconditionError(f"the engine did not get there within {seconds:g} s")
        time.sleep(_POLL_SECONDS)
