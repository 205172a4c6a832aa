"""Without wgpu-py's private side everything still works, slower. Chosen at import, so in another process."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from wgpt.gpu import GpuDevice
from wgpt.gpu.webgpu import direct

from .launches import chain
from .processes import python

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def device() -> Iterator[GpuDevice]:
    gpu_device = GpuDevice.open(webgpu="wgpu")
    yield gpu_device
    gpu_device.close()


SCRIPT = """
import asyncio, json
import numpy as np
from tests.gpu.launches import chain
from wgpt.gpu import GpuDevice, Recorder, ShaderError
from wgpt.contracts import verify

device = GpuDevice.open()
x = np.arange(257, dtype=np.float32) / 3
with chain(device, x, 6, 0.7, 0.3) as program:
    first = program.read()["y"]
    pending = [program.submit() for _ in range(3)]
    later = [p.result()["y"] for p in pending] + [asyncio.run(program.submit().result_async())["y"]]
    profile = program.profile(1)
report = verify(device, only="silu_correctness")
print(json.dumps({
    "native": device.webgpu.direct,
    "bits": first.view(np.uint32).tolist(),
    "same": all((one == first).all() for one in later),
    "timed": len(profile.rows),
    "verified": report.passed,
    "errors": [row.error for row in report.rows],
}))
"""


def run(setting: str) -> dict:
    done = python("-c", SCRIPT, WGPT_WEBGPU="wgpu", WGPT_NATIVE=setting)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_public_api_gives_the_same_bits(device):
    assert direct.available, "this wgpu-py has changed inside: the direct calls are off"
    fallback = run("0")
    assert fallback["native"] is False
    assert fallback["same"] and fallback["timed"] == 6 and fallback["verified"]
    x = np.arange(257, dtype=np.float32) / 3
    with chain(device, x, 6, 0.7, 0.3) as program:
        assert program.read()["y"].view(np.uint32).tolist() == fallback["bits"]


def test_both_ways_encode_the_same_in_one_process(device):
    x = np.arange(257, dtype=np.float32) / 3
    with chain(device, x, 6, 0.7, 0.3) as program:
        direct = program.read()["y"]
        program.write("x", x * 0)
        program.run()
        program.write("x", x)
        device.webgpu.submit_public(device.webgpu.ready(program.steps))
        np.testing.assert_array_equal(device.read(program.outputs["y"]), direct)
