"""The kinds of check: each turns an obligation into attempts, and each attempt can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, PreconditionError, Recorder
from ..kernels import registry
from ..kernels.kernel import Arrays, Case, Kernel, Variant, variant_label
from . import trial
from .contract import Obligation, matches
from .schedule import Pairs, defaults, schedule

Loss = Callable[[NDArray[np.float64]], float]


@dataclass(frozen=True)
class Finding:
    """What an attempt showed: an error to compare with the tolerance, or a fault that no tolerance excuses."""

    error: float
    element: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Attempt:
    """One try to break an obligation."""

    case: str
    variant: str
    run: Callable[[], Finding]


class Plan:
    """What the attempts of one run share: the device, the schedules, and the last case's inputs and reference."""

    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self._schedules: dict[str, Pairs] = {}
        self._last: trial.Prepared | None = None

    def pairs(self, obligation: Obligation) -> Pairs:
        """Cases and variants that an obligation is about. A case that no variant takes is an error."""
        kernel = registry.get(obligation.kernel)
        own = obligation.kernel_cases() if _uses_own(obligation) else []
        for case in own:
            kernel.usable(self.device.traits, case.problem)
        if kernel.name not in self._schedules:
            self._schedules[kernel.name] = schedule(self.device, kernel)
        pairs = [(c, v) for c, v in self._schedules[kernel.name] if c in own]
        pairs += defaults(self.device, kernel, obligation.cases)
        return [(c, v) for c, v in pairs if obligation.admits(v)]

    def prepared(self, kernel: Kernel, case: Case) -> trial.Prepared:
        """Attempts come ordered by case, so remembering one is enough."""
        if self._last is None or self._last.kernel is not kernel or self._last.case is not case:
            self._last = trial.prepare(kernel, case)
        return self._last


def _uses_own(obligation: Obligation) -> bool:
    """An obligation that lists cases and filters none is about those alone."""
    return bool(obligation.where) or not obligation.cases


