"""Buffers in host memory that the GPU copies from: a feature of wgpu beyond WebGPU.

WebGPU has no such buffers but staging ones, which wgpu puts into the GPU's own memory where the host can write there
(MAP_WRITE), or which the GPU can only write to (MAP_READ). With `mappable-primary-buffers`, a MAP_READ buffer may be
read by the GPU as well, and wgpu keeps it in the host's cached memory: an H200 copies from there at 50.6 GB/s, where
uploading from a NumPy array reaches 4.
"""

from __future__ import annotations

import logging

FEATURE = "mappable-primary-buffers"


def quiet() -> None:
    """Drop wgpu's warning that the feature is slow on a discrete GPU: it is about buffers that kernels read there."""
    logger = logging.getLogger("wgpu")
    if _expected not in logger.filters:
        logger.addFilter(_expected)


def _expected(record: logging.LogRecord) -> bool:
    return "MAPPABLE_PRIMARY_BUFFERS" not in record.getMessage()
