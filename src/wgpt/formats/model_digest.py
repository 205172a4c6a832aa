"""What tells a model from others of the same shape, without reading all of its weights."""

from __future__ import annotations

import hashlib
import json

from .checkpoint import Checkpoint

_SAMPLE = 4096  # bytes at the beginning, in the middle and at the end of each tensor


def model_digest(checkpoint: Checkpoint) -> str:
    """Of the config, of every tensor's name, type and shape, and of samples of its bytes.

    The same for a copy of the files anywhere. Training, merging or converting a model changes every tensor it touches
    nearly everywhere, so that samples are enough to notice.
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
