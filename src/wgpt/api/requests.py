"""Requests: arguments are checked, and token ids submitted to an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_progress, check_type, flag, is_list, one_of, whole_number
from ..core.errors import WgptError
from ..core.generation import MOST_LOGPROBS
from ..core.progress import Progress
from ..engine.base_request import BaseRequest
from ..engine.encoder import POOLINGS as ENCODER_POOLINGS
from ..engine.encoder import Text
from ..engine.encoder_engine import EncoderEngine
from ..engine.options import Options, check_salt
from ..engine.reading import POOLINGS, Embedding, ReadRequest, Score
from ..engine.request import Request
from .classify import Classes
from .engines import AnyEngine, ModelEngines
from .loaded_loras import LoadedLora, LoadedLoras
from .prompts import Prompt, Prompts

MOST_SAMPLES = 128  # of one prompt
_T = TypeVar("_T")


class Requests:
    """Checks what callers ask for, and submits it to the model's own engines, or to the `engine` of a wgpt.Engine."""

    def __init__(
        self, prompts: Prompts, loras: LoadedLoras, engines: ModelEngines, engine: AnyEngine | None = None
    ) -> None:
        self.prompts, self._loras, self._engines, self._engine = prompts, loras, engines, engine

    def to(self, engine: AnyEngine) -> Requests:
        """The same for this engine of the model."""
        return Requests(self.prompts, self._loras, self._engines, engine)

    def generate(
        self,
        prompts: Sequence[Prompt],
        options: Mapping[str, Any],
        *,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> list[list[Request]]:
        """`n` requests for each prompt; `n` and `lora` are among the options."""
        self._engines.group.check_open()
        check_progress(progress)
        adapter = self._lora(options.get("lora"))
        whole_number("priority", priority, -1000, 1000)
        if adapter is not None and adapter.classes is not None:
            raise WgptError(
                f"the LoRA adapter {adapter.name!r} classifies texts and cannot generate: use classify(text), or "
                "detach it to generate"
            )
        samples = whole_number("n", options.get("n", 1), 1, MOST_SAMPLES)
        checked = Options.of({name: value for name, value in options.items() if name not in ("n", "lora")})
        ids = [self.prompts.ids(prompt) for prompt in prompts]
        rows = [(row * samples + i, each) for row, each in enumerate(ids) for i in range(samples)]
        engine, id = self._engine or self._engines.generator(), 0 if adapter is None else adapter.id
        requests = engine.submit_all(rows, checked, lora=id, priority=priority, progress=progress)
        return [requests[at : at + samples] for at in range(0, len(requests), samples)]

    def score(
        self,
        prompts: Sequence[Prompt],
        first: int | Sequence[int] = 1,
        top: int = 0,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Score]]:
        texts = [self.prompts.ids(prompt) for prompt in prompts]
        firsts = _firsts(first, texts)
        whole_number("top", top, 0, MOST_LOGPROBS)
        with self._reading(texts, lora, priority, progress, cache_salt) as (reader, common):
            return reader.score(texts, first=firsts, top=top, **common)

    def embed(
        self,
        prompts: Sequence[Prompt],
        pooling: str | None = None,
        normalise: bool | None = None,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Embedding]]:
        pooling, normalise = self._pooling(pooling, normalise)
        texts = [self.prompts.ids(prompt, "text") for prompt in prompts]
        with self._reading(texts, lora, priority, progress, cache_salt) as (reader, common):
            return reader.embed(texts, pooling=pooling, normalise=normalise, **common)

    def class_scores(self, texts: Sequence[Text]) -> list[ReadRequest[NDArray[np.float32]]]:
        """By an encoder's classification head."""
        encoder = self._engine or self._engines.encoder()
        assert isinstance(encoder, EncoderEngine)
        return encoder.scores(texts)

    def classify(self, texts: Sequence[Any]) -> tuple[Classes, list[ReadRequest[Embedding]]]:
        """The attached LoRA adapter's classes, and the hidden states that it classifies."""
        with self._engines.group.turns.call():
            adapter = self._loras.attached
            classes = None if adapter is None else adapter.classes
            if adapter is None or classes is None:
                problem = f"LoRA adapter {adapter.name!r} has no classes" if adapter else "no LoRA adapter is attached"
                raise WgptError(f"{problem}: attach one that was trained to classify (finetune with classify=True)")
            ids = [self.prompts.ids_to_classify(text) for text in texts]
            return classes, self.embed(ids, "last", False, adapter.name)

    def _pooling(self, pooling: str | None, normalise: bool | None) -> tuple[str, bool]:
        """As requested, otherwise as the model's files say."""
        files = self.prompts.sentences
        if pooling is None and files.unsupported:
            raise WgptError(f"{files.unsupported}: choose a pooling, for vectors that are not the model's usual ones")
        poolings = POOLINGS if self.prompts.config.encoder is None else ENCODER_POOLINGS
        pooling = one_of("pooling", files.pooling or "mean" if pooling is None else pooling, poolings)
        usual = True if files.normalise is None else files.normalise
        return pooling, usual if normalise is None else flag("normalise", normalise)

    @contextmanager
    def _reading(
        self,
        texts: Sequence[list[int]],
        lora: str | None,
        priority: int,
        progress: Progress | None,
        cache_salt: str | None,
    ) -> Iterator[tuple[AnyEngine, dict[str, Any]]]:
        """The engine for these texts, and the options of all requests. Nobody replaces the model's meanwhile."""
        check_progress(progress)
        check_salt(cache_salt)
        whole_number("priority", priority, -1000, 1000)
        with self._engines.group.turns.call() if self._engine is None else nullcontext():
            self._engines.group.check_open()
            adapter = self._lora(lora)
            id = 0 if adapter is None else adapter.id
            reader = self._engine or self._engines.reader(max(map(len, texts), default=1))
            yield reader, {"lora": id, "priority": priority, "progress": progress, "cache_salt": cache_salt}

    def _lora(self, name: str | None) -> LoadedLora | None:
        """The LoRA adapter of this name; by default the attached one."""
        check_type("lora", name, "the name of a loaded LoRA adapter", str)
        return self._loras.attached if name is None else self._loras.named(name)


def results(requests: Sequence[BaseRequest[_T]]) -> list[_T]:
    """Wait for all of them."""
    try:
        return [request.result() for request in requests]
    finally:  # after an error, or Ctrl-C
        for request in requests:
            request.cancel()


def _firsts(first: Any, texts: Sequence[list[int]]) -> list[int]:
    """The number of the first token to score in each text."""
    if not is_list(first):
        return [whole_number("first", first, 1, max(1, min(map(len, texts))))] * len(texts)
    if len(first) != len(texts):
        raise WgptError(f"first has {len(first)} numbers for {len(texts)} prompts: give one for each")
    return [whole_number("first", each, 1, len(ids)) for each, ids in zip(first, texts, strict=True)]
