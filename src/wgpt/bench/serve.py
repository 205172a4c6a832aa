"""`wgpt bench serve`: throughput and latency of a server, as its clients see them.

Each client is a connection that sends one request after the other (closed loop), or requests come at random times
whether or not earlier ones have ended (open loop, a Poisson process). Each load runs before it is measured.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from ..core.errors import WgptError
from ..core.progress import Progress
from .engine import Prompts, Span, latencies
from .http_client import Answer, Connection, Target

CLIENTS, PROMPT, NEW = (1, 16, 64), 128, 128
_VOCAB = 256  # token ids that exist in every model
_PATH = "/v1/completions"


@dataclass(frozen=True)
class Plan:
    """What to send. `long`: the tokens of long prompts sent in parallel, `long_rate` per second, which are not
    measured; 0: none."""

    prompt: Span = (PROMPT, PROMPT)
    new: int = NEW
    per_client: int = 4  # requests per client
    model: str | None = None
    schema: Any = None  # JSON schema for the answers
    long: int = 0
    long_rate: float = 1.0


@dataclass(frozen=True)
class ServeLoad:
    """The results of one load. Times are in seconds; a gap is the time between two pieces of a stream."""

    clients: int  # 0: as many as needed at the rate
    rate: float
    requests: int
    failed: int
    tokens_per_second: float
    seconds: float
    first_median: float
    first_p99: float
    gap_median: float
    gap_p99: float
    gap_longest: float
    prompt_tokens: int
    cached_tokens: int
    new_tokens: int
    pieces: int

    @property
    def arrivals(self) -> str:
        return f"{self.rate:.3g}/s" if self.rate else f"{self.clients} client{'s' if self.clients > 1 else ''}"


@dataclass(frozen=True)
class ServeBench:
    """The results of all loads."""

    url: str
    model: str
    plan: Plan
    loads: tuple[ServeLoad, ...]
    errors: tuple[str, ...] = ()  # some of the errors that occurred
    date: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def to_dict(self) -> dict[str, Any]:
        loads = [{**asdict(load), "arrivals": load.arrivals} for load in self.loads]
        return {**asdict(self), "bench": "serve", "loads": loads}


class Sender:
    """Sends requests and keeps the answers. Idle connections are reused."""

    def __init__(self, target: Target, plan: Plan, model: str, prompts: Prompts) -> None:
        self._target, self._plan, self._model = target, plan, model
        self.prompts = prompts
        self._idle: list[Connection] = []
        self.answers: list[Answer] = []
        self.errors: list[str] = []

    async def one(self, kept: bool = True) -> None:
        """Send a request and wait for its answer; not `kept`: a long prompt that is not measured."""
        body = self._body(self._plan.prompt if kept else (self._plan.long, self._plan.long), kept)
        connection = self._idle.pop() if self._idle else Connection(self._target)
        try:
            answer = await connection.request("POST", _PATH, body)
        except WgptError as e:
            self.errors.append(str(e))
            return
        self._idle.append(connection)
        if answer.status != 200 or b'"error"' in answer.body:
            self.errors.append(f"status {answer.status}: {answer.body[-300:].decode(errors='replace').strip()}")
        elif kept:
            self.answers.append(answer)

    def _body(self, span: Span, kept: bool) -> bytes:
        plan = self._plan
        fields: dict[str, Any] = {"model": self._model, "prompt": self.prompts.some(1, span)[0], "temperature": 0}
        fields |= {"max_tokens": plan.new if kept else 1, "stream": True, "stream_options": {"include_usage": True}}
        fields |= {"guided_json": plan.schema} if plan.schema is not None and kept else {"ignore_eos": True}
        return json.dumps(fields).encode()

    def close(self) -> None:
        for connection in self._idle:
            connection.close()


async def closed_loop(sender: Sender, clients: int, each: int) -> None:
    async def client() -> None:
        for _ in range(each):
            await sender.one()

    await asyncio.gather(*(client() for _ in range(clients)))


async def open_loop(sender: Sender, arrivals: Sequence[float]) -> None:
    began = time.perf_counter()

    async def at(seconds: float) -> None:
        await asyncio.sleep(began + seconds - time.perf_counter())
        await sender.one()

    await asyncio.gather(*(at(seconds) for seconds in arrivals))


async def measure(
    target: Target, plan: Plan, clients: Sequence[int], rates: Sequence[float], progress: Progress | None = None
) -> ServeBench:
    """Every number of clients, then every rate with as many requests as the largest number of clients sends."""
    model, prompts = await _model(target, plan), Prompts(_VOCAB)  # prompts are never repeated, so they are never cached
    loads, errors = list[ServeLoad](), list[str]()
    plans = [(count, 0.0) for count in clients] + [(0, rate) for rate in rates]
    for at, (count, rate) in enumerate(plans):
        if progress:
            progress(at, len(plans), f"{rate:g} requests/s" if rate else f"{count} clients")
        for warming in (True, False):
            sender = Sender(target, plan, model, prompts)
            try:
                began = time.perf_counter()
                await _with_long_prompts(
                    sender, plan, _run(sender, plan, count, rate, max(clients, default=16), warming)
                )
            finally:
                sender.close()
        if not sender.answers:
            raise WgptError(f"no request succeeded; the first error: {sender.errors[0]}")
        loads.append(_load(sender, count, rate, began))
        errors += sender.errors
    return ServeBench(target.url, model, plan, tuple(loads), tuple(dict.fromkeys(errors))[:5])


async def _run(sender: Sender, plan: Plan, clients: int, rate: float, most: int, warming: bool) -> None:
    if rate:
        count = most if warming else most * plan.per_client
        await open_loop(sender, sender.prompts.arrivals(count, rate))
    else:
        await closed_loop(sender, clients, 1 if warming else plan.per_client)


async def _with_long_prompts(sender: Sender, plan: Plan, work: Awaitable[None]) -> None:
    """Send long prompts until the work is done."""
    main = asyncio.ensure_future(work)
    others: list[asyncio.Task[None]] = []
    while plan.long and not main.done():
        await asyncio.wait([main], timeout=1 / plan.long_rate)
        others.append(asyncio.create_task(sender.one(kept=False)))
    await main
    await asyncio.gather(*others)


async def _model(target: Target, plan: Plan) -> str:
    """The name of the model to request."""
    connection = Connection(target)
    try:
        answer = await connection.request("GET", "/v1/models")
        listed = answer.json()
        if answer.status != 200:
            message = listed.get("error", {}).get("message", answer.body[:200])
            raise WgptError(f"{target.url}/v1/models answers with status {answer.status}: {message}")
        models = [str(entry["id"]) for entry in listed["data"]]
    except (KeyError, TypeError, AttributeError):
        raise WgptError(f"{target.url}/v1/models does not list models as OpenAI does") from None
    finally:
        connection.close()
    name = plan.model or next(iter(models), "")
    if name not in models:
        raise WgptError(f"{target.url} has no model {name!r}; it has {', '.join(models)}")
    return name


def _load(sender: Sender, clients: int, rate: float, began: float) -> ServeLoad:
    answers = sender.answers
    usages = [_usage(answer) for answer in answers]
    seconds = max(answer.times[-1] for answer in answers) - began
    first = [answer.times[0] - answer.began for answer in answers]
    new = sum(usage["completion_tokens"] for usage in usages)
    return ServeLoad(
        clients=clients,
        rate=rate,
        requests=len(answers) + len(sender.errors),
        failed=len(sender.errors),
        tokens_per_second=new / seconds,
        seconds=seconds,
        **latencies(first, [answer.times for answer in answers]),
        prompt_tokens=sum(usage["prompt_tokens"] for usage in usages),
        cached_tokens=sum((usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0) for usage in usages),
        new_tokens=new,
        pieces=sum(len(answer.times) for answer in answers),
    )


def _usage(answer: Answer) -> dict[str, Any]:
    usage = next((event["usage"] for event in reversed(answer.events()) if event.get("usage")), None)
    if usage is None:
        raise WgptError("the server sends no usage at the end of a stream (stream_options.include_usage)")
    return dict(usage)
