"""Results of `wgpt tune` per GPU: from the user's cache, or shipped with wgpt."""

from __future__ import annotations

import functools
import hashlib
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.atomic import replacing
from ..core.home import home
from ..gpu import GpuDevice

Table = dict[str, Any]
_loaded: dict[str, Table] = {}
_SHIPPED = Path(__file__).parent / "tuned"


def path(device: GpuDevice) -> Path:
    digest = hashlib.sha256(device.key.encode()).hexdigest()[:12]
    return home() / "tune" / f"{digest}.json"


def table(device: GpuDevice) -> Table:
    """{"gpu": ..., "gpu_min_size": n, "variants": {kernel: {key: variant}}, "rows": {key: [limits]}} (ops/by_rows.py);
    empty if never tuned."""
    if device.key not in _loaded:
        _loaded[device.key] = _read(path(device))
    return _loaded[device.key]


def _read(file: Path) -> Table:
    """The contents of a file; empty if it is missing, or (with a warning) if it is damaged."""
    try:
        text = file.read_bytes()
    except OSError:
        return {}
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if _is_table(data):
        return dict(data)
    warnings.warn(f"{file}: is damaged and is ignored; `wgpt tune` measures and writes it anew", stacklevel=3)
    return {}


def _is_table(data: object) -> bool:
    if not isinstance(data, dict) or not isinstance(data.get("gpu_min_size", 0), int):
        return False
    variants, rows = data.get("variants", {}), data.get("rows", {})
    kernels = variants.values() if isinstance(variants, dict) else [None]
    limits = rows.values() if isinstance(rows, dict) else [None]
    if not all(isinstance(two, list) and [type(n) for n in two] == [int, int] for two in limits):
        return False
    return all(isinstance(kernel, dict) and all(isinstance(v, dict) for v in kernel.values()) for kernel in kernels)


@functools.cache
def shipped(gpu: str) -> Table:
    """The table that is shipped with wgpt for a GPU, by its name and for any driver; empty if there is none."""
    for file in sorted(_SHIPPED.glob("*.json")):
        tuned: Table = json.loads(file.read_text())
        if tuned["gpu"].split(" | ")[0] == gpu:
            return tuned
    return {}


def lookup(device: GpuDevice, kernel: str, key: str) -> Mapping[str, Any] | None:
    variant: Mapping[str, Any] | None = _entry(device, "variants", kernel, key)
    return variant


def rows(device: GpuDevice, key: str) -> Sequence[int] | None:
    """The limits of numbers of rows for a weight type (ops/by_rows.py)."""
    limits: Sequence[int] | None = _entry(device, "rows", key)
    return limits


def _entry(device: GpuDevice, *keys: str) -> Any:
    """What the user's table has there, or else the shipped one; None if neither has it."""
    for found in (table(device), shipped(device.info.name)):
        for key in keys[:-1]:
            found = found.get(key, {})
        if keys[-1] in found:
            return found[keys[-1]]
    return None


def save(device: GpuDevice, tuned: Table) -> Path:
    """Replace the table of a GPU, atomically."""
    target = path(device)
    with replacing(target) as file:
        file.write(json.dumps(tuned, indent=1).encode())
    _loaded[device.key] = tuned
    return target


def forget() -> None:
    """Clear the tables in memory, so that the next lookup reads the file again."""
    _loaded.clear()
