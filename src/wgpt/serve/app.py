"""The ASGI application: authentication, routing, and a response for every error."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Sequence
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

from . import admin, utilities
from .access_log import Log, Record, current_record
from .anthropic.routes import routes as anthropic_routes
from .context import Server
from .errors import ApiError
from .exchange import KEY, Exchange
from .openai.models import routes as model_routes
from .openai.routes import routes as openai_routes
from .presence import ClientGone
from .rerank import routes as rerank_routes
from .responses import Json
from .security import Keys, Origins, request_id

_CLIENT_GONE = 499  # nginx's status for a client that left; logged only
_PUBLIC = ("/health",)  # paths that need no key
_PROBES = ("/health", "/metrics")  # paths requested every few seconds, not logged
_WHILE_DRAINING = ("/health", "/metrics", "/version")
log = logging.getLogger("wgpt.serve")


class Application:
    """`draining`: the server is about to stop and refuses further requests."""

    def __init__(self, server: Server, access_log: Log, public: Sequence[BaseRoute] = ()) -> None:
        """`public`: further routes that need no key, such as those of the chat page."""
        self._server, self._log = server, access_log
        self._keys = Keys(server.settings.api_keys, server.settings.share_cache)
        names = (server.settings.host, socket.gethostname())
        self._origins = Origins(server.settings.cors_origins, bool(self._keys), names)
        paths = {getattr(route, "path", "") for route in public}
        self._public = {*_PUBLIC, *paths}
        self._unlogged = {*_PROBES, *(paths - {"/"})}  # log the page once, not each of its files
        self._router = Router([*routes(server), *public], redirect_slashes=False)
        self.draining = False
        self.active = 0  # number of requests in progress

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await _refuse_other(scope, receive, send)
            return
        headers = Headers(scope=scope)
        record = Record(request_id(headers), (scope.get("client") or ["-"])[0], scope["method"], scope["path"])
        exchange = scope[KEY] = Exchange(record, receive, send, self._origins.headers(headers))
        scope["app"], token = self, current_record.set(record)
        self.active += 1
        try:
            await self._answer(scope, headers, exchange)
        finally:
            exchange.end()
            record.body = None  # uvicorn keeps the exchange as long as the connection is open
            self.active -= 1
            current_record.reset(token)
            if record.path not in self._unlogged:
                self._log.request(record)
            route = getattr(scope.get("route"), "path", "other")
            self._server.metrics.answered(record.method, route, record.status)

    async def _answer(self, scope: Scope, headers: Headers, exchange: Exchange) -> None:
        record = exchange.record
        try:
            if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
                response = Response(status_code=204, headers=self._origins.preflight(headers))
                await response(scope, exchange.receive, exchange.send)
                return
            self._check(scope, headers, record)
            await self._router(scope, exchange.receive, exchange.send)
        except ApiError as e:
            await self._fail(e, scope, exchange)
        except HTTPException as e:
            await self._fail(_as_api_error(e, scope), scope, exchange, dict(e.headers or {}))
        except (ClientGone, ClientDisconnect):
            exchange.presence.leave()
            record.status = _CLIENT_GONE
        except asyncio.CancelledError:
            if not exchange.presence.gone:
                raise
            record.status = _CLIENT_GONE
        except RecursionError:  # only a deeply nested request causes recursion here
            await self._fail(ApiError(400, "the request is nested too deeply", code="invalid_json"), scope, exchange)
        except Exception as e:
            log.exception("request %s failed", record.id)
            message = f"internal error ({type(e).__name__}); the server's log has request {record.id}"
            await self._fail(ApiError(500, message, code="internal_error"), scope, exchange)

    def _check(self, scope: Scope, headers: Headers, record: Record) -> None:
        path = scope["path"]
        if path not in self._public:
            record.tenant = self._keys.check(headers)
            self._origins.check_host(headers)
        if scope["method"] not in ("GET", "HEAD"):
            self._origins.check(headers)
        if self.draining and path not in _WHILE_DRAINING:
            raise ApiError(503, "the server is shutting down", code="shutting_down", retry_after=5)

    async def _fail(
        self,
        error: ApiError,
        scope: Scope,
        exchange: Exchange,
        headers: dict[str, str] | None = None,
    ) -> None:
        exchange.record.error = error.message
        if exchange.started:  # the response has begun, so no error can be sent: the client sees that it is cut off
            exchange.abort()
            return
        anthropic = scope["path"].startswith("/v1/messages")
        body = (error.anthropic if anthropic else error.openai)(exchange.record.id)
        close = {"connection": "close"} if error.status == 408 else {}  # the rest of the body cannot be read
        response = Json(body, error.status, {**error.headers(), **(headers or {}), **close})
        with contextlib.suppress(OSError):
            await response(scope, exchange.receive, exchange.send)


def routes(server: Server) -> list[BaseRoute]:
    """The routes of all endpoints."""
    makers: list[Callable[[Server], list[BaseRoute]]] = [anthropic_routes, rerank_routes]
    makers += [utilities.routes, admin.routes]
    openai = [*openai_routes(server), *model_routes(server)]
    return [*openai, *_without_version(openai), *(route for make in makers for route in make(server))]


def _without_version(routes: Sequence[Route]) -> list[Route]:
    """The same paths without /v1, as in llama-server, for clients whose base URL lacks it."""
    return [Route(route.path.removeprefix("/v1"), route.endpoint, methods=route.methods) for route in routes]


def _as_api_error(error: HTTPException, scope: Scope) -> ApiError:
    path = scope["path"][:200]
    if error.status_code == 404:
        return ApiError(404, f"unknown path {path}", code="unknown_url")
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        return ApiError(405, f"{path} does not take {scope['method'][:20]}; allowed: {allowed}", code="wrong_method")
    return ApiError(error.status_code, str(error.detail))


async def _refuse_other(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse web sockets; lifespan events are ignored."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1003})
    while scope["type"] == "lifespan":
        message: Any = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
