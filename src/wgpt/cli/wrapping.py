"""Wraps text that arrives in pieces between words, at the width of the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from rich.cells import cell_len

_TAB = 8


class WordWrap:
    """Writes each word as soon as it is complete; `finish` writes the last one.

    >>> lines = []
    >>> wrapped = WordWrap(lines.append, lambda: 10)
    >>> for piece in ("one tw", "o three"):
    ...     wrapped(piece)
    >>> wrapped.finish()
    >>> "".join(lines)
    'one two\\nthree'
    """

    def __init__(self, write: Callable[[str], object], width: Callable[[], int] | None = None) -> None:
        self._write = write
        self._width = width or (lambda: shutil.get_terminal_size().columns)
        self._column = 0
        self._goes_on = False  # whether the beginning of the current word is written already
        self._space = self._word = ""  # not written yet: a word, after its space

    def __call__(self, piece: str) -> None:
        for character in piece:
            if character == "\n":
                self._put_word()
                self._write(self._space + "\n")
                self._column, self._space, self._goes_on = 0, "", False
            elif character.isspace() and character != "\u00a0":
                self._put_word()
                self._space += character
                self._goes_on = False
            elif cell_len(character) > 1:  # a line may break before and after an ideograph
                self._put_word()
                self._word = character
                self._put_word()
            else:
                self._word += character
                if len(self._word) >= self._width():  # too long for any line: let the terminal break it
                    self._put_word()
                    self._goes_on = True

    def finish(self) -> None:
        self._put_word()

    def _put_word(self) -> None:
        if not self._word:
            return
        space = sum(_TAB if character == "\t" else 1 for character in self._space)
        width, cells = self._width(), cell_len(self._word)
        if self._column and self._column + space + cells > width and not self._goes_on:
            self._write("\n" + self._word)
            self._column = cells
        else:
            self._write(self._space + self._word)
            self._column += space + cells
        self._column = self._column % width or width if self._column > width else self._column
        self._space = self._word = ""
