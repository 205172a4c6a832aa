"""Prometheus metrics, named like vLLM's but under `wgpt:`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from .wire import End, Job, State

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 10, 40, 80)
_GAPS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5)
_LONG_SECONDS = (0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960)
_TOKENS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class _Histogram:
    """A histogram that one thread writes: prometheus-client's takes four times as long, for every token."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds, self.counts, self.sum = bounds, [0] * (len(bounds) + 1), 0.0

    def add(self, value: float, times: int = 1) -> None:
        self.counts[bisect_left(self.bounds, value)] += times
        self.sum += value * times

    def buckets(self) -> list[tuple[str, float]]:
        names = [*map(str, map(float, self.bounds)), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class EngineMetrics:
    """The metrics of one engine. `state` and `restarts` are read when the metrics are requested."""

    def __init__(self, state: Callable[[], State] = State, restarts: Callable[[], int] = lambda: 0) -> None:
        self.state, self.restarts = state, restarts
        self.first, self.gap, self.queue = _Histogram(_SECONDS), _Histogram(_GAPS), _Histogram(_LONG_SECONDS)
        self.whole = _Histogram(_LONG_SECONDS)
        self.prompt, self.generated = _Histogram(_TOKENS), _Histogram(_TOKENS)
        self.prompt_tokens = self.generation_tokens = self.hits = 0
        self.success: Counter[tuple[str, str]] = Counter()  # number of requests by model and reason

    def token_gap(self, seconds: float, tokens: int) -> None:
        """Record how long after the previous tokens of a sequence this number of tokens came."""
        self.gap.add(seconds / tokens, tokens)

    def ended(self, model: str, job: Job, end: End) -> None:
        """Count a sequence that has ended."""
        if end.completion_tokens:
            self.first.add(end.first_token_s)
            if not job.stream and end.completion_tokens > 1:
                later = end.completion_tokens - 1
                self.gap.add((end.seconds - end.first_token_s) / later, later)
        self.queue.add(end.queue_s)
        self.whole.add(end.seconds)
        self.prompt.add(end.prompt_tokens)
        self.generated.add(end.completion_tokens)
        self.prompt_tokens += end.prompt_tokens
        self.generation_tokens += end.completion_tokens
        self.hits += end.cached_tokens
        self.success[model, "error" if end.error else _REASONS.get(end.reason, end.reason)] += 1


class Metrics(Collector):
    """The metrics behind /metrics. With several engines, each value has the label `engine` (0, 1, ...), as in vLLM."""

    def __init__(self, engines: Sequence[EngineMetrics], model: Callable[[], str]) -> None:
        """`model`: returns the model's name when the metrics are requested."""
        self._engines, self._model = engines, model
        self._http: Counter[tuple[str, str, str]] = Counter()  # number of responses by method, route and status
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def answered(self, method: str, route: str, status: int) -> None:
        """Count an HTTP request that has ended."""
        self._http[method, route, str(status)] += 1

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        model, several = self._model(), len(self._engines) > 1
        engines = [(each, each.state(), [str(i)] if several else []) for i, each in enumerate(self._engines)]
        names = ["engine"] if several else []

        def gauge(name: str, help: str, value: Callable[[EngineMetrics, State], float]) -> Metric:
            family = GaugeMetricFamily(f"wgpt:{name}", help, labels=["model_name", *names])
            for engine, state, label in engines:
                family.add_metric([model, *label], value(engine, state))
            return family

        def counter(name: str, help: str, value: Callable[[EngineMetrics, State], float]) -> Metric:
            family = CounterMetricFamily(f"wgpt:{name}", help, labels=["model_name", *names])
            for engine, state, label in engines:
                family.add_metric([model, *label], value(engine, state))
            return family

        def histogram(name: str, help: str, values: Callable[[EngineMetrics], _Histogram]) -> Metric:
            family = HistogramMetricFamily(f"wgpt:{name}", help, labels=["model_name", *names])
            for engine, _, label in engines:
                family.add_metric([model, *label], values(engine).buckets(), values(engine).sum)
            return family

        yield gauge("num_requests_running", "Sequences in the batch.", lambda _, s: s.running)
        yield gauge("num_requests_waiting", "Sequences that wait.", lambda _, s: s.waiting)
        usage = "Share of the KV cache that running sequences use; 1 is all of it."
        yield gauge("kv_cache_usage_perc", usage, lambda _, s: s.pages_used / s.pages if s.pages else 0.0)
        yield counter("num_preemptions", "Sequences that gave way and were computed again.", lambda _, s: s.preemptions)
        yield counter("prefix_cache_queries", "Prompt tokens looked up in the cache.", lambda e, _: e.prompt_tokens)
        yield counter("prefix_cache_hits", "Prompt tokens found there.", lambda e, _: e.hits)
        yield counter("prompt_tokens", "Prompt tokens.", lambda e, _: e.prompt_tokens)
        yield counter("generation_tokens", "Generated tokens.", lambda e, _: e.generation_tokens)
        for name in dict.fromkeys(name for _, state, _ in engines for name in state.counters):
            help = name.replace("_", " ").capitalize() + "."
            yield counter(name, help, lambda _, s, name=name: s.counters.get(name, 0))  # type: ignore[misc]
        yield histogram("time_to_first_token_seconds", "From the request to its first token.", lambda e: e.first)
        yield histogram("inter_token_latency_seconds", "Between two tokens of a sequence.", lambda e: e.gap)
        queue = "From the request to the start of its prefill."
        yield histogram("request_queue_time_seconds", queue, lambda e: e.queue)
        yield histogram("e2e_request_latency_seconds", "From the request to its last token.", lambda e: e.whole)
        yield histogram("request_prompt_tokens", "Prompt tokens of a request.", lambda e: e.prompt)
        yield histogram("request_generation_tokens", "Generated tokens of a request.", lambda e: e.generated)
        labels = ["model_name", "finished_reason", *names]
        success = CounterMetricFamily("wgpt:request_success", "Ended sequences.", labels=labels)
        for engine, _, label in engines:
            for ended, count in engine.success.items():
                success.add_metric([*ended, *label], count)
        yield success
        http = CounterMetricFamily("wgpt:http_requests", "HTTP requests.", labels=["method", "handler", "status"])
        for route, count in self._http.items():
            http.add_metric(list(route), count)
        yield http
        yield counter("engine_restarts", "Starts of the engine's process after the first.", lambda e, _: e.restarts())


_REASONS = {"eos": "stop", "context": "length", "cancelled": "abort"}  # vLLM's names
