"""The quick tier of the contracts: unchanged kernels on their smallest case, changed ones on all, with their mutations.

A kernel is unchanged if its shaders are those that were recorded (recorded.py). The full tier tries every obligation on
all cases, the slow one every mutation.
"""

from __future__ import annotations

import pytest

from wgpt.contracts import Obligation, obligations
from wgpt.contracts.plan import Plan
from wgpt.contracts.schedule import Pairs
from wgpt.contracts.verify import check_some, planned
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case, Variant

from . import matrix_units, recorded
from .breaking import MATRIX, MUTATIONS, check_caught, check_changes_every_shader
from .holding import check_row

KERNELS = registry.kernels()


class Smallest(Plan):
    """Of the cases and variants of an obligation, the one that compiles and runs soonest."""

    def pairs(self, obligation: Obligation) -> Pairs:
        kernel = registry.get(obligation.kernel)

        def cost(pair: tuple[Case, Variant]) -> tuple[int, int]:
            case, variant = pair
            return len(kernel.source(case.problem, variant)), kernel.bytes(case.problem) + kernel.flops(case.problem)

        cases = [*(obligation.kernel_cases() if obligation.where or not obligation.cases else ()), *obligation.cases]
        usable = [(case, v) for case in cases for v in kernel.usable(self.device.traits, case.problem)]
        return [min((pair for pair in usable if obligation.admits(pair[1])), key=cost)]


@pytest.fixture(scope="module")
def smallest(device: GpuDevice) -> Plan:
    return Smallest(device)


@pytest.mark.gpu
@pytest.mark.parametrize("obligation", [o for o in obligations() if o.kernel], ids=lambda o: o.id)
def test_it_holds(obligation: Obligation, device: GpuDevice, smallest: Plan) -> None:
    plan, some = smallest, range(1)
    if recorded.changed(obligation.kernel):
        plan = Plan(device)
        some = range(len(planned(plan, obligation)))
    check_row(check_some(plan, obligation, some), device)


@pytest.mark.gpu
@pytest.mark.parametrize("name", KERNELS)
def test_verify_catches_what_breaks_a_changed_kernel(name: str, device: GpuDevice) -> None:
    if recorded.changed(name):
        for mutation in (*MUTATIONS, *MATRIX):
            if mutation.kernel == name:
                check_changes_every_shader(mutation)
                with pytest.MonkeyPatch.context() as patch:
                    check_caught(mutation, device, patch)


@pytest.mark.gpu
@pytest.mark.parametrize("name", matrix_units.NAMES)
def test_a_changed_kernel_holds_on_matrix_units_in_software(name: str, device: GpuDevice) -> None:
    if recorded.changed(name):
        with pytest.MonkeyPatch.context() as patch:
            matrix_units.install(name, device, patch)
            for case in registry.get(name).cases:
                matrix_units.check_case(name, case, device)


@pytest.mark.full
def test_the_recorded_digests_are_up_to_date() -> None:
    stale = [name for name in KERNELS if recorded.changed(name)]
    assert not stale and list(recorded.recorded()) == list(KERNELS), f"changed: {stale}; run `make digests`"
