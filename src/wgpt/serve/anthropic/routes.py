"""The routes of Anthropic's API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..context import Server
from ..jobs import completions_of, job_builder_of
from ..openai.routes import events
from ..responses import EventStream, Json, collect
from .messages import ENDPOINT, message_response, read_message
from .streaming import PING, MessageStream


def routes(server: Server) -> list[BaseRoute]:
    endpoints = Anthropic(server)
    return [
        Route(ENDPOINT, endpoints.message, methods=["POST"]),
        Route(f"{ENDPOINT}/count_tokens", endpoints.count, methods=["POST"]),
    ]


class Anthropic:
    """The handlers of Anthropic's endpoints."""

    def __init__(self, server: Server) -> None:
        self.server, self.limits, self.jobs = server, server.settings.limits, job_builder_of(server)

    async def message(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_message)
        prepared, ids, generation = await self.jobs.begin(asked.conversation, asked.common)
        tokenizer = self.server.prompts.tokenizer
        if asked.common.stream:
            stream = MessageStream(asked, prepared, tokenizer, len(ids))
            pieces = events(stream, generation, stream.begin())
            return EventStream(pieces, generation, error=stream.error, limits=self.limits, ping=PING)
        (completion,) = completions_of(await collect(request, generation))
        return Json(message_response(asked, prepared, completion, tokenizer))

    async def count(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_message, counting=True)
        _, ids = await self.jobs.chat(asked.conversation)
        return Json({"input_tokens": len(ids)})
