"""A request: what the caller of the engine holds while its text is generated."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from ..core.progress import Progress
from ..gpu import forks
from .base_request import BaseRequest, Cancels
from .completion import Completion


class Request(BaseRequest[Completion]):
    """Iterate for the text as it comes, or ask for the `result()`. Also in asyncio: `async for`, and `await`.

    >>> with wgpt.Engine(model) as engine:
    ...     request = engine.submit("The capital of France is", max_tokens=2)
    ...     print(request.result())
     Paris.
    """

    def __init__(self, engine: Cancels, completion: Completion, progress: Progress | None = None) -> None:
        super().__init__(engine, progress)
        self.completion = completion
        self._pieces: deque[str] = deque()
        self._readers = 0  # that wait for the next piece of text; others wait for the end alone

    def cancel(self) -> None:
        """Stop generating; the text so far stays in `completion`. It does nothing if the request has ended."""
        super().cancel()

    def _value(self) -> Completion:
        return self.completion

    def __iter__(self) -> Iterator[str]:
        while (text := self._next()) is not None:
            if text:
                yield text
            else:
                with self._reading():
                    self._wait(self._has_more)

    def _next(self) -> str | None:
        """The text that came since the last time, perhaps none; None at the end."""
        forks.check()
        pieces = []
        while self._pieces:
            pieces.append(self._pieces.popleft())
        if not pieces and self._ended and not self._pieces:
            self._outcome()
            return None
        return "".join(pieces)

    def _has_more(self) -> bool:
        return bool(self._pieces) or self._ended

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := self._next()) is not None:
            if text:
                yield text
            else:
                with self._reading():
                    await self._wait_async(self._has_more)

    # From the engine's thread ---------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            if self._readers:  # waking a thread costs more than a token
                with self._changed:
                    self._notify()
