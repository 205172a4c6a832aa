"""Versions of what a measurement depends on, without importing it."""

from __future__ import annotations

import platform
import re
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path


def versions() -> dict[str, str]:
    """wgpt, wgpu-py, wgpu-native, NumPy, Python and the operating system.

    >>> list(versions())
    ['wgpt', 'wgpu', 'wgpu-native', 'numpy', 'python', 'system']
    """
    return {
        **{name: _installed(name) for name in ("wgpt", "wgpu")},
        "wgpu-native": wgpu_native_version(),
        "numpy": _installed("numpy"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def wgpu_native_version() -> str:
    """The version that wgpu-py brings, from its source: importing it would load the library."""
    spec = find_spec("wgpu")
    if spec is None or spec.origin is None:
        return "not installed"
    source = Path(spec.origin).parent / "backends" / "wgpu_native" / "__init__.py"
    version = re.search(r'^__version__ = "(.+)"$', source.read_text(encoding="utf-8"), re.MULTILINE)
    return version[1] if version else "unknown"


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