def attempts(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Everything that is tried for an obligation."""
    return _KINDS[obligation.check](plan, obligation)


def _attempt(case: Case, variant: Variant, run: Callable[[], Finding]) -> Attempt:
    return Attempt(case.label, variant_label(variant), run)


def _finding(outcome: trial.Outcome) -> Finding:
    return Finding(outcome.error, outcome.where, "wrote past the end of an output" if outcome.overrun else "")


def _reference(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """The result against float64 NumPy."""
    kernel = registry.get(obligation.kernel)

    def against(case: Case, variant: Variant) -> Finding:
        return _finding(trial.check(plan.prepared(kernel, case), plan.device, variant))

    return [_attempt(c, v, partial(against, c, v)) for c, v in plan.pairs(obligation)]


def _deterministic(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """The same inputs twice give the same bits."""
    kernel = registry.get(obligation.kernel)

    def twice(case: Case, variant: Variant) -> Finding:
        prepared = plan.prepared(kernel, case)
        (first, _), (second, _) = (trial.run(prepared, plan.device, variant) for _ in range(2))
        for name in first:
            changed = np.flatnonzero(first[name].reshape(-1).view(np.uint8) != second[name].reshape(-1).view(np.uint8))
            if changed.size:
                at = np.unravel_index(int(changed[0]) // first[name].itemsize, first[name].shape)
                where = f"{name}{[int(i) for i in at]}"
                return Finding(np.inf, where, f"{changed.size} bytes differ between two runs on the same inputs")
        return Finding(0.0)

    return [_attempt(c, v, partial(twice, c, v)) for c, v in plan.pairs(obligation)]


def _refuses(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Variants whose precondition fails say so before anything is dispatched, and another variant takes over."""
    kernel, device = registry.get(obligation.kernel), plan.device

    def refused(case: Case, variant: Variant) -> Finding:
        recorder = Recorder(device)
        prepared = plan.prepared(kernel, case)
        before = (device.pipelines.compiled, device.submits)
        outputs = {name: np.zeros(out.shape, np.uint32) for name, out in kernel.outputs(case.problem).items()}
        tensors = {name: recorder.upload(array) for name, array in {**outputs, **prepared.inputs}.items()}
        try:
            recorder.launch(kernel.launch(device, tensors, case.problem, variant))
        except PreconditionError:
            touched = (device.pipelines.compiled, device.submits) != before or recorder.launches
            return Finding(0.0, fault="refused, but only after the GPU was touched" if touched else "")
        finally:
            recorder.discard()
        return Finding(np.inf, fault="was not refused, though its precondition does not hold")

    def taken_over(case: Case, variant: Variant) -> Finding:
        return _finding(trial.check(plan.prepared(kernel, case), device, variant))

    found = []
    for case in obligation.cases:
        wrong = [v for v in _known_variants(device, kernel, case) if obligation.admits(v)]
        found += [_attempt(case, v, partial(refused, case, v)) for v in wrong]
        other = kernel.choose(device, case.problem)
        found.append(_attempt(case, other, partial(taken_over, case, other)))
    return found


def _known_variants(device: GpuDevice, kernel: Kernel, case: Case) -> list[Variant]:
    """Every variant of the case's shader, those included that the kernel would not propose for its sizes."""
    shader = {key: case.problem[key] for key in kernel.static}
    alike = [c.problem for c in kernel.cases if matches(shader, c.problem)]
    return list({variant_label(v): v for p in alike for v in kernel.variants(device.traits, p)}.values())


def _vector(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Literal inputs give literal outputs, in every variant."""
    kernel, device = registry.get(obligation.kernel), plan.device
    case = obligation.cases[0]

    def known(variant: Variant) -> Finding:
        drawn = kernel.inputs(np.random.default_rng(0), case.problem)
        inputs = {**drawn, **_literal(obligation.options["inputs"], drawn)}
        expected = {name: np.asarray(values, np.float64) for name, values in obligation.options["outputs"].items()}
        results, overrun = trial.run(trial.Prepared(kernel, case, inputs, expected), device, variant)
        flat = {name: results[name].reshape(expected[name].shape) for name in expected}
        return _finding(trial.compare(flat, expected, overrun))

    return [_attempt(case, v, partial(known, v)) for v in kernel.usable(device.traits, case.problem)]


def _literal(values: dict[str, list[float]], like: Arrays) -> Arrays:
    return {name: np.asarray(v, like[name].dtype).reshape(like[name].shape) for name, v in values.items()}


def _adjoint(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """<f(x), v> = <x, b(v)>: the backward kernel is the transpose of the forward one, as the GPU computes both."""
    kernel, device, o = registry.get(obligation.kernel), plan.device, obligation.options
    forward = registry.get(o["of"])

    def transposed(case: Case, variant: Variant) -> Finding:
        there = trial.prepare(forward, case)
        # Of another seed: with v = x a rotation could not be told from its transpose.
        back = trial.prepare(kernel, replace(case, seed=case.seed + 1))
        x, v = there.inputs[o["input"]].astype(np.float64), back.inputs[o["cotangent"]].astype(np.float64)
        y, dx = trial.run(there, device)[0][o["output"]], trial.run(back, device, variant)[0][o["gradient"]]
        scale = np.linalg.norm(x) * np.linalg.norm(v) / np.sqrt(x.size)
        return Finding(float(abs(np.vdot(y, v) - np.vdot(x, dx)) / scale), o["gradient"])

    return [_attempt(c, v, partial(transposed, c, v)) for c, v in plan.pairs(obligation)]


def _finite_difference(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """The gradient along random directions: of the GPU, of the reference, and by differences of the forward."""
    kernel, device, o = registry.get(obligation.kernel), plan.device, obligation.options

    def along(case: Case, variant: Variant) -> Finding:
        prepared = plan.prepared(kernel, case)
        results, _ = trial.run(prepared, device, variant)
        rng = np.random.default_rng(1)
        worst = Finding(0.0)
        for name, wrt in o["gradients"].items():
            loss, at = _loss(obligation, prepared, wrt)
            exact, found = prepared.references[name], results[name].astype(np.float64)
            for _ in range(_DIRECTIONS):
                u = rng.standard_normal(at.shape)
                slope = (loss(at + _STEP * u) - loss(at - _STEP * u)) / (2 * _STEP)
                # A gradient and a random direction give about the gradient's norm.
                errors = [abs(slope - np.vdot(g, u)) / np.linalg.norm(exact) for g in (exact, found)]
                error = float(np.nan_to_num(max(errors), nan=np.inf))
                if error >= worst.error:
                    worst = Finding(error, f"{name} of the {'reference' if errors[0] > errors[1] else 'GPU'}")
        return worst

    return [_attempt(c, v, partial(along, c, v)) for c, v in plan.pairs(obligation)]


_DIRECTIONS = 4
_STEP = 1e-5  # float64: the square of it and the rounding over it are both far below the tolerance


def _loss(obligation: Obligation, prepared: trial.Prepared, wrt: str) -> tuple[Loss, NDArray[np.float64]]:
    """<forward's output, cotangent> as a function of the forward's input `wrt`, and the point it is taken at."""
    o, problem = obligation.options, prepared.case.problem
    forward = registry.get(o["of"])
    # What the backward does not know (it is linear in it) may be anything.
    drawn = forward.inputs(np.random.default_rng(2), problem)
    given = {name: prepared.inputs[of] for name, of in o["inputs"].items()}
    cotangent = problem[o["cotangent"]] if o["cotangent"] in problem else prepared.inputs[o["cotangent"]]

    def loss(value: NDArray[np.float64]) -> float:
        out = forward.reference({**drawn, **given, wrt: value}, problem)[o["output"]]
        return float(np.sum(out * np.asarray(cotangent, np.float64)))

    return loss, {**drawn, **given}[wrt].astype(np.float64)


_KINDS: dict[str, Callable[[Plan, Obligation], Sequence[Attempt]]] = {
    "reference": _reference,
    "deterministic": _deterministic,
    "refuses": _refuses,
    "vector": _vector,
    "adjoint": _adjoint,
    "finite_difference": _finite_difference,
}
