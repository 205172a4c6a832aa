"""The backend under Triton itself: launches, arguments, autotuning, debug mode. Skipped where Triton is missing."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

triton = pytest.importorskip("triton", reason="Triton (1 GB, Linux only) is not installed: pip install 'wgpt[triton]'")
import triton.language as tl  # noqa: E402

import wgpt.triton as wt  # noqa: E402
from wgpt.gpu import Tensor  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples" / "triton"
pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("[a-z]*.py")), ids=lambda p: p.stem)
def test_examples_agree_with_numpy(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    runpy.run_path(str(path), run_name="__main__")
    assert " ok" in capsys.readouterr().out


@triton.jit
def doubled(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


AFTER_A_DRIVER = """
import runpy, sys
from wgpt.gpu import default_device
default_device()  # runs shaders: its driver may have loaded an LLVM
assert "triton" not in sys.modules
import wgpt.triton
sys.path.insert(0, sys.argv[1])
runpy.run_path(sys.argv[1] + "/vector_add.py", run_name="__main__")
"""


def test_triton_is_imported_after_a_driver_with_another_llvm():
    """Triton's library called functions of llvmpipe's LLVM, and crashed."""
    command = [sys.executable, "-c", AFTER_A_DRIVER, str(EXAMPLES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and " ok" in done.stdout, (done.returncode, done.stderr)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint32", "int8", "uint8", "int16", "int64"])
def test_arrays_of_every_type(dtype):
    x = np.random.default_rng(0).integers(0, 60, 101).astype(dtype)
    out = wt.zeros(101, dtype)
    doubled[(2,)](wt.array(x), out, 101, BLOCK=64)
    np.testing.assert_array_equal(out.numpy(), x * 2)


def test_wrapped_arrays_are_copied_back():
    x, out = np.arange(50, dtype=np.float32), np.full(60, 9, np.float32)
    doubled[(1,)](wt.wrap(x), wt.wrap(out), 50, BLOCK=64)
    np.testing.assert_array_equal(out, [*(2 * x), *[9] * 10])


def test_windows_and_aliases():
    """Arguments that start inside a buffer, and two that share one: bindings may not overlap, so they become one."""
    whole = wt.array(np.arange(300, dtype=np.float32))
    window = lambda at, n: wt.Array(Tensor(whole.tensor.buffer, (n,), "f32", 4 * at))
    doubled[(1,)](window(3, 50), window(100, 50), 50, BLOCK=64)
    expected = np.arange(300, dtype=np.float32)
    expected[100:150] = 2 * expected[3:53]
    np.testing.assert_array_equal(whole.numpy(), expected)


def test_a_kernel_that_reads_what_it_overwrites():
    """A block is loaded completely before any of it is stored, also by other threads."""
    base = np.arange(200, dtype=np.float32)
    doubled[(1,)](wt.wrap(base[:128]), wt.wrap(base[1:129]), 128, BLOCK=128)
    np.testing.assert_array_equal(base[1:129], 2 * np.arange(128))


@triton.jit
def number_programs(out):
    tl.store(out + tl.program_id(0), tl.program_id(0) + tl.num_programs(0))


def test_more_programs_than_a_dimension_holds():
    out = wt.zeros(70_001, "i32")
    number_programs[(70_001,)](out)
    np.testing.assert_array_equal(out.numpy(), np.arange(70_001) + 70_001)


@triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in (32, 128)], key=["n"])
@triton.heuristics({"TWICE": lambda args: args["n"] > 10})
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr, TWICE: tl.constexpr):
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(x + at, at * (2 if TWICE else 1), mask=at < n)


def test_autotune_and_heuristics():
    x = wt.zeros(100, "i32")
    tuned[(1,)](x, 100)
    np.testing.assert_array_equal(x.numpy(), 2 * np.arange(100))
    assert tuned.best_config.kwargs["BLOCK"] in (32, 128)


@triton.jit(debug=True)
def talking(x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.device_print("value", values)
    tl.device_assert(values < 3, "too large")


def test_prints_and_assertions_in_debug_mode(capsys):
    talking[(1,)](wt.array(np.array([0.5, 2.5], np.float32)), BLOCK=2)
    assert "idx (1) value: 2.5" in capsys.readouterr().out
    with pytest.raises(AssertionError, match=r"test_with_triton.py:\d+.*too large"):
        talking[(1,)](wt.array(np.array([0.5, 3.5], np.float32)), BLOCK=2)


@triton.jit
def of_doubles(x, out):
    tl.store(out, (tl.load(x).to(tl.float64) * 3).to(tl.float32))


def test_a_refusal_names_kernel_line_and_reason():
    x = wt.array(np.zeros(1, np.float32))
    with pytest.raises(wt.Refused, match=r"of_doubles \(test_with_triton.py:\d+\).*f64"):
        of_doubles[(1,)](x, wt.empty(1))


def test_ttir_of_this_triton_lowers_to_the_kept_results():
    """The kept TTIR came from one release; another one's must run as well."""
    monkey = runpy.run_path(str(Path(__file__).parents[1] / "golden" / "triton_kernels.py"))
    from wgpt.triton_backend import ahead

    for name, (kernel, signature, constants) in monkey["KERNELS"].items():
        assert ahead.compile_kernel(kernel, signature, constants, name=name).shaders


