"""Gradient of C = A B with respect to B."""

from .plain_matmul import PlainMatmul


class GemmBackwardB(PlainMatmul):
    name = "gemm_backward_b"
    math = "dB[k,n] = sum_m A[m,k] * dC[m,n]   (bindings: a = A, b = dC, y = dB)"
    sizes = ("k", "n", "m")
    trans_a = True


KERNEL = GemmBackwardB()
