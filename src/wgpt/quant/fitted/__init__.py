"""Quantises floats to GGUF's types for files, searching for the best scales: slower than converting at load time."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import gguf
import numpy as np
from numpy.typing import NDArray

from ..weight_type import must_be_finite
from .blocks import FITTERS

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
_SLAB = 1 << 17  # weights at a time: temporaries fit into the CPU's cache
_FLOATS = {"f32": "<f4", "f16": "<f2"}


def fit(rows: F32, kind: str, importance: F32 | None = None) -> U8:
    """Rows [R, K] in a type of GGUF, bytes [R, bytes of a row]. K must be a multiple of the type's block.

    importance: how much the errors of each of the K columns count (`wgpt imatrix`); by default all alike.

    >>> fit(np.ones((2, 256), np.float32), "q4_k").shape
    (2, 144)
    """
    if kind in _FLOATS:
        with np.errstate(over="ignore"):
            floats = rows.astype(_FLOATS[kind])
        must_be_finite(bool(np.isfinite(floats).all()), rows, kind)
        return np.ascontiguousarray(floats).view(np.uint8)
    type_code = gguf.GGMLQuantizationType[kind.upper()]
    block = gguf.GGML_QUANT_SIZES[type_code][0]
    if rows.shape[1] % block:
        raise ValueError(f"rows of {rows.shape[1]} values are not a multiple of {kind}'s block size {block}")
    fitter = FITTERS.get(kind)

    def blocks(part: F32) -> U8:
        with np.errstate(over="ignore", invalid="ignore"):
            made: U8 = gguf.quants.quantize(part, type_code) if fitter is None else fitter(part, importance)
        return made.view(np.uint8).reshape(len(part), -1)

    return _in_slabs(np.ascontiguousarray(rows, np.float32), blocks)


def _in_slabs(rows: F32, blocks: Callable[[F32], U8]) -> U8:
    step = max(1, _SLAB // rows.shape[1])
    slabs = [rows[i : i + step] for i in range(0, len(rows), step)]
    if len(slabs) == 1:
        return blocks(rows)
    pool = ThreadPoolExecutor(min(len(slabs), os.cpu_count() or 1))
    try:
        return np.concatenate(list(pool.map(blocks, slabs)))
    finally:  # after Ctrl-C, skip slabs that have not begun
        pool.shutdown(wait=True, cancel_futures=True)
