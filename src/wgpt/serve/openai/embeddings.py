"""/v1/embeddings: the fields of a request, and the object of its response."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import shown
from ..settings import Limits
from ..wire import ModelInfo, Pooling
from .completions import Prompt, prompts_of
from .fields import FieldError, checked, chosen, need, salt_of, supported_fields, take
from .request import Names

EMBEDDINGS = "/v1/embeddings"
FIELDS = (
    *("model", "lora", "input", "encoding_format", "dimensions", "pooling", "normalize", "add_special_tokens"),
    *("prompt", "prompt_name", "cache_salt"),
)
_POOLINGS: tuple[Pooling, ...] = ("mean", "last", "cls")


@dataclass(frozen=True)
class EmbeddingRequest:
    """`pooling`: "mean" of all tokens' states, "last", or an encoder's first ("cls"). `normalize`: to length 1, as in
    OpenAI's API. None: as the model's files say. `prompt`: a text to put before each input, or the name of one."""

    name: str
    lora: str | None
    texts: list[Prompt]
    base64: bool
    pooling: Pooling | None
    normalize: bool | None
    dimensions: int | None
    add_special_tokens: bool
    prompt: str | None = None
    prompt_name: str | None = None
    cache_salt: str | None = None


def read_embedding(body: Any, names: Names, limits: Limits = Limits()) -> EmbeddingRequest:
    body = supported_fields(body, FIELDS, {"truncate_prompt_tokens": ()}, EMBEDDINGS)
    lora = names.lora(body)
    dimensions = body.get("dimensions")
    if dimensions is not None:
        checked("dimensions", dimensions, int)
    named = chosen("pooling", body["pooling"], _POOLINGS) if "pooling" in body else None
    pooling = next((each for each in _POOLINGS if each == named), None)
    if "prompt" in body and "prompt_name" in body:
        raise FieldError("prompt and prompt_name exclude each other", "prompt")
    return EmbeddingRequest(
        name=body.get("model") or lora or names.base[0],
        lora=lora,
        texts=prompts_of(need(body, "input"), limits, "input"),
        base64=chosen("encoding_format", body.get("encoding_format", "float"), ("float", "base64")) == "base64",
        pooling=pooling,
        normalize=take(body, "normalize", bool),
        dimensions=dimensions,
        add_special_tokens=take(body, "add_special_tokens", bool, True),
        prompt=take(body, "prompt", str),
        prompt_name=take(body, "prompt_name", str),
        cache_salt=salt_of(body),
    )


def prompted(request: EmbeddingRequest, info: ModelInfo) -> list[Prompt]:
    """The texts, each after the request's prompt or the default prompt of the model's files."""
    name = request.prompt_name or (info.default_prompt if request.prompt is None else None)
    if name is not None and name not in info.prompts:
        known = ", ".join(info.prompts) or "none"
        raise FieldError(f"unknown prompt_name {shown(name)}; the model's files have: {known}", "prompt_name")
    before = info.prompts[name] if name is not None else request.prompt or ""
    if before and not all(isinstance(text, str) for text in request.texts):
        raise FieldError("a prompt goes before texts, not before token ids", "prompt")
    whole = [f"{before}{text}" if isinstance(text, str) else text for text in request.texts]
    return [text.lower() if info.lowercase and isinstance(text, str) else text for text in whole]


def check_dimensions(request: EmbeddingRequest, hidden: int) -> None:
    """Refuse `dimensions`: a shortened vector is meaningful only if the model was trained for it, and none here was."""
    if request.dimensions is not None and request.dimensions != hidden:
        message = f"dimensions {request.dimensions} is unsupported: vectors of this model have {hidden}"
        raise FieldError(message, "dimensions")


def embedding_response(request: EmbeddingRequest, vectors: Sequence[Sequence[float]], tokens: int) -> dict[str, Any]:
    """The response object. `tokens`: the total of all texts."""
    arrays = [np.asarray(vector, np.float32) for vector in vectors]
    data = [
        {"object": "embedding", "index": i, "embedding": _base64(vector) if request.base64 else vector.tolist()}
        for i, vector in enumerate(arrays)
    ]
    counts = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": request.name, "usage": counts}


def _base64(vector: NDArray[np.float32]) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()
