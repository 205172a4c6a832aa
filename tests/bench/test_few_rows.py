"""`wgpt tune` measures which kernels multiply a few rows fastest."""

from __future__ import annotations

import json

import pytest

from wgpt.bench import few_rows, tune
from wgpt.bench.few_rows import NEVER, Limits, limits
from wgpt.gpu import GpuDevice, Program
from wgpt.kernels import tuning
from wgpt.models.config import Config
from wgpt.ops import backend, by_rows
from wgpt.ops.backend import GpuBackend

ROWS = (2, 3, 4, 6, 8, 12, 16)
SMALL = Config("llama", 64, 64, 96, 2, 4, 2, 16, 128, 1e-5)


def line(first: float, each: float) -> dict[int, float]:
    return {m: first + each * m for m in ROWS}


FLAT = line(4.0, 0.0)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        # One by one is 0.9 + 0.6 m, which reaches 4.4 at 5.83 rows, and 8 at 11.83.
        ({"together": line(8.0, 0.0), "alone": line(0.9, 0.6), "many": line(4.4, 0.0)}, Limits(5, 2)),
        ({"together": line(8.0, 0.0), "alone": line(0.9, 0.6)}, Limits(11, NEVER)),
        ({"together": line(8.0, 0.0), "alone": line(0.9, 0.1)}, Limits(16, NEVER)),
        ({"together": FLAT, "alone": line(5.0, 1.0)}, Limits(1, NEVER)),
        ({"together": line(0.0, 1.0), "many": line(5.0, 0.0)}, Limits(1, 6)),
        ({"together": FLAT, "many": line(5.0, 0.0)}, Limits(1, NEVER)),
        ({"together": FLAT}, Limits(1, NEVER)),
    ],
)
def test_limits(times: few_rows.Times, expected: Limits) -> None:
    assert limits(times) == expected


@pytest.mark.gpu
@pytest.mark.full
def test_each_way_is_measured(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GpuBackend, "fuses", True)
    monkeypatch.setattr(by_rows, "LEAST_WEIGHTS", 0)
    for module in (few_rows, backend):
        monkeypatch.setattr(module, "in_integers", lambda device: True)
    monkeypatch.setattr(few_rows, "_ROWS", (2, 3))
    recorded = dict[str, set[str]]()
    step = few_rows._step

    def noted(network: object, rows: int, limits: Limits) -> float:
        way = next(name for name, these in few_rows._WAYS.items() if these == limits)
        finish = few_rows.time_program

        def time_program(program: Program) -> float:
            recorded.setdefault(way, set()).update(launch.kernel for launch in program.launches)
            return finish(program)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(few_rows, "time_program", time_program)
            return step(network, rows, limits)  # type: ignore[arg-type]

    monkeypatch.setattr(few_rows, "_step", noted)
    times = few_rows.measure(device, "q8_0", SMALL)
    assert set(times) == {"together", "alone", "many"}
    assert all(t > 0 for by_m in times.values() for t in by_m.values())
    assert "gemm_fused" in recorded["together"]
    for way, kernel in (("alone", "gemv_fused"), ("many", "gemm_integers")):
        assert [name for name, kernels in recorded.items() if kernel in kernels] == [way], kernel


@pytest.mark.gpu
def test_what_is_measured_is_saved_and_used(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"variants": {"gemv": {"key": {"rows": 1}}}, "rows": {"old": [4, 4]}}
    monkeypatch.setitem(tuning._loaded, device.key, table)
    monkeypatch.setattr(few_rows, "measure", lambda device, weight: {"together": FLAT, "alone": line(1.0, 0.5)})
    seen = list[str]()

    def progress(done: int, total: int, what: str) -> None:
        seen.append(f"{done} of {total}: {what}")

    result = tune.Tuning({"date": "today"})
    tune._tune_rows(device, result, progress)
    file = json.loads(tuning.path(device).read_text())
    assert file["rows"] == {"old": [4, 4], **{f"{weight}, integers": [6, NEVER] for weight in few_rows.TYPES}}
    assert file["variants"] == table["variants"] and tuning.rows(device, "q4_k, integers") == [6, NEVER]
    assert result.to_dict()["rows"]["q4_k, integers"] == {"alone": 6, "many": NEVER}
    assert seen[0] == f"0 of {len(few_rows.TYPES)}: a few rows of q4_k"
