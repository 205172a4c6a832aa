"""Quantisers for files: as good as llama.cpp's own, better than rounding, and heedful of what matters. No GPU."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from tests import llama_cpp
from wgpt.quant import fitted
from wgpt.quant.fitted import fit
from wgpt.quant.fitted.blocks import FITTERS
from wgpt.quant.registry import TYPES

ALL = tuple(FITTERS)
SEARCHED = tuple(name for name in ALL if name not in ("q4_0", "q4_1", "q5_0", "q5_1"))  # without importance, too


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """Heavy tails, and rows with zeros, a constant and one sign."""
    values = (np.random.default_rng(0).standard_t(5, (48, 1024)) * 0.05).astype(np.float32)
    values[3, 256:512] = 0
    values[4, :16] = 0
    values[5], values[6, :512], values[7] = 0.25, -0.3, np.abs(values[7])
    return values


@pytest.fixture(scope="module")
def importance() -> np.ndarray:
    return np.random.default_rng(1).lognormal(0, 2, 1024).astype(np.float32)


def error(rows: np.ndarray, blocks: np.ndarray, kind: str, weights: np.ndarray | float = 1.0) -> float:
    values = gguf.quants.dequantize(blocks, gguf.GGMLQuantizationType[kind.upper()])
    assert values.shape == rows.shape and np.isfinite(values).all()
    return float((weights * np.square(values.astype(np.float64) - rows)).sum())


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("kind", ALL)
def test_as_good_as_llama_cpp(rows, importance, kind, weighted):
    """Not bit for bit: a compiler may round a product and a sum together, and ties then fall to the other side."""
    weights = importance if weighted else None
    ours, theirs = fit(rows, kind, weights), llama_cpp.quantised(rows, kind, weights)
    assert ours.shape == theirs.shape
    size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind.upper()]][1]
    assert (ours.reshape(-1, size) == theirs.reshape(-1, size)).all(axis=1).mean() > 0.5
    counted = importance if weighted else 1.0
    assert error(rows, ours, kind, counted) <= 1.02 * error(rows, theirs, kind, counted)


@pytest.mark.parametrize("kind", ["q4_k", "q5_k", "q6_k"])
def test_better_than_the_rounding_of_loading(rows, kind):
    rounded = TYPES[kind].gguf_form.quantise(rows).reshape(len(rows), -1)
    assert error(rows, fit(rows, kind), kind) < 0.98 * error(rows, rounded, kind)


@pytest.mark.parametrize("kind", ALL)
def test_what_matters_more_is_kept_better(rows, importance, kind):
    weighted, plain = fit(rows, kind, importance), fit(rows, kind)
    assert error(rows, weighted, kind, importance) < 0.97 * error(rows, plain, kind, importance)


@pytest.mark.parametrize("kind", ALL)
def test_zeros_stay_zeros_and_slabs_change_nothing(rows, kind, monkeypatch):
    whole = fit(rows, kind)
    values = gguf.quants.dequantize(whole, gguf.GGMLQuantizationType[kind.upper()])
    assert np.abs(values[3, 256:512]).max() < 1e-6
    monkeypatch.setattr(fitted, "_SLAB", 3 * rows.shape[1])
    assert np.array_equal(fit(rows, kind), whole)


def test_floats_and_refusals(rows):
    assert np.array_equal(fit(rows, "f16").view(np.float16), rows.astype(np.float16))
    assert np.array_equal(fit(rows, "f32").view(np.float32), rows)
    with pytest.raises(ValueError, match="do not fit f16"):
        fit(np.full((1, 32), 1e6, np.float32), "f16")
    with pytest.raises(ValueError, match="rows of 96 values are not a multiple of q4_k's block size 256"):
        fit(np.zeros((1, 96), np.float32), "q4_k")
