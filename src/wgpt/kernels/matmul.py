"""C = A B of two plain f32 matrices."""

from .plain_matmul import PlainMatmul


class Matmul(PlainMatmul):
    name = "matmul"
    math = "y[m,n] = sum_k a[m,k] * b[k,n]"


KERNEL = Matmul()
