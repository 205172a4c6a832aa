"""The implementations of WebGPU that tests run on: Dawn, too, where it is installed."""

from __future__ import annotations

import pytest

from wgpt.gpu.webgpu.dawn import library

_MISSING = library.missing()  # why
WEBGPUS = ["wgpu"] if _MISSING else ["wgpu", "dawn"]
needs_dawn = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "")