def test_launches_do_not_keep_their_arguments():
    from wgpt.gpu import default_device

    device = default_device()
    before = None
    for i in range(20):
        out = wt.empty(1000)
        doubled[(16,)](wt.array(np.full(1000, i, np.float32)), out, 1000, BLOCK=64)
        np.testing.assert_array_equal(out.numpy(), 2 * i)
        if before is None:
            before = device.bytes_in_use
    assert device.bytes_in_use <= before


@triton.jit
def turned(
    x, cubes, places, lines, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr,
    P0: tl.constexpr, P1: tl.constexpr, P2: tl.constexpr, AXIS: tl.constexpr, OTHER: tl.constexpr, REV: tl.constexpr,
):  # fmt: skip
    """Transposed, reduced along one axis, spread again, scanned along another, transposed back."""
    size: tl.constexpr = A * B * C
    values = tl.permute(tl.load(x + tl.arange(0, size).reshape(A, B, C)), (P0, P1, P2))
    mixed = values * 2 + tl.sum(values, axis=AXIS, keep_dims=True) - tl.max(values, axis=OTHER, keep_dims=True)
    scanned = tl.cumsum(mixed, axis=OTHER, reverse=REV)
    tl.store(cubes + tl.arange(0, size), tl.permute(scanned, (2, 0, 1)).reshape(size))
    least = tl.argmin(values, axis=AXIS)
    count: tl.constexpr = least.shape[0] * least.shape[1]
    tl.store(places + tl.arange(0, count), least.reshape(count))
    line = tl.sum(tl.sum(scanned, axis=2), axis=0)
    tl.store(lines + tl.arange(0, line.shape[0]), line)


@pytest.mark.parametrize(
    ("shape", "order", "axis", "other", "reverse", "warps"),
    [
        ((4, 8, 16), (2, 0, 1), 0, 2, False, 4),
        ((1, 32, 4), (1, 2, 0), 2, 0, True, 1),
        ((16, 2, 32), (0, 2, 1), 1, 1, False, 8),
        ((32, 32, 2), (2, 1, 0), 2, 1, True, 2),
        ((2, 1, 2), (1, 0, 2), 0, 0, False, 4),
        ((8, 16, 16), (1, 0, 2), 1, 2, True, 4),
    ],
)
def test_any_order_of_axes(shape, order, axis, other, reverse, warps):
    x = np.random.default_rng(1).integers(-50, 50, shape).astype(np.int32)
    p = x.transpose(order)
    mixed = p * 2 + p.sum(axis, keepdims=True) - p.max(other, keepdims=True)
    flipped = np.flip(mixed, other) if reverse else mixed
    scanned = np.cumsum(flipped, other)
    scanned = np.flip(scanned, other) if reverse else scanned
    cubes, places, lines = wt.zeros(x.size, "i32"), wt.zeros(x.size, "i32"), wt.zeros(x.size, "i32")
    turned[(1,)](wt.array(x.reshape(-1)), cubes, places, lines, *shape, *order, axis, other, reverse, num_warps=warps)
    least, line = p.argmin(axis).reshape(-1), scanned.sum(2).sum(0)
    np.testing.assert_array_equal(cubes.numpy(), scanned.transpose(2, 0, 1).reshape(-1))
    np.testing.assert_array_equal(places.numpy()[: least.size], least)
    np.testing.assert_array_equal(lines.numpy()[: line.size], line)


