"""Blocks of other programs' layouts: each weight is looked up by hand. No GPU."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from wgpt.quant import repack
from wgpt.quant.weights import from_gguf_blocks, pack, unpack, weight_type

GOLDEN = Path(__file__).parents[1] / "golden" / "quantised"
RNG = np.random.default_rng(4)


ALL = {repack.affine_type(bits, group): (bits, group) for bits in (4, 8) for group in (64, 32)}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("groups", [1, 2])  # blocks that share a scale in the file
def test_affine_blocks_are_scale_times_code_and_offset(name: str, groups: int) -> None:
    bits, block = ALL[name]
    k = 192 if block == 64 else 96
    group = block * groups if block == 64 else block
    codes = RNG.integers(0, 1 << bits, (5, 2 * k)).astype(np.uint8)
    scales, offsets = (RNG.standard_normal((5, 2 * k // group)).astype(np.float16).astype(np.float32) for _ in range(2))
    packed = from_gguf_blocks(repack.affine_rows(codes, scales, offsets, bits), name, 5, 2 * k)
    expected = np.repeat(scales, group, 1).astype(np.float64) * codes + np.repeat(offsets, group, 1)
    np.testing.assert_array_equal(unpack(packed), expected)


@pytest.mark.parametrize("name", ALL)
def test_affine_quantises_to_the_nearest_step(name: str) -> None:
    bits, block = ALL[name]
    matrix = RNG.standard_normal((7, 200)).astype(np.float32)
    padded = np.zeros((7, 256), np.float32)
    padded[:, :200] = matrix
    steps = np.ptp(padded.reshape(7, -1, block), axis=2) / ((1 << bits) - 1) * (1 + 2.0**-15)
    errors, step = np.abs(unpack(pack(matrix, name)) - matrix), np.repeat(steps, block, 1)[:, :200]
    assert (errors <= step).all() and np.median(errors / step) < 0.3
    assert (unpack(pack(np.zeros((2, 64), np.float32), name)) == 0).all()
    same = np.full((2, 64), 0.3, np.float32)
    np.testing.assert_allclose(unpack(pack(same, name)), same, rtol=2.0**-15)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_affine_refuses_what_is_not_finite(name: str, value: float) -> None:
    matrix = np.ones((2, 64), np.float32)
    matrix[1, 3] = value
    with pytest.raises(ValueError, match=f"do not fit {name}, whose scales must be finite"):
        pack(matrix, name)


def test_types_by_group() -> None:
    for group, names in {
        64: ("affine4", "affine8"),
        128: ("affine4", "affine8"),
        96: ("affine4_32", "affine8_32"),
    }.items():
        assert tuple(repack.affine_type(bits, group) for bits in (4, 8)) == names
    assert [weight_type(name).bits_per_weight for name in ALL] == [5, 6, 9, 10]


@pytest.mark.parametrize("bits", [4, 8])
def test_fields_begin_with_the_lowest_bits(bits: int) -> None:
    words = RNG.integers(0, 1 << 32, (3, 5), dtype=np.uint64).astype(np.uint32)
    fields = repack.fields(words, bits)
    for row in range(3):
        for i in range(5 * 32 // bits):
            word, at = divmod(i, 32 // bits)
            assert fields[row, i] == int(words[row, word]) >> bits * at & ((1 << bits) - 1)


def test_e4m3_is_torchs() -> None:
    np.testing.assert_array_equal(repack.E4M3, np.load(GOLDEN / "fp8" / "e4m3.npy"))


def test_mxfp4_of_gpt_oss_is_ggufs() -> None:
    """Two experts of three rows: as transformers dequantises them, and as the gguf package reads the result."""
    blocks = RNG.integers(0, 256, (2, 3, 4, 16)).astype(np.uint8)
    scales = RNG.integers(110, 140, (2, 3, 4)).astype(np.uint8)
    table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)
    values = np.zeros((2, 3, 4, 32), np.float32)
    values[..., 0::2], values[..., 1::2] = table[blocks & 15], table[blocks >> 4]
    expected = np.ldexp(values, scales.astype(np.int32)[..., None] - 127).reshape(2, 3, 128)
    rows = repack.mxfp4_rows(blocks, scales)
    assert rows.shape == (2, 3, 4 * 17)
    read = gguf.quants.dequantize(rows, gguf.GGMLQuantizationType.MXFP4)
    np.testing.assert_array_equal(read, expected)
