#!/usr/bin/env python3
"""`wgpt bench decode` beside `model.generate` of one row: both run the same Programs, so their rates should agree.

python scripts/h200_one_runtime.py [--tokens 256] [--repeats 7] [--random]      --random: downloads nothing
"""

from __future__ import annotations

import argparse
from statistics import median

from wgpt import Model
from wgpt.bench import generation
from wgpt.bench.models import Chosen, prompts
from wgpt.gpu import GpuDevice

CONTEXT = 64
REAL, RANDOM = Chosen(), Chosen(preset="smollm2-135m", dtype="q4_1", table="q8_0")
QWEN = Chosen(preset="qwen3-4b", dtype="q4_k")


def generated(model: Model, ids: list[int], tokens: int, repeats: int) -> list[float]:
    """Tokens per second after the first one. The first runs compile, and bring up the GPU's clocks."""
    rates = []
    for i in range(repeats + 3):
        completion = model.generate(ids, max_tokens=tokens, ignore_eos=True)
        if i >= 3:
            rates.append(completion.decode_rate)
        model.forget()  # what is kept of the prompt would be another chunk
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--random", action="store_true")
    arguments = parser.parse_args()
    for chosen in (RANDOM if arguments.random else REAL, QWEN):
        device = GpuDevice.open()
        network = chosen.load(device)
        bench = generation.decode(network, chosen, 1, CONTEXT, arguments.tokens, arguments.repeats)
        with Model(network, None, context=4096) as model:
            ids = prompts(network, 1, CONTEXT)[0]
            rate = median(generated(model, ids, arguments.tokens, arguments.repeats))
        device.close()
        difference = 100 * (rate / bench.rate - 1)
        print(f"{chosen}: bench decode {bench.rate:,.1f} tok/s, generate {rate:,.1f} tok/s ({difference:+.1f} %)")


if __name__ == "__main__":
    main()
