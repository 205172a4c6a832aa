"""Measures how many texts an encoder embeds per second."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..engine.encoder import EncoderRunner, Text
from ..models.network import Network
from .models import Chosen

_SOFTWARE_TEXTS, _TEXTS = 4, 512


@dataclass(frozen=True)
class EmbeddingBench:
    """`seconds`: for all texts, the median of the repetitions; `rows` and `dispatches` of the largest forward."""

    chosen: Chosen
    texts: int
    tokens: int
    seconds: float
    rows: int
    dispatches: int
    gflops: float  # per text

    @property
    def texts_per_second(self) -> float:
        return self.texts / self.seconds

    def to_dict(self) -> dict[str, Any]:
        rate = {"texts_per_second": self.texts_per_second, "tokens_per_second": self.texts_per_second * self.tokens}
        forward = {"rows": self.rows, "dispatches": self.dispatches, "gflop_per_text": self.gflops}
        return {"model": self.chosen.to_dict(), "texts": self.texts, "tokens": self.tokens, **rate, **forward}


def embed(
    network: Network, chosen: Chosen, tokens: int, texts: int | None, repeats: int, progress: Progress | None = None
) -> EmbeddingBench:
    """Time the mean-pooled vectors of random texts with this number of tokens."""
    config = network.config
    if tokens > config.context:
        raise PreconditionError(f"texts of {tokens} tokens exceed the model's context length of {config.context}")
    count = texts or (_SOFTWARE_TEXTS if network.device.software else _TEXTS)
    rng = np.random.default_rng(0)
    made = [Text(rng.integers(0, config.vocab, tokens).tolist()) for _ in range(count)]
    runner, times = EncoderRunner(network), list[float]()
    try:
        runner.pooled(made, "mean")  # records and compiles the Programs
        for i in range(repeats):
            if progress is not None:
                progress(i + 1, repeats + 1, "")
            began = time.perf_counter()
            runner.pooled(made, "mean")
            times.append(time.perf_counter() - began)
        rows, dispatches = runner.largest
    finally:
        runner.release()
    return EmbeddingBench(chosen, count, tokens, median(times), rows, dispatches, _flops(network, tokens) / 1e9)


def _flops(network: Network, tokens: int) -> float:
    """FLOPs per text: the matrix products of the layers, and attention."""
    c = network.config
    total = 0.0
    for layer in map(c.layer, range(c.layers)):
        encoder = layer.encoder
        up = 2 if encoder is not None and encoder.gated else 1
        matrices = layer.hidden * (2 * layer.q_rows + 2 * layer.kv_rows + (up + 1) * layer.ffn)
        seen = min(tokens, 2 * layer.window + 1) if layer.window else tokens
        total += 2 * tokens * matrices + 4 * tokens * seen * layer.q_rows
    return total


def print_embedding(result: EmbeddingBench, console: Console) -> None:
    rate, work = result.texts_per_second, result.texts_per_second * result.gflops / 1e3
    console.print(f"{result.chosen}: {result.texts} texts of {result.tokens} tokens")
    console.print(f"{rate:.1f} texts/s, {rate * result.tokens:,.0f} tokens/s, {work:.3f} TFLOP/s", highlight=False)
    console.print(f"forwards of {result.rows} rows, {result.dispatches} dispatches each", highlight=False)
