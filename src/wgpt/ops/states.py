"""Layers with a state of fixed size for each sequence, in a model's forward."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpu import Tensor
from ..kernels.states.delta_rule import heads as delta_heads
from .forward import Forward


@dataclass(frozen=True, eq=False)
class ShortConvolution:
    """Weights of a gated short convolution: `taps` [columns, taps]."""

    taps: Tensor


@dataclass(frozen=True, eq=False)
class GatedDelta:
    """Weights of a gated delta rule: taps [columns, taps], rates [2, v heads] (delta_rule.py), a gain of normed heads.

    Projections are q, k and v, which are convolved; then gates of the results, and b and a of each v head.
    """

    taps: Tensor
    rates: Tensor
    gain: Tensor
    eps: float
    k_heads: int
    v_heads: int
    k_dim: int
    v_dim: int
    tiled: bool


StateWeights = ShortConvolution | GatedDelta


def with_state(f: Forward, at: int, x: Tensor, weights: StateWeights) -> Tensor:
    """What a layer makes of its projections x, before the last one; `at`: its number among those with a state."""
    if isinstance(weights, ShortConvolution):
        (state,) = f.state(at)
        return _convolved(f, x, weights.taps, state, x.shape[1] // 3, gated=True)
    rows, stride, v_rows = *x.shape, weights.v_heads * weights.v_dim
    columns = 2 * weights.k_heads * weights.k_dim + v_rows
    inputs, state = f.state(at)
    mixed = _convolved(f, x, weights.taps, inputs, columns, gated=False)
    sizes = delta_heads(weights.k_heads, weights.v_heads, weights.k_dim, weights.v_dim)
    problem = sizes | {"rows": rows, "slots": state.shape[0], "tiled": weights.tiled}
    problem |= {"stride": stride, "at": columns + v_rows}
    tensors = {"x": mixed, "gates": x, "rows": f.rows.places, "rates": weights.rates, "state": state}
    y = f.apply("delta_rule", problem, **tensors)["y"]
    norm = {"rows": rows * weights.v_heads, "hidden": weights.v_dim, "heads": weights.v_heads, "eps": weights.eps}
    norm |= {"stride": stride, "at": columns}
    heads = y.reshape(rows * weights.v_heads, weights.v_dim)
    return f.apply("gated_norm", norm, x=heads, g=weights.gain, gates=x)["y"].reshape(rows, v_rows)


def _convolved(f: Forward, x: Tensor, taps: Tensor, state: Tensor, n: int, *, gated: bool) -> Tensor:
    problem = {"rows": x.shape[0], "slots": state.shape[0], "n": n, "stride": x.shape[1], "taps": taps.size // n}
    problem |= {"gated": gated, "silu": not gated}
    return f.apply("short_conv", problem, x=x, rows=f.rows.places, w=taps, state=state)["y"]
