"""A device that is lost unexpectedly. In a separate process, because failures here end the process."""

from __future__ import annotations

import pytest

from .processes import python
from .webgpus import WEBGPUS

pytestmark = pytest.mark.gpu

SCRIPT = """
import sys
import numpy as np
from tests.gpu.launches import chain, chained
from wgpt.gpu import DeviceLostError, GpuDevice

x = np.arange(100, dtype=np.float32)
device = GpuDevice.open()
program = chain(device, x, 3)
pending, mapped = program.submit(), program.submit()
while not mapped.done():
    pass
other = chain(device, x, 3)
other.prepare(other.inputs["x"], close=True)
tensor = device.tensor(x)
device.webgpu.destroy()
for use in (
    lambda: (program.run(), device.settle()),
    pending.result,
    mapped.result,
    lambda: other.submit(writes=[(other.inputs["x"], x)]).result(),
    program.read,
    lambda: program.write("x", x),
    lambda: device.read(tensor),
    lambda: device.buffer(100),
    lambda: chain(device, x, 1),
    lambda: program.profile(1),
):
    try:
        use()
        sys.exit("nothing was raised")
    except DeviceLostError as e:
        assert "GpuDevice.open()" in str(e), e
with chain(GpuDevice.open(), x, 3) as program:
    assert (program.read()["y"] == chained(x, 3)).all()
print("survived")
"""


@pytest.mark.parametrize("thread", ["0", "1"])
@pytest.mark.parametrize(("webgpu", "native"), [*((webgpu, "1") for webgpu in WEBGPUS), ("wgpu", "0")])
def test_a_lost_device_is_an_exception_and_a_new_one_works(webgpu, native, thread):
    done = python("-c", SCRIPT, WGPT_WEBGPU=webgpu, WGPT_NATIVE=native, WGPT_SUBMIT_THREAD=thread)
    assert done.returncode == 0 and done.stdout.strip() == "survived", done.stderr[-2000:]
