"""C = A B of plain f32 matrices and its gradients: one template, three transpositions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from . import tiles


class PlainMatmul(Kernel):
    """y[m, n] = sum over k of A and B, where m, n and k are the *template's* sizes.

    `sizes` maps a problem's m, k, n (as in C[m,n] = A[m,k] B[k,n]) to the template's, so that the backward kernels
    can use the names of the equation.
    """

    sizes = ("m", "n", "k")  # the problem's names of the template's m, n, k
    trans_a = trans_b = False
    bindings = (reads("a", vec4_if("a_load"), ""), reads("b", vec4_if("b_load"), ""), writes("y", vec4_if("store")))
    params = (("m", "u32"), ("n", "u32"), ("k", "u32"))
    cases = (
        case("whole tiles", m=128, k=64, n=128),
        case("nothing is a multiple of anything", m=37, k=203, n=67),
        case("vec4 rows, ragged tiles", m=44, k=36, n=132),
        case("one row", m=1, k=515, n=40),
        case("one column, K below a quad", m=6, k=3, n=1),
        case("all ones but K", m=1, k=1000, n=1),
    )
    bench_cases = (
        BenchCase({"m": 2048, "k": 576, "n": 1536}, "SmolLM2 up, 4x512 tokens", software=False),
        BenchCase({"m": 4096, "k": 4096, "n": 4096}, "4096^3", software=False),
        BenchCase({"m": 128, "k": 576, "n": 576}, "SmolLM2 q, 128 tokens", software=True),
    )

    def template_sizes(self, problem: Problem) -> tuple[int, int, int]:
        m, n, k = (int(problem[name]) for name in self.sizes)
        return m, n, k

    def _shapes(self, problem: Problem) -> tuple[tuple[int, int], tuple[int, int]]:
        m, n, k = self.template_sizes(problem)
        return ((k, m) if self.trans_a else (m, k)), ((n, k) if self.trans_b else (k, n))

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        a, b = self._shapes(problem)
        return {
            "a": rng.standard_normal(a).astype(np.float32),
            "b": rng.standard_normal(b).astype(np.float32),
        }

    def operands(self, problem: Problem) -> dict[str, Out]:
        a, b = self._shapes(problem)
        return {"a": Out(a), "b": Out(b)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        m, n, _ = self.template_sizes(problem)
        return {"y": Out((m, n))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a: NDArray[np.float64] = inputs["a"].astype(np.float64)
        b: NDArray[np.float64] = inputs["b"].astype(np.float64)
        return {"y": (a.T if self.trans_a else a) @ (b.T if self.trans_b else b)}

    def flops(self, problem: Problem) -> int:
        m, n, k = self.template_sizes(problem)
        return 2 * m * n * k

    def bytes(self, problem: Problem) -> int:
        m, n, k = self.template_sizes(problem)
        return 4 * (m * k + k * n + m * n)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        m, n, k = self.template_sizes(problem)
        wide = {
            "a_load": "vec4" if (m if self.trans_a else k) % 4 == 0 else "scalar",
            "b_load": "vec4" if (k if self.trans_b else n) % 4 == 0 else "scalar",
            "store": "vec4" if n % 4 == 0 else "scalar",
        }
        scalar = dict.fromkeys(wide, "scalar")
        accesses = [wide] if wide == scalar else [wide, scalar]
        return [{**style, **access} for style in tiles.styles(traits, m, n) for access in accesses]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        m, n, k = self.template_sizes(problem)
        rows = {"a_load": m if self.trans_a else k, "b_load": k if self.trans_b else n, "store": n}
        for access, length in rows.items():
            if variant[access] == "vec4" and length % 4:
                return f"vec4 access ({access}) needs rows of a multiple of 4, and they have {length}"
        return tiles.too_large(m, n, variant)

    def template(self, variant: Variant) -> str:
        return "matmul.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"trans_a": self.trans_a, "trans_b": self.trans_b}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        return dict(zip("mnk", self.template_sizes(problem), strict=True))

    def tune_key(self, problem: Problem) -> str:
        m, n, _ = self.template_sizes(problem)
        return in_fours(m, n)

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        m, n, _ = self.template_sizes(problem)
        return tiles.grid(m, n, variant)


class Matmul(PlainMatmul):
    """C = A B of two plain f32 matrices."""

    name = "matmul"
    math = "y[m,n] = sum_k a[m,k] * b[k,n]"


class GemmBackwardA(PlainMatmul):
    """Gradient of C = A B with respect to A."""

    name = "gemm_backward_a"
    math = "dA[m,k] = sum_n dC[m,n] * B[k,n]   (bindings: a = dC, b = B, y = dA)"
    sizes = ("m", "k", "n")
    trans_b = True


class GemmBackwardB(PlainMatmul):
    """Gradient of C = A B with respect to B."""

    name = "gemm_backward_b"
    math = "dB[k,n] = sum_m A[m,k] * dC[m,n]   (bindings: a = A, b = dC, y = dB)"
    sizes = ("k", "n", "m")
    trans_a = True


KERNELS = (Matmul(), GemmBackwardA(), GemmBackwardB())
