"""The head of every JSON report: where and when the numbers were measured."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from ..core.versions import versions
from ..gpu import GpuDevice


def origin(device: GpuDevice) -> dict[str, Any]:
    return {
        "gpu": {**asdict(device.info), "subgroup_size": device.subgroup_size},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
        "webgpu": {"name": device.webgpu.name, "version": device.webgpu.version},
        "native_replay": device.webgpu.direct,
    }
