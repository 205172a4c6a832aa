"""Checks whether a variant may be chosen: results must be correct on small, difficult cases and at the timed size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..contracts import trial
from ..contracts.contract import obligations
from ..core.errors import WgptError
from ..gpu import GpuDevice, ShaderError, ValidationError
from ..kernels.kernel import Arrays, Case, Kernel, Problem, Variant

_TOLERANCE = 1e-5  # for a kernel without a contract
_CHECKS = 3  # most cases that a variant must pass: the cheapest that cover it;
_EXPENSIVE = 10_000_000  # of cases that cost more FLOPs and bytes than this, only one
_MOST_FLOPS, _MOST_BYTES = 4_000_000_000, 32 << 20  # sizes for which a float64 reference takes too long


class Checker:
    """Checks the variants of one kernel; references are computed once."""

    def __init__(self, device: GpuDevice, kernel: Kernel) -> None:
        self._device, self._kernel = device, kernel
        self._prepared: dict[str, trial.Prepared] = {}

    def compile_ahead(self, variants: Sequence[Variant], problems: Sequence[Problem]) -> None:
        """Compile the shaders for checking and timing these variants, several at a time."""
        small = ((c.problem, v) for v in variants for c in self._covering_cases(v, problems[0]))
        pairs = (*small, *((p, v) for p in problems for v in variants))
        self._device.pipelines.compile_ahead(self._kernel.code(problem, variant) for problem, variant in pairs)

    def passes_cases(self, variant: Variant, problem: Problem) -> bool:
        """Whether the variant passes the kernel's cases that use the same shader as `problem`;

        False if there are none.
        """
        cases = self._covering_cases(variant, problem)
        try:
            return bool(cases) and all(self._passes(c, variant) for c in cases)
        except (ShaderError, ValidationError):  # this GPU rejects the shader
            return False

    def _covering_cases(self, variant: Variant, problem: Problem) -> list[Case]:
        covering = [c for c in self._cases(problem) if self._covers(c, variant)]
        cheap = [c for c in covering if self._cost(c.problem) <= _EXPENSIVE]
        return (cheap or covering[:1])[:_CHECKS]

    def correct_at_size(self, variants: Sequence[Variant], problem: Problem, arrays: Arrays) -> list[bool]:
        """Which variants agree with NumPy on `problem`, or with the first variant if NumPy would take too long."""
        case = Case(problem, "the timed size")
        timed = trial.Prepared(self._kernel, case, arrays, {})
        reference: Arrays = {}
        if self._kernel.flops(problem) <= _MOST_FLOPS and self._kernel.bytes(problem) <= _MOST_BYTES:
            reference = self._kernel.reference(arrays, problem)
        verdicts = []
        uploaded = trial.upload(timed, self._device)  # once: the weights of an LM head are half a gigabyte
        try:
            for variant in variants:
                result, overrun = trial.run(timed, self._device, variant, uploaded)
                reference = reference or {name: a.astype(np.float64) for name, a in result.items()}
                outcome = trial.compare(result, reference, overrun)
                verdicts.append(outcome.within(2 * self._tolerance(case, variant)))
        finally:
            for tensor in uploaded.values():
                tensor.buffer.release()
        return verdicts

    def _cases(self, problem: Problem) -> list[Case]:
        static = self._kernel.static
        static_values = [problem.get(k) for k in static]
        cases = [c for c in self._kernel.cases if [c.problem.get(k) for k in static] == static_values]
        return sorted((self._kernel.case_like(c, problem) for c in cases), key=lambda c: self._cost(c.problem))

    def _cost(self, problem: Problem) -> int:
        return self._kernel.bytes(problem) + self._kernel.flops(problem)

    def _covers(self, case: Case, variant: Variant) -> bool:
        try:
            return variant in self._kernel.usable(self._device.traits, case.problem)
        except WgptError:
            return False

    def _passes(self, case: Case, variant: Variant) -> bool:
        if case.label not in self._prepared:
            self._prepared[case.label] = trial.prepare(self._kernel, case)
        outcome = trial.check(self._prepared[case.label], self._device, variant)
        return outcome.within(self._tolerance(case, variant))

    def _tolerance(self, case: Case, variant: Variant) -> float:
        """The tolerance of the contracts; the strictest if there are several."""
        relevant = [o for o in obligations() if o.kernel == self._kernel.name and o.check == "reference"]
        return min((o.tolerance for o in relevant if o.selects(case) and o.admits(variant)), default=_TOLERANCE)
