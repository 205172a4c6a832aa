"""/v1/rerank, in the shape that Cohere, Jina and vLLM share: texts by how well they answer a query."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..core.arguments import shown
from .context import Server
from .jobs import job_builder_of
from .openai.fields import FieldError, between, checked, need, salt_of, supported_fields, take
from .openai.request import Names
from .responses import Json
from .settings import Limits
from .wire import Relevance

RERANK = "/v1/rerank"
PATHS = (RERANK, "/rerank", "/v2/rerank")
FIELDS = ("model", "query", "documents", "top_n", "return_documents", "truncate", "cache_salt")
_MOST = 1 << 30


@dataclass(frozen=True)
class RerankRequest:
    """`top_n`: how many results; `truncate`: cut texts that are too long instead of refusing them."""

    name: str
    query: str
    documents: list[str]
    top_n: int
    return_documents: bool
    truncate: bool
    cache_salt: str | None


def read_rerank(body: Any, names: Names, limits: Limits = Limits()) -> RerankRequest:
    body = supported_fields(body, FIELDS, {"max_chunks_per_doc": (), "truncate_prompt_tokens": ()}, RERANK)
    if names.lora(body) is not None:
        raise FieldError("a LoRA adapter cannot rerank: name the base model", "model")
    query, documents = checked("query", need(body, "query"), str), checked("documents", need(body, "documents"), list)
    if not query:
        raise FieldError("the query is empty", "query")
    if not 1 <= len(documents) <= limits.prompts:
        raise FieldError(f"documents must be from 1 to {limits.prompts} texts, not {len(documents)}", "documents")
    return RerankRequest(
        name=body.get("model") or names.base[0],
        query=query,
        documents=[_text(each) for each in documents],
        top_n=between("top_n", body.get("top_n", len(documents)), 1, _MOST),
        return_documents=take(body, "return_documents", bool, True),
        truncate=take(body, "truncate", bool, False),
        cache_salt=salt_of(body),
    )


def _text(document: Any) -> str:
    """A document: a text, or an object with one."""
    text = document.get("text") if isinstance(document, dict) and set(document) == {"text"} else document
    if not isinstance(text, str):
        raise FieldError(f'documents: each must be a text or {{"text": ...}}, not {shown(document)}', "documents")
    return text


def rerank_response(asked: RerankRequest, relevance: Sequence[Relevance]) -> dict[str, Any]:
    """The response object; the best document first."""
    order = sorted(range(len(relevance)), key=lambda i: -relevance[i].score)[: asked.top_n]
    results: list[dict[str, Any]] = [{"index": i, "relevance_score": relevance[i].score} for i in order]
    if asked.return_documents:
        documents = [{"document": {"text": asked.documents[i]}} for i in order]
        results = [result | document for result, document in zip(results, documents, strict=True)]
    tokens = sum(each.tokens for each in relevance)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"id": f"rerank-{uuid.uuid4().hex}", "model": asked.name, "usage": usage, "results": results}


def routes(server: Server) -> list[BaseRoute]:
    jobs = job_builder_of(server)

    async def rerank(request: Request) -> Response:
        asked = await jobs.read(request, read_rerank)
        salt = jobs.salt(asked.cache_salt)
        documents = asked.documents
        if asked.truncate:
            documents = [server.prompts.beginning(text) for text in documents]
        for name, texts in (("query", [asked.query]), ("documents", documents)):
            server.prompts.check_size(max(map(len, texts)), name)
        relevance = await server.engine.rerank(asked.query, documents, asked.truncate, salt)
        return Json(rerank_response(asked, relevance))

    return [Route(path, rerank, methods=["POST"]) for path in PATHS]
