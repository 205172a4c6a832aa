"""A mixture of experts parallel to a feed-forward; both, and the router, have their own norms.

y = norm(norm_1(ffn(x)) + norm_2(experts(pre_2(x)))), where the last norm is the layer's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..formats.family import Row
from ..gpu import Tensor
from ..ops.experts import Experts, mixture
from ..ops.forward import Forward
from .config import Config
from .mixture import expert_weights
from .parts import Parts

# The norms by part: Hugging Face's name and GGUF's.
_NORMS = {
    "ffn_norm_1": ("post_feedforward_layernorm_1", "post_ffw_norm_1"),
    "experts_norm": ("pre_feedforward_layernorm_2", "pre_ffw_norm_2"),
    "ffn_norm_2": ("post_feedforward_layernorm_2", "post_ffw_norm_2"),
}


def parallel_expert_rows(c: Config, i: int) -> Iterator[Row]:
    """The tensors of the i-th layer, except the experts' matrices."""
    assert c.mixture is not None
    at, gguf = f"model.layers.{i}.", f"blk.{i}."
    for part, (name, gguf_name) in _NORMS.items():
        yield Row(part, at + name, gguf + gguf_name, (c.hidden,), layer=i)
    yield Row(
        "router_norm", f"{at}router.scale", f"{gguf}ffn_gate_inp", (c.hidden,), layer=i, bare=True, gguf_end="scale"
    )
    factors = (f"{at}router.per_expert_scale", f"{gguf}ffn_down_exps", (c.mixture.experts,))
    yield Row("expert_factors", *factors, layer=i, bare=True, gguf_end="scale")


@dataclass(frozen=True, eq=False)
class ParallelExperts:
    experts: Experts
    router_norm: Tensor
    before: Tensor
    after: Tensor
    ffn_after: Tensor

    @classmethod
    def of(cls, parts: Parts, c: Config) -> ParallelExperts:
        assert c.mixture is not None
        experts = expert_weights(c.mixture, parts, 1.0)
        # The router reads its norm divided by sqrt(hidden).
        router = replace(experts.router, scale=c.hidden**-0.5)
        experts = replace(experts, router=router, factors=parts.vector("expert_factors"))
        vectors = ("router_norm", "experts_norm", "ffn_norm_2", "ffn_norm_1")
        return cls(experts, *(parts.vector(part) for part in vectors))

    def plus(self, f: Forward, x: Tensor, y: Tensor, eps: float) -> Tensor:
        """norm_1(y) + norm_2(experts(x)), where y is the feed-forward of x."""
        routed = f.rmsnorm(x, self.router_norm, eps)
        more = mixture(f, f.rmsnorm(x, self.before, eps), self.experts, None, routed)
        first, second = (f.rmsnorm(y, self.ffn_after, eps), f.rmsnorm(more, self.after, eps))
        return f.add(f.value(first), f.value(second))
