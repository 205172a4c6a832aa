"""The compiler's time is not the model's: rates leave it out, and progress names it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from wgpt.engine import base_request
from wgpt.engine.completion import Completion
from wgpt.gpu import GpuDevice

COMPILE_THEN_REPLAY = """
import time
import numpy as np
import wgpt

batch = wgpt.CommandBatch()
x, w = batch.upload(np.ones((8, 256), np.float32)), batch.upload(np.ones((256, 256), np.float32))
program = batch.finish(y=batch.softmax(batch.matmul(x, w)))
clock = [time.perf_counter()]
for call in (program.compile, program.read, program.compile):
    call()
    clock.append(time.perf_counter())
print(*np.diff(clock))
"""


def test_rates_leave_compilation_out():
    c = Completion(ids=[1, 2, 3], prompt_tokens=10, first_token_s=6.0, compile_s=5.0, later_compile_s=3.0, seconds=10.0)
    assert c.prefill_rate == 10.0 and c.decode_rate == 2.0


@pytest.mark.gpu
def test_a_software_driver_compiles_before_the_first_replay(device: GpuDevice) -> None:
    """With nothing in its cache, most of the time would be spent in the first replay otherwise."""
    if not device.software:
        pytest.skip("only software drivers compile that late")
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_THEN_REPLAY],
        env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiling, replay, again = map(float, done.stdout.split())
    assert compiling > 3 * replay and compiling > 10 * again


def test_progress_says_when_kernels_are_compiled_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now, seen = 100.0, list[tuple[int, int, str]]()
    monkeypatch.setattr(base_request.time, "monotonic", lambda: now)
    shown = base_request._Shown(lambda *step: seen.append(step))
    shown.show(None, True)
    now += 0.5  # the driver reads what it kept
    shown.show(None, True)
    assert not seen
    now += 5
    shown.show(None, True)
    shown.show(None, True)
    shown.show((0, 37), True)
    shown.show((37, 37), False)
    now += 0.5
    shown.show((37, 37), True)
    compiling = "compiling kernels, first run only"
    assert seen == [(0, 0, compiling), (0, 37, compiling), (37, 37, "reading the prompt")]
