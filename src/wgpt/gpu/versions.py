"""Versions of what a measurement depends on."""

from __future__ import annotations

import platform
from importlib import metadata

import numpy
import wgpu


def versions() -> dict[str, str]:
    """wgpt, wgpu-py, wgpu-native, NumPy, Python and the operating system."""
    try:
        own = metadata.version("wgpt")
    except metadata.PackageNotFoundError:
        own = "not installed"
    return {
        "wgpt": own,
        "wgpu": wgpu.__version__,
        "wgpu-native": _native(),
        "numpy": numpy.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _native() -> str:
    from wgpu.backends import wgpu_native

    return str(getattr(wgpu_native, "__version__", "unknown"))
