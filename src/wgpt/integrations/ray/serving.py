"""`wgpt serve` on Ray: a deployment of replicas with a GPU each, and one in front that sends each conversation to the
replica that has read its beginning (Ray Serve's multiplexing, with the conversation in the place of a model)."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ray
from ray import serve
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Message

from ...cluster.connection import gpu_here
from ...core.arguments import whole_number
from ...core.errors import WgptError
from ...engine.engine import MAX_BATCH
from ...formats.sources import DEFAULT, resolve
from ...processes.affinity import CONVERSATIONS, conversation_of_body
from ...serve.access_log import Log
from ...serve.app import Application
from ...serve.context import Server
from ...serve.engine_process import EngineProcess, Status
from ...serve.metrics import Metrics
from ...serve.page_routes import page_routes
from ...serve.prompts import Prompts
from ...serve.settings import Limits, Settings

_SCOPE = (
    "type",
    "asgi",
    "http_version",
    "method",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "root_path",
    "headers",
)
_GONE = "the replica that generated this answer has died; ask again"


def application(
    model: str | None = None,
    *,
    replicas: int | tuple[int, int] = 1,
    name: str | None = None,
    loras: Mapping[str, str] | None = None,
    loading: Mapping[str, Any] | None = None,
    engine: Mapping[str, Any] | None = None,
    api_keys: Sequence[str] = (),
    cors_origins: Sequence[str] = (),
    max_batch: int = MAX_BATCH,
    max_queue: int = 4 * MAX_BATCH,
    page: bool = True,
) -> Any:
    """For `ray.serve.run`. model, loading: as `wgpt.load` takes them; every machine finds its own copy. replicas: how
    many, or the fewest and the most, which follow the number of requests. name: as requests' `model` has it; loras:
    folders of LoRA adapters by name. engine: options of `wgpt.Engine`. Others: see `wgpt serve`."""
    fewest, most = (replicas, replicas) if isinstance(replicas, int) else replicas
    whole_number("replicas", fewest, 1)
    whole_number("replicas", most, fewest)
    settings = {
        "name": name or Path(model or DEFAULT).name.removesuffix(".gguf"),
        "load": dict(loading or {}),
        "engine": dict(engine or {}),
        "loras": {each: Path(folder) for each, folder in (loras or {}).items()},
        "api_keys": tuple(api_keys),
        "cors_origins": tuple(cors_origins),
        "max_batch": max_batch,
        "max_queue": max_queue,
        "page": page,
    }
    scaling: dict[str, Any] = {"num_replicas": fewest}
    if most > fewest:
        target = {"target_ongoing_requests": max_batch}
        scaling = {"autoscaling_config": {"min_replicas": fewest, "max_replicas": most, **target}}
    behind = serve.deployment(
        Replica,
        name="wgpt",
        ray_actor_options={"num_gpus": 1},
        max_ongoing_requests=max_batch + max_queue,
        graceful_shutdown_timeout_s=30,
        **scaling,
    )
    front = serve.deployment(
        Front, name="wgpt-front", max_ongoing_requests=100_000, ray_actor_options={"num_cpus": 0.1}
    )
    return front.bind(behind.bind(model, settings))


class Replica:
    """An engine on its GPU, and the endpoints of `wgpt serve`."""

    async def __init__(self, model: str | None, settings: dict[str, Any]) -> None:  # type: ignore[misc]  # Ray awaits it
        load = {"gpu": gpu_here(ray.get_gpu_ids()), **settings["load"]}
        chosen = Settings(resolve(model), **{**settings, "load": load})
        control = load.get("allow_control_tokens", False)
        prompts = Prompts.load(
            chosen.model, load.get("context"), load.get("tokenizer"), allow_control_tokens=control
        )
        self._log = Log(as_json=False)
        engine = self._engine = EngineProcess(chosen)
        metrics = Metrics([engine.metrics], lambda: engine.info.name)
        routes = page_routes() if chosen.page else []
        self._application = Application(Server(chosen, engine, prompts, metrics), self._log, routes)
        self._watching = asyncio.create_task(engine.watch())
        await engine.start()
        await prompts.warm_up()
        while engine.status is not Status.READY:
            if engine.failed_to_start:
                raise WgptError(engine.failed_to_start)
            engine.changed.clear()
            await engine.changed.wait()

    def check_health(self) -> None:
        """For Ray Serve, which replaces a replica that raises several times."""
        if not (health := self._engine.health()).ok:
            raise WgptError(health.reason)

    @serve.multiplexed(max_num_models_per_replica=CONVERSATIONS)
    async def _known(self, conversation: str) -> str:
        """Ray Serve sends later requests of the conversation here."""
        return conversation

    async def answer(self, scope: dict[str, Any], body: bytes) -> AsyncIterator[Message]:
        """The messages of an ASGI response."""
        if serve.get_multiplexed_model_id():
            await self._known(serve.get_multiplexed_model_id())
        messages: asyncio.Queue[Message | None] = asyncio.Queue(maxsize=64)
        gone, unread = asyncio.Event(), [body]

        async def receive() -> Message:
            if unread:
                return {"type": "http.request", "body": unread.pop(), "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def run() -> None:
            try:
                await self._application(scope, receive, messages.put)
            finally:
                if not gone.is_set():  # otherwise nobody takes it, and a full queue would wait forever
                    await messages.put(None)

        running = asyncio.create_task(run())
        try:
            while (message := await messages.get()) is not None:
                yield message
        finally:
            gone.set()
            if not running.done():
                running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    def __del__(self) -> None:
        """Ray Serve has waited for the requests that run."""
        self._watching.cancel()
        self._engine.kill()
        self._log.close()


class Front:
    """Passes requests on, each conversation to the replica that knows it."""

    def __init__(self, replicas: Any) -> None:
        self._replicas = replicas

    async def __call__(self, request: Request) -> Response:
        try:
            body = await _body(request, Limits().body_bytes)
        except ClientDisconnect:
            return Response(status_code=499)
        if body is None:
            return _failure(413, f"the body is larger than {Limits().body_bytes} bytes")
        scope = {key: request.scope[key] for key in _SCOPE if key in request.scope}
        scope |= {"client": request.scope.get("client"), "server": request.scope.get("server")}
        handle = self._replicas.options(stream=True, multiplexed_model_id=conversation_of_body(body))
        messages = handle.answer.remote(scope, body)
        try:
            start = await anext(messages)
        except ray.exceptions.RayActorError:
            return _failure(503, _GONE)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        headers.pop("content-length", None)  # where a stream ends with an error, it would be another
        is_stream = headers.get("content-type", "").startswith("text/event-stream")
        return StreamingResponse(_chunks(messages, is_stream), start["status"], headers)


async def _chunks(messages: AsyncIterator[Message], is_stream: bool) -> AsyncIterator[bytes]:
    try:
        async for message in messages:
            yield message.get("body", b"")
    except ray.exceptions.RayActorError:
        if not is_stream:
            raise
        yield f"data: {json.dumps(_error(503, _GONE))}\n\n".encode()


async def _body(request: Request, most: int) -> bytes | None:
    """The request's body; None if it is longer."""
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > most:
            return None
    return b"".join(parts)


def _error(status: int, message: str) -> dict[str, Any]:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def _failure(status: int, message: str) -> Response:
    return JSONResponse(_error(status, message), status)
