"""The loop in machine code calls what a loop in Python would call."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys

import numpy as np
import pytest

from wgpt.gpu.webgpu import encoding, machine_code

from .launches import chain

P, U32 = ctypes.c_void_p, ctypes.c_uint32
HERE = sys.platform == "linux" and platform.machine() in machine_code.LISTINGS
here = pytest.mark.skipif(not HERE, reason="there is no loop for this system")
MOST = 2**32 - 1


@here
@pytest.mark.parametrize("count", [1, 2, 7])
def test_each_dispatch_is_called_with_its_arguments(count):
    calls: list[tuple] = []
    set_pipeline = ctypes.CFUNCTYPE(None, P, P)(lambda *a: calls.append(("pipeline", *a)))
    set_group = ctypes.CFUNCTYPE(None, P, U32, P, ctypes.c_size_t, P)(lambda *a: calls.append(("group", *a)))
    dispatch = ctypes.CFUNCTYPE(None, P, U32, U32, U32)(lambda *a: calls.append(("dispatch", *a)))
    pass_ = 2**63 + 5
    items = [((2**62 + i) * (i % 3 != 1), 2**61 + i, i, MOST - i, MOST, MOST) for i in range(count)]
    packed = np.array(items, machine_code.ITEM)
    functions = [ctypes.cast(f, P).value for f in (set_pipeline, set_group, dispatch)]
    loop = machine_code.loop()
    assert loop is not None
    loop(pass_, packed.ctypes.data, packed.ctypes.data + packed.nbytes, *functions)
    expected: list[tuple] = []
    for pipeline, group, x, y, z, _ in items:
        expected += [("pipeline", pass_, pipeline)] if pipeline else []
        expected += [("group", pass_, 0, group, 0, None), ("dispatch", pass_, x, y, z)]
    assert calls == expected


@pytest.mark.parametrize("machine", machine_code.LISTINGS)
def test_the_bytes_are_those_of_the_instructions(machine, tmp_path):
    name = f"{machine}-linux-gnu-as" if machine != platform.machine() else "as"
    assembler, objcopy = shutil.which(name), shutil.which(name.removesuffix("as") + "objcopy")
    if not assembler or not objcopy or sys.platform != "linux":
        pytest.skip(f"needs {name} and objcopy")
    lines = [line[12:] for line in machine_code.LISTINGS[machine].splitlines()]
    syntax = [".intel_syntax noprefix"] if machine == "x86_64" else []
    source, made, raw = (tmp_path / name for name in ("loop.s", "loop.o", "loop.bin"))
    source.write_text("\n".join([*syntax, *lines, ""]))
    subprocess.run([assembler, source, "-o", made], check=True)
    subprocess.run([objcopy, "-O", "binary", "--only-section=.text", made, raw], check=True)
    assert raw.read_bytes() == machine_code.code(machine)


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [(sys, "platform", "darwin"), (platform, "machine", lambda: "riscv64"), (sys, "maxsize", 2**31 - 1)],
)
def test_there_is_none_on_other_systems(monkeypatch, owner, name, value):
    monkeypatch.setattr(owner, name, value)
    assert machine_code.loop.__wrapped__() is None


@here
def test_there_is_none_where_memory_cannot_be_executed(monkeypatch):
    def refused(*_: object) -> int:
        raise PermissionError("no executable memory")

    monkeypatch.setattr(machine_code.mmap, "mmap", refused)
    files = os.listdir("/proc/self/fd")
    assert machine_code.loop.__wrapped__() is None
    assert len(os.listdir("/proc/self/fd")) == len(files)


@pytest.mark.gpu
def test_replays_are_the_same_without_it(device, monkeypatch):
    x = np.arange(257, dtype=np.float32) / 3
    with chain(device, x, 6, 0.7, 0.3) as program:
        assert all(item.dispatches.packed is not None for item in program._pieces[0]) == HERE
        fast = program.read()["y"]
    monkeypatch.setattr(encoding, "loop", lambda: None)
    with chain(device, x, 6, 0.7, 0.3) as program:
        assert program._pieces[0][0].dispatches.packed is None
        slow = program.read()["y"]
    np.testing.assert_array_equal(fast, slow)
