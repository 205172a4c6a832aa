"""Output of a kernel in debug mode: prints go to stdout, a failed assertion raises an exception."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wgpt.gpu import GpuDevice, Tensor
from wgpt.ttir import Shader
from wgpt.ttir.lower_debug import MOST_RECORDS, RECORD, WORDS

_NUMPY = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32}
_NUMPY |= {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}


def make_notes(device: GpuDevice) -> Tensor:
    return device.tensor(np.zeros(WORDS, np.uint32), label="notes")


def report(shader: Shader, words: NDArray[np.uint32]) -> None:
    """Print the output of device_print, ordered by program and element, then raise if an assertion failed."""
    count = int(words[0])
    records = words[2 : 2 + RECORD * min(count, MOST_RECORDS)].reshape(-1, RECORD)
    lines = []
    for number, x, y, z, element, low, high, _ in records.tolist():
        _, kind, prefix = shader.notes[number].split("|", 2)
        lines.append(
            ((number, z, y, x, element), f"pid ({x}, {y}, {z}) idx ({element}){prefix}{_value(kind, low, high)}")
        )
    for _, line in sorted(lines):
        print(line)
    if count > MOST_RECORDS:
        print(f"... and {count - MOST_RECORDS} more")
    failed = int(words[1])
    if failed:
        _, line, message = shader.notes[failed - 1].split("|", 2)
        raise AssertionError(f"{shader.name} ({line}): device assertion failed: {message}")


def _value(kind: str, low: int, high: int) -> Any:
    if kind in ("i1", "u1"):
        return bool(low)
    if kind == "bf16":
        return np.array([low << 16], np.uint32).view(np.float32)[0]
    raw = np.array([low, high], np.uint32)
    return raw.view(_NUMPY[kind])[0] if kind in _NUMPY else hex(low)
