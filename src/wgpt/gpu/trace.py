"""A Profile as a trace file that Perfetto and chrome://tracing open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .profile import Profile, Timed


def trace_events(profile: Profile, gpu: str) -> dict[str, Any]:
    """Chrome's trace format: one complete event (ph "X", times in microseconds) per dispatch."""
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": gpu}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "compute"}},
    ]
    end = 0.0
    for number, row in enumerate(profile.rows):
        # Starts and durations are medians over replays, so neighbours may overlap by a hair; viewers do not like it.
        start = max(row.start * 1e6, end)
        end = start + row.seconds * 1e6
        events.append(_event(number, row, start))
    return {"displayTimeUnit": "ms", "otherData": {"gpu": gpu}, "traceEvents": events}


def _event(number: int, row: Timed, start: float) -> dict[str, Any]:
    launch = row.launch
    return {
        "ph": "X",
        "name": launch.kernel,
        "cat": "dispatch",
        "pid": 1,
        "tid": 1,
        "ts": round(start, 3),
        "dur": round(row.seconds * 1e6, 3),
        "args": {
            "dispatch": number,
            "variant": launch.variant,
            "shape": launch.shape,
            "grid": list(launch.grid),
            "bytes": launch.bytes,
            "flops": launch.flops,
            "GB/s": round(row.bytes_per_second / 1e9, 3),
            "GFLOPS": round(row.flops_per_second / 1e9, 3),
        },
    }


def write_trace(path: Path, profile: Profile, gpu: str) -> None:
    path.write_text(json.dumps(trace_events(profile, gpu), indent=1) + "\n")
