"""Operations on NumPy arrays. Each exists as a function and as an `..._async` coroutine.

Work below `gpu_min_size()` elements runs on the CPU; `wgpt.use("gpu")` or `wgpt.use("cpu")` decides otherwise.
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
from .linear import MatmulCache, Weight, linear, linear_async, matmul, matmul_async
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
from .where import gpu_min_size, should_use_gpu, use

__all__ = [name for name in dir() if not name.startswith("_")]
