"""Weight types: packed and unpacked again, against GGUF's own code and Python's own conversions; no GPU."""

from __future__ import annotations

import math
import re
import struct
from dataclasses import replace

import gguf
import numpy as np
import pytest

from wgpt.quant.unpack import words_to_nibbles
from wgpt.quant.weights import (
    TYPES,
    Packed,
    from_gguf_blocks,
    nibbles_to_words,
    pack,
    unpack,
    weight_type,
)

_T = gguf.GGMLQuantizationType
GGUF = {"q8_0": _T.Q8_0, "q4_0": _T.Q4_0, "q4_1": _T.Q4_1, "q5_0": _T.Q5_0, "q5_1": _T.Q5_1}
GGUF_K = {"q4_k": _T.Q4_K, "q5_k": _T.Q5_K, "q6_k": _T.Q6_K}
# Quantised by our own code as well, not as the gguf package would.
GGUF_OWN = GGUF_K | {"iq4_nl": _T.IQ4_NL, "iq4_xs": _T.IQ4_XS, "mxfp4": _T.MXFP4}
GGUF_OWN |= {"q2_k": _T.Q2_K, "q3_k": _T.Q3_K}
GRIDS = {"iq2_xxs": _T.IQ2_XXS, "iq2_xs": _T.IQ2_XS, "iq2_s": _T.IQ2_S, "iq3_xxs": _T.IQ3_XXS, "iq3_s": _T.IQ3_S}
GGUF_OWN |= GRIDS
ALL_GGUF = GGUF | GGUF_OWN
# Where a block has halves, in bytes; all its other bits may be anything.
HALVES = {"q4_1": (0, 2), "q5_1": (0, 2), "q4_k": (0, 2), "q5_k": (0, 2), "q6_k": (208,), "mxfp4": ()}
HALVES |= {"q2_k": (80, 82), "q3_k": (108,)}
# NF4's codebook, independent of the package's.
TABLE = [-1.0, -0.6961928, -0.5250731, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0.0]
TABLE += [0.0795803, 0.1609302, 0.2461123, 0.33791524, 0.44070983, 0.562617, 0.7229568, 1.0]
SHAPES = [(1, 32), (3, 96), (5, 64), (2, 1), (4, 33), (7, 203)]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def matrix_of(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Normal, rows of very different size, one row of zeros where there are several."""
    matrix = (rng.standard_normal((n, k)) * 10.0 ** rng.integers(-3, 3, (n, 1))).astype(np.float32)
    if n > 2:
        matrix[1] = 0
    return matrix


def padded(matrix: np.ndarray, multiple: int) -> np.ndarray:
    n, k = matrix.shape
    result = np.zeros((n, -(-k // multiple) * multiple), np.float32)
    result[:, :k] = matrix
    return result


def exactly(values: np.ndarray, expected: np.ndarray) -> None:
    """Equal to the bit, once the float64 values are rounded to float32 (GGUF computes in it)."""
    assert values.dtype == np.float64 and expected.dtype == np.float32
    np.testing.assert_array_equal(values.astype(np.float32).view(np.uint32), (expected + 0.0).view(np.uint32))


# GGUF's types -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GGUF)
def test_packed_is_what_gguf_makes_of_it(name, rng):
    for n, k in SHAPES:
        matrix = matrix_of(rng, n, k)
        packed = pack(matrix, name)
        expected = gguf.quants.dequantize(gguf.quants.quantize(padded(matrix, 32), GGUF[name]), GGUF[name])
        exactly(unpack(packed) + 0.0, expected[:, :k])
        assert (packed.n, packed.k, packed.type.name) == (n, k, name)


def random_blocks(rng: np.random.Generator, name: str, n: int, in_row: int, size: float = 1.0) -> np.ndarray:
    """Any bits, not only those that a quantiser would choose; finite scales."""
    blocks = rng.integers(0, 256, (n, in_row, gguf.GGML_QUANT_SIZES[ALL_GGUF[name]][1]), np.uint8)
    for at in HALVES.get(name, (0,)):
        halves = (size * rng.standard_normal((n, in_row, 1))).clip(-65504, 65504).astype(np.float16)
        blocks[..., at : at + 2] = halves.view(np.uint8)
    return blocks.reshape(n, -1)


@pytest.mark.parametrize("name", ALL_GGUF)
@pytest.mark.parametrize("size", [1.0, 1e5, 1e-7], ids=["usual", "largest halves", "subnormal halves"])
def test_blocks_of_a_file_are_what_gguf_reads_in_them(name, size, rng):
    block = gguf.GGML_QUANT_SIZES[ALL_GGUF[name]][0]
    for n, in_row in ((1, 1), (3, 3), (5, 2)):
        blocks = random_blocks(rng, name, n, in_row, size)
        packed = from_gguf_blocks(blocks, name, n, in_row * block)
        exactly(unpack(packed) + 0.0, gguf.quants.dequantize(blocks, ALL_GGUF[name]))


@pytest.mark.parametrize("name", ALL_GGUF)
def test_no_bit_of_a_block_is_lost_or_copied(name, rng):
    """Each bit of a block is one bit of the planes: turning it over turns over exactly that one."""
    blocks = random_blocks(rng, name, 1, 1)
    k = gguf.GGML_QUANT_SIZES[ALL_GGUF[name]][0]

    def planes(changed: np.ndarray) -> np.ndarray:
        packed = from_gguf_blocks(changed, name, 1, k)
        return np.unpackbits(np.concatenate([packed.w.reshape(-1), packed.s]).view(np.uint8))

    before, positions = planes(blocks), set()
    for bit in range(8 * blocks.size):
        changed = blocks.copy()
        changed[0, bit // 8] ^= 1 << bit % 8
        (moved,) = np.flatnonzero(planes(changed) != before)
        positions.add(int(moved))
    assert len(positions) == 8 * blocks.size


@pytest.mark.parametrize("name", ALL_GGUF)
def test_slabs_make_no_difference(name, rng, monkeypatch):
    k = 3 * gguf.GGML_QUANT_SIZES[ALL_GGUF[name]][0]
    blocks = random_blocks(rng, name, 11, 3)
    whole = from_gguf_blocks(blocks, name, 11, k)
    monkeypatch.setattr("wgpt.quant.weights._SLAB", 6)
    slabs = from_gguf_blocks(blocks, name, 11, k)
    np.testing.assert_array_equal(slabs.w, whole.w)
    np.testing.assert_array_equal(slabs.s, whole.s)


@pytest.mark.parametrize("name", GGUF_OWN)
def test_our_blocks_are_packed_as_gguf_reads_them(name, rng, monkeypatch):
    """Quantised here, for GGUF's own package only reads them: our blocks, in its reading, are our planes."""
    monkeypatch.setattr("wgpt.quant.k_quants._SLAB", 3)
    for n, k in ((1, 256), (3, 512), (5, 300), (2, 1)):
        matrix = matrix_of(rng, n, k)
        blocks = weight_type(name).gguf_form.quantise(padded(matrix, 256))
        expected = gguf.quants.dequantize(blocks, GGUF_OWN[name]).reshape(n, -1)
        exactly(unpack(pack(matrix, name)) + 0.0, expected[:, :k])


# The largest magnitude (or the span) by the codes; of the K-quants also the rounding of scales.
STEPS = {"q8_0": 1 / 127, "q4_0": 1 / 7, "q4_1": 2 / 15, "q5_0": 1 / 15, "q5_1": 2 / 31}
STEPS |= {"q4_k": 2.2 / 15, "q5_k": 2.4 / 31, "q6_k": 1.2 / 31}
# Half of the widest gap in the table, at the largest value.
STEPS |= {"iq4_nl": 0.2, "iq4_xs": 0.2, "mxfp4": 0.3}
STEPS |= {"q2_k": 2.4 / 3, "q3_k": 1.4 / 3}
# A grid has the points that are usual, not all.
STEPS |= {"iq2_xxs": 1.0, "iq2_xs": 1.0, "iq2_s": 1.0, "iq3_xxs": 0.6, "iq3_s": 0.6}


@pytest.mark.parametrize("name", STEPS)
def test_no_weight_is_off_by_more_than_its_step(name, rng):
    matrix = rng.uniform(-1.0, 1.0, (9, 512)).astype(np.float32)
    error = np.abs(unpack(pack(matrix, name)) - matrix)
    assert error.max() <= 1.01 * STEPS[name]
    assert error.mean() <= 0.3 * STEPS[name]


def test_the_order_of_nibbles(rng):
    """Byte j of 16 holds weight j in its low half and weight j + 16 in its high half."""
    codes = rng.integers(0, 16, 96, np.uint8)
    raw = nibbles_to_words(codes).view(np.uint8)
    assert raw.size == 48
    for i, code in enumerate(codes):
        byte = raw[i // 32 * 16 + i % 16]
        assert (byte >> 4 if i % 32 >= 16 else byte & 15) == code
    np.testing.assert_array_equal(words_to_nibbles(nibbles_to_words(codes)), codes)


@pytest.mark.parametrize("name", ["q4_0", "q4_1", "nf4"])
def test_the_planes_hold_that_order(name, rng):
    """Read with shifts from the words themselves, as a kernel does."""
    matrix = rng.standard_normal((2, 128)).astype(np.float32)
    packed, values = pack(matrix, name), unpack(pack(matrix, name))
    block = packed.type.block
    for row, column in [(0, 0), (0, 15), (0, 16), (0, 31), (0, 32), (1, 77), (1, 127)]:
        chunk, at = divmod(column, 32)
        word = int(packed.w[row, chunk * 4 + at % 16 // 4])
        code = word >> (8 * (at % 4) + 4 * (at // 16)) & 15
        index = row * (128 // block) + column // block
        if name == "nf4":
            expected = float(np.float32(TABLE[code])) * float(packed.s.view(np.float32)[index])
        elif name == "q4_0":
            expected = (code - 8) * float(packed.s.view(np.float16)[index])
        else:
            step, least = packed.s.view(np.float16).reshape(-1, 2)[index].astype(np.float64)
            expected = code * step + least
        assert values[row, column] == expected


# Floats -----------------------------------------------------------------------------------------------------------

SPECIAL = [0.0, -0.0, 1.0, -1.0, 1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, 1.0 + 2.0**-8, 1.0 + 3 * 2.0**-8, 65504.0]
SPECIAL += [65519.0, 2.0**-24, 2.0**-25, 3 * 2.0**-25, 2.0**-14, 6.1e-5, -(2.0**-26), 0.1, 1 / 3, 255.5, 256.5]


def floats(rng: np.random.Generator) -> np.ndarray:
    drawn = rng.standard_normal(183) * 10.0 ** rng.uniform(-7, 3, 183)
    return np.array([*SPECIAL, *drawn], np.float32)


def test_f32_is_kept(rng):
    matrix = floats(rng).reshape(7, 29)
    unpacked = unpack(pack(matrix, "f32")).astype(np.float32)
    np.testing.assert_array_equal(unpacked.view(np.uint32), matrix.view(np.uint32))


def test_f16_rounds_to_the_nearest(rng):
    """Python's own conversion decides; ties go to even."""
    matrix = floats(rng).reshape(7, 29)
    expected = [struct.unpack("<e", struct.pack("<e", float(v)))[0] for v in matrix.reshape(-1)]
    np.testing.assert_array_equal(unpack(pack(matrix, "f16")).reshape(-1), expected)


def test_bf16_rounds_to_the_nearest(rng):
    """Of the two neighbours the nearer, of two equally near the even one."""
    matrix = floats(rng).reshape(7, 29)
    for value, rounded in zip(matrix.reshape(-1), unpack(pack(matrix, "bf16")).reshape(-1), strict=True):
        low = struct.unpack("<I", struct.pack("<f", value))[0] >> 16
        around = [(struct.unpack("<f", struct.pack("<I", bits << 16))[0], bits & 1) for bits in (low, low + 1)]
        nearest = min((abs(v - float(value)), odd, v) for v, odd in around)
        assert rounded == nearest[2]


def test_what_is_not_finite_stays_so():
    matrix = np.array([[math.inf, -math.inf, math.nan, 1.0]], np.float32)
    for name in ("f32", "f16", "bf16"):
        np.testing.assert_array_equal(unpack(pack(matrix, name)), matrix)


def test_wider_and_strided_matrices_are_taken(rng):
    matrix = rng.standard_normal((40, 12))
    np.testing.assert_array_equal(unpack(pack(matrix.T, "f32")), matrix.T.astype(np.float32))
    np.testing.assert_array_equal(unpack(pack(matrix[::2].astype(np.float16), "f32")), matrix[::2].astype(np.float16))


WITHOUT_ZERO = ("q4_1", "q5_1", "q4_k", "q5_k", "iq4_nl", "iq4_xs", "q2_k", *GRIDS)
# Padding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 5), (2, 31), (4, 33), (3, 65), (2, 128)])
def test_rows_are_padded_with_zeros_to_whole_chunks_and_blocks(name, n, k, rng):
    kind = weight_type(name)
    matrix = rng.standard_normal((n, k)).astype(np.float32)
    packed = pack(matrix, name)
    width = kind.padded(k)
    assert width >= k and width - k < kind.row_multiple
    assert width * kind.bits % 128 == 0 and width % kind.block == 0
    assert packed.w.dtype == packed.s.dtype == np.uint32
    assert packed.w.shape == (n, width * kind.bits // 32)
    assert packed.w.nbytes + packed.s.nbytes - kind.nbytes(n, k) in range(4)  # scales end on a whole word
    whole = unpack(replace(packed, k=width))
    assert whole.shape == (n, width)
    # Some types have no exact zero: the padding is within a step of it (and kernels take x to be 0 there).
    step = 2 * np.abs(matrix).max() / {"q5": 31, "q2": 3, "iq": 3}.get(name[:2], 15) if name in WITHOUT_ZERO else 0.0
    assert np.abs(whole[:, k:]).max(initial=0.0) <= step
    np.testing.assert_array_equal(whole[:, :k], unpack(packed))


def test_the_table_of_types():
    wide = {"f32": 4, "f16": 8, "bf16": 8, "q8_0": 16, "affine8": 16, "affine8_32": 16}
    wide |= dict.fromkeys(("q2_k", "q3_k", *GRIDS), 64)
    assert {name: kind.chunk for name, kind in TYPES.items()} == {name: wide.get(name, 32) for name in TYPES}
    per_weight = {name: kind.nbytes(1536, 512) * 8 / (1536 * 512) for name, kind in TYPES.items()}
    floats = {"f32": 32, "f16": 16, "bf16": 16, "affine4": 5, "affine8": 9, "affine4_32": 6, "affine8_32": 10}
    # GGUF's own sizes, but for two bytes in 256 weights of some, which make their groups whole words.
    filled = ("q6_k", "q3_k", *GRIDS.keys() - {"iq2_xxs"})
    blocks = {"q8_0": 8.5, "q4_0": 4.5, "q4_1": 5, "q5_0": 5.5, "q5_1": 6, "q4_k": 4.5, "q5_k": 5.5, "q6_k": 6.625}
    blocks |= {"iq4_nl": 4.5, "iq4_xs": 4.25, "mxfp4": 4.25, "q2_k": 2.625, "q3_k": 3.5}
    blocks |= {"iq2_xxs": 2.0625, "iq2_xs": 2.375, "iq2_s": 2.625, "iq3_xxs": 3.125, "iq3_s": 3.5}
    assert per_weight == {**floats, **blocks, "nf4": 4.5, "nf4_dq": 4 + 8 / 64 + 64 / (64 * 256)}
    for name in ALL_GGUF:
        weights, size = gguf.GGML_QUANT_SIZES[ALL_GGUF[name]]
        assert blocks[name] == 8 * size / weights + (1 / 16 if name in filled else 0)


# Refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["q3_z", "F32", "", None])
def test_an_unknown_type_is_named(name):
    message = f"unknown weight type {name!r}; supported: {', '.join(TYPES)}"
    for ask in (lambda: weight_type(name), lambda: pack(np.ones((2, 2)), name)):
        with pytest.raises(ValueError, match=re.escape(message)):
            ask()


@pytest.mark.parametrize("name", TYPES)
def test_what_is_no_matrix_of_floats_is_refused(name):
    for shape in ((4,), (2, 3, 4), (0, 4), (4, 0), ()):
        with pytest.raises(ValueError, match=re.escape(f"a matrix [N, K] with N, K > 0, not {shape}")):
            pack(np.ones(shape), name)
    whole, complex_ = np.ones((2, 2), np.int32), np.ones((1, 2), np.complex64)
    for bad, type_name in (([[1.0, 2.0]], "list"), (None, "NoneType"), (whole, "int32"), (complex_, "complex64")):
        with pytest.raises(ValueError, match=f"weights must be a NumPy array of floats, not {type_name}"):
            pack(bad, name)


def test_values_that_a_type_cannot_hold_are_refused():
    with pytest.raises(ValueError, match=re.escape("weights of up to 70000 do not fit f16 (at most 65504)")):
        pack(np.array([[1.0, -7e4]]), "f16")
    for name in (*ALL_GGUF, "nf4", "nf4_dq"):
        for bad in (math.nan, math.inf):
            with pytest.raises(ValueError, match=f"do not fit {name}, whose scales must be finite"):
                pack(np.array([[1.0, bad]]), name)
    for name in ALL_GGUF.keys() - {"mxfp4"}:  # scales of halves
        with pytest.raises(ValueError, match=re.escape(f"up to 1e+30 do not fit {name}")):
            pack(np.array([[1.0, 1e30]]), name)
    assert np.abs(unpack(pack(np.array([[1.0, 1e30]]), "nf4"))).max() == np.float32(1e30)


@pytest.mark.parametrize("name", GGUF_K)
def test_k_blocks_of_the_wrong_size_are_refused(name, rng):
    blocks = random_blocks(rng, name, 4, 2)
    assert unpack(from_gguf_blocks(blocks, name, 4, 300)).shape == (4, 300)  # the same blocks, the last one ragged
    for n, k in ((4, 256), (4, 513), (3, 512), (8, 512)):
        with pytest.raises(
            ValueError, match=rf"{name} weights \[{n}, {k}\] are \d+ bytes of blocks, not {blocks.size}"
        ):
            from_gguf_blocks(blocks, name, n, k)


@pytest.mark.parametrize("name", GGUF)
def test_blocks_of_the_wrong_size_are_refused(name):
    blocks = gguf.quants.quantize(np.ones((4, 64), np.float32), GGUF[name])
    assert from_gguf_blocks(blocks, name, 4, 64).w.shape[0] == 4
    assert unpack(from_gguf_blocks(blocks, name, 4, 40)).shape == (4, 40)  # the same blocks, the last one ragged
    for n, k in ((4, 32), (4, 65), (3, 64), (8, 64), (2, 64)):
        message = rf"{name} weights \[{n}, {k}\] are \d+ bytes of blocks, not {blocks.size} of uint8"
        with pytest.raises(ValueError, match=message):
            from_gguf_blocks(blocks, name, n, k)
    with pytest.raises(ValueError, match=r"bytes of blocks, not \d+ of float32"):
        from_gguf_blocks(blocks.astype(np.float32), name, 4, 64)


def test_only_ggufs_types_come_in_blocks():
    for name in ("f32", "f16", "bf16"):
        with pytest.raises(ValueError, match=f"{name} has no supported GGUF blocks; supported: q8_0, q6_k, q5_1"):
            from_gguf_blocks(np.zeros(64, np.uint8), name, 1, 16)


@pytest.mark.parametrize("name", TYPES)
def test_planes_of_the_wrong_length_are_refused(name, rng):
    packed = pack(rng.standard_normal((4, 64)), name)
    message = re.escape(f"{name} weights [5, 64] take ")
    with pytest.raises(ValueError, match=message):
        Packed(packed.type, 5, 64, packed.w, packed.s)
    with pytest.raises(ValueError, match=rf"take {packed.w.size} words .* not {packed.w.size - 1} and"):
        replace(packed, w=packed.w.reshape(-1)[:-1])
    if packed.s.size:
        scales = packed.s.size
        with pytest.raises(ValueError, match=f"and {scales} of scales, not {packed.w.size} and {scales - 1}"):
            replace(packed, s=packed.s[:-1])


# Parts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, kind in TYPES.items() if kind.group == 1])
@pytest.mark.parametrize("k", [32, 203, 576])
def test_rows_of_several_parts_joined(name, k, rng):
    """k = 32 with an odd number of rows: halves of scales that end inside a word."""
    matrix = matrix_of(rng, 13, k)
    parts = [pack(rows, name) for rows in np.split(matrix, [5, 6, 9])]
    whole, joined = pack(matrix, name), Packed.concat(parts)
    assert (joined.n, joined.k, joined.type) == (13, k, whole.type)
    np.testing.assert_array_equal(joined.w, whole.w)
    np.testing.assert_array_equal(joined.s, whole.s)
    np.testing.assert_array_equal(unpack(joined), np.concatenate([unpack(part) for part in parts]))


def test_only_parts_of_a_kind_are_joined(rng):
    with pytest.raises(ValueError, match="the same type and K can be joined, not none"):
        Packed.concat([])
    matrix = matrix_of(rng, 4, 64)
    for other in (pack(matrix, "q8_0"), pack(matrix[:, :32], "q4_0")):
        with pytest.raises(ValueError, match=re.escape(f"q4_0 [4, 64], {other.type.name} [4, {other.k}]")):
            Packed.concat([pack(matrix, "q4_0"), other])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("k", [70, 256])
def test_rows_are_a_matrix_of_their_own(name, k, rng):
    """Scales that share a word, or groups of scales that go across rows, are whole where rows may begin."""
    packed = pack(rng.standard_normal((600, k)), name)
    whole, values = packed.type.whole_rows, unpack(packed)
    for lo, hi in ((0, 600), (0, whole), (whole, 2 * whole), (2 * whole, 600), (whole, whole + 1)):
        part = packed.rows(lo, hi)
        assert np.shares_memory(part.w, packed.w)
        np.testing.assert_array_equal(unpack(part), values[lo:hi])


def test_rows_begin_at_whole_words(rng):
    packed = pack(rng.standard_normal((200, 32)), "q8_0")
    for lo, hi in ((1, 64), (64, 64), (128, 201), (-64, 3)):
        with pytest.raises(ValueError, match=re.escape(f"rows {lo} .. {hi} of 200 must begin at a multiple of 64")):
            packed.rows(lo, hi)


@pytest.mark.parametrize("name", TYPES)
def test_floats_are_where_the_type_says(name: str, rng: np.random.Generator) -> None:
    """Arbitrary bits elsewhere give no NaN; a NaN in one of these floats does."""
    good = pack(rng.standard_normal((64, 768)), name)
    floats = good.type.floats
    planes = {"w": good.w.reshape(-1).copy(), "s": good.s[: good.type.scale_words(64, 768)].copy()}
    within = np.arange(planes[good.type.float_plane].size) % floats.period - floats.first
    numbers = (within >= 0) & (within < floats.count)
    for plane, words in planes.items():
        other = ~numbers if plane == good.type.float_plane else np.ones(words.size, bool)
        words[other] = rng.integers(0, 1 << 32, int(other.sum()), np.uint32)
    assert np.isfinite(unpack(Packed(good.type, 64, 768, planes["w"], planes["s"]))).all()
    assert numbers.any() or name == "mxfp4"
    for i in rng.choice(np.flatnonzero(numbers), 9) if numbers.any() else ():
        bad = {plane: words.copy() for plane, words in planes.items()}
        bad[good.type.float_plane][i] = 0x7FC07FC0
        assert np.isnan(unpack(Packed(good.type, 64, 768, bad["w"], bad["s"]))).any()
