"""Gradient of C = A B with respect to A."""

from .plain_matmul import PlainMatmul


class GemmBackwardA(PlainMatmul):
    name = "gemm_backward_a"
    math = "dA[m,k] = sum_n dC[m,n] * B[k,n]   (bindings: a = dC, b = B, y = dA)"
    sizes = ("m", "k", "n")
    trans_b = True


KERNEL = GemmBackwardA()
