"""`wgpt bench engine --scenario`: a shared prefix, prompts that arrive while others generate, and LoRA adapters."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ..core.errors import PreconditionError
from ..core.sizes import PAGE
from ..engine.loras import Loras
from ..models.network import AnyNetwork
from ..models.targets import chosen as chosen_targets
from ..ops.lora_pool import Factors
from ..table import number
from .engine import Prompts, TimedEngine, measured_warm, opened, options, submit_and_wait, token_times, wait_for
from .models import Chosen, check_room
from .origin import origin

LONG, LONG_SOFTWARE = 2048, 128  # tokens of a long prompt
MOST_ADAPTERS = 63
_TAIL = 32  # tokens after the common prefix
_REPEATS = 5
_RUNNING, _ARRIVING = 4, 4  # running sequences, and long prompts that arrive
_LEAST_TOKENS = 4  # tokens of each running sequence before the prompts arrive
_ROWS, _ROWS_SOFTWARE = 32, 4


@dataclass(frozen=True)
class Scenario:
    """The results: `facts` are numbers, `lines` describe them."""

    name: str
    origin: dict[str, Any]
    chosen: Chosen
    facts: dict[str, Any]
    lines: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {**self.origin, "bench": "engine", "scenario": self.name, "model": self.chosen.to_dict(), **self.facts}


def long_prompt(network: AnyNetwork, prompt: int | None) -> int:
    return prompt or (LONG_SOFTWARE if network.device.software else LONG)


def prefix(network: AnyNetwork, chosen: Chosen, prompt: int | None = None, **settings: Any) -> Scenario:
    """Time the first token of a request whose prompt begins like an earlier one's."""
    tokens = long_prompt(network, prompt)
    check_room(network, tokens + _TAIL + 1, tokens)
    prompts = Prompts(network.config.vocab)
    with opened(network, context=tokens + _TAIL + PAGE, max_batch=4, **settings) as engine:
        pairs = [measured_warm(engine, partial(_first_and_second, engine, prompts, tokens)) for _ in range(_REPEATS)]
    cold, warm = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    facts: dict[str, Any] = {"prefix": tokens, "tail": _TAIL, "cached_tokens": pairs[-1][2], "repeats": _REPEATS}
    facts |= {"first_seconds": cold, "second_seconds": warm, "ratio": cold / warm}
    lines = (
        f"time to the first token: {number(cold * 1e3)} ms of a prompt of {tokens + _TAIL:,} tokens, "
        f"{number(warm * 1e3)} ms of a second one with {tokens:,} tokens in common: {number(cold / warm)} times "
        "as fast",
        f"  {pairs[-1][2]:,} tokens came from the cache; medians of {_REPEATS}",
    )
    return Scenario("prefix", origin(network.device), chosen, facts, lines)


def _first_and_second(engine: TimedEngine, prompts: Prompts, tokens: int) -> tuple[float, float, int]:
    """(seconds to the first token, the same for the second request, the second one's cached tokens)."""
    common, seconds, cached = prompts.ids(tokens), list[float](), 0
    for _ in range(2):
        requests, when = submit_and_wait(engine, [common + prompts.ids(_TAIL)], [0.0], 1)
        seconds.append(float(token_times(requests[0])[0] - when[0]))
        cached = requests[0].completion.cached_tokens
    return seconds[0], seconds[1], cached


def stall(network: AnyNetwork, chosen: Chosen, prompt: int | None = None, **settings: Any) -> Scenario:
    """The longest gap between tokens of running sequences while long prompts arrive."""
    tokens = long_prompt(network, prompt)
    check_room(network, tokens + 1, tokens)
    prompts = Prompts(network.config.vocab)
    batch = _RUNNING + _ARRIVING
    with opened(network, context=network.config.context, max_batch=batch, **settings) as engine:
        quiet, busy, seconds = measured_warm(engine, partial(_stall_gaps, engine, prompts, tokens))
        limit = engine.scheduler.limits.max_stall
    gaps = {"quiet_gap_median": float(np.median(quiet)), "quiet_gap_longest": float(quiet.max())}
    gaps |= {"gap_median": float(np.median(busy)), "gap_longest": float(busy.max())}
    facts = {"running": _RUNNING, "prompts": _ARRIVING, "prompt": tokens, "max_stall": limit, **gaps}
    rate = _ARRIVING * tokens / seconds
    lines = (
        f"longest time between two tokens of {_RUNNING} running sequences while {_ARRIVING} prompts of {tokens:,} "
        f"tokens arrive: {number(busy.max() * 1e3)} ms (median {number(np.median(busy) * 1e3)} ms)",
        f"  before they arrive: {number(quiet.max() * 1e3)} ms (median {number(np.median(quiet) * 1e3)} ms); "
        f"max_stall is {limit * 1e3:g} ms; prompts are read at {number(rate)} tok/s meanwhile",
    )
    return Scenario("stall", origin(network.device), chosen, {**facts, "prompt_tokens_per_second": rate}, lines)


