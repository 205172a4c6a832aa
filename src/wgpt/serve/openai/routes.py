"""The routes of OpenAI's API that generate or embed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...engine.completion import Completion
from ..context import Server
from ..conversation import Conversation
from ..errors import ApiError
from ..jobs import api_errors, built, completions_of, job_builder_of
from ..responses import EventStream, Json, collect
from ..wire import End, Score, Update
from .chat import CHAT, chat_response, read_chat
from .completions import (
    COMPLETIONS,
    DEFAULT_MAX_TOKENS,
    CompletionRequest,
    Echo,
    completion_response,
    read_completion,
)
from .embeddings import EMBEDDINGS, check_dimensions, embedding_response, prompted, read_embedding
from .response_events import ResponseStream
from .responses import RESPONSES, read_response, whole_response
from .streaming import ChatStream, CompletionStream, event

_UPDATES = 64  # updates to merge into one piece of the stream


class Stream(Protocol):
    def add(self, updates: Sequence[Update]) -> bytes: ...

    def end(self) -> bytes: ...


async def events(stream: Stream, steps: AsyncIterable[Sequence[Update]], first: bytes = b"") -> AsyncIterator[bytes]:
    """Events for each batch of updates, as one piece."""
    if first:
        yield first
    async for updates in steps:
        for at in range(0, len(updates), _UPDATES):  # there are many if the client reads slowly
            if data := stream.add(updates[at : at + _UPDATES]):
                yield data
            if at:
                await asyncio.sleep(0)
    yield stream.end()


async def _only_prompts(prompts: Sequence[Sequence[int]], n: int) -> AsyncIterator[list[Update]]:
    """The updates for prompts that are only scored: each ends at once."""
    ends = [End("length", len(ids), 0, 0, 0.0, 0.0) for ids in prompts for _ in range(n)]
    yield [Update(i, end=end) for i, end in enumerate(ends)]


def _same(ids: Sequence[int], score: Score) -> list[dict[int, float]]:
    """The most likely tokens, with the chosen token's own log-probability to the last bit: clients such as lm-eval
    compare them.
    """
    tops: Sequence[dict[int, float]] = score.top_logprobs or [{}] * len(ids)
    return [
        {**top, id: logprob} if id in top else top for id, logprob, top in zip(ids, score.logprobs, tops, strict=True)
    ]


def error_event(error: ApiError) -> bytes:
    return event(error.openai())


def routes(server: Server) -> list[Route]:
    endpoints = OpenAI(server)
    return [
        Route(CHAT, endpoints.chat, methods=["POST"]),
        Route(COMPLETIONS, endpoints.completion, methods=["POST"]),
        Route(f"{CHAT}/input_tokens", endpoints.count_chat, methods=["POST"]),
        Route(RESPONSES, endpoints.response, methods=["POST"]),
        Route(f"{RESPONSES}/input_tokens", endpoints.count_response, methods=["POST"]),
        Route(EMBEDDINGS, endpoints.embedding, methods=["POST"]),
    ]


class OpenAI:
    """The handlers of OpenAI's endpoints."""

    def __init__(self, server: Server) -> None:
        self.server, self.limits, self.jobs = server, server.settings.limits, job_builder_of(server)

    async def chat(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_chat)
        prepared, ids, generation = await self.jobs.begin(asked.conversation, asked.common)
        if asked.common.stream:
            stream = ChatStream(asked, prepared, self.jobs.tokens, ids)
            return EventStream(events(stream, generation), generation, error=error_event, limits=self.limits)
        completions = completions_of(await collect(request, generation))
        return Json(await built(completions, chat_response, asked, prepared, completions, self.jobs.tokens, ids))

    async def completion(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_completion)
        prompts = await self.jobs.texts(asked.prompts, "prompt", asked.add_special_tokens)
        echoes = await self._echoes(asked, prompts) if asked.echo else []
        tokens = self.jobs.tokens
        if asked.max_tokens == 0:  # only score the prompt
            n = asked.common.n
            if asked.common.stream:
                steps = _only_prompts(prompts, n)
                pieces = events(CompletionStream(asked, prompts, tokens, echoes), steps)
                return EventStream(pieces, error=error_event, limits=self.limits)
            completions = [Completion(reason="length", prompt_tokens=len(ids)) for ids in prompts for _ in range(n)]
            return Json(await built(echoes, completion_response, asked, prompts, completions, tokens, echoes))
        job = await self.jobs.job(asked.common, prompts, asked.rule, DEFAULT_MAX_TOKENS)
        generation = await self.server.engine.submit(job)
        if asked.common.stream:
            stream = CompletionStream(asked, prompts, tokens, echoes)
            return EventStream(events(stream, generation), generation, error=error_event, limits=self.limits)
        completions = completions_of(await collect(request, generation))
        texts: list[Completion | Echo] = [*completions, *echoes]
        return Json(await built(texts, completion_response, asked, prompts, completions, tokens, echoes))

    async def _echoes(self, asked: CompletionRequest, prompts: Sequence[Sequence[int]]) -> list[Echo]:
        """The echoed prompts, with the log-probabilities of their tokens if requested."""
        scores: Sequence[Score | None] = [None] * len(prompts)
        if asked.logprobs is not None:
            salt = self.jobs.salt(asked.common.options.get("cache_salt"))
            scores = await self.server.engine.score(prompts, asked.common.lora, asked.logprobs, salt)
        echoes = []
        for prompt, ids, score in zip(asked.prompts, prompts, scores, strict=True):
            text = prompt if isinstance(prompt, str) else self.server.prompts.decode(ids, skip_special=False)
            if score is None:
                echoes.append(Echo(text, ids))
            else:
                echoes.append(Echo(text, ids, [None, *score.logprobs], [None, *_same(ids[1:], score)]))
        return echoes

    async def response(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_response)
        prepared, _, generation = await self.jobs.begin(asked.conversation, asked.common)
        if asked.common.stream:
            stream = ResponseStream(asked, prepared, self.jobs.tokens)
            pieces = events(stream, generation, stream.begin())
            return EventStream(pieces, generation, error=stream.error, limits=self.limits)
        (completion,) = completions_of(await collect(request, generation))
        return Json(await built([completion], whole_response, asked, prepared, completion, self.jobs.tokens))

    async def count_chat(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_chat)
        return await self._count(asked.conversation)

    async def count_response(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_response)
        return await self._count(asked.conversation)

    async def _count(self, conversation: Conversation) -> Response:
        """Count the tokens of a conversation."""
        _, ids = await self.jobs.chat(conversation)
        return Json({"object": "response.input_tokens", "input_tokens": len(ids)})

    async def embedding(self, request: Request) -> Response:
        asked = await self.jobs.read(request, read_embedding)
        with api_errors():
            check_dimensions(asked, self.server.engine.info.hidden)
            texts = prompted(asked, self.server.engine.info)
        ids = await self.jobs.texts(texts, "input", asked.add_special_tokens)
        salt = self.jobs.salt(asked.cache_salt)
        embedded = await self.server.engine.embed(ids, asked.pooling, asked.lora, asked.normalize, salt)
        return Json(embedding_response(asked, embedded, sum(map(len, ids))))
