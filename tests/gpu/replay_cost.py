"""CPU time of a replay, direct and through wgpu-py's own API: `python -m tests.gpu.replay_cost` prints it as JSON."""

from __future__ import annotations

import gc
import json
import time
from statistics import median

import numpy as np

from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu import direct

from .launches import chain

DISPATCHES = 300
ROUNDS = 30


def measure(device: GpuDevice) -> dict[str, float]:
    """Microseconds per dispatch for encode, finish and submit; medians, interleaved, the GPU idle before each.

    CPU time of this thread, so that the driver's threads and other processes do not count.
    """
    with chain(device, np.arange(64, dtype=np.float32), DISPATCHES) as program:
        ready = device.webgpu.ready(program.steps)
        methods = {"direct": program.run, "public": lambda: device.webgpu.submit_public(ready)}
        spent: dict[str, list[float]] = {name: [] for name in methods}
        gc.disable()
        for _ in range(ROUNDS):
            for name, submit in methods.items():
                device.read(program.outputs["y"])
                began = time.thread_time()
                submit()
                spent[name].append(time.thread_time() - began)
        gc.enable()
    return {name: median(times) / DISPATCHES * 1e6 for name, times in spent.items()}


if __name__ == "__main__":
    print(json.dumps({"native": direct.available, **measure(GpuDevice.open(webgpu="wgpu"))}))
