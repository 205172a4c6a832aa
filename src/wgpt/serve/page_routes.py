"""Routes of the chat page, one per file: no path is computed from a request."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from .page_files import PageFile, page_files


def page_routes() -> list[BaseRoute]:
    """Routes without authentication: the page asks for a key when the server answers 401."""
    return [_route(path, file) for path, file in page_files().items()]


def _route(path: str, file: PageFile) -> Route:
    async def endpoint(request: Request) -> Response:
        known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if file.headers["ETag"] in known:
            return Response(status_code=304, headers=file.headers)
        return Response(file.content, media_type=file.content_type, headers=file.headers)

    return Route(path, endpoint, methods=["GET"])