@triton.autotune(configs=[triton.Config({"BLOCK": b}) for b in (1 << 19, 256)], key=["n"])
@triton.jit
def with_a_huge_block(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.sqrt(tl.load(x + at, mask=at < n)), mask=at < n)


def test_autotune_passes_over_what_has_no_room():
    x = wt.array(np.ones(100, np.float32))
    with_a_huge_block[(1,)](x, 100)
    assert with_a_huge_block.best_config.kwargs["BLOCK"] == 256
    with pytest.raises(wt.Refused, match="524288 elements"):
        with_a_huge_block.fn[(1,)](x, 100, BLOCK=1 << 19)


def test_a_batch_is_one_submit():
    from wgpt.gpu import default_device

    device = default_device()
    x, y = wt.array(np.arange(100, dtype=np.float32)), wt.empty(100)
    before = device.submits
    with wt.batch():
        doubled[(2,)](x, y, 100, BLOCK=64)
        z = wt.zeros(100)
        doubled[(2,)](y, z, 50, BLOCK=64)
        doubled[(1,)](z, z, 20, BLOCK=128)
        assert device.submits == before
    assert device.submits == before + 1
    np.testing.assert_array_equal(z.numpy(), np.arange(100) * np.repeat([8, 4, 0], [20, 30, 50]))


def test_reading_and_tuning_inside_a_batch():
    x, y = wt.array(np.arange(100, dtype=np.float32)), wt.zeros(100, "i32")
    with wt.batch():
        doubled[(2,)](x, x, 100, BLOCK=64)
        np.testing.assert_array_equal(x.numpy(), 2 * np.arange(100))
        tuned[(1,)](y, 90)  # a size that was not tuned yet
        wt.synchronize()
        doubled[(2,)](y, y, 100, BLOCK=64)
    np.testing.assert_array_equal(y.numpy(), 4 * np.arange(100) * (np.arange(100) < 90))


def test_torch_tensors_in_a_batch():
    torch = pytest.importorskip("torch")
    x, y = torch.arange(100, dtype=torch.float32), torch.zeros(100)
    with wt.batch():
        doubled[(2,)](x, y, 100, BLOCK=64)
        doubled[(2,)](y, y, 50, BLOCK=64)
        doubled[(1,)](y[90:], y[90:], 10, BLOCK=64)
        assert not y.any()
    torch.testing.assert_close(y, x * torch.tensor([4.0] * 50 + [2.0] * 40 + [4.0] * 10))
    with pytest.raises(wt.Refused, match="was changed inside"), wt.batch():
        doubled[(2,)](x, y, 100, BLOCK=64)
        x += 1


def test_prints_and_assertions_come_at_the_end_of_a_batch(capsys):
    x = wt.array(np.array([0.5, 2.5], np.float32))
    with pytest.raises(AssertionError, match="too large"):
        with wt.batch():
            talking[(1,)](x, BLOCK=2)
            doubled[(1,)](x, x, 2, BLOCK=2)
            talking[(1,)](x, BLOCK=2)
            assert "value" not in capsys.readouterr().out
    printed = capsys.readouterr().out
    assert "idx (1) value: 2.5" in printed and "idx (1) value: 5.0" in printed
