"""Prometheus metrics, named as vLLM's, under `wgpt:`."""

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
    """One thread adds to it. prometheus-client's takes four times as long, and there is one value for each token."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds, self.counts, self.sum = bounds, [0] * (len(bounds) + 1), 0.0

    def add(self, value: float, times: int = 1) -> None:
        self.counts[bisect_left(self.bounds, value)] += times
        self.sum += value * times

    def buckets(self) -> list[tuple[str, float]]:
        names = [*map(str, map(float, self.bounds)), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class Metrics(Collector):
    """What has been counted. `state` and `model` are asked for when the metrics are."""

    def __init__(self) -> None:
        self.state: Callable[[], State] = State
        self.restarts: Callable[[], int] = lambda: 0
        self.model: Callable[[], str] = lambda: ""
        self._first, self._gap, self._queue = _Histogram(_SECONDS), _Histogram(_GAPS), _Histogram(_LONG_SECONDS)
        self._whole = _Histogram(_LONG_SECONDS)
        self._prompt, self._generated = _Histogram(_TOKENS), _Histogram(_TOKENS)
        self._prompt_tokens = self._generation_tokens = self._queries = self._hits = 0
        self._success: Counter[tuple[str, str]] = Counter()  # by model and reason
        self._http: Counter[tuple[str, str, str]] = Counter()  # by method, route and status
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def token_gap(self, seconds: float, tokens: int) -> None:
        """So many tokens of a sequence came so long after those before."""
        self._gap.add(seconds / tokens, tokens)

    def ended(self, model: str, job: Job, end: End) -> None:
        """A sequence has ended."""
        if end.completion_tokens:
            self._first.add(end.first_token_s)
            if not job.stream and end.completion_tokens > 1:
                later = end.completion_tokens - 1
                self._gap.add((end.seconds - end.first_token_s) / later, later)
        self._queue.add(end.queue_s)
        self._whole.add(end.seconds)
        self._prompt.add(end.prompt_tokens)
        self._generated.add(end.completion_tokens)
        self._prompt_tokens += end.prompt_tokens
        self._generation_tokens += end.completion_tokens
        self._queries += end.prompt_tokens
        self._hits += end.cached_tokens
        self._success[model, "error" if end.error else _REASONS.get(end.reason, end.reason)] += 1

    def answered(self, method: str, route: str, status: int) -> None:
        """An HTTP request has ended."""
        self._http[method, route, str(status)] += 1

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        state, model = self.state(), self.model()

        def gauge(name: str, help: str, value: float) -> Metric:
            family = GaugeMetricFamily(f"wgpt:{name}", help, labels=["model_name"])
            family.add_metric([model], value)
            return family

        def counter(name: str, help: str, value: float) -> Metric:
            family = CounterMetricFamily(f"wgpt:{name}", help, labels=["model_name"])
            family.add_metric([model], value)
            return family

        def histogram(name: str, help: str, values: _Histogram) -> Metric:
            family = HistogramMetricFamily(f"wgpt:{name}", help, labels=["model_name"])
            family.add_metric([model], values.buckets(), values.sum)
            return family

        yield gauge("num_requests_running", "Sequences in the batch.", state.running)
        yield gauge("num_requests_waiting", "Sequences that wait.", state.waiting)
        share = state.pages_used / state.pages if state.pages else 0.0
        yield gauge("kv_cache_usage_perc", "Share of the KV cache that running sequences use; 1 is all of it.", share)
        yield counter("num_preemptions", "Sequences that gave way and were computed again.", state.preemptions)
        yield counter("prefix_cache_queries", "Prompt tokens looked up in the cache.", self._queries)
        yield counter("prefix_cache_hits", "Prompt tokens found there.", self._hits)
        yield counter("prompt_tokens", "Prompt tokens.", self._prompt_tokens)
        yield counter("generation_tokens", "Generated tokens.", self._generation_tokens)
        for name, value in state.counters.items():
            yield counter(name, name.replace("_", " ").capitalize() + ".", value)
        yield histogram("time_to_first_token_seconds", "From the request to its first token.", self._first)
        yield histogram("inter_token_latency_seconds", "Between two tokens of a sequence.", self._gap)
        yield histogram("request_queue_time_seconds", "From the request to the start of its prefill.", self._queue)
        yield histogram("e2e_request_latency_seconds", "From the request to its last token.", self._whole)
        yield histogram("request_prompt_tokens", "Prompt tokens of a request.", self._prompt)
        yield histogram("request_generation_tokens", "Generated tokens of a request.", self._generated)
        success = CounterMetricFamily(
            "wgpt:request_success", "Ended sequences.", labels=["model_name", "finished_reason"]
        )
        for labels, count in self._success.items():
            success.add_metric(list(labels), count)
        yield success
        http = CounterMetricFamily("wgpt:http_requests", "HTTP requests.", labels=["method", "handler", "status"])
        for route, count in self._http.items():
            http.add_metric(list(route), count)
        yield http
        yield counter("engine_restarts", "Starts of the engine's process after the first.", self.restarts())


_REASONS = {"eos": "stop", "context": "length", "cancelled": "abort"}  # as vLLM names them
