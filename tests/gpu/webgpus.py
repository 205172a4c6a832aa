"""The implementations of WebGPU that tests run on: Dawn, too, where it is installed."""

from __future__ import annotations

import pytest

from wgpt.gpu.webgpu.dawn import library


def missing() -> str | None:
    """Why Dawn cannot be used; None if it can."""
    try:
        library.load()
    except library.NoDawnError as e:
        return str(e)
    return None


_MISSING = missing()
WEBGPUS = ["wgpu"] if _MISSING else ["wgpu", "dawn"]
needs_dawn = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "")
