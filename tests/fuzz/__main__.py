"""python -m tests.fuzz --cases 5000 --seed 1"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

from .cases import areas
from .runner import Result, run_cases


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Damaged and hostile files, by the thousand."
    )
    parser.add_argument("--cases", type=int, default=600, help="how many, of all areas together (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the index of the first case of each area")
    parser.add_argument("--area", action="append", choices=sorted(areas()), help="only this one; may be repeated")
    options = parser.parse_args()
    names = options.area or list(areas())
    last = options.first + -(-options.cases // len(names))
    start = time.monotonic()
    results = defaultdict(list)
    for result in run_cases((name, options.seed, i) for i in range(options.first, last) for name in names):
        results[result.area].append(result)
        if result.failed:
            _show(result)
    print(f"\n{'area':12} {'cases':>6} {'accepted':>9} {'refused':>8} {'longest s':>10} {'peak MiB':>9} {'failed':>7}")
    for name, cases in results.items():
        count = {kind: sum(r.outcome == kind for r in cases) for kind in ("accepted", "refused")}
        longest, peak = max(r.seconds for r in cases), max(r.peak for r in cases) >> 20
        failed = sum(r.failed for r in cases)
        print(
            f"{name:12} {len(cases):6} {count['accepted']:9} {count['refused']:8} {longest:10.2f} {peak:9} {failed:7}"
        )
    failures = sum(r.failed for cases in results.values() for r in cases)
    print(f"{sum(map(len, results.values()))} cases in {time.monotonic() - start:.0f} s, {failures} failed")
    return 1 if failures else 0


def _show(result: Result) -> None:
    again = f"--area {result.area} --seed {result.seed} --first {result.index} --cases 1"
    print(f"FAILED ({again}): expected {result.expect}, was {result.outcome} after {result.seconds:.1f} s", end="")
    print(f" and {result.peak >> 20} MiB: {result.description}\n  {result.message}", flush=True)


sys.exit(main())
