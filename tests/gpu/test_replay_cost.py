"""Replay through direct C calls costs at most half of wgpu-py's own API."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import pytest

from wgpt.gpu import native

from .launches import chain

pytestmark = pytest.mark.gpu
DISPATCHES = 300


def cpu_seconds(work: Callable[[], None]) -> float:
    """CPU time of this thread: the driver's threads and other processes do not count."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def test_a_replay_costs_at_most_half_of_wgpu_pys_api(device):
    """Encode, finish and submit of 300 dispatches; interleaved, and the GPU idle before each."""
    assert native.available, "this wgpu-py has changed inside: the direct calls are off"
    x = np.arange(64, dtype=np.float32)
    with chain(device, x, DISPATCHES) as program:
        ways = {
            "direct": lambda: native.encode_and_submit(device.wgpu_device, program._raw, ()),
            "public": lambda: native.encode_and_submit_public(device.wgpu_device, program.steps, ()),
        }
        spent: dict[str, list[float]] = {name: [] for name in ways}
        gc.disable()
        try:
            for _ in range(31):
                for name, way in ways.items():
                    spent[name].append(cpu_seconds(way))
                    device.read(program.outputs["y"])
        finally:
            gc.enable()
    cost = {name: median(times[1:]) / DISPATCHES * 1e6 for name, times in spent.items()}
    print(f"us per dispatch: {cost['direct']:.2f} direct, {cost['public']:.2f} through wgpu-py")
    assert cost["direct"] <= 0.5 * cost["public"], cost
