"""The engines of a model: opened when they are needed, paused while weights change, closed with the model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from weakref import WeakSet

from ..core.errors import WgptError
from ..core.sizes import PAGE
from ..engine.draft import DraftModel
from ..engine.encoder_engine import EncoderEngine
from ..engine.engine import MAX_BATCH, Engine
from ..engine.errors import check_length
from ..engine.memory import page_bytes
from ..formats.tokenizer import Tokenizer
from ..gpu import AllocationError
from ..models.network import AnyNetwork
from .turns import Turns

AnyEngine = Engine | EncoderEngine
_READ_TOKENS, _SOFTWARE_READ_TOKENS = 8192, 2048  # of all texts that are scored together


class EngineGroup:
    """The engines that use a model's weights, those of other models whose draft model it is included."""

    def __init__(self, name: str) -> None:
        self.turns = Turns()
        self._closed_message = f"{name or 'this model'} was closed: load it again"
        self._closed = False
        self._own: WeakSet[AnyEngine] = WeakSet()
        self._drafted_for: WeakSet[AnyEngine] = WeakSet()

    def add(self, engine: AnyEngine, *, drafted: bool = False) -> None:
        """`drafted`: it is another model's, for which this one guesses tokens."""
        (self._drafted_for if drafted else self._own).add(engine)

    @property
    def nbytes(self) -> int:
        """GPU memory of the model's own engines."""
        return sum(engine.nbytes for engine in self._own)

    def check_open(self) -> None:
        if self._closed:
            raise WgptError(self._closed_message)

    @contextmanager
    def paused(self, lora: int = 0) -> Iterator[None]:
        """Without requests that run: for changes that they must not see. `lora`: see Engine.paused."""
        with self.turns.call(), ExitStack() as stack:
            for engine in self._all():
                stack.enter_context(engine.paused(lora))
            yield

    def forget(self) -> None:
        with self.turns.call():
            for engine in self._all():
                engine.forget()

    def close(self) -> None:
        self._closed = True
        for engine in self._all():
            engine.close(self._closed_message)

    def _all(self) -> set[AnyEngine]:
        return {*self._own, *self._drafted_for}


class ModelEngines:
    """Opens a model's engines. `settings`: those of the one that generates."""

    def __init__(
        self, network: AnyNetwork, tokenizer: Tokenizer | None, name: str, group: EngineGroup, **settings: Any
    ) -> None:
        self._network, self._tokenizer, self._name, self.group = network, tokenizer, name, group
        self._settings = settings
        self.draft: ModelEngines | None = None  # of the model that guesses tokens for this one
        self._generator: Engine | None = None
        self._reader: Engine | None = None
        self._encoder: EncoderEngine | None = None

    def open(self, draft: ModelEngines | None = None, **changes: Any) -> Engine:
        """A new engine with changed settings; it is closed with the model, and with the draft model."""
        self.group.check_open()
        if draft is not None:
            draft.group.check_open()
            guesser = draft._network.whole("a draft model")
            changes["draft"] = DraftModel(guesser, draft._tokenizer, draft._name or "the draft model")
        engine = Engine(self._network, self._tokenizer, **self._settings | changes)
        self.group.add(engine)
        if draft is not None:
            draft.group.add(engine, drafted=True)
        return engine

    def open_encoder(self, **changes: Any) -> EncoderEngine:
        """The same for an encoder."""
        self.group.check_open()
        settings = {name: self._settings[name] for name in ("kernels", "context", "max_batch")}
        engine = EncoderEngine(self._network.whole("an encoder"), **settings | changes)
        self.group.add(engine)
        return engine

    def generator(self) -> Engine:
        with self.group.turns.call():
            self.group.check_open()
            if self._generator is None:
                self._generator = self.open(self.draft)
            return self._generator

    def encoder(self) -> EncoderEngine:
        with self.group.turns.call():
            self.group.check_open()
            if self._encoder is None:
                self._encoder = self.open_encoder()
            return self._encoder

    def reader(self, longest: int) -> AnyEngine:
        """The engine that reads texts: its cache is f32, because an f16 cache changes a token's log-probability by up
        to 0.02, and q8_0 by 0.3. It has room for a text of `longest` tokens. Or an encoder's, which has no cache."""
        self.group.check_open()
        context = self._settings["context"]
        check_length(longest, context)
        if self._network.config.encoder is not None:
            return self.encoder()
        writer, reader = self._generator, self._reader
        if self._settings["cache"] == "f32" and (writer is None or writer.holds(longest)):
            writer = self.generator()
            if writer.holds(longest):
                return writer
        if reader is None or not reader.holds(longest):
            self._reader = None
            if reader is not None and not reader.busy:
                reader.close()
            usual = _SOFTWARE_READ_TOKENS if self._network.device.software else _READ_TOKENS
            least = min(context, 1 << (longest - 1).bit_length())
            try:
                reader = self._open_reader(max(usual, least))
            except AllocationError:
                if usual <= least:
                    raise
                reader = self._open_reader(least)
            self._reader = reader
        return reader

    def _open_reader(self, tokens: int) -> Engine:
        cache_bytes = (1 + -(-tokens // PAGE)) * page_bytes(self._network.config, "f32")
        return self.open(cache="f32", cache_bytes=cache_bytes, max_batch=MAX_BATCH)

    def close(self) -> None:
        self.group.close()
        self._generator = self._reader = self._encoder = None
