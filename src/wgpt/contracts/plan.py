"""What the checks share: attempts, their findings, and the plan of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ..gpu import GpuDevice, ShaderCode
from ..kernels import registry
from ..kernels.kernel import Case, Kernel, Variant, variant_label
from . import trial
from .contract import Obligation
from .schedule import Pairs, defaults, schedule


@dataclass(frozen=True)
class Finding:
    """The result of an attempt: an error to compare with the tolerance, or a fault, which always fails."""

    error: float
    element: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Attempt:
    """One attempt to break an obligation."""

    case: str
    variant: str
    run: Callable[[], Finding]
    code: Callable[[], ShaderCode] | None = None  # the shader it runs, to compile it ahead


class Plan:
    """What the attempts of one run share: the device, the schedules, and the inputs and references of the last case."""

    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self._schedules: dict[str, Pairs] = {}
        self._last: trial.Prepared | None = None

    def pairs(self, obligation: Obligation) -> Pairs:
        """The cases and variants of an obligation. A case that no variant supports is an error."""
        kernel = registry.get(obligation.kernel)
        kernel_cases = obligation.kernel_cases() if _uses_kernel_cases(obligation) else []
        for case in kernel_cases:
            kernel.usable(self.device.traits, case.problem)
        if kernel.name not in self._schedules:
            self._schedules[kernel.name] = schedule(self.device, kernel)
        pairs = [(c, v) for c, v in self._schedules[kernel.name] if c in kernel_cases]
        pairs += defaults(self.device, kernel, obligation.cases)
        return [(c, v) for c, v in pairs if obligation.admits(v)]

    def prepared(self, kernel: Kernel, case: Case) -> trial.Prepared:
        """The inputs and references of a case. Attempts are ordered by case, so one is kept."""
        if self._last is None or self._last.kernel is not kernel or self._last.case is not case:
            self._last = trial.prepare(kernel, case)
        return self._last


def _uses_kernel_cases(obligation: Obligation) -> bool:
    """False if the obligation lists its own cases and selects none of the kernel's."""
    return bool(obligation.where) or not obligation.cases


def attempt_at(kernel: Kernel, case: Case, variant: Variant, run: Callable[[], Finding]) -> Attempt:
    return Attempt(case.label, variant_label(variant), run, partial(kernel.code, case.problem, variant))


def finding_of(outcome: trial.Outcome) -> Finding:
    return Finding(outcome.error, outcome.where, "wrote past the end of an output" if outcome.overrun else "")
