"""The list of models: the base, and each LoRA adapter."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..context import Server
from ..errors import ApiError
from ..responses import Json


def routes(server: Server) -> list[Route]:
    engine = server.engine

    def entry(name: str) -> dict[str, Any]:
        info = engine.info
        return {
            "id": name,
            "object": "model",
            "created": info.created or server.created,
            "owned_by": "wgpt",
            "root": info.name,
            "parent": info.name if name in info.loras else None,
            "max_model_len": info.context or server.prompts.context,
        }

    async def every(request: Request) -> Response:
        return Json({"object": "list", "data": [entry(name) for name in (engine.info.name, *engine.info.loras)]})

    async def one(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in (engine.info.name, *engine.info.loras, *server.settings.aliases):
            raise ApiError(404, f"model {name[:200]!r} does not exist", param="model", code="model_not_found")
        return Json(entry(name))

    return [Route("/v1/models", every, methods=["GET"]), Route("/v1/models/{name:path}", one, methods=["GET"])]
