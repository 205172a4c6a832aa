"""LoRA adapters for SmolLM2-135M with random factors: for examples that name one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wgpt.formats.lora import LoraAdapter
from wgpt.formats.peft import write_lora

HIDDEN, KEYS, LAYERS, RANK = 576, 192, 30, 2
BASE = "smollm2-135m"


def write_made_lora(folder: Path, labels: tuple[str, ...] = ()) -> None:
    """A PEFT folder; with labels, one that classifies."""
    rng = np.random.default_rng(0)

    def factors(outputs: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        a, b = rng.standard_normal((RANK, HIDDEN)), 0.01 * rng.standard_normal((outputs, RANK))
        return a.astype(np.float32), b.astype(np.float32)

    lora = LoraAdapter.of_qv([factors(n) for _ in range(LAYERS) for n in (HIDDEN, KEYS)], alpha=RANK, base=BASE)
    if labels:
        head = rng.standard_normal((len(labels), HIDDEN)).astype(np.float32)
        lora = replace(lora, task="SEQ_CLS", score=head, labels=labels)
    write_lora(lora, folder)
