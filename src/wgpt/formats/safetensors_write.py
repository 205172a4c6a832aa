"""Writes safetensors files, whole arrays or piece by piece."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import replacing

_NAMES = {np.dtype(np.float32): "F32", np.dtype(np.float16): "F16", np.dtype(np.uint16): "BF16"}
_NAMES |= {np.dtype(np.int32): "I32", np.dtype(np.uint32): "U32"}
_SIZES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "U32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}

Layout = Mapping[str, tuple[str, tuple[int, ...]]]  # by name: dtype as safetensors spells it, and shape


def write_safetensors(path: Path, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write complete arrays atomically. uint16 means bf16, as everywhere in wgpt."""
    layout = {name: (_NAMES[array.dtype], array.shape) for name, array in tensors.items()}
    with replacing(path) as file:
        write_stream(file, layout, tensors.values())


def layout_bytes(layout: Layout) -> int:
    return sum(math.prod(shape) * _SIZES[dtype] for dtype, shape in layout.values())


def write_stream(file: IO[bytes], layout: Layout, pieces: Iterable[NDArray[Any]]) -> None:
    """The tensors of `layout` in its order; `pieces` are their bytes, in pieces of any size."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, (dtype, shape) in layout.items():
        size = math.prod(shape) * _SIZES[dtype]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    bytes_written = 0
    for piece in pieces:
        bytes_written += piece.nbytes
        file.write(np.ascontiguousarray(piece).reshape(-1).view(np.uint8).data)
    if bytes_written != at:
        raise ValueError(f"{bytes_written} bytes were written for tensors of {at}")
