"""What products have around them: a bias, a residual, and wider rows of which they fill some columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..draw import draw
from ..kernel import Arrays, Problem


def random_around(rng: np.random.Generator, problem: Problem) -> Arrays:
    """Those that the problem asks for; y where it keeps some of its values."""
    m, n, width = problem["m"], problem["n"], problem["width"]
    arrays: Arrays = {}
    if problem["bias"]:
        arrays["b"] = draw(rng, (n,))
    if problem["add"]:
        arrays["r"] = draw(rng, (m, width))
    if problem.get("onto") or width != n:
        arrays["y"] = draw(rng, (m, width))
    return arrays


def with_around(y: NDArray[np.float64], inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
    """The whole rows of a result, of a product without what is around it."""
    columns = slice(problem["at"], problem["at"] + problem["n"])
    if problem["bias"]:
        y = y + inputs["b"]
    if problem["add"]:
        y = y + inputs["r"][:, columns]
    whole = inputs["y"].astype(np.float64) if "y" in inputs else np.empty((problem["m"], problem["width"]))
    whole[:, columns] = y + (whole[:, columns] if problem.get("onto") else 0.0)
    return whole
