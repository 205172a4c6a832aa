"""verify on this GPU: failures are verdicts, not crashes. (test_*_hold*.py checks that everything passes.)"""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from rich.console import Console

from wgpt.contracts import contracts, obligations, print_report, select, verify
from wgpt.contracts import trial as trial_module
from wgpt.contracts.verify import ABSENT, FAIL, PASS
from wgpt.gpu import DeviceLostError, Traits
from wgpt.kernels import registry

pytestmark = pytest.mark.gpu


def test_only_matches_ids_kernels_and_contracts():
    assert [o.id for o in select("RMSnorm_correctness")] == ["rmsnorm_correctness"]
    assert {o.kernel for o in select("gemv")} == {"gemv"} and len(select("gemv")) > 7
    assert {o.id for o in select("falsify*00?")} == {f"FALSIFY-WGPU-TRAIN-00{i}" for i in range(1, 10)}
    assert {o.contract for o in select("wgpt-attention-v1")} == {"wgpt-attention-v1"}
    assert select() == obligations() == [o for contract in contracts() for o in select(contract.name)]
    with pytest.raises(ValueError, match=r"matches 'nosuch'; `wgpt verify --list` lists them"):
        select("nosuch")


def test_progress_counts_every_attempt(device):
    events: list[tuple[int, int, str]] = []
    report = verify(device, only="silu*", progress=lambda *args: events.append(args))
    assert [done for done, _, _ in events] == list(range(report.trials))
    assert {total for _, total, _ in events} == {report.trials}
    assert events[0][2].startswith("silu_correctness: n=1")


def broken(kernel: Any, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    source = kernel.source
    monkeypatch.setattr(kernel, "source", lambda *args: source(*args).replace(old, new))


def test_a_shader_that_does_not_compile_is_a_failure_with_its_message(device, monkeypatch):
    broken(registry.get("silu"), monkeypatch, "let value =", "let value: u32 =")
    report = verify(device, only="silu_correctness")
    (row,) = report.rows
    assert row.verdict == FAIL and not report.passed
    assert row.message.startswith("ShaderError: shader silu[") and "let value: u32 =" in row.message
    assert verify(device, only="mul_correctness").passed, "the device still works"


def test_any_exception_in_a_trial_is_a_failure(device, monkeypatch):
    def fail(*_args: object) -> None:
        raise ZeroDivisionError("in the reference")

    monkeypatch.setattr(registry.get("silu"), "function", fail)
    (row,) = verify(device, only="silu_correctness").rows
    assert row.verdict == FAIL and row.message == "ZeroDivisionError: in the reference"
    json.dumps(row.to_dict(), allow_nan=False)


def test_a_kernel_without_a_variant_is_a_failure(device, monkeypatch):
    monkeypatch.setattr(registry.get("silu"), "refuses", lambda *_: "it is Sunday")
    (row,) = verify(device, only="silu_correctness").rows
    assert row.verdict == FAIL and "silu cannot compute" in row.message and "it is Sunday" in row.message


def test_the_worst_of_all_trials_is_reported_and_a_failure_stays_one(device, monkeypatch):
    """Only the tail is wrong, so most trials pass; the row must still fail, and name one that did not."""
    broken(registry.get("add"), monkeypatch, "{ y[i].z = value.z; }", "{ y[i].z = 0.5 * value.z; }")
    (row,) = verify(device, only="add_correctness").rows
    assert row.verdict == FAIL and row.trials > 4
    assert row.case == "n=7" and row.element == "y[6]" and row.error > 1e-5
    *before, stopped = verify(device, only="[am]*_correctness", stop_at_failure=True).rows
    assert {row.verdict for row in before} == {PASS} and select("[am]*_correctness")[-1].kernel == "mul"
    assert stopped.id == row.id and stopped.verdict == FAIL and stopped.trials < row.trials


@pytest.mark.full
def test_a_lost_device_ends_the_run_with_what_was_done(device, monkeypatch):
    real, calls = trial_module.run, []

    def lost(prepared: Any, *args: Any) -> Any:
        if prepared.kernel.name == "silu_mul":
            raise DeviceLostError("gone")
        calls.append(prepared)
        return real(prepared, *args)

    monkeypatch.setattr(trial_module, "run", lost)
    report = verify(device, only="s*_correctness")
    assert calls and "silu_mul_correctness" in report.stopped and "gone" in report.stopped
    names = [o.id for o in select("s*_correctness")]
    assert [row.id for row in report.rows] == names[: names.index("silu_mul_correctness")]
    assert not report.passed and all(row.verdict == PASS for row in report.rows)


def test_what_the_adapter_lacks_is_not_a_failure_but_alone_no_pass(device, monkeypatch):
    bare = Traits(software=True, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)
    monkeypatch.setitem(device.__dict__, "traits", bare)
    report = verify(device, only="gemm_f16_arithmetic")
    (row,) = report.rows
    assert row.verdict == ABSENT and row.message == "this GPU lacks f16" and row.trials == 0
    assert not report.failed and not report.passed


def test_a_precondition_that_nobody_enforces_is_found(device, monkeypatch):
    monkeypatch.setattr(registry.get("gemv"), "refuses", lambda *_: None)
    (row,) = verify(device, only="vec4_alignment", stop_at_failure=True).rows
    assert row.verdict == FAIL and "not refused, although" in row.message and "x=vec4" in row.variant


def test_a_dispatch_rule_that_is_broken_is_found(device, monkeypatch):
    # By name: `wgpt.ops.linear` as an attribute is the function.
    monkeypatch.setattr(sys.modules["wgpt.ops.linear"], "kernel_for", lambda m: registry.get("gemv"))
    (row,) = verify(device, only="gemv_dispatch").rows
    assert row.verdict == FAIL and row.case.startswith("m=2 ")


def test_results_that_vary_are_found(device, monkeypatch):
    real, count = trial_module.run, iter(range(10**6))

    def varying(*args: Any) -> Any:
        results, overrun = real(*args)
        for values in results.values():
            values.reshape(-1)[-1] += 1e-6 * (next(count) % 2)
        return results, overrun

    monkeypatch.setattr(trial_module, "run", varying)
    (row,) = verify(device, only="column_sum_deterministic", stop_at_failure=True).rows
    assert row.verdict == FAIL and "differ between two runs" in row.message


def test_a_wrong_reference_is_found_by_differences(device, monkeypatch):
    """The kernel and its reference may share a mistake; the slope of the forward does not."""
    kernel = registry.get("silu_backward")
    monkeypatch.setattr(kernel, "function", lambda x, dy: dy * 0.5)
    broken(kernel, monkeypatch, "dy[i] * slope(x[i])", "dy[i] * 0.5")
    rows = {row.id: row for row in verify(device, only="silu_backward").rows}
    assert rows["FALSIFY-WGPU-TRAIN-001"].verdict == PASS, "kernel and reference agree in their mistake"
    assert rows["silu_gradient"].verdict == FAIL


def test_the_printed_report_names_the_failure_in_full(device, monkeypatch):
    broken(registry.get("silu"), monkeypatch, "x[i] * logistic", "2.0 * x[i] * logistic")
    out = io.StringIO()
    print_report(verify(device, only="silu*correctness"), Console(file=out, width=100))
    text = out.getvalue()
    assert "1 of 2 obligations FAIL" in text and "silu_mul_correctness" in text
    assert "kernel   silu[" in text and "element  y[" in text and "tolerance 1.00e-05" in text
