"""Checks of gradients: against finite differences of the forward, and as its transpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..kernels import registry
from ..kernels.kernel import Case, Variant
from . import trial
from .contract import Obligation
from .plan import Attempt, Finding, Plan, attempt_at

Loss = Callable[[NDArray[np.float64]], float]

_DIRECTIONS = 4
_STEP = 1e-5  # in float64: truncation and rounding errors are both far below the tolerance


def adjoint(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """<f(x), v> = <x, b(v)>: the backward kernel is the transpose of the forward one, as the GPU computes both."""
    kernel, device, o = registry.get(obligation.kernel), plan.device, obligation.options
    forward = registry.get(o["of"])

    def transposed(case: Case, variant: Variant) -> Finding:
        forward_case = trial.prepare(forward, case)
        # Another seed: with v = x, a rotation could not be distinguished from its transpose.
        backward_case = trial.prepare(kernel, replace(case, seed=case.seed + 1))
        x, v = (
            forward_case.inputs[o["input"]].astype(np.float64),
            backward_case.inputs[o["cotangent"]].astype(np.float64),
        )
        y, dx = (
            trial.run(forward_case, device)[0][o["output"]],
            trial.run(backward_case, device, variant)[0][o["gradient"]],
        )
        scale = np.linalg.norm(x) * np.linalg.norm(v) / np.sqrt(x.size)
        return Finding(float(abs(np.vdot(y, v) - np.vdot(x, dx)) / scale), o["gradient"])

    return [attempt_at(kernel, c, v, partial(transposed, c, v)) for c, v in plan.pairs(obligation)]


def finite_difference(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Along random directions, the GPU's and the reference's gradients agree with differences of the forward."""
    kernel, device, o = registry.get(obligation.kernel), plan.device, obligation.options

    def along(case: Case, variant: Variant) -> Finding:
        prepared = plan.prepared(kernel, case)
        results, _ = trial.run(prepared, device, variant)
        rng = np.random.default_rng(1)
        worst = Finding(0.0)
        for name, wrt in o["gradients"].items():
            loss, at = _loss(obligation, prepared, wrt)
            reference, result = prepared.references[name], results[name].astype(np.float64)
            for _ in range(_DIRECTIONS):
                u = rng.standard_normal(at.shape)
                slope = (loss(at + _STEP * u) - loss(at - _STEP * u)) / (2 * _STEP)
                # The product of a gradient and a random direction is about the gradient's norm.
                errors = [abs(slope - np.vdot(g, u)) / np.linalg.norm(reference) for g in (reference, result)]
                error = float(np.nan_to_num(max(errors), nan=np.inf))
                if error >= worst.error:
                    worst = Finding(error, f"{name} of the {'reference' if errors[0] > errors[1] else 'GPU'}")
        return worst

    return [attempt_at(kernel, c, v, partial(along, c, v)) for c, v in plan.pairs(obligation)]


def _loss(obligation: Obligation, prepared: trial.Prepared, wrt: str) -> tuple[Loss, NDArray[np.float64]]:
    """<forward's output, cotangent> as a function of the forward's input `wrt`, and the point where it is evaluated."""
    o, problem = obligation.options, prepared.case.problem
    forward = registry.get(o["of"])
    # Inputs that the backward does not take (the forward is linear in them) may have any value.
    random_inputs = forward.inputs(np.random.default_rng(2), problem)
    shared_inputs = {name: prepared.inputs[of] for name, of in o["inputs"].items()}
    cotangent = problem[o["cotangent"]] if o["cotangent"] in problem else prepared.inputs[o["cotangent"]]

    def loss(value: NDArray[np.float64]) -> float:
        out = forward.reference({**random_inputs, **shared_inputs, wrt: value}, problem)[o["output"]]
        return float(np.sum(out * np.asarray(cotangent, np.float64)))

    return loss, {**random_inputs, **shared_inputs}[wrt].astype(np.float64)
