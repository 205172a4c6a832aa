"""Arguments are checked against annotations: a mismatch is a one-line error that names the argument."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wgpt.core.arguments import brief
from wgpt.core.errors import PreconditionError
from wgpt.gpu.typed import typed_methods


class Thing:
    pass


@typed_methods
class Example:
    def __init__(self, thing: Thing | None = None) -> None: ...

    def whole(self, n: int, *names: str, **things: Thing) -> int:
        return n

    def array(self, values: NDArray[Any], shape: tuple[int, ...] = ()) -> None: ...

    def several(self, things: Sequence[Thing]) -> None: ...

    def anything(self, value: Any, function: Sequence[Sequence[int]]) -> None: ...

    @classmethod
    def open(cls, name: str) -> str:
        return name

    async def later(self, n: int) -> int:
        return n


def test_what_fits_goes_through() -> None:
    example = Example(Thing())
    assert example.whole(np.int64(3), "a", x=Thing()) == 3 and Example.open("x") == "x"
    assert asyncio.run(example.later(2)) == 2
    example.array(np.zeros(2), [1, 2])
    example.several([Thing()])
    example.anything(object, None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Example(5), r"thing must be a Thing, not 5 \(int\)"),
        (lambda: Example().whole("2"), r"n must be a whole number, not '2' \(str\)"),
        (lambda: Example().whole(n=True), "n must be a whole number, not True"),
        (lambda: Example().whole(1, b"a"), r"names must be a text, not b'a' \(bytes\)"),
        (lambda: Example().whole(1, y=None), "y must be a Thing, not None"),
        (lambda: Example().array([1]), "values must be a NumPy array"),
        (lambda: Example().array(np.zeros(2), (1.5,)), "shape must be a tuple of sizes"),
        (lambda: Example().several([1]), "things must be a list, each a Thing"),
        (lambda: Example.open(np.zeros((3, 3))), r"name must be a text, not an array \(3, 3\) float64"),
        (lambda: asyncio.run(Example().later(None)), "n must be a whole number, not None"),
    ],
)
def test_what_does_not_is_named(call, message: str) -> None:
    with pytest.raises(PreconditionError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_values_are_brief() -> None:
    assert brief("x" * 5000) == "'" + "x" * 56 + "..." and "\n" not in brief([np.zeros((9, 9))])