def _stall_gaps(engine: TimedEngine, prompts: Prompts, tokens: int) -> tuple[Any, Any, float]:
    """(gaps before the prompts arrive, gaps while they are processed, seconds until all are processed)."""
    new = engine.context - PAGE
    running = [engine.submit(prompts.ids(PAGE // 2), options(new)) for _ in range(_RUNNING)]
    wait_for(lambda: all(len(r.completion.ids) >= _LEAST_TOKENS for r in running))
    begin = time.perf_counter()
    arriving = [engine.submit(prompts.ids(tokens), options(1)) for _ in range(_ARRIVING)]
    for request in arriving:
        request.result()
    seen = {id(r): len(r.completion.ids) for r in running}
    wait_for(lambda: all(r.done or len(r.completion.ids) > seen[id(r)] for r in running))
    for request in running:
        request.cancel()
    for request in running:
        request.wait()
    end = max(float(token_times(request)[-1]) for request in arriving)
    quiet, busy = list[float](), list[float]()
    for request in running:
        times = token_times(request)
        for before, after in itertools.pairwise(times.tolist()):
            if after <= begin:
                quiet.append(after - before)
            elif before < end:
                busy.append(after - before)
    if not busy:
        raise PreconditionError(
            "the running sequences reached the end of the context before the prompts were read: use shorter prompts"
        )
    return np.array(quiet), np.array(busy), end - begin


def lora(
    network: AnyNetwork,
    chosen: Chosen,
    adapters: int = 8,
    rank: int = 16,
    targets: Sequence[str] = ("all",),
    requests: int | None = None,
    prompt: int | None = None,
    new: int = 32,
    **settings: Any,
) -> Scenario:
    """The throughput of many sequences, each with one of several LoRA adapters, compared with none."""
    if not 1 <= adapters <= MOST_ADAPTERS:
        raise PreconditionError(f"adapters must be from 1 to {MOST_ADAPTERS}, not {adapters}")
    count = requests or (_ROWS_SOFTWARE if network.device.software else _ROWS)
    tokens = prompt or PAGE // 2
    check_room(network, tokens + new, tokens)
    settings |= {"context": tokens + new, "max_batch": count}
    prompts, rates = Prompts(network.config.vocab), dict[str, float]()
    loras = Loras(network)
    try:
        for name in ("base", "adapters"):
            ids = (
                [loras.add(random_factors(network, i, rank, targets)) for i in range(adapters)]
                if name == "adapters"
                else []
            )
            with opened(network, **settings, loras=loras if ids else None) as engine:
                rates[name] = measured_warm(engine, partial(_rate, engine, prompts, count, tokens, new, ids))
        nbytes = loras.nbytes
    finally:
        loras.release()
    share = rates["adapters"] / rates["base"]
    facts: dict[str, Any] = {
        "requests": count,
        "adapters": adapters,
        "rank": rank,
        "targets": list(targets),
        "new": new,
    }
    facts |= {"base_tokens_per_second": rates["base"], "tokens_per_second": rates["adapters"], "share": share}
    lines = (
        f"{count} sequences with {adapters} LoRA adapters of rank {rank} on {', '.join(targets)}: "
        f"{number(rates['adapters'], 4)} tok/s, {share:.0%} of the base model's {number(rates['base'], 4)}",
    )
    return Scenario("lora", origin(network.device), chosen, {**facts, "pool_bytes": nbytes}, lines)


def _rate(engine: TimedEngine, prompts: Prompts, count: int, tokens: int, new: int, ids: Sequence[int]) -> float:
    """Tokens per second from the last sequence's first token on, when all sequences run."""
    requests, _ = submit_and_wait(engine, prompts.some(count, (tokens, tokens)), [0.0] * count, new, ids)
    times = [token_times(request) for request in requests]
    begin, end = max(t[0] for t in times), max(t[-1] for t in times)
    return sum(int((t > begin).sum()) for t in times) / (end - begin)


def random_factors(network: AnyNetwork, number: int, rank: int, targets: Sequence[str]) -> Factors:
    """Random factors of a LoRA adapter, small enough that the logits stay finite."""
    rng = np.random.default_rng(number)

    def normal(*shape: int) -> Any:
        return rng.standard_normal(shape, dtype=np.float32)

    shapes = chosen_targets(network.config, targets)
    return {name: (normal(rank, k) / np.sqrt(k), 0.01 * normal(n, rank), 1.0) for name, (n, k) in shapes.items()}
