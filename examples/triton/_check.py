"""The check at the end of every example: compare with NumPy and print the result."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray


def check(name: str, result: NDArray[Any], expected: NDArray[Any], tolerance: float) -> None:
    """Print the worst difference relative to the largest value; exit with code 1 if it is too large."""
    scale = max(1e-30, float(np.abs(expected).max()))
    worst = float(np.abs(result.astype(np.float64) - expected).max()) / scale
    passed = bool(np.isfinite(result).all()) and worst <= tolerance
    print(f"{name}: worst difference {worst:.1e} (allowed {tolerance:.0e}) {'ok' if passed else 'WRONG'}")
    if not passed:
        sys.exit(1)
