"""The version of the lowering, for caches of its results."""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from pathlib import Path

from ..gpu.bindings import declarations


@cache
def lowering_version() -> str:
    """A hash of all sources that affect the WGSL generated from a given TTIR."""
    here = Path(__file__).parent
    sources = [*here.rglob("*.py"), *here.rglob("*.wgsl"), Path(inspect.getfile(declarations))]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
