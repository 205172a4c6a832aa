"""NF4: the nearest code by brute force, both orders of nibbles, the literal vector; no GPU."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.quant import nf4
from wgpt.quant.weights import pack, unpack

# As the specification lists it.
TABLE = [-1.0, -0.6961928, -0.5250731, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0.0]
TABLE += [0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.7229568, 1.0]
INDICES = [3, 7, 12, 1, 5, 15, 0, 9]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_the_codebook():
    assert nf4.CODEBOOK.dtype == np.float32
    np.testing.assert_array_equal(nf4.CODEBOOK, np.array(TABLE, np.float32))
    assert (np.diff(nf4.CODEBOOK) > 0).all()


@pytest.mark.parametrize("block", [64, 32, 4])
def test_codes_are_the_nearest(block, rng):
    values = (rng.standard_normal(64 * 40) * np.repeat(10.0 ** rng.uniform(-4, 4, 40), 64)).astype(np.float32)
    codes, absmax = nf4.quantize(values, block)
    assert codes.dtype == np.uint8 and absmax.dtype == np.float32
    blocks = values.reshape(-1, block)
    np.testing.assert_array_equal(absmax, np.abs(blocks).max(axis=1))
    for code, value, largest in zip(codes, values.tolist(), np.repeat(absmax, block).tolist(), strict=True):
        distances = [abs(value / largest - entry) for entry in TABLE]
        assert distances[code] <= min(distances) + 1e-7


def test_the_codebooks_own_values_come_back(rng):
    codes = rng.integers(0, 16, 640).astype(np.uint8)
    codes[::64] = 15  # so that every block's largest is its scale
    scales = rng.uniform(0.1, 10.0, 10).astype(np.float32)
    values = nf4.CODEBOOK[codes] * np.repeat(scales, 64)
    quantised, absmax = nf4.quantize(values)
    np.testing.assert_array_equal(quantised, codes)
    np.testing.assert_array_equal(absmax, scales)


def test_a_block_of_zeros_is_code_7_and_scale_0():
    codes, absmax = nf4.quantize(np.zeros(128, np.float32))
    assert set(codes.tolist()) == {7} and absmax.tolist() == [0.0, 0.0]
    assert (unpack(pack(np.zeros((2, 64), np.float32), "nf4")) == 0).all()


def test_values_must_be_whole_blocks():
    with pytest.raises(ValueError, match="65 values are not whole blocks of 64"):
        nf4.quantize(np.ones(65, np.float32))


def test_the_literal_vector():
    word = np.array([0x90F51C73], np.uint32)
    assert nf4.unpack_words(word, 8).tolist() == INDICES
    np.testing.assert_array_equal(nf4.pack_words(np.array(INDICES, np.uint8)), word)
    # The other order: each byte's high half is the first of its pair.
    swapped = [7, 3, 1, 12, 15, 5, 9, 0]
    assert nf4.unpack_words(word, 8, high_first=True).tolist() == swapped
    np.testing.assert_array_equal(nf4.pack_words(np.array(swapped, np.uint8), high_first=True), word)


@pytest.mark.parametrize("high_first", [False, True])
@pytest.mark.parametrize("n", [1, 7, 8, 9, 1003])
def test_words_hold_eight_codes_in_sequence(n, high_first, rng):
    codes = rng.integers(0, 16, n).astype(np.uint8)
    words = nf4.pack_words(codes, high_first)
    assert words.dtype == np.uint32 and words.size == -(-n // 8)
    for i in range(8 * words.size):
        nibble = int(words[i // 8]) >> 4 * (i % 8 ^ high_first) & 15
        assert nibble == (codes[i] if i < n else 0)
    np.testing.assert_array_equal(nf4.unpack_words(words, n, high_first), codes)


def test_a_packed_matrix_is_its_codes_times_its_scales(rng):
    """Ragged K: the last block of a row holds padding, and its scale is of the weights alone."""
    matrix = rng.standard_normal((5, 100)).astype(np.float32)
    values = unpack(pack(matrix, "nf4"))
    for row, unpacked in zip(matrix.astype(np.float64), values, strict=True):
        for start in (0, 64):
            part, scale = row[start : start + 64], np.abs(row[start : start + 64]).max()
            errors = np.abs(part[:, None] / scale - np.array(TABLE))
            differences = np.abs(part - unpacked[start : start + 64]) / scale
            np.testing.assert_allclose(differences, errors.min(axis=1), atol=1e-7)
