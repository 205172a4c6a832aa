"""Searches for the scales with the least error, for many groups of weights at once.

Arrays are [n, groups]: a column is a group's n weights, so that sums over groups add whole rows. `w` weights the
errors. The search steps are llama.cpp's, for comparable files.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

TINY = np.float32(1e-15)  # groups with no larger magnitude become zeros
_ROUNDS = 5  # most passes of changing single codes


def quotient(a: F32, b: F32) -> F32:
    """a / b; 0 where b is 0."""
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape), np.float32), where=b != 0)


def inverse(steps: float | np.float32, span: F32) -> F32:
    """steps / span."""
    return np.divide(np.float32(steps), span, dtype=np.float32)


def _shifted(most: int, step: int) -> np.float32:
    """Trial values around `most`, in tenths of `step`."""
    return np.float32(most) + np.float32(0.1) * np.float32(step)


def rounded(x: F32, low: float, high: float) -> F32:
    """Round to integers within low .. high, overwriting x."""
    np.rint(x, out=x)
    np.maximum(x, np.float32(low), out=x)
    np.minimum(x, np.float32(high), out=x)
    return x


def largest(x: F32) -> F32:
    """The value of largest magnitude in each group, with its sign."""
    values: F32 = np.take_along_axis(x, np.abs(x).argmax(axis=0)[None], axis=0)[0]
    return values


def symmetric(x: F32, most: int, w: F32) -> tuple[F32, F32]:
    """(scale, codes) of x = scale * code, with codes from -most to most - 1: tries scales near that of the largest
    value.
    """
    top = largest(x)
    empty = np.abs(top) < TINY
    top = np.where(empty, np.float32(1), top)
    wx = w * x

    def attempt(factor: F32) -> tuple[F32, F32, F32]:
        codes = rounded(x * factor, -most, most - 1)
        return codes, (wx * codes).sum(axis=0), (w * codes * codes).sum(axis=0)

    codes, dot, square = attempt(inverse(-most, top))
    scale = quotient(dot, square)
    best = scale * dot
    for step in range(-9, 10):
        if step == 0:
            continue
        tried, dot, square = attempt(inverse(-_shifted(most, step), top))
        better = (square > 0) & (dot * dot > best * square)
        scale = np.where(better, quotient(dot, square), scale)
        best = np.where(better, scale * dot, best)
        np.copyto(codes, tried, where=better)
    codes[:, empty] = -most
    return np.where(empty, np.float32(0), scale), codes


def one_by_one(x: F32, most: int, w: F32) -> F32:
    """The scale of x = scale * code, with codes from -most to most - 1, after single codes were improved."""
    top = largest(x)
    empty = np.abs(top) < TINY
    codes = rounded(x * inverse(-most, np.where(empty, np.float32(1), top)), -most, most - 1)
    return np.where(empty, np.float32(0), _changed(x, codes, w, -most, most - 1, least_square=-1.0))


def positive(x: F32, most: int, w: F32) -> tuple[F32, F32]:
    """(scale, codes) of x = scale * code, for non-negative x and codes up to `most`."""
    top = x.max(axis=0)
    empty = top < TINY
    top = np.where(empty, np.float32(1), top)

    def error(factor: F32) -> F32:
        difference = x - rounded(x * factor, 0, most) / factor
        loss: F32 = (w * difference * difference).sum(axis=0)
        return loss

    factor = inverse(most, top)
    best = error(factor)
    for step in (-4, -3, -2, -1, 1, 2, 3, 4):
        tried = inverse(_shifted(most, step), top)
        loss = error(tried)
        factor, best = np.where(loss < best, tried, factor), np.minimum(loss, best)
    codes = rounded(x * factor, 0, most)
    scale = _changed(x, codes, w, 0, most, least_square=0.0)
    codes[:, empty] = 0
    return np.where(empty, np.float32(0), scale), codes


def _changed(x: F32, codes: F32, w: F32, low: int, high: int, least_square: float) -> F32:
    """Improve single codes in place until nothing changes; returns their best scale."""
    wx = w * x
    dot, square = (wx * codes).sum(axis=0), (w * codes * codes).sum(axis=0)
    for _ in range(_ROUNDS):
        any_changed = False
        for i in range(len(x)):
            rest_dot = dot - wx[i] * codes[i]
            rest_square = square - w[i] * codes[i] * codes[i]
            possible = (rest_dot > 0) & (rest_square > np.float32(least_square))
            code = rounded(x[i] * quotient(rest_square, rest_dot), low, high)
            new_dot, new_square = rest_dot + wx[i] * code, rest_square + w[i] * code * code
            better = possible & (code != codes[i]) & (new_square > 0)
            better &= new_dot * new_dot * square > dot * dot * new_square
            if better.any():
                any_changed = True
                np.copyto(codes[i], code, where=better)
                dot, square = np.where(better, new_dot, dot), np.where(better, new_square, square)
        if not any_changed:
            break
    return quotient(dot, square)


def with_minimum(
    x: F32, most: int, w: F32, first: float, step: float, count: int, absolute: bool = False
) -> tuple[F32, F32, F32]:
    """(scale, minimum, codes) of x = scale * code - minimum, with codes from 0 to `most` and no minimum below 0.

    Tries `count` + 1 scales from most + first on, each with the least squares of scale and minimum for its codes.
    absolute: the error is the sum of magnitudes, not of squares.
    """
    low, top = np.minimum(x.min(axis=0), np.float32(0)), x.max(axis=0)
    flat = top <= low
    sum_w, sum_x = w.sum(axis=0), (w * x).sum(axis=0)
    room = np.empty_like(x)

    def codes_of(steps: float | np.float32, low: F32) -> F32:
        span = top - low
        codes = np.subtract(x, low)
        codes *= inverse(steps, np.where(span > 0, span, np.float32(1)))
        return rounded(codes, 0, most)

    def error(codes: F32, scale: F32, low: F32) -> F32:
        np.multiply(codes, scale, out=room)
        np.add(room, low, out=room)
        np.subtract(room, x, out=room)
        (np.abs if absolute else np.square)(room, out=room)
        np.multiply(room, w, out=room)
        loss: F32 = room.sum(axis=0)
        return loss

    codes, scale = codes_of(most, low), (top - low) / np.float32(most)
    best = error(codes, scale, low)
    for i in range(count + 1):
        tried = codes_of(np.float32(first) + np.float32(step) * np.float32(i) + np.float32(most), low)
        np.multiply(w, tried, out=room)
        s1 = room.sum(axis=0)
        product = room * x
        sx = product.sum(axis=0)
        np.multiply(room, tried, out=room)
        s2 = room.sum(axis=0)
        determinant = sum_w * s2 - s1 * s1
        usable = determinant > 0
        new_scale = quotient(sum_w * sx - sum_x * s1, determinant)
        new_low = quotient(s2 * sum_x - s1 * sx, determinant)
        above = new_low > 0
        new_scale = np.where(above, quotient(sx, s2), new_scale)
        new_low = np.where(above, np.float32(0), new_low)
        loss = error(tried, new_scale, new_low)
        better = usable & (loss < best)
        best, scale, low = (
            np.where(better, loss, best),
            np.where(better, new_scale, scale),
            np.where(better, new_low, low),
        )
        np.copyto(codes, tried, where=better)
    codes[:, flat] = 0
    return np.where(flat, np.float32(0), scale), -low, codes
