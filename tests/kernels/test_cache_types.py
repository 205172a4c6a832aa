"""Types of the KV cache in NumPy: what they store, and where. No GPU."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.core.sizes import PAGE
from wgpt.kernels.attention import cache_types
from wgpt.kernels.attention.attending import paged, place, shape
from wgpt.kernels.attention.cache_types import TYPES, Pages, as_stored, decoded, encoded
from wgpt.kernels.registry import in_triton
from wgpt.triton_kernels import register


@pytest.mark.parametrize("head_dim", [32, 64, 96, 128, 256])
def test_codes_are_within_half_a_step(head_dim: int) -> None:
    x = np.random.default_rng(head_dim).standard_normal((5, 3, head_dim))
    codes, scales = encoded(x)
    assert (codes.shape, scales.shape) == (x.shape, (5, 3, head_dim // 32)) and abs(codes).max() == 127
    blocks = cache_types.in_stored_order(x)
    np.testing.assert_allclose(scales, abs(blocks).max(-1) / 127, rtol=2**-11)
    error = abs(cache_types.in_stored_order(decoded(codes, scales)) - blocks)
    assert (error <= 0.51 * scales.astype(np.float64)[..., None]).all()
    np.testing.assert_array_equal(cache_types.in_own_order(blocks), x)


def test_a_block_is_16_elements_and_those_half_a_head_later() -> None:
    blocks = cache_types.in_stored_order(np.arange(64.0))
    assert blocks[0].tolist() == [i + 32 * half + 4 * quad for quad in range(4) for half in (0, 1) for i in range(4)]
    assert sorted(blocks[1]) == [*range(16, 32), *range(48, 64)]


def test_zeros_and_what_no_half_can_scale() -> None:
    x = np.zeros((1, 96))
    assert not as_stored(x, "q8_0").any()
    x[0, :2] = 1e30, -1e30
    assert as_stored(x, "q8_0")[0, :3].tolist() == [127 * 65504, -127 * 65504, 0]


@pytest.mark.parametrize(("head_dim", "size"), [(32, 36), (64, 68), (96, 104), (128, 136), (256, 272)])
def test_bytes_of_a_page(head_dim: int, size: int) -> None:
    kind = TYPES["q8_0"]
    assert kind.head_bytes(head_dim) == size and TYPES["f16"].head_bytes(head_dim) == 2 * head_dim
    assert kind.shape(7, 2, PAGE, head_dim) == (7, 2, PAGE * size)
    pages = Pages.unwritten(kind.shape(2, 1, PAGE, head_dim), head_dim)
    assert np.isnan(pages.values()).all()
    x = np.random.default_rng(1).standard_normal((1, head_dim))
    pages.store(1, 5, x)
    codes, scales = encoded(x)
    page = pages.raw[1, 0]
    assert page[5 * head_dim : 6 * head_dim].tobytes() == codes.tobytes()
    at = PAGE * head_dim + 5 * (size - head_dim)
    assert page[at : at + 2 * scales.size].tobytes() == scales.tobytes()
    assert not page[at + 2 * scales.size : at + size - head_dim].any()
    changed = np.flatnonzero(pages.raw != 0xFF)
    assert len(changed) <= size
    values = pages.values()
    np.testing.assert_array_equal(values[1, :, 5], as_stored(x, "q8_0"))
    assert np.isnan(np.delete(values[1, 0], 5, axis=0)).all()


@pytest.mark.parametrize("name", ["rope_cache", "attention_decode", "attention_prefill"])
def test_triton_leaves_it_to_the_hand_written_kernels(name: str) -> None:
    register()
    places = paged(4, **place(1, 64, (0, 0, 16)))
    problem = {**shape(4, 2, 64, "q8_0"), **places, "rope": True, "qk_norm": False, "tile": 16}
    triton = in_triton(name)
    assert triton is not None and triton.refuses(problem, {}) == "a q8_0 cache"
