"""A child forked after the GPU was used gets an error at once, and exits normally."""

from __future__ import annotations

import os

import pytest

from tests.models import golden

from .processes import python

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.full,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
]

START = """
import os, signal, sys, threading, time
import numpy as np
import wgpt
from tests.gpu.launches import chain, chained
from wgpt.gpu import GpuDevice

def child(body, seconds=10):
    '''The exit status of a forked child, by way of the interpreter's own exit; -9 where it hangs.'''
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        body()
        sys.exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""

USES = """
x = np.arange(200_000, dtype=np.float32)
model = wgpt.load(sys.argv[1])
model.generate([5, 6, 7], max_tokens=2, ignore_eos=True)
device = model.device
program = chain(device, x, 3)
pending = program.submit()
stream = model.stream([5, 6, 7], max_tokens=4, ignore_eos=True)
next(stream, "")
USE = {
    "the rest of a stream": lambda: list(stream),
    "generate": lambda: model.generate([5, 6, 7], max_tokens=2),
    "logits": lambda: model.logits([5, 6, 7]),
    "a Program": program.read,
    "a result": pending.result,
    "a tensor": lambda: device.tensor(x),
    "another device": GpuDevice.open,
    "the default device": wgpt.default_device,
    "the GPUs": wgpt.list_gpus,
    "an operation": lambda: wgpt.ops.silu(x),
    "a forward pass": wgpt.ForwardPass.default,
    "another model": lambda: wgpt.load(sys.argv[1]),
}

def refused():
    for name, use in USE.items():
        began = time.monotonic()
        try:
            use()
        except wgpt.WgptError as error:
            assert 'multiprocessing.get_context("spawn")' in str(error), (name, error)
        else:
            raise AssertionError(name)
        assert time.monotonic() - began < 1, name
    with wgpt.use("cpu"):
        assert (wgpt.ops.silu(x[:10]) <= x[:10]).all()
    model.close()
    device.close()

assert child(refused) == 7
time.sleep(0.1)
wait = threading.Event()
def hold():
    with device.lock:
        wait.wait()
holder = threading.Thread(target=hold)
holder.start()
assert child(refused) == 7, "with a lock that another thread holds"
wait.set()
holder.join()
assert (program.read()["y"] == chained(x, 3)).all() and pending.result()
print("refused")
"""

LEAVES = """
x = np.arange(100, dtype=np.float32)
def nothing():
    pass
assert child(nothing) == 7, "before anything"
assert child(lambda: chain(GpuDevice.open(), x, 3).read()) == 7, "a child that is the first to use the GPU"
program = chain(wgpt.default_device(), x, 3)
program.read()
assert child(nothing) == 7
def drop():
    global program
    program = None
assert child(drop) == 7
assert (program.read()["y"] == chained(x, 3)).all()
print("left alone")
"""


@pytest.mark.parametrize("thread", ["0", "1"])
def test_every_use_is_refused_at_once(webgpu: str, thread: str) -> None:
    done = python("-c", START + USES, str(golden.load("llama-gqa").folder), WGPT_SUBMIT_THREAD=thread)
    assert done.returncode == 0 and done.stdout == "refused\n", done.stderr[-3000:]


def test_a_child_that_leaves_the_gpu_alone_ends_as_usual(webgpu: str) -> None:
    done = python("-c", START + LEAVES)
    assert done.returncode == 0 and done.stdout == "left alone\n", done.stderr[-3000:]
