"""Run Triton's own core language tests on wgpt's backend, and print a table by reason.

    python tests/triton/run_core_tests.py CHECKOUT [--sample N] [--only EXPR] [--shard I/N] [--json FILE]

CHECKOUT is a checkout of Triton (its python/test/unit/language/test_core.py is run, unedited, with torch CPU
tensors). Needs triton, torch, numpy and pytest. Every case ends as one of: passed; refused (this backend says at
compile time that it is unsupported); skipped (the test's own condition); looks at another backend's output; or
WRONG. A wrong number is the one thing that must not occur: then the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

TEST = "python/test/unit/language/test_core.py"
# Failures unrelated to results: the test needs something that only CUDA or ROCm has.
FOREIGN = (
    r"KeyError: '?\"?(Unknown key: )?'?\"?(ptx|ttgir|llir|sass|cubin|amdgcn|ttg)",
    r"module 'triton.*' has no attribute",
    r"Torch not compiled with CUDA",
    r"(CUDA|cuda|ROCm|HIP|hip|NVIDIA).*(not|only|no )",
    r"'n_regs'|n_spills",
    r"pin_memory=True requires",
    r"not supported between instances of 'NoneType' and 'int'",  # torch.cuda.device() of a CPU tensor
)


# Tests that cannot pass here, by name; unrelated to results, too.
NOT_HERE = {"test_pointer_arguments": "expects CPU tensors to be refused; here they are arguments"}


class Classifier:
    """A pytest plugin: samples the cases and records the verdict of each."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self.verdicts: dict[str, tuple[str, str]] = {}
        self.seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        if self._args.only:
            items[:] = [i for i in items if re.search(self._args.only, i.name)]
        if self._args.sample:
            groups = defaultdict(list)
            for item in items:
                groups[item.originalname].append(item)
            sampled = set()
            for group in groups.values():
                step = max(1, len(group) // self._args.sample)
                sampled.update(id(i) for i in group[::step][: self._args.sample])
            items[:] = [i for i in items if id(i) in sampled]
        if self._args.shard:
            mine, shards = map(int, self._args.shard.split("/"))
            items[:] = items[mine - 1 :: shards]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        def late(*_: Any) -> None:
            raise TimeoutError(f"longer than {self._args.timeout} s")

        signal.signal(signal.SIGALRM, late)
        signal.alarm(self._args.timeout)
        yield
        signal.alarm(0)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if report.when == "call" or report.outcome != "passed":
            self.verdicts[item.nodeid.split("::", 1)[1]] = self._verdict(report, call)
            self.seconds[item.nodeid.split("::", 1)[1]] = report.duration
            count = len(self.verdicts)
            if count % 100 == 0:
                self.save()
                totals = dict(Counter(verdict for verdict, _ in self.verdicts.values()))
                print(f"{count} cases: {totals}", file=sys.stderr, flush=True)

    def save(self) -> None:
        if self._args.json:
            self._args.json.write_text(json.dumps({"cases": self.verdicts, "seconds": self.seconds}, indent=0))

    def _verdict(self, report: Any, call: Any) -> tuple[str, str]:
        if report.outcome == "passed":
            return "passed", ""
        if report.outcome == "skipped":
            text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            return "skipped", text.removeprefix("Skipped: ")[:100]
        error = call.excinfo.value
        while error is not None:
            if any(kind.__name__ == "Refused" for kind in type(error).__mro__):
                return "refused", _reason(error.reason)
            error = error.__cause__ or error.__context__
        value = call.excinfo.value
        if "not supported in this architecture" in str(value):  # Triton's front end asks the backend's options
            return "refused", "8-bit floats"
        text = f"{type(value).__name__}: {value}"
        named = NOT_HERE.get(report.nodeid.split("::")[-1].split("[")[0])
        if named is not None:
            return "foreign", named
        if type(value).__name__ == "CompilationError":  # before this backend sees anything
            return "foreign", f"Triton's own front end: {' '.join(str(value).split())[-90:]}"
        if any(re.search(pattern, text) for pattern in FOREIGN):
            return "foreign", text[:100]
        if isinstance(value, AssertionError):
            return "WRONG", " ".join(text.split())[:160]
        return "error", " ".join(text.split())[:160]


def _reason(text: str) -> str:
    """Drop the numbers and names of one case, so that similar refusals are counted together."""
    return re.sub(r"\b\d{2,}\b", "N", text)[:110]


def table(verdicts: dict[str, tuple[str, str]]) -> str:
    lines = []
    totals = Counter(verdict for verdict, _ in verdicts.values())
    for verdict in ("passed", "refused", "skipped", "foreign", "error", "WRONG"):
        lines.append(f"{totals[verdict]:6} {verdict}")
        reasons = Counter(reason for v, reason in verdicts.values() if v == verdict and reason)
        lines += [f"       {count:6} {reason}" for reason, count in reasons.most_common(40)]
    lines.append(f"{len(verdicts):6} cases")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--file", default=TEST, help="another test file of the checkout")
    parser.add_argument("--sample", type=int, default=0, help="at most N cases of each test")
    parser.add_argument("--only", default="", help="a regular expression on the case's name")
    parser.add_argument("--shard", default="", help="I/N: every N-th case, from the I-th on, counted from 1")
    parser.add_argument("--timeout", type=int, default=120, help="seconds a case may take")
    parser.add_argument("--json", type=Path, help="write every case's verdict here")
    parser.add_argument("--verbose", action="store_true", help="pytest's own report as well")
    args = parser.parse_args()

    import wgpt.triton  # noqa: F401 - makes it the active backend

    path = args.checkout / args.file
    plugin = Classifier(args)
    began = time.perf_counter()
    quiet = [] if args.verbose else ["-q", "--no-header", "--tb=no", "--no-summary", "-W", "ignore"]
    where = ["--rootdir", str(args.checkout / "python"), "--confcutdir", str(args.checkout / "python")]
    pytest.main([str(path), "-p", "no:cacheprovider", *quiet, *where, "--device", "cpu"], plugins=[plugin])
    print(table(plugin.verdicts))
    print(f"{time.perf_counter() - began:.0f} s")
    plugin.save()
    return 1 if any(v == "WRONG" for v, _ in plugin.verdicts.values()) or not plugin.verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
