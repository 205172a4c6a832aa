"""Reads, parses and checks request bodies without blocking other requests.

Large bodies are parsed and checked one at a time, in a thread and in parts, with a pause after each. While they arrive,
the event loop scans one of them per round. Many large bodies at once take longer, but other requests are answered in
between.
"""

from __future__ import annotations

import asyncio
import gc
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from starlette.requests import Request

from .access_log import current_record
from .errors import CONTEXT_LENGTH, ApiError
from .json_structure import JsonStructure
from .large_json import LongStringError, decoded
from .presence import ClientGone
from .settings import Limits

_LARGE = 1 << 16  # bytes: a body of messages that takes some milliseconds
_PIECE = 1 << 12  # bytes to scan at a time, in less than a millisecond
_ROUND_SECONDS = 0.001  # seconds of scanning before other requests get their turn
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # a byte order mark: some clients send one
_SURROGATE = re.compile(rb"\\u[dD][89abAB]")
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turns] = WeakKeyDictionary()
_T = TypeVar("_T")


class _Turns:
    """Per event loop: which request may parse a large body, and which may scan received bytes."""

    def __init__(self) -> None:
        self.parsing, self.looking = asyncio.Lock(), asyncio.Lock()


async def read_json(request: Request, limits: Limits) -> dict[str, Any]:
    """The body of a request as a JSON object. Raises ApiError: 400, 408, 413, 415."""
    return await read_request(request, limits, lambda body: body)


async def read_request(request: Request, limits: Limits, read: Callable[[dict[str, Any]], _T]) -> _T:
    """The result of `read` for the JSON object in a request's body. Raises what `read` and read_json raise."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise ApiError(415, f"unsupported content type {kind[:100]!r}: send application/json")
    body = await _body(request, limits)
    if len(body) < _LARGE:
        return read(_object(body, limits))
    async with _turn():
        return await asyncio.to_thread(lambda: read(_object(body, limits)))


@asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    """Admit one large body at a time, followed by a pause as long as it took. Garbage collection is off meanwhile:
    traversing a large body stops the whole process, and most of its objects are freed at the end anyway."""
    async with _turns_of_loop().parsing:
        began = time.monotonic()
        gc.disable()
        try:
            yield
        finally:
            gc.enable()
            await asyncio.sleep(time.monotonic() - began)


def _turns_of_loop() -> _Turns:
    return _turns.setdefault(asyncio.get_running_loop(), _Turns())


def _object(body: bytearray, limits: Limits) -> dict[str, Any]:
    start = len(_BYTE_ORDER_MARK) if body.startswith(_BYTE_ORDER_MARK) else 0
    try:
        value = decoded(memoryview(body)[start:], limits.string_bytes)
    except LongStringError as e:  # in words by which clients know that a prompt has to be shortened
        raise ApiError(400, f"prompt is too long: {e}", code=CONTEXT_LENGTH) from None
    except RecursionError:
        raise ApiError(400, "the body is nested too deeply", code="invalid_json") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as e:
        reason = str(e)[:200]  # not the exception itself: its traceback would keep the body alive
        if _SURROGATE.search(body):
            reason = "a string has half a surrogate pair, which is not valid Unicode"
        raise ApiError(400, f"the body is not valid JSON: {reason}", code="invalid_json") from None
    if not isinstance(value, dict):
        raise ApiError(400, f"the body must be a JSON object, not {type(value).__name__}", code="invalid_json")
    if (record := current_record.get()) is not None:
        record.body = value
    return value


async def _body(request: Request, limits: Limits) -> bytearray:
    too_large = ApiError(413, f"the body is larger than {limits.body_bytes} bytes", code="body_too_large")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > limits.body_bytes:
        raise too_large
    body, structure = bytearray(), JsonStructure()
    while True:
        try:
            async with asyncio.timeout(limits.body_seconds):
                message = await request.receive()
        except TimeoutError:
            raise ApiError(408, f"the body did not arrive within {limits.body_seconds:g} s") from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        part = message.get("body", b"")
        if len(body) + len(part) > limits.body_bytes:
            raise too_large
        body += part
        await _look_through(part, structure, limits)
        if not message.get("more_body", False):
            return body


async def _look_through(part: bytes, structure: JsonStructure, limits: Limits) -> None:
    at = 0
    while at < len(part):
        async with _turns_of_loop().looking:
            until = time.monotonic() + _ROUND_SECONDS
            while at < len(part) and time.monotonic() < until:
                structure.add(part[at : at + _PIECE])
                at += _PIECE
                _check_structure(structure, limits)
            if at < len(part):
                await asyncio.sleep(0)


def _check_structure(structure: JsonStructure, limits: Limits) -> None:
    for count, most, things in (
        (structure.parts, limits.body_parts, "strings, objects and lists"),
        (structure.commas, limits.body_values, "values"),
        (structure.escapes, limits.body_escapes, "escapes in strings"),
    ):
        if count > most:
            raise ApiError(413, f"the body has more than {most} {things}: send several requests", code="body_too_large")
