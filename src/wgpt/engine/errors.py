"""Why the engine refuses a request, or ends one."""

from __future__ import annotations

from ..gpu import WgptError


class ContextError(WgptError, ValueError):
    """More tokens than the context length or the KV cache allows."""


class QueueFullError(WgptError):
    """Too many requests are waiting: try again later."""


class EngineError(WgptError):
    """The engine is closed, or an error of the GPU ended it."""


class RequestTimeoutError(WgptError, TimeoutError):
    """The caller does not want to wait any longer; the request goes on."""
