"""The routes of Anthropic's API: from the body of a request to its response."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..asking import api_errors, asking_of, completions_of
from ..context import Server
from ..openai.routes import events
from ..responses import EventStream, Json, collect, read_json
from .messages import ENDPOINT, message_response, read_message
from .streaming import PING, MessageStream


def routes(server: Server) -> list[BaseRoute]:
    endpoints = Anthropic(server)
    return [
        Route(ENDPOINT, endpoints.message, methods=["POST"]),
        Route(f"{ENDPOINT}/count_tokens", endpoints.count, methods=["POST"]),
    ]


class Anthropic:
    """The handlers."""

    def __init__(self, server: Server) -> None:
        self.server, self.limits, self.asking = server, server.settings.limits, asking_of(server)

    async def message(self, request: Request) -> Response:
        body = await read_json(request, self.limits)
        with api_errors():
            asked = read_message(body, self.asking.names, self.limits)
        prepared, ids = await self.asking.chat(asked.conversation)
        job = await self.asking.chat_job(asked.common, prepared, ids)
        generation = await self.server.engine.submit(job)
        tokenizer = self.server.prompts.tokenizer
        if asked.common.stream:
            stream = MessageStream(asked, prepared, tokenizer, len(ids))
            pieces = events(stream, generation, stream.begin())
            return EventStream(pieces, generation, error=stream.error, limits=self.limits, ping=PING)
        (completion,) = completions_of(await collect(request, generation))
        return Json(message_response(asked, prepared, completion, tokenizer))

    async def count(self, request: Request) -> Response:
        body = await read_json(request, self.limits)
        with api_errors():
            asked = read_message(body, self.asking.names, self.limits, counting=True)
        _, ids = await self.asking.chat(asked.conversation)
        return Json({"input_tokens": len(ids)})
