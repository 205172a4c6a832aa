"""Text as it is generated."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

from ..engine.request import Request
from ..gpu.process_bound import ProcessBound


class Stream(ProcessBound):
    """An iterator over text as it is generated. After the last piece, `completion` has the details.

    Generation begins at once and goes on while the text is not read; a stream that is closed or dropped stops.
    Several streams and calls may run at the same time: they are generated together.

    >>> stream = model.stream("The capital of France is", max_tokens=2)
    >>> pieces = list(stream)                                        # or print each as it comes
    >>> "".join(pieces) == stream.completion.text
    True
    """

    _way_out = "pass on its pieces instead"

    def __init__(self, request: Request) -> None:
        self._request, self.completion = request, request.completion
        self._pieces = iter(request)
        self._dropped = weakref.finalize(self, request.cancel)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Stop generating. The text so far stays in `completion`, and in the KV cache."""
        self._dropped()
        self._request.wait()
