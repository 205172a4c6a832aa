"""python -m tests.fuzz --cases 5000 --seed 1"""

from __future__ import annotations

import argparse
import sys
import time

from .cases import areas
from .runner import Result, run_cases

SECONDS_OF_SILENCE = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Damaged and hostile files, by the thousand."
    )
    parser.add_argument("--cases", type=int, default=600, help="how many, of all areas together (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the index of the first case of each area")
    parser.add_argument("--area", action="append", choices=sorted(areas()), help="only this one; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes; each case runs in one of them")
    options = parser.parse_args()
    if options.jobs < 1 or options.cases < 1 or options.first < 0:
        parser.error("--jobs and --cases must be at least 1, --first at least 0")
    names = options.area or list(areas())
    last = options.first + -(-options.cases // len(names))
    start = time.monotonic()
    results: dict[str, list[Result]] = {name: [] for name in names}
    cases = ((name, options.seed, i) for i in range(options.first, last) for name in names)
    progress = Progress((last - options.first) * len(names), start)
    try:
        for result in run_cases(cases, options.jobs):
            results[result.area].append(result)
            if result.failed:
                _show(result)
            progress.add(result)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        _table(results, start)
        return 130
    return 1 if _table(results, start) else 0


class Progress:
    """A line on stderr every ten seconds, for runs that somebody waits for."""

    def __init__(self, total: int, start: float) -> None:
        self.total, self.start, self.shown = total, start, start
        self.done = self.failed = 0

    def add(self, result: Result) -> None:
        self.done += 1
        self.failed += result.failed
        if (now := time.monotonic()) - self.shown > SECONDS_OF_SILENCE:
            self.shown = now
            print(
                f"{self.done} of {self.total} cases after {now - self.start:.0f} s, {self.failed} failed",
                file=sys.stderr,
            )


def _table(results: dict[str, list[Result]], start: float) -> int:
    """Print what became of all cases, and return how many failed."""
    print(f"\n{'area':12} {'cases':>6} {'accepted':>9} {'refused':>8} {'longest s':>10} {'peak MiB':>9} {'failed':>7}")
    for name, cases in results.items():
        if not cases:
            continue
        count = {kind: sum(r.outcome == kind for r in cases) for kind in ("accepted", "refused")}
        longest, peak = max(r.seconds for r in cases), max(r.peak for r in cases) >> 20
        failed = sum(r.failed for r in cases)
        print(
            f"{name:12} {len(cases):6} {count['accepted']:9} {count['refused']:8} {longest:10.2f} {peak:9} {failed:7}"
        )
    failures = sum(r.failed for cases in results.values() for r in cases)
    print(f"{sum(map(len, results.values()))} cases in {time.monotonic() - start:.0f} s, {failures} failed")
    return failures


def _show(result: Result) -> None:
    again = f"--area {result.area} --seed {result.seed} --first {result.index} --cases 1"
    print(f"FAILED ({again}): expected {result.expect}, was {result.outcome} after {result.seconds:.1f} s", end="")
    print(f" and {result.peak >> 20} MiB: {result.description}\n  {result.message}", flush=True)


sys.exit(main())
