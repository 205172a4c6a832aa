"""`wgpt explain`: a Program as a table, with each time compared with the best possible on the GPU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console

from ..core.sizes import readable_bytes
from ..gpu import GpuDevice, Program, probe
from ..gpu.launch import Launch
from ..gpu.profile import Profile, time_program
from ..table import Column, number, percent, show, si
from .origin import origin


class Work(Protocol):
    """The bytes and FLOPs that a dispatch or a timed problem needs at least."""

    @property
    def bytes(self) -> int: ...

    @property
    def flops(self) -> int: ...


@dataclass(frozen=True)
class Rates:
    """The GPU's measured rates."""

    bytes_per_second: float
    flops_per_second: float

    def bound(self, work: Work) -> tuple[str, float]:
        """(what limits the work: "memory" or "arithmetic", the least time it takes in seconds)."""
        memory = work.bytes / self.bytes_per_second
        arithmetic = work.flops / self.flops_per_second
        return ("memory", memory) if memory >= arithmetic else ("arithmetic", arithmetic)


def measure_rates(device: GpuDevice) -> Rates:
    return Rates(probe.copy_bandwidth(device), probe.fma_rate(device))


@dataclass(frozen=True)
class Explained:
    """A Program's dispatches, with their times if it was profiled."""

    title: str
    origin: dict[str, Any]
    program: dict[str, Any]
    launches: tuple[Launch, ...]
    rates: Rates | None = None
    profile: Profile | None = None
    replay_seconds: float | None = None
    grouped: bool = False  # print equal dispatches, such as those of a model's layers, as one line

    def times(self) -> list[float | None]:
        return [row.seconds for row in self.profile.rows] if self.profile else [None] * len(self.launches)

    def least_seconds(self) -> float | None:
        """The time of all dispatches if each ran at its bound."""
        return sum(self.rates.bound(launch)[1] for launch in self.launches) if self.rates else None

    def to_dict(self) -> dict[str, Any]:
        dispatches = []
        for launch, seconds, plain in zip(self.launches, self.times(), self.program["dispatches"], strict=True):
            bound, least = self.rates.bound(launch) if self.rates else (None, None)
            share = least / seconds if least is not None and seconds else None
            us = None if seconds is None else seconds * 1e6
            dispatches.append({**plain, "us": us, "bound": bound, "of_bound": share})
        least_all = self.least_seconds()
        return {
            **self.origin,
            "title": self.title,
            "rates": None
            if self.rates is None
            else {
                "copy_bytes_per_second": self.rates.bytes_per_second,
                "fma_flops_per_second": self.rates.flops_per_second,
            },
            **self.program,
            "dispatches": dispatches,
            "totals": {
                "bytes": sum(launch.bytes for launch in self.launches),
                "flops": sum(launch.flops for launch in self.launches),
                "us": self.profile.seconds * 1e6 if self.profile else None,
                "replay_us": None if self.replay_seconds is None else self.replay_seconds * 1e6,
                "least_us": None if least_all is None else least_all * 1e6,
            },
        }


def explain(program: Program, title: str, profile: bool = True, grouped: bool = False) -> Explained:
    """Describe a Program. With `profile`, run it and measure the rates of the GPU too.

    Without timestamp queries there is a time of the whole replay, but not of single dispatches.
    """
    device = program.device
    plain = (title, origin(device), program.to_dict(), program.launches)
    if not profile:
        return Explained(*plain, grouped=grouped)
    rates = measure_rates(device)
    timed = program.profile() if "timestamp-query" in device.features else None
    return Explained(*plain, rates, timed, time_program(program), grouped)


def print_explained(explained: Explained, console: Console) -> None:
    console.print(f"{explained.title}, on {explained.origin['gpu']['name']}", style="bold", markup=False)
    columns = [
        Column("times" if explained.grouped else "#", drop=6),
        Column("kernel", words=True, least=24),
        Column("variant", words=True, drop=8, least=24),
        Column("shape", words=True, drop=5, least=18),
        Column("grid", drop=7),
        Column("bytes", drop=3),
        Column("FLOPs", drop=4),
        Column("us"),
        Column("% of bound", drop=1),
        Column("bound", words=True, drop=2),
    ]
    rows = [_cells(first, equal, explained) for first, equal in _groups(explained).items()]
    show(console, columns, rows, _totals(explained))
    _print_notes(explained, console)


def _groups(explained: Explained) -> dict[int, list[tuple[Launch, float | None]]]:
    """Dispatches with their numbers and times; if `grouped`, equal ones are merged under the first one's number."""
    timed = list(zip(explained.launches, explained.times(), strict=True))
    if not explained.grouped:
        return {i: [dispatch] for i, dispatch in enumerate(timed)}
    first: dict[tuple[object, ...], int] = {}
    groups: dict[int, list[tuple[Launch, float | None]]] = {}
    for i, (launch, seconds) in enumerate(timed):
        key = (launch.kernel, launch.variant, launch.shape, launch.grid)
        groups.setdefault(first.setdefault(key, i), []).append((launch, seconds))
    return groups


def _cells(first: int, equal: list[tuple[Launch, float | None]], explained: Explained) -> tuple[str, ...]:
    """The cells of a line: a dispatch, or several equal ones together."""
    launch, rates = equal[0][0], explained.rates
    seconds = sum(s or 0 for _, s in equal) if explained.profile else None
    least = sum(rates.bound(each)[1] for each, _ in equal) if rates else None
    return (
        f"{len(equal)}x" if explained.grouped else str(first),
        launch.kernel,
        launch.variant,
        launch.shape,
        "x".join(str(n) for n in launch.grid),
        readable_bytes(sum(each.bytes for each, _ in equal)),
        si(sum(each.flops for each, _ in equal)),
        number(None if seconds is None else seconds * 1e6),
        percent(least / seconds) if least is not None and seconds else "",
        rates.bound(launch)[0] if rates else "",
    )


def _totals(explained: Explained) -> tuple[str, ...]:
    launches, profile, least = explained.launches, explained.profile, explained.least_seconds()
    return (
        "",
        "total",
        "",
        f"{len(launches)} dispatch{'es' if len(launches) > 1 else ''}",
        "",
        readable_bytes(sum(launch.bytes for launch in launches)),
        si(sum(launch.flops for launch in launches)),
        number(profile.seconds * 1e6) if profile else "",
        percent(least / profile.seconds) if profile and profile.seconds and least is not None else "",
        "",
    )


def _print_notes(explained: Explained, console: Console) -> None:
    if explained.rates is None or explained.replay_seconds is None:
        return
    rates, least = explained.rates, explained.least_seconds() or 0.0
    notes = [
        f"bound: {number(rates.bytes_per_second / 1e9)} GB/s copied and {si(rates.flops_per_second)}FLOPS of f32 "
        f"multiply-adds, both measured now: at best {number(least * 1e6)} us",
        f"replayed in one pass: {number(explained.replay_seconds * 1e6)} us",
    ]
    if explained.profile is None:
        notes.append("no times of single dispatches: this GPU does not support timestamp queries")
    for note in notes:
        console.print(note, style="dim", markup=False)
