"""Loading and unloading LoRA adapters while the server runs; only if the command line allows it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from ..core.arguments import shown
from .bodies import read_json
from .context import Server
from .errors import ApiError

_NAME = re.compile(r"[\w][\w.:/-]{0,127}", re.ASCII)


def routes(server: Server) -> list[BaseRoute]:
    """The same endpoints as vLLM's; none without --admin."""
    folder, engine, limits = server.settings.admin, server.engine, server.settings.limits
    if folder is None:
        return []

    async def load(request: Request) -> Response:
        body = await read_json(request, limits)
        name, path = _name(body.get("lora_name")), body.get("lora_path")
        if name == engine.info.name or name in engine.info.loras:
            raise ApiError(400, f"a model named {name!r} is already loaded", param="lora_name")
        inside = _inside(folder, path)
        try:
            await engine.load_lora(name, inside)
        except ApiError as e:  # name the folder as the client did, not by its path on this machine
            message = e.message.replace(str(inside), str(path))
            param = "lora_path" if e.status == 400 else e.param
            raise ApiError(e.status, message, param=param, code=e.code, retry_after=e.retry_after) from None
        return PlainTextResponse(f"Success: LoRA adapter '{name}' added successfully.")

    async def unload(request: Request) -> Response:
        name = _name((await read_json(request, limits)).get("lora_name"))
        await engine.unload_lora(name)
        return PlainTextResponse(f"Success: LoRA adapter '{name}' removed successfully.")

    return [
        Route("/v1/load_lora_adapter", load, methods=["POST"]),
        Route("/v1/unload_lora_adapter", unload, methods=["POST"]),
    ]


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ApiError(400, f"lora_name must be a name of letters and digits, not {shown(value)}", param="lora_name")
    return value


def _inside(folder: Path, value: object) -> Path:
    """A folder below the allowed one. Errors reveal nothing else about this machine's files."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise ApiError(400, f"lora_path must be a path, not {shown(value)}", param="lora_path")
    root = Path(os.path.realpath(folder))
    path = Path(os.path.realpath(root / value))
    if path == root or root not in path.parents or not os.path.isdir(path):  # Path.is_dir raises for a long name
        raise ApiError(400, f"lora_path {shown(value)} is not a folder below that of --admin", param="lora_path")
    return path
