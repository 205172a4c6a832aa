"""Versions of what a measurement depends on."""

from __future__ import annotations

import platform
from importlib import metadata

import numpy

from .webgpu import wgpu_native


def versions() -> dict[str, str]:
    """wgpt, wgpu-py, wgpu-native, NumPy, Python and the operating system."""
    try:
        own = metadata.version("wgpt")
    except metadata.PackageNotFoundError:
        own = "not installed"
    return {
        "wgpt": own,
        **wgpu_native.versions(),
        "numpy": numpy.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
