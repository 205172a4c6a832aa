"""Why the engine refuses a request, or ends one."""

from __future__ import annotations

from ..core.errors import WgptError


class ContextError(WgptError, ValueError):
    """More tokens than the context length or the KV cache allows; or none.

    `tokens`: how many there are, and `most`: how many there may be, if they are too many.
    """

    def __init__(self, message: str, tokens: int = 0, most: int = 0) -> None:
        super().__init__(message)
        self.tokens, self.most = tokens, most


class QueueFullError(WgptError):
    """Too many requests are waiting: try again later."""


class EngineError(WgptError):
    """The engine is closed, or an error of the GPU ended it."""


class RequestCancelledError(WgptError):
    """The request was cancelled before it had a result."""


class GrammarError(WgptError, ValueError):
    """A grammar that is invalid, unsupported or too complex; the message names the keyword or the place."""


class RequestTimeoutError(WgptError, TimeoutError):
    """The caller does not want to wait any longer; the request goes on."""


def check_length(tokens: int, context: int, name: str = "prompt") -> None:
    """Refuse a prompt that is longer than the context."""
    if tokens > context:
        raise ContextError(
            f"the {name} has {tokens} tokens, but the context length is {context}: shorten the {name}, or load the "
            "model with a longer context if it supports one",
            tokens,
            context,
        )
