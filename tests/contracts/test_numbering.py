"""A driver may number a workgroup's threads and its subgroups' lanes differently: no kernel may mix the two."""

from __future__ import annotations

import re

import pytest

from wgpt.contracts import trial
from wgpt.contracts.contract import obligations
from wgpt.contracts.schedule import schedule
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry
from wgpt.kernels.kernel import Case, Kernel, Variant

pytestmark = [pytest.mark.gpu, pytest.mark.slow]

_INDEX = re.compile(r"@builtin\(local_invocation_index\) (\w+): u32")
_SIZE = re.compile(r"@workgroup_size\((\d+)\)")
_TEAMS = ("reduce", "team", "style", "stage", "digits", "norm", "lanes")  # decides which threads add up


def renumbered(wgsl: str) -> str:
    """The same shader on a driver that deals threads out in turn: adjacent indices are not adjacent lanes."""
    index, size = _INDEX.search(wgsl), _SIZE.search(wgsl)
    if index is None or size is None:
        return wgsl
    name, half = index[1], int(size[1]) // 2
    wgsl = wgsl[: index.start()] + index[0].replace(f" {name}:", " own_index:") + wgsl[index.end() :]
    body = wgsl.index("{", wgsl.index("fn main(")) + 1
    return f"{wgsl[:body]}\n    let {name} = own_index % 2u * {half}u + own_index / 2u;\n{wgsl[body:]}"


def with_subgroups(device: GpuDevice, kernel: Kernel) -> list[tuple[Case, Variant]]:
    """The shortest shader for each way in which subgroups add up."""
    shortest: dict[tuple[object, ...], tuple[int, Case, Variant]] = {}
    for case, variant in schedule(device, kernel):
        wgsl = kernel.source(case.problem, variant)
        if "subgroup_invocation_id" in wgsl or "subgroupShuffle" in wgsl:
            style = tuple(str(variant.get(key)) for key in _TEAMS)
            if style not in shortest or len(wgsl) < shortest[style][0]:
                shortest[style] = len(wgsl), case, variant
    return [(case, variant) for _, case, variant in shortest.values()]


def test_kernels_hold_where_threads_are_numbered_unlike_lanes(device: GpuDevice, monkeypatch: pytest.MonkeyPatch):
    if not device.traits.subgroups:
        pytest.skip("no subgroups here")
    wrong, kernels = [], set()
    for name, kernel in registry.hand_written().items():
        tolerance = max((o.tolerance for o in obligations() if o.kernel == name), default=0.0)
        pairs = with_subgroups(device, kernel)
        source = kernel.source
        monkeypatch.setattr(kernel, "source", lambda *args, source=source: renumbered(source(*args)))
        for case, variant in pairs:
            kernels.add(name)
            outcome = trial.check(trial.prepare(kernel, case), device, variant)
            if not outcome.within(tolerance):
                wrong.append(f"{name} {case.label} {variant}: {outcome}")
        monkeypatch.undo()
    assert not wrong, "\n".join(wrong)
    assert {"gemm", "gemv", "attention_decode", "rmsnorm"} <= kernels
