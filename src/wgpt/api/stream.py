"""Text as it is generated, and the reservation of the model meanwhile."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from ..infer.generate import Generation
from ..infer.turns import Reservation, Turns


class Stream:
    """An iterator over text as it is generated. After the last piece, `completion` has the details.

    From its first piece to its last, a stream reserves the model: generation in other threads waits until it is
    read to the end, closed, dropped, or not read for a minute (infer.turns.ABANDONED_SECONDS). In the thread that reads
    it, another generation does not wait; the stream then raises a WgptError when it is read again.

    >>> stream = model.stream("The capital of France is", max_tokens=2)
    >>> pieces = list(stream)                                        # or print each as it comes
    >>> "".join(pieces) == stream.completion.text
    True
    """

    def __init__(self, generation: Generation, turns: Turns) -> None:
        self._turns, self._reservation = turns, Reservation()
        self._pieces = _texts(generation, self._reservation)
        self.completion = generation.completions[0]

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        with self._turns.piece(self._reservation):
            return next(self._pieces)

    def close(self) -> None:
        """Stop generating. The text so far stays in `completion`, and in the KV cache."""
        with self._turns.call():
            self._pieces.close()


def _texts(generation: Generation, reservation: Reservation) -> Generator[str]:
    """The pieces; the reservation ends when nothing uses the session any more, even if the stream is dropped."""
    try:
        with closing(iter(generation)) as pieces:
            for _, text in pieces:
                yield text
    finally:
        reservation.ended = True
