"""`wgpt.Engine`: a model that serves many requests at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.arguments import flag, number_between, whole_number, wrong_type
from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..engine.engine import MAX_BATCH
from ..engine.health import Health
from ..engine.reading import Embedding, ReadRequest, Score
from ..engine.request import Request
from ..formats.chat import keeping
from ..gpu.process_bound import ProcessBound
from ..ops.cache import check_cache
from .engines import AnyEngine
from .loaded import Loaded
from .model import Model
from .prompts import Prompt
from .ranking import Ranked, rerank


class Engine(ProcessBound):
    """Takes requests from any thread, and generates their texts together.

    model: from `wgpt.load`; it stays usable, and must stay open.
    max_batch: sequences that run at once. max_queue: requests that may wait beside them; more are refused.
    context: tokens of a sequence, at most; cache: type of the KV cache (f16, f32, q8_0). Both default to the model's.
    cache_bytes: GPU memory for the KV cache of all sequences together. When it is full, the youngest sequence gives way
        and is computed again later.
    max_stall: seconds of GPU time that running sequences may wait for the prompts of others.
    deterministic: a sequence gets the same tokens whatever else runs; this is slower, at most 16 sequences run at once,
        and each reserves all the memory that it may need.
    speculation: "ngram" guesses the next tokens from what followed the newest ones earlier in the text, and checks
        several guesses in one step: faster where a text repeats or quotes itself. The tokens are chosen as without.
    draft: a smaller model with the same vocabulary, on the same GPU device, that guesses the next tokens; it must stay
        open, too. How many it guesses, if any, depends on how often it is right and on what its steps cost. The tokens
        are chosen as without. LoRA adapters do not change its guesses. Its keys and values are in `cache_bytes`, too.
    on_turn: called in the engine's thread once for each result that it has read, when the next work is submitted. It
        must be quick and must not raise: the GPU may wait for it.

    >>> with wgpt.Engine(model) as engine:
    ...     requests = [engine.submit(text, max_tokens=2) for text in ("The capital of France is", "2 + 2 =")]
    ...     [request.result().text for request in requests][0]
    ' Paris.'
    """

    _way_out = Loaded._way_out

    def __init__(
        self,
        model: Model,
        *,
        max_batch: int = MAX_BATCH,
        max_queue: int | None = None,
        context: int | None = None,
        cache: str | None = None,
        cache_bytes: int | None = None,
        max_stall: float = 0.04,
        deterministic: bool = False,
        speculation: str | None = None,
        draft: Loaded | None = None,
        on_turn: Callable[[], None] | None = None,
    ) -> None:
        if not isinstance(model, Model):
            raise wrong_type("model", model, "a Model (wgpt.load)")
        if draft is not None and not isinstance(draft, Loaded):
            raise wrong_type("draft", draft, "a Model (wgpt.load)")
        whole_number("max_batch", max_batch, 1, MAX_BATCH)
        if max_queue is not None:
            whole_number("max_queue", max_queue, least=0)
        if context is not None:
            whole_number("context", context, 1, model.config.context)
        if cache is not None:
            check_cache(cache, model.config.cache_layers)
        number_between("max_stall", max_stall, 0, 60)
        flag("deterministic", deterministic)
        self.model = model
        shared: dict[str, Any] = {"context": context or model.context, "max_batch": max_batch, "max_queue": max_queue}
        self._core: AnyEngine
        if model.config.encoder is not None:
            unused = {"cache": cache, "cache_bytes": cache_bytes, "speculation": speculation, "draft": draft}
            unused["deterministic"] = deterministic or None
            name = next((name for name, value in unused.items() if value is not None), None)
            if name is not None:
                raise PreconditionError(f"{name}: the model is an encoder, which has no KV cache and generates no text")
            self._core = model._engines.open_encoder(**shared, on_turn=on_turn)
        else:
            self._core = model._engines.open(
                **shared,
                cache=cache or model.cache,
                cache_bytes=cache_bytes,
                max_stall=max_stall,
                deterministic=deterministic,
                speculation=speculation,
                draft=None if draft is None else draft._engines,
                on_turn=on_turn,
            )
        self._requests = model._requests.to(self._core)

    def submit(
        self,
        prompt: Prompt,
        *,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        **options: Any,
    ) -> Request:
        """Ask for a completion of a text or of token ids; options are those of `Model.generate`.

        lora: name of a loaded LoRA adapter (`Model.load_lora`); by default the attached one.
        priority: smaller ones go first; each step counts like ten seconds of waiting, so that nobody waits forever.
        deterministic, one of the options: refuse the request if this engine is not deterministic.
        cache_salt, another: requests share what is kept of their prompts with those of the same one only.
            Give each user another, and `cached_tokens` tells nobody what others have asked.

        >>> with wgpt.Engine(model) as engine:
        ...     "".join(engine.submit("The capital of France is", max_tokens=2))
        ' Paris.'
        """
        options |= {"n": 1, "lora": lora}
        return self._requests.generate([prompt], options, priority=priority, progress=progress)[0][0]

    def submit_all(
        self, prompts: Sequence[Prompt], *, n: int = 1, lora: str | None = None, priority: int = 0, **options: Any
    ) -> list[list[Request]]:
        """Ask for `n` completions of each prompt. They begin together, or none does because the queue is full.

        >>> with wgpt.Engine(model) as engine:
        ...     samples = engine.submit_all(["The capital of France is", "2 + 2 ="], n=2, max_tokens=2)
        ...     [len(each) for each in samples], samples[0][1].result().text
        ([2, 2], ' Paris.')
        """
        return self._requests.generate(prompts, {**options, "n": n, "lora": lora}, priority=priority)

    @property
    def context(self) -> int:
        """Tokens of a sequence, at most."""
        return self._core.context

    def prepare(self) -> None:
        """Compile in advance what most requests need, so that they do not wait for it. `wgpt serve` does so.

        It does nothing for encoders, for models split over several GPUs, and on software drivers, which compile at the
        first dispatch.

        >>> engine = wgpt.Engine(model)
        >>> engine.prepare()
        """
        self._core.prepare()

    def forget(self) -> None:
        """Forget what is kept of earlier prompts."""
        self._core.forget()

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Request:
        """Ask for the answer in a conversation."""
        ids = self.model.chat_ids(messages)
        return self.submit(ids, **keeping(options, messages, self.model.chat_ids, ids))

    def score(
        self,
        prompt: Prompt,
        *,
        first: int = 1,
        top: int = 0,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> ReadRequest[Score]:
        """Ask for the log-probability of each token of a text, given those before it, beside the other requests.

        first: number of the first token to score; what comes before it may be in the KV cache already.
        top: how many of the most likely tokens to report in each place, too; at most 20.
        lora, priority, cache_salt: see `submit`.
        The KV cache's type limits the accuracy: f16 changes a log-probability by up to 0.02, q8_0 by 0.3.

        >>> with wgpt.Engine(model) as engine:
        ...     engine.score("The sky is blue").result().logprobs.shape
        (3,)
        """
        return self._requests.score([prompt], first, top, lora, priority, progress, cache_salt)[0]

    def embed(
        self,
        prompt: Prompt,
        *,
        pooling: str | None = None,
        normalise: bool | None = None,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> ReadRequest[Embedding]:
        """Ask for a text as one vector. pooling, normalise: see `Model.embed`; lora, priority, cache_salt: see
        `submit`.

        >>> with wgpt.Engine(model) as engine:
        ...     engine.embed("The sky is blue").result().vector.shape
        (576,)
        """
        return self._requests.embed([prompt], pooling, normalise, lora, priority, progress, cache_salt)[0]

    def rerank(
        self, query: str, texts: Sequence[str], *, truncate: bool = False, cache_salt: str | None = None
    ) -> list[Ranked]:
        """Sort texts by how well they answer a query, beside the other requests: see `Model.rerank`.

        >>> with wgpt.Engine(model) as engine:
        ...     best, other = engine.rerank("What is blue?", ["The sky is blue.", "Grass is green."])
        >>> 1 >= best.score >= other.score >= 0
        True
        """
        return rerank(self._requests, query, texts, truncate=truncate, cache_salt=cache_salt)

    @property
    def health(self) -> Health:
        """Whether it is alive, what it does, and how long ago it finished its last step.

        >>> with wgpt.Engine(model) as engine:
        ...     engine.health.alive
        True
        """
        return self._core.health

    @property
    def nbytes(self) -> int:
        """GPU memory, without the model's weights."""
        return self._core.nbytes

    def close(self) -> None:
        """End all requests and free the GPU memory."""
        self._core.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._core)
