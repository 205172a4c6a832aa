"""`verify`: checks every obligation of every contract on a GPU."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from ..core.arguments import brief
from ..core.progress import Progress
from ..gpu import DeviceLostError, GpuDevice
from .checks import attempts
from .contract import Obligation, obligations
from .plan import Attempt, Finding, Plan

PASS, FAIL, ABSENT = "pass", "FAIL", "n/a"
_CLOSEST = 5  # names to suggest in an error
_AHEAD = 32  # attempts whose shaders are compiled together


@dataclass(frozen=True)
class Row:
    """The verdict on one obligation, and the attempt with the largest error."""

    contract: str
    id: str
    title: str
    kernel: str
    check: str
    tolerance: float
    trials: int = 0
    error: float = 0.0  # largest error relative to the result's scale; inf if a result is missing or not finite
    case: str = ""
    variant: str = ""
    element: str = ""
    verdict: str = PASS
    message: str = ""
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain data; an infinite error becomes None, as JSON has no infinity."""
        return {**self.__dict__, "error": self.error if math.isfinite(self.error) else None}


@dataclass(frozen=True)
class Report:
    """The result of `verify`."""

    gpu: str
    driver: str
    backend: str
    rows: tuple[Row, ...]
    seconds: float
    stopped: str = ""  # why the run ended early
    webgpu: str = ""  # its implementation and version

    @property
    def passed(self) -> bool:
        verdicts = {row.verdict for row in self.rows}
        return not self.stopped and PASS in verdicts and FAIL not in verdicts

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.verdict == FAIL)

    @property
    def trials(self) -> int:
        return sum(row.trials for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        return {
            "gpu": self.gpu,
            "driver": self.driver,
            "backend": self.backend,
            "webgpu": self.webgpu,
            "passed": self.passed,
            "trials": self.trials,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "obligations": [row.to_dict() for row in self.rows],
        }


def select(only: str | None = None) -> list[Obligation]:
    """Obligations whose id, kernel or contract matches the glob `only` (`gemv*`); all if it is None."""
    everything = obligations()
    if only is None:
        return everything
    chosen = [
        o for o in everything if any(fnmatchcase(name.lower(), only.lower()) for name in (o.id, o.kernel, o.contract))
    ]
    if not chosen:
        names = {name.lower(): name for o in everything for name in (o.id, o.kernel, o.contract) if name}
        closest = [names[name] for name in get_close_matches(only.lower(), names, _CLOSEST)]
        hint = f"; closest: {', '.join(closest)}" if closest else ""
        listing = "`wgpt verify --list` lists them"
        raise ValueError(f"no obligation, kernel or contract matches {brief(only)}{hint}; {listing}")
    return chosen


def verify(
    device: GpuDevice, only: str | None = None, progress: Progress | None = None, *, stop_at_failure: bool = False
) -> Report:
    """Try to break every obligation on this device.

    An exception in an attempt is a failure of its obligation; only a lost device ends the run. With
    `stop_at_failure`, the run ends at the first attempt that fails.

    >>> report = verify(GpuDevice.open(), only="gemv*")     # doctest: +SKIP
    >>> report.passed                                       # doctest: +SKIP
    """
    began = time.perf_counter()
    plan = Plan(device)
    work = [(o, planned(plan, o)) for o in select(only)]
    total, done, stopped = sum(len(tries) for _, tries in work), 0, ""
    rows: list[Row] = []
    for obligation, tries in work:
        try:
            row = _blank(obligation, obligation.lacking(device.traits))
            if row.verdict != ABSENT:
                row = _run_attempts(device, row, tries, progress, done, total, stop_at_failure)
            rows.append(row)
        except DeviceLostError as e:
            stopped = f"the device was lost in {obligation.id}: {e}"
            break
        if stop_at_failure and rows[-1].verdict == FAIL:
            break
        done += len(tries)
    return report_of(device, rows, began, stopped)


def report_of(device: GpuDevice, rows: Sequence[Row], began: float, stopped: str = "") -> Report:
    info, webgpu = device.info, f"{device.webgpu.name} {device.webgpu.version}"
    return Report(info.name, info.driver, info.backend, tuple(rows), time.perf_counter() - began, stopped, webgpu)


def check_some(plan: Plan, obligation: Obligation, some: range, progress: Progress | None = None) -> Row:
    """The verdict of some of an obligation's attempts; `joined` makes one of several."""
    row = _blank(obligation, obligation.lacking(plan.device.traits))
    if row.verdict == ABSENT:
        return row
    tries = planned(plan, obligation)[some.start : some.stop]
    return _run_attempts(plan.device, row, tries, progress, 0, len(tries), stop_at_failure=False)


def joined(rows: Sequence[Row]) -> Row:
    """One verdict for all attempts of an obligation: the worst."""
    worst = max(rows, key=lambda row: (row.verdict == FAIL, row.error))
    return replace(worst, trials=sum(row.trials for row in rows), seconds=sum(row.seconds for row in rows))


def planned(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """The attempts: none where the GPU lacks what it needs. If planning fails (no variant supports a case), that is the
    one attempt, and it fails."""
    if obligation.lacking(plan.device.traits):
        return []
    try:
        return attempts(plan, obligation)
    except DeviceLostError:
        raise
    except Exception as e:
        return [Attempt("planning", "", partial(Finding, math.inf, fault=f"{type(e).__name__}: {e}"))]


def _blank(o: Obligation, lacking: str) -> Row:
    row = Row(o.contract, o.id, o.title, o.kernel, o.check, o.tolerance, verdict=FAIL, message="nothing was tried")
    return replace(row, verdict=ABSENT, message=f"this GPU lacks {lacking}") if lacking else row


def _run_attempts(
    device: GpuDevice,
    row: Row,
    tries: Sequence[Attempt],
    progress: Progress | None,
    done: int,
    total: int,
    stop_at_failure: bool,
) -> Row:
    began = time.perf_counter()
    for i, attempt in enumerate(tries):
        if progress:
            progress(done + i, total, f"{row.id}: {attempt.case}")
        if i % _AHEAD == 0 and not stop_at_failure:
            _compile(device, tries[i : i + _AHEAD])
        row = _with_finding(row, attempt, _try(attempt))
        if stop_at_failure and row.verdict == FAIL:
            break
    return replace(row, seconds=time.perf_counter() - began)


def _compile(device: GpuDevice, tries: Sequence[Attempt]) -> None:
    """Compile several shaders at a time: most of the time of `verify` is spent compiling."""
    codes = []
    for attempt in tries:
        if attempt.code is not None:
            with suppress(Exception):  # the attempt will fail in the same way, and reports it
                codes.append(attempt.code())
    device.pipelines.compile_ahead(codes)


def _try(attempt: Attempt) -> Finding:
    try:
        return attempt.run()
    except DeviceLostError:
        raise
    except Exception as e:
        return Finding(math.inf, fault=f"{type(e).__name__}: {e}")


def _with_finding(row: Row, attempt: Attempt, finding: Finding) -> Row:
    """The row with one more trial. A failure outranks any error; otherwise the larger error counts."""
    failed = bool(finding.fault) or not finding.error <= row.tolerance
    row = replace(row, trials=row.trials + 1)
    worse = row.trials == 1 or (failed, finding.error) > (row.verdict == FAIL, row.error)
    if not worse:
        return row
    return replace(
        row,
        error=finding.error,
        case=attempt.case,
        variant=attempt.variant,
        element=finding.element,
        verdict=FAIL if failed else PASS,
        message=finding.fault or ("the result is not finite" if math.isinf(finding.error) else ""),
    )
