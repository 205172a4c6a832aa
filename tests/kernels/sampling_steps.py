"""What tests of sampling share: the filters as others write them, a step on the GPU, and a statistic of its draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wgpt.contracts import trial
from wgpt.core.generation import SAMPLING, SETTINGS_WORDS
from wgpt.gpu import GpuDevice
from wgpt.kernels.kernel import Arrays, Case
from wgpt.kernels.registry import get
from wgpt.kernels.sampling.settings import Settings
from wgpt.kernels.sampling.slots import COUNTER, FLAGS, POSITION, RECORD_WORDS, SETTINGS


def plainly(z: NDArray[np.float64], s: Settings) -> NDArray[np.float64]:
    """Probabilities as a textbook filters them: softmax again after each filter, one token at a time."""
    order = sorted(range(z.size), key=lambda i: -z[i])
    p = np.exp((z - z.max()) / s.temperature)
    p /= p.sum()
    if s.top_k:
        kth = z[order[min(s.top_k, z.size) - 1]]
        p = np.array([p[i] if z[i] >= kth else 0.0 for i in range(z.size)])
        p /= p.sum()
    if s.typical_p < 1:
        p = typical_as_llama_cpp(p, s.typical_p)
    mask, mass = np.zeros(z.size, bool), 0.0
    for i in order:
        mask[i] = mass < s.top_p
        mass += p[i]
    p = np.where(mask, p, 0.0)
    p = np.where(p >= s.min_p * p.max(), p, 0.0)
    return np.asarray(p / p.sum())


def typical_as_llama_cpp(p: NDArray[np.float64], typical_p: float) -> NDArray[np.float64]:
    """llama_sampler_typical_apply of llama.cpp (src/llama-sampler.cpp), with min_keep = 0."""
    tokens = [i for i in range(p.size) if p[i] > 0]
    entropy = 0.0
    for i in tokens:
        entropy += -p[i] * math.log(p[i])
    shifted_scores = {i: abs(-math.log(p[i]) - entropy) for i in tokens}
    indices = sorted(tokens, key=lambda i: shifted_scores[i])
    cum_sum, last = 0.0, len(indices)
    for i, token in enumerate(indices):
        cum_sum += p[token]
        if cum_sum > typical_p:
            last = i + 1
            break
    p = np.array([p[i] if i in indices[:last] else 0.0 for i in range(p.size)])
    return np.asarray(p / p.sum())


def xtc_as_llama_cpp(p: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """llama_sample_xtc_apply of llama.cpp, when its random draw says so and with min_keep = 0."""
    order = sorted((i for i in range(p.size) if p[i] > 0), key=lambda i: -p[i])
    if threshold > 0.5 or len(order) < 2:
        return p
    pos_last = 0
    for i, token in enumerate(order):
        if p[token] >= threshold:
            pos_last = i
        else:
            break
    p = np.array([p[i] if i in order[pos_last:] else 0.0 for i in range(p.size)])
    return np.asarray(p / p.sum())


def any_settings(rng: np.random.Generator, filtered: bool = False) -> Settings:
    return Settings(
        temperature=float(rng.choice([0.3, 0.7, 1.0, 1.7, 4.0])),
        top_k=int(rng.choice([0, 1, 5, 40, 300])),
        top_p=float(rng.choice([1.0, 0.99, 0.9, 0.5, 0.05])),
        min_p=float(rng.choice([0.0, 0.001, 0.05, 0.4])),
        repetition_penalty=float(rng.choice([0.8, 1.0, 1.2])),
        seed=int(rng.integers(2**63)),
        presence_penalty=float(rng.choice([-1.0, 0.0, 0.5])),
        frequency_penalty=float(rng.choice([-0.5, 0.0, 2.0])),
        **{
            entry.name: float(rng.choice([entry.neutral, *entry.trials])) if filtered else entry.neutral
            for entry in SAMPLING.values()
            if entry.filters
        },
    )


def problem_of(rows: int, vocab: int, **more: Any) -> dict[str, Any]:
    return {"rows": rows, "vocab": vocab, "slots": rows, "counts": False, "bias": False, "mask": False, **more}


def state(rows: int, settings: list[Settings], counter: Any = 0, flags: int = 0) -> Arrays:
    """The inputs of a step, apart from the logits: row i is slot i."""
    place = np.stack([np.arange(rows), np.full(rows, 5)], axis=1).astype(np.uint32)
    slots = np.zeros((rows, RECORD_WORDS), np.uint32)
    slots[:, POSITION], slots[:, COUNTER], slots[:, FLAGS] = 5, counter, flags
    slots[:, SETTINGS : SETTINGS + SETTINGS_WORDS] = [s.words() for s in settings]
    return {"slots": slots, "rows": place}


def run(device: GpuDevice, name: str, inputs: Arrays, problem: dict[str, Any]) -> Arrays:
    results, overrun = trial.run(trial.Prepared(get(name), Case(problem, ""), inputs, {}), device)
    assert not overrun
    return results


def chi_square(counts: NDArray[np.int64], p: NDArray[np.float64]) -> float:
    """How many standard deviations the statistic is above its mean (Wilson and Hilferty); rare tokens as one."""
    rare = p * counts.sum() < 10
    observed = np.append(counts[~rare], counts[rare].sum()).astype(np.float64)
    expected = np.append(p[~rare], p[rare].sum()) * counts.sum()
    observed, expected = observed[expected > 0], expected[expected > 0]
    freedom = len(expected) - 1
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return float(((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom)))
