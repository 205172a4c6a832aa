"""Pictures without a library: lines and letters on a canvas of pixels, and the PNG file they make."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Colour = tuple[int, int, int]

# Letters as strokes: corners (x, y) on a grid of 5 x 9, capitals from 0 to 6; `/` lifts the pen.
_STROKES = {
    "A": "06 20 46/14 34",
    "B": "06 00 30 41 42 33 03/33 44 45 36 06",
    "C": "41 30 10 01 05 16 36 45",
    "D": "06 00 20 42 44 26 06",
    "E": "40 00 06 46/03 33",
    "F": "40 00 06/03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06/40 46/03 43",
    "I": "10 30/20 26/16 36",
    "J": "40 45 36 16 05",
    "K": "00 06/40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10/24 46",
    "R": "06 00 30 41 42 33 03/23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40/20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46/40 06",
    "Y": "00 23 40/23 26",
    "Z": "00 40 06 46",
    "a": "12 32 43 46/44 14 05 16 36 45",
    "b": "00 06/03 12 32 43 45 36 16 05",
    "c": "43 32 12 03 05 16 36 45",
    "d": "40 46/43 32 12 03 05 16 36 45",
    "e": "04 44 43 32 12 03 05 16 36 45",
    "f": "40 30 21 26/12 32",
    "g": "43 32 12 03 05 16 36 45/42 47 38 18 07",
    "h": "00 06/03 12 32 43 46",
    "i": "22 26/20 20",
    "j": "22 27 18/20 20",
    "k": "00 06/32 04 36",
    "l": "20 26",
    "m": "02 06/03 12 23 26/23 32 43 46",
    "n": "02 06/03 12 32 43 46",
    "o": "12 32 43 45 36 16 05 03 12",
    "p": "02 08/03 12 32 43 45 36 16 05",
    "q": "42 48/43 32 12 03 05 16 36 45",
    "r": "02 06/03 12 32",
    "s": "42 12 03 14 34 45 36 06",
    "t": "10 15 26 36/02 32",
    "u": "02 05 16 36 45/42 46",
    "v": "02 26 42",
    "w": "02 16 24 36 42",
    "x": "02 46/42 06",
    "y": "02 26/42 26 18 08",
    "z": "02 42 06 46",
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26/16 36",
    "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 23/33 44 45 36 16 05",
    "4": "36 30 04 44",
    "5": "40 00 03 33 44 45 36 16 05",
    "6": "30 10 01 05 16 36 45 44 33 13 04",
    "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "16 36 45 41 30 10 01 02 13 33 42",
    " ": "",
    ".": "26 26",
    ",": "25 26 17",
    ":": "23 23/26 26",
    "-": "13 33",
    "+": "13 33/22 24",
    "=": "02 42/04 44",
    "_": "07 47",
    "/": "06 40",
    "(": "30 21 25 36",
    ")": "10 21 25 16",
    "%": "06 40/00 10 11 01 00/35 45 46 36 35",
}
_UNKNOWN = "00 40 46 06 00"
_ADVANCE = 6  # from one letter to the next, on the grid


class Canvas:
    """Points are in pixels, (0, 0) at the top left."""

    def __init__(self, width: int, height: int, paper: Colour = (255, 255, 255)) -> None:
        self.pixels = np.empty((height, width, 3), np.float32)
        self.pixels[:] = paper

    def lines(self, paths: Sequence[Sequence[Point]], colour: Colour, width: float = 1.5, alpha: float = 1.0) -> None:
        """Connected lines, smooth at the edges; where they cross, the colour is no stronger."""
        cover = np.zeros(self.pixels.shape[:2], np.float32)
        for path in paths:
            for one, other in zip(path, path[1:] or path, strict=False):
                _cover(cover, one, other, width / 2)
        self.pixels += (alpha * cover)[..., None] * (np.array(colour, np.float32) - self.pixels)

    def text(self, at: Point, text: str, colour: Colour, size: float = 12, anchor: float = 0.0) -> None:
        """`size` is the height of capitals, `at` the left end of their foot; anchor 0.5 centres, 1 ends there."""
        unit = size / 6
        left = at[0] - anchor * text_width(text, size)
        paths = []
        for i, letter in enumerate(text):
            for stroke in _STROKES.get(letter, _UNKNOWN).split("/"):
                corners = [(int(c[0]), int(c[1])) for c in stroke.split()]
                paths.append([(left + unit * (_ADVANCE * i + x), at[1] + unit * (y - 6)) for x, y in corners])
        self.lines([path for path in paths if path], colour, max(1.2, size / 8))

    def png(self) -> bytes:
        """The file."""
        pixels = np.clip(self.pixels + 0.5, 0, 255).astype(np.uint8)
        height, width = pixels.shape[:2]
        rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter: none
        rows[:, 1:] = pixels.reshape(height, -1)
        head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def text_width(text: str, size: float) -> float:
    return size / 6 * (_ADVANCE * len(text) - 2)


def _cover(cover: NDArray[np.float32], one: Point, other: Point, radius: float) -> None:
    """How much of each pixel a line covers, by its distance from the pixel's middle."""
    (x0, y0), (x1, y1) = one, other
    reach = radius + 1
    left, right = max(0, int(min(x0, x1) - reach)), min(cover.shape[1], int(max(x0, x1) + reach) + 2)
    top, bottom = max(0, int(min(y0, y1) - reach)), min(cover.shape[0], int(max(y0, y1) + reach) + 2)
    if left >= right or top >= bottom:
        return
    x = np.arange(left, right, dtype=np.float32)[None, :] + 0.5 - np.float32(x0)
    y = np.arange(top, bottom, dtype=np.float32)[:, None] + 0.5 - np.float32(y0)
    dx, dy = x1 - x0, y1 - y0
    along = np.clip((x * dx + y * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
    distance = np.hypot(x - along * dx, y - along * dy)
    part = cover[top:bottom, left:right]
    np.maximum(part, np.clip(radius + 0.5 - distance, 0, 1), out=part)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
