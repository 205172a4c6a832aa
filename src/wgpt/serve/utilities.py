"""Endpoints about the server itself and its tokenizer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..core.arguments import shown
from ..core.versions import versions
from .bodies import read_json
from .context import Server
from .engine_process import Health, Status
from .errors import ApiError
from .jobs import api_errors, job_builder_of
from .metrics import CONTENT_TYPE
from .responses import Json
from .structured import check_depth

_CHAT = ("messages", "tools", "add_generation_prompt", "continue_final_message", "chat_template_kwargs")


def routes(server: Server) -> list[BaseRoute]:
    engine, prompts, limits = server.engine, server.prompts, server.settings.limits

    def check_model(body: Mapping[str, Any]) -> None:
        with api_errors():
            job_builder_of(server).names.lora({"model": body.get("model")})

    async def health(request: Request) -> Response:
        h = engine.health()
        if request.app.draining:
            return Json({"status": "stopping", "reason": "the server is shutting down"}, 503)
        body = _health(h)
        if h.replicas:
            body["replicas"] = [_health(each) for each in h.replicas]
            if h.ok and not all(each.ok for each in h.replicas):
                body["status"] = "degraded"
        return Json(body, 200 if h.ok else 503)

    async def version(request: Request) -> Response:
        every = versions()
        return Json({"version": every.get("wgpt"), "versions": every})

    async def metrics(request: Request) -> Response:
        return Response(server.metrics.text(), media_type=CONTENT_TYPE)

    async def chat_text(body: Mapping[str, Any]) -> str:
        names = {"chat_template_kwargs": "template_kwargs"}
        options = {names.get(name, name): body[name] for name in _CHAT[1:] if body.get(name) is not None}
        for name in ("add_generation_prompt", "continue_final_message"):
            options[name] = _flag(body, name, name == "add_generation_prompt")
        _typed(body, "tools", list, "a list")
        _typed(body, "chat_template_kwargs", dict, "an object")
        messages = body.get("messages")
        if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
            raise ApiError(400, f"messages must be a list of objects, not {shown(messages)}", param="messages")
        with api_errors():
            for name in ("messages", "tools", "chat_template_kwargs"):
                check_depth(body.get(name), name)
        return await prompts.render(messages, **options)

    async def tokenize(request: Request) -> Response:
        body = await read_json(request, limits)
        own = ("model", "prompt", "content", "add_special_tokens", "add_special", "with_pieces", "return_token_strs")
        _check_names(body, (*own, *_CHAT))
        check_model(body)
        if "messages" in body:
            special = _flag(body, "add_special_tokens", False)
            ids = await prompts.tokens(await chat_text(body), special=special, param="messages")
        else:
            name = "prompt" if "prompt" in body else "content"
            text = _typed(body, name, str, "a string")
            if text is None:
                raise ApiError(400, 'the body needs "prompt" (or "content"), or "messages"', param="prompt")
            special = _flag(body, "add_special_tokens" if name == "prompt" else "add_special", name == "prompt")
            ids = await prompts.tokens(text, special=special, param=name)
        pieces: Iterator[str] | None = None
        if _flag(body, "return_token_strs", False):
            pieces = map(prompts.tokenizer.token, ids)
        tokens: Sequence[int] | Iterator[dict[str, Any]] = ids
        if _flag(body, "with_pieces", False):
            spellings = await asyncio.to_thread(prompts.spellings, ids)
            tokens = ({"id": id, "piece": spellings[id]} for id in ids)
        facts = {"count": len(ids), "max_model_len": engine.info.context or prompts.context}
        return Json({**facts, "tokens": tokens, "token_strs": pieces})

    async def detokenize(request: Request) -> Response:
        body = await read_json(request, limits)
        _check_names(body, ("model", "tokens"))
        check_model(body)
        ids = body.get("tokens")
        if not isinstance(ids, list) or set(map(type, ids)) - {int}:
            raise ApiError(400, f"tokens must be a list of token ids, not {shown(ids)}", param="tokens")
        text = await prompts.text(ids, "tokens")
        return Json({"prompt": text, "content": text})

    async def apply_template(request: Request) -> Response:
        body = await read_json(request, limits)
        _check_names(body, ("model", *_CHAT))
        check_model(body)
        return Json({"prompt": await chat_text(body)})

    async def tokenizer_info(request: Request) -> Response:
        t = prompts.tokenizer
        return Json(
            {
                "vocab_size": t.vocab_size,
                "bos_token": t.bos,
                "bos_token_id": t.bos_id,
                "eos_token": t.eos,
                "eos_token_id": t.eos_id,
                "eos_token_ids": sorted(t.eos_ids),
                "special_token_ids": sorted(t.special_ids),
                "chat_template": t.chat_template,
                "model_max_length": engine.info.context or prompts.context,
            }
        )

    return [
        Route("/health", health, methods=["GET"]),
        Route("/version", version, methods=["GET"]),
        Route("/metrics", metrics, methods=["GET"]),
        Route("/tokenize", tokenize, methods=["POST"]),
        Route("/detokenize", detokenize, methods=["POST"]),
        Route("/apply-template", apply_template, methods=["POST"]),
        Route("/tokenizer_info", tokenizer_info, methods=["GET"]),
    ]


def _health(h: Health) -> dict[str, Any]:
    if h.ok:
        return {"status": "ok"}
    return {"status": h.status.value if h.status is not Status.READY else "stalled", "reason": h.reason}


def _check_names(body: Mapping[str, Any], names: tuple[str, ...]) -> None:
    unknown = next((name for name in body if name not in names), None)
    if unknown is not None:
        raise ApiError(400, f"unknown field {shown(unknown)}; supported: {', '.join(names)}", param=unknown[:100])


def _typed(body: Mapping[str, Any], name: str, kind: type, allowed: str) -> Any:
    value = body.get(name)
    if value is not None and not isinstance(value, kind):
        raise ApiError(400, f"{name} must be {allowed}, not {shown(value)}", param=name)
    return value


def _flag(body: Mapping[str, Any], name: str, default: bool) -> bool:
    value = _typed(body, name, bool, "true or false")
    return default if value is None else bool(value)
