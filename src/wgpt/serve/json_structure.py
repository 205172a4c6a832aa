"""How many values a JSON body has, counted while it arrives: millions of tiny ones are refused before they are parsed.

A parser cannot be interrupted, and what handlers do with an object or a string takes a thousand times as long as
reading a byte of it.
"""

from __future__ import annotations

import re

# A string up to its closing quote, or to the end of the data; possessive, so that nothing is tried twice.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("?)', re.DOTALL)


class JsonStructure:
    """`parts`: strings, objects and lists; `commas`: about as many as there are values; `escapes`: backslashes, each of
    which takes a parser as long as a hundred other bytes. Invalid JSON is counted, too.

    >>> structure = JsonStructure()
    >>> structure.add(b'{"ids": [1, 2, 3], "text": "a, ')
    >>> structure.add(b'b"}')
    >>> structure.parts, structure.commas
    (5, 3)
    """

    def __init__(self) -> None:
        self.parts = self.commas = self.escapes = 0
        self._open = b""  # the beginning of an unfinished string

    def add(self, data: bytes) -> None:
        self.escapes += data.count(b"\\")
        if self._open:
            data, self.parts = self._open + data, self.parts - 1
            self._open = b""
        outside, at = [], 0
        for string in _STRING.finditer(data):
            self.parts += 1
            outside.append(data[at : string.start()])
            at = string.end()
            if not string[1]:
                self._open, at = b'"' + data[at:], len(data)  # may end with the first half of an escape
                break
        rest = b"".join(outside) + data[at:]
        self.parts += rest.count(b"{") + rest.count(b"[")
        self.commas += rest.count(b",")
