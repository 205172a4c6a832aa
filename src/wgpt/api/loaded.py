"""A model on a GPU with its tokenizer and sessions: the base of writing, scoring and learning."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

from ..core.arguments import token_ids
from ..core.errors import WgptError
from ..core.naming import argument
from ..core.sizes import PAGE
from ..engine.draft import DraftModel
from ..engine.encoder_engine import EncoderEngine
from ..engine.engine import MAX_BATCH, Engine
from ..engine.errors import ContextError, check_length
from ..engine.fixed_batch import FixedBatch, check_ids
from ..engine.memory import page_bytes
from ..engine.reader import Reader
from ..formats.sentence_files import SentenceSettings
from ..formats.tokenizer import Tokenizer
from ..gpu import AllocationError, GpuDevice
from ..gpu.process_bound import ProcessBound
from ..models.config import Config
from ..models.network import AnyNetwork
from ..models.residency import Residency
from ..ops.backend import Kernels
from ..ops.fallbacks import Fallback
from .classify import Classes
from .loaded_loras import LoadedLoras
from .turns import Turns

Prompt = str | Sequence[int]
AnyEngine = Engine | EncoderEngine
_PROMPTS = "a text or a list of token ids"
_READ_TOKENS, _SOFTWARE_READ_TOKENS = 8192, 2048  # of all texts that are scored together


class Loaded(ProcessBound):
    """Weights, tokenizer, LoRA adapters, and the sequences in the KV cache."""

    _way_out = "load the model in each process that needs it (wgpt.load); threads of one process share it"

    def __init__(
        self,
        network: AnyNetwork,
        tokenizer: Tokenizer | None,
        name: str = "",
        cache: str = "f16",
        context: int | None = None,
        path: Path | None = None,
        kernels: str = "wgsl",
        precision: str = "fast",
        dtype: str | None = None,
        cache_bytes: int | None = None,
        max_batch: int = MAX_BATCH,
        deterministic: bool = False,
        sentences: SentenceSettings = SentenceSettings(),
    ) -> None:
        self.network, self.name, self.kernels, self.precision = network, name, kernels, precision
        self._kernels = Kernels(kernels)
        self.path = path  # of the model's files; None if it was not loaded from files
        self.dtype = dtype  # the recipe the matrices were converted with; None: not converted
        self._tokenizer = tokenizer
        if context is not None and not 1 <= context <= network.config.context:
            network.release()
            most = network.config.context
            raise ContextError(f"{argument('context')} must be from 1 to the model's {most} tokens, not {context}")
        self.sentences = sentences  # how the model's files say that texts become vectors
        self.context = context or self._usual_context()
        itself = weakref.proxy(self)  # a dropped model is freed at once, without a cycle to collect
        self._loras = LoadedLoras(network, lambda lora: itself._quiet(lora))
        self._reader = Reader(network, self._kernels)
        self._reads_with = self._loras.state  # the LoRA adapter that the reader uses
        self.cache, self._cache_bytes, self._deterministic = cache, cache_bytes, deterministic
        self._max_batch = max_batch
        self._open_engine: Engine | None = None
        self._open_reader: Engine | None = None
        self._open_encoder: EncoderEngine | None = None
        self._engines: WeakSet[AnyEngine] = WeakSet()
        self._guessed_for: WeakSet[AnyEngine] = WeakSet()  # of other models, whose draft model this is
        self.draft: Loaded | None = None  # the model that guesses what this one generates; closed with it
        self._closed = False
        self._turns = Turns()

    @property
    def config(self) -> Config:
        return self.network.config

    @property
    def device(self) -> GpuDevice:
        return self.network.device

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            raise WgptError(f"{self.name or 'this model'} has no tokenizer: pass token ids instead of text")
        return self._tokenizer

    @property
    def nbytes(self) -> int:
        """GPU memory of weights, LoRA adapters, KV cache and intermediate results, those of a draft model included."""
        engines = sum(engine.nbytes for engine in self._engines)
        draft = 0 if self.draft is None else self.draft.nbytes
        return self.network.nbytes + self._loras.nbytes + self._reader.nbytes + engines + draft

    @property
    def residency(self) -> Residency:
        """Which layers are on the GPU, and which are streamed from host memory; prints as a sentence."""
        return self.network.residency

    @property
    def fallbacks(self) -> list[Fallback]:
        """Operations that ran on hand-written kernels although kernels="triton" was requested.

        Empty with hand-written kernels, the default. With kernels="triton", an entry prints as
        "gemv_fused with q6_k weights (12)".

        >>> model.fallbacks
        []
        """
        return self._kernels.fallbacks

    def ids(self, prompt: Prompt) -> list[int]:
        """Token ids of a text; token ids are returned unchanged. Refuses empty prompts and ids outside the vocabulary.

        >>> model.ids("The sky")
        [504, 6376]
        """
        return self._ids("prompt", prompt)

    def _ids(self, name: str, prompt: Prompt) -> list[int]:
        ids = self.tokenizer.encode(prompt) if isinstance(prompt, str) else token_ids(name, prompt, _PROMPTS)
        if not ids:
            raise ContextError(f"the {name} is empty: at least one token is required")
        check_ids(ids, self.config.vocab)
        return ids

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the attached LoRA adapter; empty if it does not classify."""
        return () if self._classifies is None else self._classifies.names

    @property
    def _classifies(self) -> Classes | None:
        return None if self._loras.attached is None else self._loras.attached.classes

    @property
    def loras(self) -> list[str]:
        """Names of the loaded LoRA adapters."""
        return self._loras.names

    @property
    def lora(self) -> str | None:
        """Name of the attached LoRA adapter, or None."""
        return None if self._loras.attached is None else self._loras.attached.name

    def forget(self) -> None:
        """Clear the KV cache, for example after the weights have changed.

        >>> model.forget()
        """
        with self._turns.call():
            for engine in self._users():
                engine.forget()

    def _check_open(self) -> None:
        if self._closed:
            raise WgptError(f"{self.name or 'this model'} was closed: load it again")

    def close(self) -> None:
        """Free the GPU memory. A `with` block does the same at its end.

        >>> with wgpt.load() as other:
        ...     other.ids("Hello")
        [19556]
        """
        with self._turns.call():
            self._closed = True
            for engine in self._users():
                engine.close(f"{self.name or 'this model'} was closed: load it again")
            self._open_engine = self._open_reader = self._open_encoder = None
            if self.draft is not None:
                self.draft.close()
            self._reader.release()
            self._loras.release()
            self.network.release()
            for device in self.network.devices:
                device.reclaim()

    def _engine(self) -> Engine:
        """The engine that generates; opened when it is first needed."""
        with self._turns.call():
            self._check_open()
            if self._open_engine is None:
                sizes: dict[str, Any] = {"context": self.context, "cache": self.cache, "cache_bytes": self._cache_bytes}
                sizes |= {"max_batch": self._max_batch, "deterministic": self._deterministic, "draft": self.draft}
                self._open_engine = self._new_engine(**sizes)
            return self._open_engine

    def _usual_context(self) -> int:
        """The model's own. An encoder's files may name fewer tokens, to which longer texts would be cut elsewhere."""
        most = self.network.config.context
        limit = self.sentences.max_tokens if self.network.config.encoder is not None else None
        return most if limit is None else min(most, limit)

    def _encoder(self) -> EncoderEngine:
        """The engine of an encoder; opened when it is first needed."""
        with self._turns.call():
            self._check_open()
            if self._open_encoder is None:
                self._open_encoder = self._new_encoder(context=self.context, max_batch=self._max_batch)
            return self._open_encoder

    def _new_encoder(self, **settings: Any) -> EncoderEngine:
        """An engine for an encoder; it is closed with the model."""
        self._check_open()
        engine = EncoderEngine(self.network.whole("an encoder"), kernels=self._kernels, **settings)
        self._engines.add(engine)
        return engine

    def _new_engine(self, draft: Loaded | None = None, **settings: Any) -> Engine:
        """An engine for this model; it is closed with the model, and with the draft model."""
        self._check_open()
        if draft is not None:
            draft._check_open()
            guesser = draft.network.whole("a draft model")
            settings["draft"] = DraftModel(guesser, draft._tokenizer, draft.name or "the draft model")
        shared: dict[str, Any] = {"kernels": self._kernels, "precision": self.precision, "loras": self._loras.shared}
        engine = Engine(self.network, self._tokenizer, **shared, **settings)
        self._engines.add(engine)
        if draft is not None:
            draft._guessed_for.add(engine)
        return engine

    def _users(self) -> set[AnyEngine]:
        """The engines that use the weights."""
        return {*self._engines, *self._guessed_for}

    @contextmanager
    def _quiet(self, lora: int = 0) -> Iterator[None]:
        """Without requests that run: for changes that they must not see. `lora`: see Engine.paused."""
        with self._turns.call(), ExitStack() as stack:
            for engine in self._users():
                stack.enter_context(engine.paused(lora))
            yield

    def _scorer(self, ids: Sequence[int], name: str = "prompt") -> FixedBatch:
        """What reads a whole text, with the attached LoRA adapter."""
        self._check_open()
        check_length(len(ids), self.context, name)
        return self._reader.batch(len(ids))

    def _follow_lora(self) -> None:
        """Read with the LoRA adapter that is attached now."""
        if self._reads_with != self._loras.state:
            self._reads_with = self._loras.state
            self._reader.attach(self._loras.placed)

    def _reading_engine(self, longest: int) -> AnyEngine:
        """The engine that reads texts: its cache is f32, because an f16 cache changes a token's log-probability by up
        to 0.02, and q8_0 by 0.3. It has room for a text of `longest` tokens. Or an encoder's, which has no cache."""
        self._check_open()
        check_length(longest, self.context)
        if self.config.encoder is not None:
            return self._encoder()
        writer, reader = self._open_engine, self._open_reader
        if self.cache == "f32" and (writer is None or writer.holds(longest)):
            writer = self._engine()
            if writer.holds(longest):
                return writer
        if reader is None or not reader.holds(longest):
            self._open_reader = None
            if reader is not None and not reader.busy:
                reader.close()
            usual = _SOFTWARE_READ_TOKENS if self.device.software else _READ_TOKENS
            least = min(self.context, 1 << (longest - 1).bit_length())
            try:
                self._open_reader = self._new_reader(max(usual, least))
            except AllocationError:
                if usual <= least:
                    raise
                self._open_reader = self._new_reader(least)
        assert self._open_reader is not None
        return self._open_reader

    def _new_reader(self, tokens: int) -> Engine:
        cache_bytes = (1 + -(-tokens // PAGE)) * page_bytes(self.config, "f32")
        sizes: dict[str, Any] = {"context": self.context, "cache": "f32", "cache_bytes": cache_bytes}
        return self._new_engine(**sizes, deterministic=self._deterministic)
