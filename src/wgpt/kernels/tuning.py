"""What `wgpt tune` found, per adapter: kept in the user's cache, read once per process."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..gpu import GpuDevice
from ..home import home

Table = dict[str, Any]
_loaded: dict[str, Table] = {}


def path(device: GpuDevice) -> Path:
    digest = hashlib.sha256(device.key.encode()).hexdigest()[:12]
    return home() / "tune" / f"{digest}.json"


def table(device: GpuDevice) -> Table:
    """{"adapter": ..., "gpu_min_size": n, "variants": {kernel: {key: variant}}}; empty if never tuned."""
    if device.key not in _loaded:
        try:
            _loaded[device.key] = json.loads(path(device).read_text())
        except (OSError, ValueError):
            _loaded[device.key] = {}
    return _loaded[device.key]


def lookup(device: GpuDevice, kernel: str, key: str) -> Mapping[str, Any] | None:
    found = table(device).get("variants", {}).get(kernel, {}).get(key)
    return found if isinstance(found, dict) else None


def save(device: GpuDevice, found: Table) -> Path:
    """Write aside and rename, so that a reader never sees half a file."""
    target = path(device)
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_suffix(f".{os.getpid()}.tmp")
    aside.write_text(json.dumps(found, indent=1))
    aside.replace(target)
    _loaded[device.key] = found
    return target


def forget() -> None:
    """Drop what was read, so that the next lookup reads the file again."""
    _loaded.clear()
