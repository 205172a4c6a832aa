"""Operations on NumPy arrays. Each exists as a function and as an `..._async` coroutine.

Work below `gpu_min_size()` elements runs on the CPU; `wgpt.use("gpu")` or `wgpt.use("cpu")` overrides this.
Arrays larger than one binding are processed in pieces, one after the other: they must not change until an awaited
operation is done. Work that does not fit on the GPU runs on the CPU, or raises AllocationError with `use("gpu")`.

Backward functions take their inputs first and the gradient after them:

>>> x, g, dy = np.float32([[3, 4]]), np.ones(2, np.float32), np.float32([[1, 0]])
>>> dx = ops.silu_backward(x, dy)
>>> dx, dg = ops.rmsnorm_backward(x, g, dy, rows=1, hidden=2)
"""

from .batch import CommandBatch
from .elementwise import (
    add,
    add_async,
    cast,
    cast_async,
    gelu,
    gelu_async,
    layernorm,
    layernorm_async,
    mul,
    mul_async,
    rmsnorm,
    rmsnorm_async,
    scale,
    scale_async,
    silu,
    silu_async,
    silu_backward,
    silu_backward_async,
    silu_mul,
    silu_mul_async,
    softmax,
    softmax_async,
    swish,
    swish_async,
)
from .linear import MatmulCache, linear, linear_async, matmul, matmul_async
from .rotary import rope, rope_async, rope_backward, rope_backward_async
from .training import (
    adamw_step,
    adamw_step_async,
    cross_entropy_backward,
    cross_entropy_backward_async,
    cross_entropy_forward,
    cross_entropy_forward_async,
    gemm_backward_a,
    gemm_backward_a_async,
    gemm_backward_b,
    gemm_backward_b_async,
    nf4_dequant,
    nf4_dequant_async,
    rmsnorm_backward,
    rmsnorm_backward_async,
)
from .weight import SplitWeight, Weight
from .where import gpu_available, gpu_min_size, should_use_gpu, use

__all__ = [
    "CommandBatch",
    "MatmulCache",
    "SplitWeight",
    "Weight",
    "adamw_step",
    "adamw_step_async",
    "add",
    "add_async",
    "cast",
    "cast_async",
    "cross_entropy_backward",
    "cross_entropy_backward_async",
    "cross_entropy_forward",
    "cross_entropy_forward_async",
    "gelu",
    "gelu_async",
    "gemm_backward_a",
    "gemm_backward_a_async",
    "gemm_backward_b",
    "gemm_backward_b_async",
    "gpu_available",
    "gpu_min_size",
    "layernorm",
    "layernorm_async",
    "linear",
    "linear_async",
    "matmul",
    "matmul_async",
    "mul",
    "mul_async",
    "nf4_dequant",
    "nf4_dequant_async",
    "rmsnorm",
    "rmsnorm_async",
    "rmsnorm_backward",
    "rmsnorm_backward_async",
    "rope",
    "rope_async",
    "rope_backward",
    "rope_backward_async",
    "scale",
    "scale_async",
    "should_use_gpu",
    "silu",
    "silu_async",
    "silu_backward",
    "silu_backward_async",
    "silu_mul",
    "silu_mul_async",
    "softmax",
    "softmax_async",
    "swish",
    "swish_async",
    "use",
]
