"""Which kernels multiply few and many rows: by times that a GPU was measured to take."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wgpt.kernels import tuning
from wgpt.ops import by_rows
from wgpt.quant.weights import weight_type

RECORDED = json.loads((Path(__file__).parent / "recorded_steps.json").read_text())
NOISE = 0.98


def backend(parts: int, fuses: bool = True, subgroups: bool = True) -> Any:
    """Of the GPU whose times are recorded, with the table that is shipped for it."""
    info = SimpleNamespace(name="NVIDIA H200")
    device = SimpleNamespace(traits=SimpleNamespace(subgroups=subgroups), info=info, key="recorded")
    recorder = SimpleNamespace(device=device)
    return SimpleNamespace(matrix_parts=parts, fuses=fuses, rounds_activations=subgroups, recorder=recorder)


def weight(name: str, n: int = 2560, k: int = 4096) -> Any:
    return SimpleNamespace(type=weight_type(name), n=n, k=k)


def way(name: str, m: int, parts: int) -> str:
    if by_rows.one_by_one(backend(parts), weight(name), m):
        return "one by one"
    if by_rows.takes_integers(backend(parts), weight(name), m):
        return "integers"
    return "units" if by_rows.takes_units(backend(parts), weight(name), m) else "others"


def step(name: str, m: int, parts: int) -> float:
    """The recorded time of m rows in their way: between two records, and beyond the last one, on a straight line."""
    times = {int(rows): us for rows, us in RECORDED[name][way(name, m, parts)].items()}
    rows = sorted(times)
    assert m >= rows[0], f"{m} rows of {name} in their way were not measured"
    at = min(np.searchsorted(rows, m, "right"), len(rows) - 1)
    before, after = rows[at - 1], rows[at]
    return float(times[before] + (times[after] - times[before]) * (m - before) / (after - before))


@pytest.mark.parametrize(
    ("name", "parts", "most"),
    [("q4_k", 1, 128), ("q8_0", 1, 128), ("f16", 1, 128), ("q4_k", 0, 128), ("q8_0", 0, 128), ("mxfp4", 0, 16)],
)
def test_the_rate_never_falls_when_rows_are_added(name: str, parts: int, most: int) -> None:
    rates = [m / step(name, m, parts) for m in range(1, most + 1)]
    falls = [(m, r, after) for m, (r, after) in enumerate(itertools.pairwise(rates), 1) if after < NOISE * r]
    assert not falls, falls


@pytest.mark.parametrize(("name", "parts"), [("q4_k", 1), ("q8_0", 1), ("q4_k", 0), ("q8_0", 0), ("mxfp4", 0)])
def test_few_rows_go_the_faster_way(name: str, parts: int) -> None:
    many = "units" if parts else "integers"
    alone, together = ({int(m): us for m, us in RECORDED[name][how].items()} for how in ("one by one", many))
    for m in sorted(alone.keys() & together.keys()):
        chosen = alone if way(name, m, parts) == "one by one" else together
        assert chosen[m] <= 1.02 * min(alone[m], together[m]), m


def test_what_was_not_measured_stays_as_it_was() -> None:
    """Small weights, exact products, rows with adapters, software drivers, and GPUs without subgroups."""
    assert by_rows.one_by_one(backend(1, fuses=False), weight("q4_k"), 1)
    assert not by_rows.one_by_one(backend(0, fuses=False), weight("q4_k"), 2)
    assert not by_rows.one_by_one(backend(0, subgroups=False), weight("q4_k"), 2)
    assert not by_rows.one_by_one(backend(1), weight("q4_1", 960, 576), 2)
    assert not by_rows.takes_units(backend(1), weight("f16", 960, 576), 63)
    assert by_rows.takes_units(backend(1), weight("f16", 960, 576), 64)
    assert not by_rows.takes_units(backend(0), weight("f16"), 4096)
    assert by_rows.one_by_one(backend(0), weight("q4_k"), 6) and not by_rows.one_by_one(backend(0), weight("q4_k"), 7)
    assert not by_rows.takes_integers(backend(0), weight("q4_1", 960, 576), 512)
    assert not by_rows.takes_integers(backend(0), weight("f16"), 16)
    assert not by_rows.takes_integers(backend(0, subgroups=False), weight("q4_k"), 16)
    assert not by_rows.takes_integers(backend(0, fuses=False), weight("q4_k"), 16), "kernels in Triton"
    exact = backend(0)
    exact.rounds_activations = False
    assert not by_rows.takes_integers(exact, weight("q4_k"), 16)
    assert by_rows.one_by_one(exact, weight("q4_k"), 12) and not by_rows.one_by_one(exact, weight("q4_k"), 13)
    assert not by_rows.takes_integers(backend(0), weight("q4_k"), 15, adapted=True)
    assert by_rows.takes_integers(backend(0), weight("q4_k"), 16, adapted=True)
    for how in ({"backend": backend(2)}, {"backend": backend(1), "adapted": True}):
        assert not by_rows.takes_units(weight=weight("f16"), m=15, **how)
        assert by_rows.takes_units(weight=weight("f16"), m=16, **how)


def test_a_tuned_table_goes_before_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tuning._loaded, "recorded", {"rows": {"q4_k, integers": [3, 9], "f16, units": [1, 9]}})
    assert by_rows.one_by_one(backend(0), weight("q4_k"), 3) and not by_rows.one_by_one(backend(0), weight("q4_k"), 4)
    assert not by_rows.takes_integers(backend(0), weight("q4_k"), 8) and by_rows.takes_integers(
        backend(0), weight("q4_k"), 9
    )
    assert by_rows.one_by_one(backend(1), weight("q4_k"), 4), "the limits beside matrix units are others"
    assert not by_rows.takes_units(backend(1), weight("f16"), 8) and by_rows.takes_units(backend(1), weight("f16"), 9)
    with by_rows.forced(by_rows.Limits(7, 1 << 20)):
        assert by_rows.one_by_one(backend(0), weight("q4_k"), 7) and not by_rows.takes_units(
            backend(1), weight("f16"), 9
        )
    assert not by_rows.one_by_one(backend(0), weight("q4_k"), 7)


@pytest.mark.parametrize("rows", [[], {"q4_k": 3}, {"q4_k": [3]}, {"q4_k": [3, "7"]}, {"q4_k": [True, 2]}])
def test_damaged_limits_are_no_table(rows: object) -> None:
    assert not tuning._is_table({"rows": rows}) and tuning._is_table({"rows": {"q4_k": [3, 7]}})
