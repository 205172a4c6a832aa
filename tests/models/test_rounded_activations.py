"""One row's activations in 16 bits: for what is generated, unless `exact` is asked for, and never for scores."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models import golden
from wgpt import load
from wgpt.gpu import GpuDevice
from wgpt.kernels import tuning
from wgpt.kernels.products import gemv_styles
from wgpt.kernels.products.gemv_fused import KERNEL, problem_of
from wgpt.ops.backend import GpuBackend

pytestmark = pytest.mark.gpu
IDS = [5, 9, 2]


@pytest.fixture
def products(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether x may be rounded, of every product of one row that is recorded, as on a GPU where that matters."""
    apply, seen = GpuBackend.apply, list[bool]()

    def noting(self: GpuBackend, kernel: str, problem: Any, **arrays: Any) -> Any:
        if kernel == "gemv_fused":
            seen.append(problem["short"])
        return apply(self, kernel, problem, **arrays)

    monkeypatch.setattr(GpuBackend, "apply", noting)
    for module in ("wgpt.engine.runner", "wgpt.ops.backend"):
        monkeypatch.setattr(f"{module}.in_integers", lambda _: True)
    return seen


@pytest.mark.parametrize(
    "precision, dtype, rounded", [("fast", "q8_0", True), ("exact", "q8_0", False), ("fast", "f16", False)]
)
def test_what_is_generated(precision: str, dtype: str, rounded: bool, products: list[bool], device: GpuDevice) -> None:
    with load(golden.load("qwen3").folder, dtype=dtype, precision=precision, context=64, device=device) as model:
        model.generate(IDS, max_tokens=2, ignore_eos=True)
        assert products and set(products) == {rounded}
        products.clear()
        model.logprobs(IDS[:2])  # one row: the last token predicts nothing
        assert products and not any(products)


def test_a_tuned_shape_serves_both(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the number of bytes differs: a table need not be tuned twice. So it is with rows of about the same size."""
    short, exact = (problem_of("q8_0", 2560, 4096, add=True, short=short) for short in (True, False))
    assert KERNEL.tune_key(short) == KERNEL.tune_key(exact)
    shape = {"digits": 3, "threads": 640, "lanes": 32}
    assert gemv_styles.with_digits(shape, short) == {**shape, "digits": 2}
    assert gemv_styles.with_digits({**shape, "digits": 2}, exact) == shape
    assert gemv_styles.with_digits({**shape, "digits": 0}, short) == {**shape, "digits": 0}
    ragged = {**exact, "k": 4128}
    assert "even" in KERNEL.tune_key(exact) and "even" not in KERNEL.tune_key(ragged)
    for tuned, other in ((exact, ragged), (ragged, exact)):
        table = {KERNEL.tune_key(tuned): shape}
        monkeypatch.setattr(tuning, "lookup", lambda device, kernel, key, table=table: table.get(key))
        assert KERNEL.tuned(device, tuned) == KERNEL.tuned(device, other) == shape
        assert KERNEL.tuned(device, {**exact, "n": 9728}) is None
