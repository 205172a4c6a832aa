"""What more GPUs bring: computed from measured times and sizes, not measured on so many machines.

    python bench/scale_model.py [--gpus 1,2,8,64] [--network 1,10,100] [--price 3.0]

Data-parallel fine-tuning (cluster/team.py): the leader receives a gradient for every micro-batch of the others and
sends the sum to each of them, over its one link; the GPUs wait meanwhile. A pipeline of K GPUs passes the hidden states
of a token K - 1 times, and several sequences keep all of them busy.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

GIGABIT = 1e9 / 8  # bytes per second
SHARE = 0.9  # of a network's rate that arrives
LATENCY = 50e-6  # seconds of a message between two machines


@dataclass(frozen=True)
class Training:
    """A LoRA step of one GPU: its time and rows as measured, and the values that are trained."""

    name: str
    seconds: float
    tokens: int
    values: int

    def step(self, gpus: int, network: float, micro: int = 1) -> float:
        """Seconds of an optimiser step with `micro` micro-batches for every GPU."""
        others, size = gpus - 1, 4 * self.values
        sent = others * (micro + 1) * size / (network * GIGABIT * SHARE)
        return micro * self.seconds + (sent + 2 * LATENCY if others else 0.0)

    def rate(self, gpus: int, network: float, micro: int = 1) -> float:
        return gpus * micro * self.tokens / self.step(gpus, network, micro)


@dataclass(frozen=True)
class Pipeline:
    """Decoding with the layers split over GPUs: a step of one GPU as measured, and the width of a hidden state."""

    name: str
    seconds: float
    hidden: int

    def latency(self, gpus: int, network: float) -> float:
        hop = LATENCY + 4 * self.hidden / (network * GIGABIT * SHARE)
        return self.seconds + (gpus - 1) * hop

    def rate(self, gpus: int, network: float) -> float:
        """Tokens per second of all sequences, with as many in flight as there are GPUs."""
        return gpus / self.latency(gpus, network)


# Measured on an H200 (bench/RESULTS.md): a step of 4 x 512 tokens, r = 16 on q and v; decoding of one row.
TRAININGS = (
    Training("SmolLM2-135M, LoRA r=16 on q and v", 0.053, 2048, 30 * 16 * (2 * 576 + 576 + 192)),
    Training("Qwen2.5-1.5B, LoRA r=16 on q and v", 0.381, 2048, 28 * 16 * (2 * 1536 + 1536 + 256)),
)
PIPELINES = (Pipeline("Qwen3-4B f16, decode in a pipeline (not built yet)", 1 / 357, 2560),)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", default="1,2,8,64", help="numbers of GPUs, separated by commas")
    parser.add_argument("--network", default="1,10,100", help="Gbit/s, separated by commas")
    parser.add_argument("--micro", type=int, default=4, help="micro-batches of every GPU in a step")
    parser.add_argument("--price", type=float, default=3.0, help="of a GPU for an hour, in your currency")
    options = parser.parse_args()
    gpus = [int(n) for n in options.gpus.split(",")]
    networks = [float(n) for n in options.network.split(",")]
    print("Computed, not measured on so many machines.\n")
    print("| what | GPUs | Gbit/s | tok/s | of GPUs x one | cost of 1e9 tokens |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for training in TRAININGS:
        for count in gpus:
            for network in networks[: 1 if count == 1 else None]:
                rate = training.rate(count, network, options.micro)
                row(training.name, count, network, rate, rate / count / training.rate(1, network), options.price)
    for pipeline in PIPELINES:
        for count in (n for n in gpus if n <= 8):
            for network in networks[: 1 if count == 1 else None]:
                rate = pipeline.rate(count, network)
                row(pipeline.name, count, network, rate, rate / count / pipeline.rate(1, network), options.price)


def row(name: str, gpus: int, network: float, rate: float, share: float, price: float) -> None:
    shown = "-" if gpus == 1 else f"{network:g}"
    cost = gpus * price * 1e9 / rate / 3600
    print(f"| {name} | {gpus} | {shown} | {rate:,.0f} | {share:.0%} | {cost:,.2f} |")


if __name__ == "__main__":
    main()
