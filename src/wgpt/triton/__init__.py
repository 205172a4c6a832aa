"""Triton on WebGPU: importing this makes `kernel[grid](...)` run on wgpt's GPU device.

>>> import triton, triton.language as tl          # doctest: +SKIP
>>> import wgpt.triton as wt                      # from here on Triton compiles to WGSL
>>> x = wt.array(np.arange(1000, dtype=np.float32))
>>> y = wt.empty(1000, "f32")
>>> kernel[(8,)](x, y, 1000, BLOCK=128)
>>> y.numpy()

Arguments of a kernel
    `Array` (from `array`, `empty`, `zeros`, or `Array(tensor)` of a wgpt.Tensor): on the GPU, no copies.
    `wrap(ndarray)`, torch CPU tensors: copied in, and back out where the kernel writes. Simple, and slower.
    Python numbers; constexprs. `num_warps` becomes 32 threads each, within the GPU's limits.

Each launch is submitted by itself. `with wt.batch():` records the launches of its block and submits them once:
>>> with wt.batch():                              # doctest: +SKIP
...     kernel[(8,)](x, y, 1000, BLOCK=128)
...     other[(8,)](y, z, 1000, BLOCK=128)        # sees what the first one wrote

What cannot be compiled (f64, 8-bit floats, dot_scaled, pointers from integers, 64-bit atomics, ...) raises `Refused`
with the kernel, the line and the reason; nothing runs then. Loops that wait for another program are refused too,
unless WGPT_TRITON_LOCKS=1. With `@triton.jit(debug=True)` device_print prints and device_assert raises.

Where things are
    wgpt.ttir              the compiler: TTIR as text to WGSL. Needs no Triton, no GPU.
        compile_ttir(text, Options(...), num_warps, most_threads) -> Shader
    wgpt.ttir.artifact     what was compiled, as files: Artifact.load(path), .record(recorder, grid=..., x=tensor, n=5),
                           .save(folder), Artifact.of_ttir(text, argument_names, constants, ...)
    wgpt.triton_backend    Triton's plug-in; ahead.compile_kernel(kernel, {"x": "*fp32", "n": "i32"}, {"BLOCK": 256},
                           num_warps=4, grid=["cdiv(n, BLOCK)"]) -> Artifact
    wgpt triton            compile and explain, from the shell
"""

from __future__ import annotations

try:
    from .. import triton_backend  # noqa: F401  # imports Triton, with its own LLVM
    import triton  # isort: skip
except ImportError as e:  # pragma: no cover - depends on the installation
    raise ImportError("wgpt.triton needs Triton: pip install 'wgpt[triton]' (Linux; artifacts run anywhere)") from e

from ..triton_backend.batch import batch
from ..triton_backend.driver import WebGPUDriver
from ..triton_backend.launcher import synchronize
from ..ttir import Refused
from .arrays import Array, Wrapped, array, empty, wrap, zeros

triton.runtime.driver.set_active(WebGPUDriver())

__all__ = ["Array", "Refused", "Wrapped", "array", "batch", "empty", "synchronize", "wrap", "zeros"]
