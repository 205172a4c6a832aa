"""/v1/embeddings: the fields of a request, and the object of its response."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..settings import Limits
from ..wire import Pooling
from .completions import Prompt, prompts_of
from .fields import FieldError, checked, chosen, need, supported_fields, take
from .request import Names

EMBEDDINGS = "/v1/embeddings"
FIELDS = ("model", "lora", "input", "encoding_format", "dimensions", "pooling", "normalize", "add_special_tokens")


@dataclass(frozen=True)
class EmbeddingRequest:
    """`pooling`: the mean of all tokens' states, or the last one. `normalize`: to a length of 1, as OpenAI's are."""

    name: str
    lora: str | None
    texts: list[Prompt]
    base64: bool
    pooling: Pooling
    normalize: bool
    dimensions: int | None
    add_special_tokens: bool


def read_embedding(body: Any, names: Names, limits: Limits = Limits()) -> EmbeddingRequest:
    body = supported_fields(body, FIELDS, {"truncate_prompt_tokens": ()}, EMBEDDINGS)
    lora = names.lora(body)
    dimensions = body.get("dimensions")
    if dimensions is not None:
        checked("dimensions", dimensions, int)
    last = chosen("pooling", body.get("pooling", "mean"), ("mean", "last")) == "last"
    return EmbeddingRequest(
        name=body.get("model") or lora or names.base[0],
        lora=lora,
        texts=prompts_of(need(body, "input"), limits, "input"),
        base64=chosen("encoding_format", body.get("encoding_format", "float"), ("float", "base64")) == "base64",
        pooling="last" if last else "mean",
        normalize=take(body, "normalize", bool, True),
        dimensions=dimensions,
        add_special_tokens=take(body, "add_special_tokens", bool, True),
    )


def check_dimensions(request: EmbeddingRequest, hidden: int) -> None:
    """A part of a vector means nothing unless the model was trained for it, and no model here is."""
    if request.dimensions is not None and request.dimensions != hidden:
        message = f"dimensions {request.dimensions} is unsupported: vectors of this model have {hidden}"
        raise FieldError(message, "dimensions")


def embedding_response(request: EmbeddingRequest, vectors: Sequence[Sequence[float]], tokens: int) -> dict[str, Any]:
    """`tokens`: of all texts."""
    arrays = [_normalized(np.asarray(vector, np.float32), request.normalize) for vector in vectors]
    data = [
        {"object": "embedding", "index": i, "embedding": _base64(vector) if request.base64 else vector.tolist()}
        for i, vector in enumerate(arrays)
    ]
    counts = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": request.name, "usage": counts}


def _normalized(vector: NDArray[np.float32], normalize: bool) -> NDArray[np.float32]:
    length = float(np.linalg.norm(vector.astype(np.float64)))
    return (vector / length).astype(np.float32) if normalize and length > 0 else vector


def _base64(vector: NDArray[np.float32]) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()
