"""What a loaded model consists of: weights, tokenizer, LoRA adapters and engines."""

from __future__ import annotations

from pathlib import Path

from ..core.naming import argument
from ..engine.engine import MAX_BATCH
from ..engine.errors import ContextError
from ..engine.reader import Reader
from ..formats.sentence_files import SentenceSettings
from ..formats.tokenizer import Tokenizer
from ..gpu import GpuDevice
from ..gpu.process_bound import ProcessBound
from ..models.config import Config
from ..models.network import AnyNetwork
from ..models.residency import Residency
from ..ops.backend import Kernels
from ..ops.fallbacks import Fallback
from .engines import EngineGroup, ModelEngines
from .loaded_loras import LoadedLoras
from .prompts import Prompts
from .requests import Requests


class Loaded(ProcessBound):
    """Puts the parts of a model together, says what it is, and frees them."""

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
        self.cache = cache
        most = network.config.context
        if context is not None and not 1 <= context <= most:
            network.release()
            raise ContextError(f"{argument('context')} must be from 1 to the model's {most} tokens, not {context}")
        # An encoder's files may name fewer tokens, to which longer texts would be cut elsewhere.
        usual = sentences.max_tokens if network.config.encoder is not None else None
        self.context = context or min(most, usual or most)
        self._group = EngineGroup(name)
        self._loras = LoadedLoras(network, self._group.paused)
        self._reader = Reader(network, self._kernels)
        self._engines = ModelEngines(
            network,
            tokenizer,
            name,
            self._group,
            kernels=self._kernels,
            precision=precision,
            loras=self._loras.shared,
            context=self.context,
            cache=cache,
            cache_bytes=cache_bytes,
            max_batch=max_batch,
            deterministic=deterministic,
        )
        self._prompts = Prompts(network.config, tokenizer, name, self.context, sentences)
        self._requests = Requests(self._prompts, self._loras, self._engines)
        self._draft: Loaded | None = None

    @property
    def draft(self) -> Loaded | None:
        """The model that guesses what this one generates; closed with it."""
        return self._draft

    @draft.setter
    def draft(self, draft: Loaded | None) -> None:
        self._draft, self._engines.draft = draft, None if draft is None else draft._engines

    @property
    def config(self) -> Config:
        return self.network.config

    @property
    def device(self) -> GpuDevice:
        return self.network.device

    @property
    def tokenizer(self) -> Tokenizer:
        return self._prompts.tokenizer

    @property
    def sentences(self) -> SentenceSettings:
        """How the model's files say that texts become vectors."""
        return self._prompts.sentences

    @property
    def nbytes(self) -> int:
        """GPU memory of weights, LoRA adapters, KV cache and intermediate results, those of a draft model included."""
        draft = 0 if self.draft is None else self.draft.nbytes
        return self.network.nbytes + self._loras.nbytes + self._reader.nbytes + self._group.nbytes + draft

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

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the attached LoRA adapter; empty if it does not classify."""
        attached = self._loras.attached
        return () if attached is None or attached.classes is None else attached.classes.names

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
        self._group.forget()

    def close(self) -> None:
        """Free the GPU memory. A `with` block does the same at its end.

        >>> with wgpt.load() as other:
        ...     other.ids("Hello")
        [19556]
        """
        with self._group.turns.call():
            self._engines.close()
            if self.draft is not None:
                self.draft.close()
            self._reader.release()
            self._loras.release()
            self.network.release()
            for device in self.network.devices:
                device.reclaim()
