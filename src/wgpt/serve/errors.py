"""Errors as HTTP responses: in OpenAI's shape, and in Anthropic's."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..core.errors import WgptError
from ..engine.errors import ContextError, EngineError, QueueFullError
from ..engine.options import Options
from ..formats.chat import ChatError
from ..gpu import AllocationError, DeviceLostError

INVALID, SERVER = "invalid_request_error", "server_error"
CONTEXT_LENGTH = "context_length_exceeded"
_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_ANTHROPIC_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
}
_OPTIONS = {option.name for option in fields(Options)} | {"n", "priority"}


class ApiError(Exception):
    """An error response: HTTP status, message, and the field that caused it.

    `retry_after`: seconds until a retry makes sense. `anthropic_message`: the message for Anthropic's API, if it
    differs.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        type: str | None = None,
        retry_after: float | None = None,
        anthropic_message: str | None = None,
    ) -> None:
        super().__init__(message)
        self.anthropic_message = anthropic_message
        self.status, self.message, self.param, self.code = status, message, param, code
        self.type = type or _TYPES.get(status) or (INVALID if status < 500 else SERVER)
        self.retry_after = retry_after

    def openai(self, request_id: str = "") -> dict[str, Any]:
        """The body of a response, or the data of a stream's event."""
        error = {"message": self.message, "type": self.type, "param": self.param, "code": self.code}
        return {"error": {**error, "request_id": request_id} if request_id else error}

    def anthropic(self, request_id: str = "") -> dict[str, Any]:
        kind = _ANTHROPIC_TYPES.get(self.status) or (INVALID if self.status < 500 else "api_error")
        body = {"type": "error", "error": {"type": kind, "message": self.anthropic_message or self.message}}
        return {**body, "request_id": request_id} if request_id else body

    def headers(self) -> dict[str, str]:
        headers = {} if self.retry_after is None else {"retry-after": str(max(1, round(self.retry_after)))}
        return {**headers, "www-authenticate": "Bearer"} if self.status == 401 else headers


def too_long(tokens: int | str, most: int, what: str, why: str = "") -> ApiError:
    """The error for a prompt that does not fit, worded like OpenAI's and Anthropic's, because clients recognise it by
    that.

    `what`: the field that is too long. `why`: further explanation.
    """
    message = (
        f"This model's maximum context length is {most} tokens. However, your {what} resulted in {tokens} tokens. "
        f"Please reduce the length of the {what}."
    )
    claude = f"prompt is too long: {tokens} tokens > {most} maximum"
    more = f" ({why})" if why else ""
    return ApiError(400, message + more, param=what, code=CONTEXT_LENGTH, anthropic_message=claude + more)


def api_error(error: WgptError) -> ApiError:
    """An error of the engine or of a prompt, with the HTTP status that tells a client how to react."""
    message = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ContextError) and error.most:
        return too_long(error.tokens, error.most, "prompt", message)
    if isinstance(error, QueueFullError):
        return ApiError(429, message, code="queue_full", retry_after=1)
    if isinstance(error, EngineError | DeviceLostError | AllocationError):
        return ApiError(503, message, code="engine_failed", retry_after=5)
    if isinstance(error, ChatError):
        return ApiError(400, message, param="messages")
    name = message.split(maxsplit=1)[0].rstrip(":")
    return ApiError(400, message, param=name if name in _OPTIONS else None)
