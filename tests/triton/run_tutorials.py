"""Run Triton's own tutorials on wgpt's backend: unedited, but that nothing is benchmarked and the device is the CPU's.

    python tests/triton/run_tutorials.py CHECKOUT [01 02 ...]

CHECKOUT is a checkout of Triton. Tensors are torch CPU tensors, which the launches copy in and out. What a tutorial
checks it checks itself (it asserts, or prints what differs); a refusal is printed with its reason. The backward of
layer norm has a spin lock: it is compiled with WGPT_TRITON_LOCKS=1 in the environment.
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
    """Replaces triton.testing.perf_report: the benchmark is defined, but not run."""

    def __init__(self, benchmarks: Any) -> None:
        pass

    def __call__(self, fn: Any) -> Any:
        fn.run = lambda *args, **kwargs: None
        return fn


def precise_references() -> None:
    """Torch's layer norm on a CPU sums its gradients of halves in halves: 0.07 off where Triton's kernel is 0.007 off.

    The tutorial allows 0.01, so what it compares with is computed in float64 here.
    """
    import torch

    plain = torch.nn.functional.layer_norm

    def layer_norm(x: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
        wide = [t if t is None else t.double() for t in (weight, bias)]
        return plain(x.double(), shape, *wide, eps).to(x.dtype)

    torch.nn.functional.layer_norm = layer_norm


def check_attention(module: dict[str, Any]) -> None:
    """The attention tutorial is a benchmark and a test for pytest: its test, in its smallest case."""
    import torch

    for causal in (True, False):
        module["test_op"](1, 2, 128, 64, causal, False, "bwd", "triton-fp16", torch.float16)
        print(f"forward and backward agree, causal={causal}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("numbers", nargs="*", default=TUTORIALS)
    args = parser.parse_args()

    import triton

    import wgpt.triton

    triton.testing.perf_report = Unmeasured
    precise_references()
    failed = 0
    for number in args.numbers:
        path = next((args.checkout / "python" / "tutorials").glob(f"{number}-*.py"))
        print(f"== {path.name}", flush=True)
        began = time.perf_counter()
        try:
            module = runpy.run_path(str(path), run_name="__main__")
            if number == "06":
                check_attention(module)
            print(f"== {path.name}: fine, {time.perf_counter() - began:.0f} s", flush=True)
        except wgpt.triton.Refused as e:
            print(f"== {path.name}: refused: {e}", flush=True)
        except Exception as e:
            failed += 1
            print(f"== {path.name}: FAILED: {type(e).__name__}: {e}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
