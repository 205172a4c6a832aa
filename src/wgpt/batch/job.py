"""What another process or a Ray actor needs to answer lines of `wgpt batch`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..api import Engine, Model, load


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
        with load(self.model, gpu=gpu, **self.loading) as model:
            model.network.check_generates()
            with self.engine_of(model) as engine:
                yield engine

    def engine_of(self, model: Model) -> Engine:
        """An engine for the model, with the named LoRA adapters loaded."""
        for name, folder in self.loras.items():
            model.load_lora(folder, name)
        return Engine(model, draft=model.draft, **self.engine)
