"""What `wgpt tune` found, per adapter: in the user's cache, or shipped for adapters that it was run on here."""

from __future__ import annotations

import functools
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
_SHIPPED = Path(__file__).parent / "tuned"


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


@functools.cache
def shipped(adapter: str) -> Table:
    """The same for an adapter by its name, whatever its driver: what came with wgpt."""
    for file in sorted(_SHIPPED.glob("*.json")):
        found: Table = json.loads(file.read_text())
        if found["adapter"].split(" | ")[0] == adapter:
            return found
    return {}


def lookup(device: GpuDevice, kernel: str, key: str) -> Mapping[str, Any] | None:
    for known in (table(device), shipped(device.info.name)):
        found = known.get("variants", {}).get(kernel, {}).get(key)
        if isinstance(found, dict):
            return found
    return None


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
