"""Run Triton's own tutorials on wgpt's backend: unedited, but that nothing is benchmarked and the device is the CPU's.

    python tests/triton/run_tutorials.py CHECKOUT [01 02 ...]

CHECKOUT is a checkout of Triton. Tensors are torch CPU tensors, which the launches copy in and out. What a tutorial
checks it checks itself (it asserts, or prints what differs); a refusal is printed with its reason.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import time
from pathlib import Path
from typing import Any

TUTORIALS = ("01", "02", "03", "04", "05", "06")


class Unmeasured:
    """In the place of triton.testing.perf_report: the benchmark is defined, and not run."""

    def __init__(self, benchmarks: Any) -> None:
        pass

    def __call__(self, fn: Any) -> Any:
        fn.run = lambda *args, **kwargs: None
        return fn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("numbers", nargs="*", default=TUTORIALS)
    args = parser.parse_args()

    import triton

    import wgpt.triton

    triton.testing.perf_report = Unmeasured
    failed = 0
    for number in args.numbers:
        path = next((args.checkout / "python" / "tutorials").glob(f"{number}-*.py"))
        print(f"== {path.name}", flush=True)
        began = time.perf_counter()
        try:
            runpy.run_path(str(path), run_name="__main__")
            print(f"== {path.name}: fine, {time.perf_counter() - began:.0f} s", flush=True)
        except wgpt.triton.Refused as e:
            print(f"== {path.name}: refused: {e}", flush=True)
        except Exception as e:
            failed += 1
            print(f"== {path.name}: FAILED: {type(e).__name__}: {e}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
