"""What another process or a Ray actor needs to answer lines of `wgpt batch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..api import Engine, Model
from ..api.loading import open_engine


@dataclass(frozen=True)
class Job:
    """`model`, `loading`: as wgpt.load takes them. loras: folders by name. engine: options of wgpt.Engine, max_batch
    among them. defaults: options of generation for lines that do not set them."""

    model: str | None
    loading: Mapping[str, Any]
    loras: Mapping[str, str]
    engine: Mapping[str, Any]
    defaults: Mapping[str, Any]

    @property
    def max_batch(self) -> int:
        return int(self.engine["max_batch"])

    @contextmanager
    def opened(self, gpu: str) -> Iterator[Engine]:
        """The model on a GPU, in an engine."""
        engine = self.engine_of(self.model, gpu=gpu, **self.loading)
        with engine.model, engine:
            yield engine

    def engine_of(self, model: Model | str | None, **loading: Any) -> Engine:
        """An engine for a model, with the named LoRA adapters."""
        return open_engine(model, loras=self.loras, engine=self.engine, generates=True, **loading)
