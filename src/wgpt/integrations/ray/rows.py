"""Classes for `Dataset.map_batches`: every actor holds a model on the GPU that Ray has given to it.

Rows come in as columns and go out with more columns. A batch of any size costs the same per row: its rows are answered
together, as many at once as the engine takes. A row that cannot be answered gets the reason in its `error` column, and
the others go on; what is not a row's fault (the GPU is lost) fails the batch and, as Ray has it, the job.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...api.loading import open_engine
from ...cluster.connection import gpu_here, ray_module
from ...core.arguments import refused
from ...core.errors import WgptError
from ...engine.errors import EngineError
from ...engine.options import Options
from ...formats.chat import encode_chat, keeping
from ...gpu import AllocationError, DeviceLostError

Batch = dict[str, NDArray[Any]]
_NOT_THE_ROW = (EngineError, DeviceLostError, AllocationError)


class Rows:
    """A model in an actor, and the loop over a batch's rows."""

    outputs: tuple[str, ...] = ()

    def __init__(
        self,
        model: str | None = None,
        *,
        loras: Mapping[str, str] | None = None,
        engine: Mapping[str, Any] | None = None,
        generates: bool = False,
        **loading: Any,
    ) -> None:
        ids = ray_module().get_gpu_ids()
        if ids and "gpu" not in loading:
            loading["gpu"] = gpu_here(ids)
        self.engine = open_engine(model, loras=loras or {}, engine=engine or {}, generates=generates, **loading)
        self.model = self.engine.model

    def submit(self, row: dict[str, Any]) -> Any:
        """The request that answers a row, which has `result()`. Raises WgptError."""
        raise NotImplementedError

    def columns(self, result: Any) -> dict[str, Any]:
        """The row's new columns."""
        raise NotImplementedError

    def __call__(self, batch: Batch) -> Batch:
        """A batch of Ray Data (batch_format="numpy") with the new columns."""
        count = len(next(iter(batch.values()))) if batch else 0
        rows = [{name: _plain(values[i]) for name, values in batch.items()} for i in range(count)]
        requests = [_tried(partial(self.submit, row)) for row in rows]
        results = [each if isinstance(each, WgptError) else _tried(each.result) for each in requests]
        new: list[dict[str, Any]] = [
            {"error": str(result)} if isinstance(result, WgptError) else self.columns(result) for result in results
        ]
        return {**batch, **{name: _column([row.get(name) for row in new]) for name in (*self.outputs, "error")}}


class Generate(Rows):
    """Adds `text`, `tokens`, `reason` and `error` to rows with a prompt, or with the messages of a chat.

    prompt, messages: the column with the text or token ids, or with a list of {"role", "content"}; one of them.
    lora: the column that names a row's LoRA adapter, one of `loras` (folders by name). loading: further keywords of
    `wgpt.load`. Other options are those of `Model.generate`.

    >>> import ray                                                               # doctest: +SKIP
    >>> prompts = ray.data.read_json("prompts.jsonl")
    >>> answers = prompts.map_batches(
    ...     Generate, fn_constructor_kwargs={"prompt": "question", "max_tokens": 64},
    ...     num_gpus=1, batch_size=64, compute=ray.data.ActorPoolStrategy(size=2))
    >>> answers.write_parquet("answers")
    """

    outputs = ("text", "tokens", "reason")

    def __init__(
        self,
        model: str | None = None,
        *,
        prompt: str | None = None,
        messages: str | None = None,
        lora: str | None = None,
        loras: dict[str, str] | None = None,
        loading: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        if prompt is not None and messages is not None:
            raise WgptError("prompt and messages exclude each other: a row is continued, or answered as a chat")
        Options.of(options)  # refuse them before the model is loaded
        self._prompt, self._messages, self._lora = prompt or "prompt", messages, lora
        self._options = options
        super().__init__(model, loras=loras, **(loading or {}))

    def submit(self, row: dict[str, Any]) -> Any:
        lora = None if self._lora is None else _cell(row, self._lora)
        prompt: str | Sequence[int]
        options = self._options
        if self._messages is not None:
            messages, encode = _cell(row, self._messages), partial(encode_chat, self.model.tokenizer)
            prompt = encode(messages)
            options = keeping(options, messages, encode, prompt)
        else:
            prompt = _cell(row, self._prompt)
            if not isinstance(prompt, str | list):
                raise refused(self._prompt, prompt, "a text or token ids")
        return self.engine.submit(prompt, lora=lora, **options)

    def columns(self, result: Any) -> dict[str, Any]:
        return {"text": result.text, "tokens": len(result.ids), "reason": result.reason}


class Embed(Rows):
    """Adds `embedding` and `error` to rows with a text (the column `text`). pooling, normalise: see `Model.embed`.

    >>> vectors = texts.map_batches(Embed, num_gpus=1, batch_size=256)             # doctest: +SKIP
    """

    outputs = ("embedding",)

    def __init__(
        self,
        model: str | None = None,
        *,
        text: str = "text",
        pooling: str | None = None,
        normalise: bool | None = None,
        loading: dict[str, Any] | None = None,
    ) -> None:
        self._text, self._pooling, self._normalise = text, pooling, normalise
        super().__init__(model, **(loading or {}))

    def submit(self, row: dict[str, Any]) -> Any:
        return self.engine.embed(_cell(row, self._text), pooling=self._pooling, normalise=self._normalise)

    def columns(self, result: Any) -> dict[str, Any]:
        return {"embedding": result.vector}


class Score(Rows):
    """Adds `logprob` (of the whole text), `tokens` (scored) and `error` to rows with a text (the column `text`).

    >>> scored = texts.map_batches(Score, num_gpus=1, batch_size=256)              # doctest: +SKIP
    """

    outputs = ("logprob", "tokens")

    def __init__(self, model: str | None = None, *, text: str = "text", loading: dict[str, Any] | None = None) -> None:
        self._text = text
        super().__init__(model, **({"cache": "f32"} | (loading or {})))

    def submit(self, row: dict[str, Any]) -> Any:
        return self.engine.score(_cell(row, self._text))

    def columns(self, result: Any) -> dict[str, Any]:
        return {"logprob": float(np.sum(result.logprobs, dtype=np.float64)), "tokens": len(result.logprobs)}


def _tried(call: Callable[[], Any]) -> Any:
    """What it returns, or the error that is the row's own."""
    try:
        return call()
    except _NOT_THE_ROW:
        raise
    except WgptError as e:
        return e


def _cell(row: dict[str, Any], column: str) -> Any:
    if column not in row:
        raise WgptError(f"there is no column {column!r}; the row has {', '.join(sorted(row))}")
    return row[column]


def _plain(value: Any) -> Any:
    """A cell as Python has it: Ray Data's lists are arrays."""
    if isinstance(value, np.ndarray):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value


def _column(values: list[Any]) -> NDArray[Any]:
    """A column that may have gaps."""
    column = np.empty(len(values), object)
    column[:] = values
    return column
