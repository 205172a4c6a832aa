"""The kinds of check: each turns an obligation into attempts, and each attempt can fail.

The checks of whole models are in a higher layer, with the models, and register themselves here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ..core.errors import PreconditionError
from ..gpu import GpuDevice, Recorder
from ..kernels import registry
from ..kernels.kernel import Arrays, Case, Kernel, Variant, variant_label
from ..ops.backend import GpuBackend
from ..ops.linear import record_linear
from ..ops.weight import Weight
from ..quant.weights import pack, unpack
from . import trial
from .contract import ContractError, Obligation, matches
from .gradients import adjoint, finite_difference
from .plan import Attempt, Finding, Plan, attempt_at, finding_of

Check = Callable[[Plan, Obligation], Sequence[Attempt]]


def register(kind: str, check: Check) -> None:
    """Register the check for obligations of this kind."""
    _KINDS[kind] = check


def attempts(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """All attempts to break an obligation."""
    if obligation.check not in _KINDS:
        raise ContractError(f"{obligation.id}: its check {obligation.check!r} is not registered")
    return _KINDS[obligation.check](plan, obligation)


def _reference(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """The result agrees with float64 NumPy."""
    kernel = registry.get(obligation.kernel)

    def against(case: Case, variant: Variant) -> Finding:
        return finding_of(trial.check(plan.prepared(kernel, case), plan.device, variant))

    return [attempt_at(kernel, c, v, partial(against, c, v)) for c, v in plan.pairs(obligation)]


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

    return [attempt_at(kernel, c, v, partial(twice, c, v)) for c, v in plan.pairs(obligation)]


def _refuses(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """A variant whose precondition fails is refused before anything is dispatched, and another variant takes over."""
    kernel, device = registry.get(obligation.kernel), plan.device

    def refused(case: Case, variant: Variant) -> Finding:
        recorder = Recorder(device)
        prepared = plan.prepared(kernel, case)
        before = (device.pipelines.compiled, device.submits)
        outputs = kernel.outputs(case.problem)
        arrays = {name: np.zeros(out.shape, np.uint32) for name, out in outputs.items()} | prepared.inputs
        types = {**kernel.operands(case.problem), **outputs}
        tensors = {name: trial.typed(recorder.upload(array), types[name]) for name, array in arrays.items()}
        try:
            recorder.launch(kernel.launch(device, tensors, case.problem, variant))
        except PreconditionError:
            used_gpu = (device.pipelines.compiled, device.submits) != before or recorder.launches
            return Finding(0.0, fault="refused, but only after the GPU was used" if used_gpu else "")
        finally:
            recorder.discard()
        return Finding(np.inf, fault="not refused, although its precondition does not hold")

    def nothing_to_refuse() -> Finding:
        return Finding(np.inf, fault=f"no variant with {dict(obligation.variants)} exists, so none can be refused")

    def taken_over(case: Case, variant: Variant) -> Finding:
        return finding_of(trial.check(plan.prepared(kernel, case), device, variant))

    tries = []
    for case in obligation.cases:
        to_refuse = [v for v in _known_variants(device, kernel, case) if obligation.admits(v)]
        tries += [Attempt(case.label, variant_label(v), partial(refused, case, v)) for v in to_refuse]
        tries += [] if to_refuse else [Attempt(case.label, "", nothing_to_refuse)]
        other = kernel.choose(device, case.problem)
        tries.append(attempt_at(kernel, case, other, partial(taken_over, case, other)))
    return tries


def _known_variants(device: GpuDevice, kernel: Kernel, case: Case) -> list[Variant]:
    """Every variant of the case's shader, including those that the kernel would not propose for its sizes."""
    shader = {key: case.problem[key] for key in kernel.static}
    problems = [c.problem for c in kernel.cases if matches(shader, c.problem)]
    return list({variant_label(v): v for p in problems for v in kernel.variants(device.traits, p)}.values())


def _vector(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Given inputs produce given outputs, in every variant."""
    kernel, device = registry.get(obligation.kernel), plan.device
    case = obligation.cases[0]

    def known(variant: Variant) -> Finding:
        random_inputs = kernel.inputs(np.random.default_rng(0), case.problem)
        inputs = {**random_inputs, **_literal(obligation.options["inputs"], random_inputs)}
        expected = {name: np.asarray(values, np.float64) for name, values in obligation.options["outputs"].items()}
        results, overrun = trial.run(trial.Prepared(kernel, case, inputs, expected), device, variant)
        flat = {name: results[name].reshape(expected[name].shape) for name in expected}
        return finding_of(trial.compare(flat, expected, overrun))

    return [attempt_at(kernel, case, v, partial(known, v)) for v in kernel.usable(device.traits, case.problem)]


def _literal(values: dict[str, list[float]], like: Arrays) -> Arrays:
    return {name: np.asarray(v, like[name].dtype).reshape(like[name].shape) for name, v in values.items()}


def _dispatch_rule(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """A linear layer runs the kernel that the contract names for its number of rows, with correct results."""

    def dispatched(case: Case, m: int, expected_kernel: str) -> Finding:
        n, k = case.problem["n"], case.problem["k"]
        rng = np.random.default_rng([case.seed, m, n, k])
        packed = pack(rng.standard_normal((n, k)), case.problem["weight"])
        x = rng.standard_normal((m, k)).astype(np.float32)
        weight, recorder = Weight.upload(plan.device, packed), Recorder(plan.device)
        try:
            y = record_linear(GpuBackend(recorder), recorder.upload(x), weight)
            with recorder.finish(y=y) as program:
                kernels, result = [launch.kernel for launch in program.launches], program.read()
        finally:
            recorder.discard()
            weight.release()
        if kernels != [expected_kernel]:
            return Finding(np.inf, fault=f"M = {m} ran {', '.join(kernels)} instead of {expected_kernel}")
        return finding_of(trial.compare(result, {"y": x.astype(np.float64) @ unpack(packed).T}))

    rows: dict[int, str] = obligation.options["rows"]
    return [
        Attempt(f"m={m} {case.label}", kernel, partial(dispatched, case, m, kernel))
        for case in obligation.cases
        for m, kernel in rows.items()
    ]


_KINDS: dict[str, Check] = {
    "reference": _reference,
    "deterministic": _deterministic,
    "refuses": _refuses,
    "vector": _vector,
    "adjoint": adjoint,
    "finite_difference": finite_difference,
    "dispatch_rule": _dispatch_rule,
}
