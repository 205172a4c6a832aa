"""Model: everything a loaded model can do."""

from __future__ import annotations

from .learning import Learning
from .ranking import Ranking
from .writing import Writing


class Model(Writing, Ranking, Learning):
    """A model on a GPU, with its tokenizer and the sequences in its KV cache.

    It is thread-safe: calls run one after the other. Scoring may run between the pieces of a stream; generation in
    another thread waits until the stream ends (see Stream). `close` waits only for the running call.

    >>> model.config.layers, model.context
    (30, 8192)
    """

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        c = self.config
        gpus = ", ".join(device.info.name for device in self.network.devices)
        return f"Model({self.name}: {c.family}, {c.layers} layers, hidden {c.hidden}, on {gpus})"
