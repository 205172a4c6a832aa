"""Buffers in host memory that the GPU can copy from: a wgpu feature beyond WebGPU.

WebGPU itself only has staging buffers. MAP_WRITE ones are put into the GPU's memory where the host can write there, and
the GPU can only write to MAP_READ ones. With `mappable-primary-buffers` the GPU can also read a MAP_READ buffer, which
wgpu keeps in cached host memory: an H200 copies from there at 50.6 GB/s, while uploading a NumPy array reaches 4. Dawn
takes memory of this process instead (dawn/lent_memory.py).
"""

from __future__ import annotations

import logging

FEATURE = "mappable-primary-buffers"


def quiet() -> None:
    """Drop wgpu's warning that the feature is slow on a discrete GPU: it concerns buffers that kernels read there."""
    logger = logging.getLogger("wgpu")
    if _expected not in logger.filters:
        logger.addFilter(_expected)


def _expected(record: logging.LogRecord) -> bool:
    return "MAPPABLE_PRIMARY_BUFFERS" not in record.getMessage()
