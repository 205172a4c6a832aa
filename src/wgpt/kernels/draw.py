"""Random operands of several kinds. A case selects by name values that are likely to expose errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]


def _extreme(rng: np.random.Generator, shape: Shape) -> NDArray[np.float64]:
    """Values from -1e4 to 1e4, both ends included: exp of them overflows f32."""
    ends = rng.choice([-1e4, 1e4], shape)
    return np.where(rng.random(shape) < 0.1, ends, rng.uniform(-1e4, 1e4, shape))


def _masked(rng: np.random.Generator, shape: Shape) -> NDArray[np.float64]:
    """Normally distributed, except that one element of each row is close to the most negative f32."""
    x = rng.standard_normal(shape)
    np.put_along_axis(x, rng.integers(0, shape[-1], (*shape[:-1], 1)), -3e38, axis=-1)
    return x


KINDS: dict[str, Callable[[np.random.Generator, Shape], NDArray[np.float64]]] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "small": lambda rng, shape: 1e-4 * rng.standard_normal(shape),
    "extreme": _extreme,
    "huge": lambda rng, shape: rng.uniform(-1e5, 1e5, shape),
    "enormous": lambda rng, shape: rng.uniform(-1e9, 1e9, shape),
    "blank": lambda rng, shape: rng.standard_normal(shape) * (rng.random((*shape[:-1], 1)) < 0.5),
    "negative": lambda rng, shape: rng.uniform(-6.0, -3.0, shape),
    "offset": lambda rng, shape: 1000.0 + rng.standard_normal(shape),
    "swings": lambda rng, shape: rng.choice([-80.0, 80.0], shape) + rng.standard_normal(shape),
    "masked": _masked,
}


def draw(rng: np.random.Generator, shape: Shape, kind: str = "normal") -> NDArray[np.float32]:
    return KINDS[kind](rng, shape).astype(np.float32)
