"""What a token pays for passing from one stage of a split model to the next, through the host.

    python bench/split_crossing.py [--preset smollm2-135m] [--dtype f16] [--new 200]

A model whose layers are split in two generates for one request, as does the whole model; a token crosses twice: hidden
states, and the chosen token back to the first stage. With one GPU there are two ways to have two stages:

- one device for both: the GPU goes on with the next stage at once, as a second GPU would;
- two devices: the GPU changes from one to the other every time, which takes about as long as the crossing.
"""

from __future__ import annotations

import argparse
from statistics import median

import numpy as np

from wgpt import GpuDevice
from wgpt.bench.engine import Prompts, opened, options, token_times
from wgpt.bench.models import Chosen
from wgpt.models.network import AnyNetwork
from wgpt.models.presets import PRESETS
from wgpt.models.split_network import SplitNetwork
from wgpt.table import number

_PROMPT = 16  # tokens
_FIRST = 20  # tokens that are not counted: the first of a request wait for its prompt
_REPEATS = 5


def seconds_per_token(network: AnyNetwork, new: int) -> list[float]:
    """Of each repetition, the median time between two tokens."""
    prompts, medians = Prompts(network.config.vocab), list[float]()
    with opened(network, context=_PROMPT + new, max_batch=2) as engine:
        for i in range(_REPEATS + 2):
            (request,) = engine.submit_all([(0, prompts.ids(_PROMPT))], options(new))
            request.result()
            if i >= 2:  # until then, Programs are recorded
                medians.append(float(np.median(np.diff(token_times(request))[_FIRST:])))
    network.release()
    return medians


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="smollm2-135m", choices=sorted(PRESETS), help="a model with random weights")
    parser.add_argument("--dtype", default="f16", help="the type of its weights (default: f16)")
    parser.add_argument("--new", type=int, default=200, help="tokens of each request (default: 200)")
    arguments = parser.parse_args()
    if arguments.new < 2 * _FIRST:
        parser.error(f"--new must be at least {2 * _FIRST}, not {arguments.new}: the first {_FIRST} are not counted")
    preset, dtype = arguments.preset, arguments.dtype
    device = GpuDevice.open(0)

    def split(devices: list[GpuDevice]) -> SplitNetwork:
        return SplitNetwork.random_split(devices, PRESETS[preset], dtype)

    rows = [("whole", seconds_per_token(Chosen(None, preset, dtype, None).load(device), arguments.new))]
    rows.append(("one device for both stages", seconds_per_token(split([device, device]), arguments.new)))
    rows.append(("two devices", seconds_per_token(split([device, GpuDevice.open(0)]), arguments.new)))
    whole = median(rows[0][1])
    print(f"{preset}, random {dtype} weights, on {device.info.name}; medians of {_REPEATS} requests")
    print("| | us a token | from | to | us a crossing |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, seconds in rows:
        values = [number(1e6 * value) for value in (median(seconds), min(seconds), max(seconds))]
        crossing = "" if name == "whole" else number(1e6 * (median(seconds) - whole) / 2)
        print(f"| {name} | {' | '.join(values)} | {crossing} |")


if __name__ == "__main__":
    main()
