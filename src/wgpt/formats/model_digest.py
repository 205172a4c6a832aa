"""Distinguishes models of the same shape without reading all weights."""

from __future__ import annotations

import hashlib
import json

from .checkpoint import Checkpoint

_SAMPLE = 4096  # bytes sampled at the beginning, middle and end of each tensor


def model_digest(checkpoint: Checkpoint) -> str:
    """A digest of the config, of every tensor's name, type and shape, and of samples of its bytes.

    Copies of the files have the same digest. Training, merging or converting changes nearly every value of the tensors
    involved, so samples suffice to notice.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(checkpoint.config, sort_keys=True, default=str).encode())
    for name, stored in sorted(checkpoint.tensors.items()):
        digest.update(f"{name} {stored.type} {stored.shape}".encode())
        last = stored.offset + max(0, stored.nbytes - _SAMPLE)
        for start in (stored.offset, (stored.offset + last) // 2, last):
            end = min(start + _SAMPLE, stored.offset + stored.nbytes)
            digest.update(stored.source.data[start:end].data)
    return digest.hexdigest()
