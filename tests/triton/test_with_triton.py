"""The backend under Triton itself: launches, arguments, autotuning, debug mode. Skipped where Triton is missing."""

from __future__ import annotations

import runpy
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
    wanted = np.arange(300, dtype=np.float32)
    wanted[100:150] = 2 * wanted[3:53]
    np.testing.assert_array_equal(whole.numpy(), wanted)


def test_a_kernel_that_reads_what_it_overwrites():
    """All of a block is loaded before any of it is stored, also where other threads store it."""
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
    monkey = runpy.run_path(str(Path(__file__).parents[1] / "golden" / "triton" / "kernels.py"))
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
