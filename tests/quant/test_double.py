"""Double quantisation of NF4's scales, compared with bitsandbytes on the same matrix; no GPU."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from wgpt.quant import double, nf4
from wgpt.quant.weights import Packed, nibbles_to_words, pack, unpack, weight_type

GOLDEN = Path(__file__).parents[1] / "golden" / "bitsandbytes.npz"


def matrix() -> np.ndarray:
    """Rows of different sizes; 360 blocks: a whole group, and one that is not."""
    rng = np.random.default_rng(3)
    return (rng.standard_normal((40, 576)) * np.exp(rng.standard_normal((40, 1)))).astype(np.float32)


@pytest.fixture(scope="module")
def theirs() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as saved:
        return dict(saved)


def groups_of(s: np.ndarray, blocks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scales and means of the groups, codes of the blocks, read word by word."""
    at, scales, means, codes = 0, [], [], []
    while len(codes) < blocks:
        scales.append(s[at : at + 1].view(np.float32)[0])
        means.append(s[at + 1 : at + 2].view(np.float32)[0])
        count = min(256, blocks - len(codes))
        words = s[at + 2 : at + 2 + -(-count // 4)]
        codes += [int(words[i // 4]) >> 8 * (i % 4) & 255 for i in range(count)]
        at += 66
    return np.array(scales), np.array(means), np.array(codes, np.uint8)


def test_the_map_is_bitsandbytes(theirs):
    np.testing.assert_allclose(double.DYNAMIC, theirs["map"], rtol=1.2e-7, atol=0)
    assert (np.diff(double.DYNAMIC) > 0).all() and double.DYNAMIC[127] == 0 and double.DYNAMIC[255] == 1


def test_codes_scales_and_mean_are_bitsandbytes(theirs):
    codes, absmax = nf4.quantize(matrix())
    np.testing.assert_array_equal(np.stack([theirs["codes"] >> 4, theirs["codes"] & 15], axis=1).reshape(-1), codes)
    scales, means, scale_codes = groups_of(double.quantize(absmax), absmax.size)
    np.testing.assert_allclose(scales, theirs["group_scales"], rtol=1e-6)
    np.testing.assert_allclose(means, [theirs["mean"]] * 2, rtol=1e-6)
    # bitsandbytes' CPU code uses a coarse table: it sometimes takes a neighbour, which is never nearer than ours.
    other = np.flatnonzero(scale_codes != theirs["scale_codes"])
    assert other.size <= 3
    exact = (absmax - means[0]) / scales[np.arange(absmax.size) // 256]
    for i in other:
        our_code, their_code = int(scale_codes[i]), int(theirs["scale_codes"][i])
        our_error, their_error = (abs(float(double.DYNAMIC[code]) - exact[i]) for code in (our_code, their_code))
        assert our_error <= their_error and abs(our_code - their_code) == 1


def test_its_planes_have_its_values(theirs):
    """bitsandbytes' codes in our layout give the values that it reads."""
    codes = np.stack([theirs["codes"] >> 4, theirs["codes"] & 15], axis=1).reshape(-1)
    words = []
    for g, scale in enumerate(theirs["group_scales"]):
        few = theirs["scale_codes"][256 * g : 256 * (g + 1)]
        head = np.array([scale, theirs["mean"]], np.float32).view(np.uint32)
        words += [head, np.pad(few, (0, -len(few) % 4)).view(np.uint32)]
    packed = Packed(weight_type("nf4_dq"), 40, 576, nibbles_to_words(codes).reshape(40, -1), np.concatenate(words))
    np.testing.assert_allclose(double.dequantize(packed.s, 360), theirs["scales"], rtol=1e-6)
    values = unpack(packed)
    np.testing.assert_allclose(np.abs(values).sum(axis=1), theirs["row_sums"], rtol=1e-6)
    np.testing.assert_allclose(values[:3], theirs["some_rows"], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("n", "k"), [(1, 64), (1, 1), (5, 203), (64, 256), (65, 256), (300, 130)])
def test_scales_come_back_within_a_step(n, k):
    rng = np.random.default_rng(n)
    weights = rng.standard_normal((n, k)).astype(np.float32)
    once, twice = pack(weights, "nf4"), pack(weights, "nf4_dq")
    np.testing.assert_array_equal(once.w, twice.w)
    exact = once.s.view(np.float32).astype(np.float64)
    scales = double.dequantize(twice.s, exact.size)
    spread = np.abs(exact - exact.mean()).max()
    assert np.abs(scales - exact).max() <= spread * 0.9 / 64 / 2 * 1.01 + 1e-6 * exact.max()
    assert twice.s.size == 2 * -(-exact.size // 256) + -(-exact.size // 4)
    assert np.abs(unpack(twice) - unpack(once)).max() <= np.abs(scales - exact).max() * (1 + 1e-6)


def test_equal_scales_and_zeros_are_kept():
    same = np.tile(np.array([0.5, -0.25], np.float32), (3, 96))
    np.testing.assert_array_equal(unpack(pack(same, "nf4_dq")), unpack(pack(same, "nf4")))
    assert (unpack(pack(np.zeros((2, 64), np.float32), "nf4_dq")) == 0).all()
    mixed = np.zeros((4, 64), np.float32)
    mixed[2] = 3.0
    values = unpack(pack(mixed, "nf4_dq"))
    assert (values[[0, 1, 3]] == 0).all() and np.abs(values[2] - 3).max() < 0.03


def test_bits_of_a_weight():
    """4.5 bits become 4.127, as bitsandbytes': and 4 bytes more for the mean of each group, that rows may be parted."""
    n, k = 1536, 8960
    bits = {name: 8 * weight_type(name).nbytes(n, k) / (n * k) for name in ("nf4", "nf4_dq")}
    assert bits["nf4"] == 4.5
    assert bits["nf4_dq"] == pytest.approx(4 + 8 / 64 + 64 / (64 * 256))


def test_matrices_that_are_joined_keep_their_groups_and_means():
    rng = np.random.default_rng(5)
    matrices = [rng.standard_normal((n, 576)).astype(np.float32) * size for n, size in ((256, 1), (512, 7), (39, 3))]
    parts = [pack(each, "nf4_dq") for each in matrices]
    np.testing.assert_array_equal(unpack(Packed.concat(parts)), np.concatenate([unpack(part) for part in parts]))
    with pytest.raises(ValueError, match=re.escape("nf4_dq's groups of scales span rows: keep matrices apart")):
        Packed.concat(parts[::-1])


def test_the_mean_of_a_matrix_that_is_packed_in_parts():
    whole = pack(matrix(), "nf4_dq")
    mean = nf4.quantize(matrix())[1].mean(dtype=np.float64).astype(np.float32)
    first = pack(np.resize(matrix(), (256, 576)), "nf4_dq", np.full(9, mean))
    assert (groups_of(first.s, 256 * 9)[1] == mean).all() and groups_of(whole.s, 360)[1][0] == mean
