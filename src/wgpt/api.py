"""The API for people: `wgpt.load()` gives a Model that generates, chats and scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from .formats import open_checkpoint
from .formats.chat import encode_chat
from .formats.peft import Adapter, read_adapter
from .formats.sources import DEFAULT, at_hand, resolve
from .formats.tokenizer import Tokenizer, load_tokenizer
from .gpu import GpuDevice, WgptError, default_device
from .infer.classify import Classes, Classification
from .infer.generate import Completion, Generation, Options, capacity_for
from .infer.loaded_adapters import LoadedAdapters, place, source_of
from .infer.session import ContextError, Progress, Session, check_ids
from .models.config import Config
from .models.network import Network
from .models.targets import linear_shapes
from .ops.cache import DTYPES as CACHES
from .ops.engine import ENGINES
from .train.corpus import Corpus
from .train.data import Given, Reading
from .train.finetuning import MODEL, Finetuning, latest_state
from .train.interrupt import deferred
from .train.recipe import Recipe
from .train.tokens import ids_to_classify
from .train.trainer import Moment

_LEAST_CAPACITY = 1024  # positions of a cache: a conversation grows, and a new cache is read anew
Prompt = str | Sequence[int]


def load(
    model: str | Path | None = None,
    *,
    adapter: int | str | None = None,
    dtype: str | None = None,
    cache: str = "f16",
    context: int | None = None,
    tokenizer: str | Path | None = None,
    lora: str | Path | Adapter | None = None,
    kernels: str = "wgsl",
    progress: Progress | None = None,
    device: GpuDevice | None = None,
) -> Model:
    """Load a model onto a GPU.

    model: a name (`smollm2-135m`, the default), a .gguf file, a Hugging Face folder, or a hub id (ORG/NAME).
    dtype: convert the matrices (f16, q8_0, q4_1, ...); by default they stay in their own bits. nf4 and nf4_dq, for
        QLoRA, are for the layers: embedding and head stay as they came.
    cache: f16, or f32 for exactness. context: the longest that sequences may become; the model's own by default.
    lora: the folder of a PEFT adapter to attach; `model` then is the one that it names, if that is at hand.
    adapter: not a LoRA, but the GPU: its number or part of its name.
    kernels: wgsl, those written by hand, or triton, those written in Triton (compiled already: Triton is not needed).

    >>> model = wgpt.load()                                          # doctest: +SKIP
    >>> print(model.chat([{"role": "user", "content": "What is the capital of France?"}]))
    The capital of France is Paris.
    """
    if cache not in CACHES:
        raise WgptError(f"the cache is kept in {' or '.join(CACHES)}, not in {cache!r}")
    if kernels not in ENGINES:
        raise WgptError(f"kernels are written in {' or '.join(ENGINES)}, not in {kernels!r}")
    source = None if lora is None else source_of(lora)
    given = read_adapter(source) if isinstance(source, Path) else source
    if model is None and given is not None:
        model = at_hand(given.base)
    path = resolve(model, progress)
    chosen = device or (GpuDevice.open(adapter) if adapter is not None else default_device())
    with open_checkpoint(path) as checkpoint:
        if source is not None and given is not None:  # what does not fit is refused before the weights are read
            given.check(linear_shapes(Config.of(checkpoint.config)), place(source))
        words = load_tokenizer(tokenizer if tokenizer is not None else checkpoint.tokenizer)
        network = Network.load(chosen, checkpoint, dtype, progress)
    name = str(model or DEFAULT)
    loaded = Model(network, words, name, cache, context, path=path, kernels=kernels, dtype=dtype)
    if lora is not None:
        try:
            loaded.attach(lora)
        except BaseException:
            loaded.close()
            raise
    return loaded


class Stream:
    """Text as it is generated. After the last piece `completion` says how it went.

    >>> stream = model.stream("Once upon a time")                    # doctest: +SKIP
    >>> for text in stream:
    ...     print(text, end="", flush=True)
    >>> stream.completion.decode_rate
    """

    def __init__(self, generation: Generation) -> None:
        self._pieces = iter(generation)
        self.completion = generation.completions[0]

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._pieces)[1]

    def close(self) -> None:
        """Stop here. What was generated so far stays in `completion`, and in the cache."""
        self._pieces.close()


class Model:
    """A model on a GPU, its tokenizer, and the sequences it has in its cache."""

    def __init__(
        self,
        network: Network,
        tokenizer: Tokenizer | None,
        name: str = "",
        cache: str = "f16",
        context: int | None = None,
        path: Path | None = None,
        kernels: str = "wgsl",
        dtype: str | None = None,
    ) -> None:
        self.network, self.name, self._kernels = network, name, kernels
        self.path = path  # of its files, where it has some
        self.dtype = dtype  # what its matrices were converted to; None: nothing, they came so
        self._tokenizer, self._cache = tokenizer, cache
        if context is not None and not 1 <= context <= network.config.context:
            network.release()
            raise ContextError(f"context must be from 1 to the model's {network.config.context}, not {context}")
        self.context = context or network.config.context
        self._session: Session | None = None
        self._scoring: Session | None = None
        self._loras = LoadedAdapters(network)
        self._closed = False

    @property
    def config(self) -> Config:
        return self.network.config

    @property
    def device(self) -> GpuDevice:
        return self.network.device

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            raise WgptError(f"{self.name or 'this model'} has no tokenizer: give token ids instead of text")
        return self._tokenizer

    @property
    def nbytes(self) -> int:
        """GPU memory of the weights, the adapters, the cache and the intermediate results."""
        return self.network.nbytes + self._loras.nbytes + sum(s.nbytes for s in self._sessions())

    # Generation -------------------------------------------------------------------------------------------

    @overload
    def generate(self, prompt: str, **options: Any) -> Completion: ...
    @overload
    def generate(self, prompt: Sequence[str] | Sequence[Sequence[int]], **options: Any) -> list[Completion]: ...
    @overload
    def generate(self, prompt: Sequence[int], **options: Any) -> Completion: ...

    def generate(self, prompt: Any, **options: Any) -> Any:
        """Continue a prompt (text or token ids), or several at once: a list of prompts gives a list.

        Options: max_tokens, temperature, top_k, top_p, min_p, repetition_penalty, seed, logit_bias, stop,
        ignore_eos, overflow ("refuse" or "slide").

        >>> model.generate("The sky is", max_tokens=20).text             # doctest: +SKIP
        >>> model.generate(["One", "Two and more"], temperature=0.8, seed=1)
        """
        several = not isinstance(prompt, str) and len(prompt) > 0 and not isinstance(prompt[0], int | np.integer)
        completions = self._generation(list(prompt) if several else [prompt], options).run()
        return completions if several else completions[0]

    def stream(self, prompt: Prompt, *, progress: Progress | None = None, **options: Any) -> Stream:
        """The same for one prompt, piece by piece."""
        return Stream(self._generation([prompt], options, progress))

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Completion:
        """Answer a conversation: a list of {"role": ..., "content": ...}, or one question.

        >>> print(model.chat("What is the capital of France?"))          # doctest: +SKIP
        """
        return self._generation([self.chat_ids(messages)], options).run()[0]

    def stream_chat(
        self, messages: Sequence[Mapping[str, Any]] | str, *, progress: Progress | None = None, **options: Any
    ) -> Stream:
        """The same, piece by piece."""
        return Stream(self._generation([self.chat_ids(messages)], options, progress))

    def chat_ids(self, messages: Sequence[Mapping[str, Any]] | str) -> list[int]:
        """The token ids of a conversation, up to where the answer begins."""
        asked = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        return encode_chat(self.tokenizer, asked)

    def _generation(
        self, prompts: Sequence[Prompt], options: Mapping[str, Any], progress: Progress | None = None
    ) -> Generation:
        if self._classifies is not None:
            raise WgptError(
                f"the adapter {self.adapter!r} tells texts apart and does not write any: use classify(text), or detach "
                "it to generate"
            )
        wanted = Options(**options)
        ids = [self.ids(prompt) for prompt in prompts]
        if not ids:
            raise ContextError("there is no prompt to continue")
        capacity = capacity_for(ids, wanted.max_tokens, self.context)
        return Generation(self.session(capacity, len(ids)), self.tokenizer, ids, wanted, progress)

    def ids(self, prompt: Prompt) -> list[int]:
        """Token ids of a text; ids stay as they are. None of them may be missing or unknown."""
        ids = self.tokenizer.encode(prompt) if isinstance(prompt, str) else [int(i) for i in prompt]
        if not ids:
            raise ContextError("the prompt is empty: give at least one token")
        check_ids(ids, self.config.vocab)
        return ids

    # Scoring ----------------------------------------------------------------------------------------------

    def logits(self, prompt: Prompt) -> NDArray[np.float32]:
        """Logits of every position, [tokens, vocabulary]."""
        ids = self.ids(prompt)
        return self._scorer(ids).logits({0: ids})[0]

    def hidden(self, prompt: Prompt) -> NDArray[np.float32]:
        """Hidden states after the final norm, [tokens, hidden]."""
        ids = self.ids(prompt)
        return self._scorer(ids).hidden({0: ids})[0]

    def logprobs(self, prompt: Prompt) -> NDArray[np.float32]:
        """Log-probability of every token but the first, given those before it."""
        ids = self.ids(prompt)
        return -self._scorer(ids).losses({0: ids})[0]

    def perplexity(self, text: Prompt) -> float:
        """exp of the mean loss per token; a text longer than the context is read in pieces of its length.

        >>> model.perplexity(open("book.txt").read())                    # doctest: +SKIP
        """
        ids = self.ids(text)
        if len(ids) < 2:
            raise ContextError(f"perplexity needs at least two tokens, and the text has {len(ids)}")
        pieces = [ids[i : i + self.context] for i in range(0, len(ids), self.context)]
        losses = [self._scorer(p).losses({0: p})[0] for p in pieces if len(p) > 1]
        return float(np.exp(np.mean(np.concatenate(losses), dtype=np.float64)))

    # Classification ---------------------------------------------------------------------------------------

    @property
    def classes(self) -> tuple[str, ...]:
        """What the attached adapter tells apart; none where it does not classify."""
        return () if self._classifies is None else self._classifies.names

    @property
    def _classifies(self) -> Classes | None:
        return None if self._loras.attached is None else self._loras.attached.classes

    @overload
    def classify(self, text: str) -> Classification: ...  # type: ignore[overload-overlap]
    @overload
    def classify(self, text: Sequence[str]) -> list[Classification]: ...

    def classify(self, text: str | Sequence[str]) -> Classification | list[Classification]:
        """What a text is, or each of several, by the attached adapter, which was trained to classify.

        >>> model.attach("out/mail")                                     # doctest: +SKIP
        >>> found = model.classify("You have won a prize!")
        >>> found.label, found.probability
        ('spam', 0.98)
        """
        if self._classifies is None:
            held = "no adapter is attached" if self.adapter is None else f"the adapter {self.adapter!r} has no classes"
            raise WgptError(f"{held}: attach one that was trained to classify (finetune with classify=True)")
        if not isinstance(text, str):
            return [self.classify(one) for one in text]
        ids = self.ids(ids_to_classify(self.tokenizer, text))
        return self._classifies.classify(self._scorer(ids).hidden({0: ids})[0][-1])

    def _scorer(self, ids: Sequence[int]) -> Session:
        """A session for scoring: its cache is f32, for halves move a token's log-probability by up to 0.02."""
        self._check_open()
        needed, held = capacity_for([ids], 0, self.context), self._scoring
        if held is None or held.capacity < needed:
            if held is not None:
                held.release()
            self._scoring = None
            held = self._scoring = self._new_session(needed, 1, "f32")
        return held

    # Adapters ---------------------------------------------------------------------------------------------

    @property
    def adapters(self) -> list[str]:
        """The names of the LoRA adapters that are loaded."""
        return self._loras.names

    @property
    def adapter(self) -> str | None:
        """The name of the one that is attached."""
        return None if self._loras.attached is None else self._loras.attached.name

    def attach(self, adapter: str | Path | Adapter, name: str | None = None) -> str:
        """Generate and score with a LoRA adapter from now on; its name, by which it can be attached again.

        adapter: the name of one that is loaded, the folder of a PEFT adapter, or one that was read or trained here.
        It is uploaded once, unless its folder has changed since. name: the folder's own by default.

        >>> model.attach("out/pirate")                                   # doctest: +SKIP
        'pirate'
        >>> model.attach("out/poet"), model.attach("pirate")             # both stay loaded: switching is quick
        >>> model.detach()                                               # the model as it was
        """
        self._check_open()
        if self._loras.attach(adapter, name):
            self._reattach()
        assert self.adapter is not None
        return self.adapter

    def detach(self) -> None:
        """Run without an adapter; those that are loaded stay so."""
        if self._loras.attached is not None:
            self._loras.attached = None
            self._reattach()

    def unload(self, name: str) -> None:
        """Free an adapter's GPU memory; if it is attached, the model goes on without one."""
        if self._loras.unload(name):
            self._reattach()

    @overload
    def finetune(self, data: Given, *, full: Literal[False] = False, **options: Any) -> Adapter: ...
    @overload
    def finetune(self, data: Given, *, full: Literal[True], **options: Any) -> Path: ...

    def finetune(
        self,
        data: Given,
        *,
        full: bool = False,
        valid: Given | None = None,
        hold_out: float = 0.1,
        out: str | Path | None = None,
        resume: bool = False,
        save_dtype: str = "f32",
        progress: Callable[[Moment], None] | None = None,
        **options: Any,
    ) -> Adapter | Path:
        """Teach the model: the LoRA adapter that was learnt, to attach, or to write with formats.peft.

        data, valid: JSONL files, or lists of dicts: messages, prompt and completion, or text; with `classify=True`,
        text and label. Of data alone, a share is held out.
        out: a folder for checkpoints, adapter and report; `resume` goes on with what is there.
        full: train all weights, which must be f32, instead of an adapter. This model itself then changes; what is
        returned is the folder of the new one within `out`, its weights in `save_dtype` (f32, f16 or bf16).
        Options: those of train.recipe.Recipe (rank, alpha, targets, lr, epochs, steps, batch, pack, accumulate, ...)
        and of train.data.Reading (max_tokens, too_long, broken, answers, everything, classify).
        Ctrl-C ends it early: with a warning, and with what was learnt by then; of a full run, with an error.

        >>> adapter = model.finetune("facts.jsonl", rank=16, epochs=5)   # doctest: +SKIP
        >>> model.attach(adapter)
        """
        self._check_open()
        reading = {name: options.pop(name) for name in [f.name for f in fields(Reading)] if name in options}
        recipe = Recipe.given({**options, "full": full})
        corpus = Corpus(data, valid, hold_out, Reading(**reading))
        folder = None if out is None else Path(out)
        state = latest_state(folder, resume)
        work = Finetuning(
            self.network,
            self.tokenizer,
            recipe,
            corpus,
            folder,
            name=self.name,
            model=self.name,
            dtype="f32" if full else self.dtype,
            base=self.path,
            save_dtype=save_dtype,
        )
        try:
            with deferred() as stop:
                outcome = work.run(progress, stop, state)
        finally:
            if full:
                self.forget()
        if not outcome.finished:
            how = "nothing is kept of the rest" if out is None else "resume=True goes on"
            told = f"stopped after step {outcome.steps} of {outcome.total}: {how}"
            if full:
                raise WgptError(told)
            warnings.warn(told, stacklevel=2)
        if outcome.adapter is None:
            assert folder is not None
            return folder / MODEL
        return outcome.adapter

    def forget(self) -> None:
        """Drop what the cache holds of earlier texts, as when weights have changed."""
        self._reattach()

    def _reattach(self) -> None:
        held = self._loras.attached
        for session in self._sessions():
            session.attach(None if held is None else held.adapters)

    # Memory -----------------------------------------------------------------------------------------------

    def session(self, capacity: int, slots: int = 1) -> Session:
        """The session at hand if it is large enough, else a new one in its place."""
        self._check_open()
        held = self._session
        if held is None or held.slots != slots or held.capacity < capacity:
            if held is not None:
                held.release()
                capacity = max(capacity, 2 * held.capacity) if slots == held.slots else capacity
            self._session = None
            capacity = min(self.context, max(capacity, _LEAST_CAPACITY))
            held = self._session = self._new_session(capacity, slots, self._cache)
        return held

    def _new_session(self, capacity: int, slots: int, cache: str) -> Session:
        made = Session(self.network, capacity, slots, cache, kernels=self._kernels)
        if self._loras.attached is not None:
            made.attach(self._loras.attached.adapters)
        return made

    def _sessions(self) -> list[Session]:
        return [session for session in (self._session, self._scoring) if session is not None]

    def _check_open(self) -> None:
        if self._closed:
            raise WgptError(f"{self.name or 'this model'} was closed: load it again")

    def close(self) -> None:
        """Free the GPU memory."""
        self._closed = True
        for session in self._sessions():
            session.release()
        self._session = self._scoring = None
        self._loras.release()
        self.network.release()

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        c = self.config
        return f"Model({self.name}: {c.family}, {c.layers} layers, hidden {c.hidden}, on {self.device.info.name})"
