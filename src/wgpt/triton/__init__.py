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
    Python numbers; constexprs. `num_warps` becomes 32 threads each, within the adapter's limits.

What cannot be compiled raises `wgpt.ttir.Refused` with the kernel, the line and the reason; nothing runs then.

How it works: wgpt.triton_backend is Triton's plug-in; wgpt.ttir lowers TTIR to WGSL and needs no Triton;
wgpt.ttir.artifact keeps what was compiled (WGSL and JSON) and records it into Programs like any other kernel.
"""

from __future__ import annotations

try:
    import triton
except ImportError as e:  # pragma: no cover - depends on the installation
    raise ImportError("wgpt.triton needs Triton: pip install 'wgpt[triton]' (Linux; artifacts run anywhere)") from e

from ..triton_backend.driver import WebGPUDriver
from ..triton_backend.launcher import synchronize
from ..ttir import Refused
from .arrays import Array, Wrapped, array, empty, wrap, zeros

triton.runtime.driver.set_active(WebGPUDriver())

__all__ = ["Array", "Refused", "Wrapped", "array", "empty", "synchronize", "wrap", "zeros"]
