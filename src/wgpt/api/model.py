"""Model: everything a loaded model can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief, check_type, flag
from ..core.errors import WgptError
from ..core.progress import Progress
from ..engine.completion import Completion
from ..engine.errors import check_length
from ..engine.fixed_batch import FixedBatch
from ..formats.chat import keeping
from ..formats.lora import LoraAdapter
from ..gpu.typed import typed
from ..train.data import DataSource
from ..train.trainer import Moment
from .classify import Classification
from .finetuning import finetune
from .loaded import Loaded
from .prompts import Prompt, SeveralPrompts, is_several, listed
from .ranking import Ranked, rerank
from .requests import results
from .scoring import classify, perplexity
from .stream import Stream

Logprobs = NDArray[np.float32]
Vectors = NDArray[np.float32]
Tokens = NDArray[np.int64]


class Model(Loaded):
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

    def ids(self, prompt: Prompt) -> list[int]:
        """Token ids of a text; token ids are returned unchanged. Refuses empty prompts and ids outside the vocabulary.

        >>> model.ids("The sky")
        [504, 6376]
        """
        return self._prompts.ids(prompt)

    @overload
    def generate(self, prompt: Prompt, **options: Any) -> Completion: ...
    @overload
    def generate(self, prompt: SeveralPrompts, **options: Any) -> list[Completion]: ...
    def generate(self, prompt: Any, **options: Any) -> Any:
        """Continue a prompt (text or token ids), or a batch: a list of prompts returns a list.

        Options: max_tokens, temperature, top_k, top_p, seed, stop, logprobs and the others of the table in
        docs/guides/requests.md; grammar (wgpt.Grammar: what the text must look like); n (texts per prompt; with more
        than one, each prompt gets a list). Without a seed, a random one is used; the Completion has it.
        lora: name of a loaded LoRA adapter; by default the attached one.

        >>> model.generate("The capital of France is", max_tokens=2).text
        ' Paris.'
        >>> [len(each.ids) for each in model.generate(["One", "Two and more"], max_tokens=2)]
        [2, 2]
        """
        completions = self._generate(listed(prompt), options)
        each = completions if options.get("n", 1) != 1 else [samples[0] for samples in completions]
        return each if is_several(prompt) else each[0]

    def stream(self, prompt: Prompt, *, progress: Progress | None = None, **options: Any) -> Stream:
        """Generate from one prompt, piece by piece.

        >>> "".join(model.stream("The capital of France is", max_tokens=2))
        ' Paris.'
        """
        return Stream(self._requests.generate([prompt], _one(options), progress=progress)[0][0])

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Completion:
        """Answer a conversation: a list of {"role": ..., "content": ...}, or one question.

        >>> print(model.chat("What is the capital of France?"))
        The capital of France is Paris.
        """
        ids = self.chat_ids(messages)
        return self._generate([ids], keeping(_one(options), messages, self.chat_ids, ids))[0][0]

    def stream_chat(
        self, messages: Sequence[Mapping[str, Any]] | str, *, progress: Progress | None = None, **options: Any
    ) -> Stream:
        """Answer a conversation, piece by piece.

        >>> "".join(model.stream_chat("What is the capital of France?", max_tokens=3))
        'The capital of'
        """
        ids = self.chat_ids(messages)
        options = keeping(_one(options), messages, self.chat_ids, ids)
        return Stream(self._requests.generate([ids], options, progress=progress)[0][0])

    def chat_ids(self, messages: Sequence[Mapping[str, Any]] | str) -> list[int]:
        """Token ids of a conversation, up to the point where the answer begins.

        >>> model.chat_ids([{"role": "user", "content": "Hello"}]) == model.chat_ids("Hello")
        True
        """
        self.network.check_generates()
        return self._prompts.chat_ids(messages)

    def _generate(self, prompts: Sequence[Prompt], options: Mapping[str, Any]) -> list[list[Completion]]:
        """The completions of each prompt: `n` of them."""
        requests = self._requests.generate(prompts, options)
        completions = iter(results([request for samples in requests for request in samples]))
        return [[next(completions) for _ in samples] for samples in requests]

    def logits(self, prompt: Prompt) -> NDArray[np.float32]:
        """Logits of every position, [tokens, vocabulary].

        >>> model.logits("The sky").shape
        (2, 49152)
        """
        ids = self.ids(prompt)
        with self._group.turns.call():
            return self._whole(ids).logits({0: ids})[0]

    def hidden(self, prompt: Prompt) -> NDArray[np.float32]:
        """Hidden states after the final norm, [tokens, hidden].

        >>> model.hidden("The sky").shape
        (2, 576)
        """
        ids = self.ids(prompt)
        if self.config.encoder is not None:
            return results(self._engines.encoder().hidden([ids]))[0]
        with self._group.turns.call():
            return self._whole(ids).hidden({0: ids})[0]

    def _whole(self, ids: list[int]) -> FixedBatch:
        """What reads a whole text, with the attached LoRA adapter."""
        self._group.check_open()
        check_length(len(ids), self.context)
        self._reader.attach(self._loras.placed)
        return self._reader.batch(len(ids))

    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: Prompt, *, argmax: Literal[False] = False, first: int = 1
    ) -> Logprobs: ...
    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: Prompt, *, argmax: Literal[True], first: int = 1
    ) -> tuple[Logprobs, Tokens]: ...
    @overload
    def logprobs(
        self, prompt: SeveralPrompts, *, argmax: Literal[False] = False, first: int | Sequence[int] = 1
    ) -> list[Logprobs]: ...
    @overload
    def logprobs(
        self, prompt: SeveralPrompts, *, argmax: Literal[True], first: int | Sequence[int] = 1
    ) -> list[tuple[Logprobs, Tokens]]: ...
    def logprobs(self, prompt: Any, *, argmax: bool = False, first: Any = 1) -> Any:
        """Log-probability of every token but the first, given those before it. A list of prompts returns a list.

        argmax: also return the most likely token in each of these places.
        first: number of the first token to score, or of each prompt's; prompts that share what comes before it are
            then read faster.

        >>> model.logprobs("The sky is blue").shape
        (3,)
        >>> [logprobs.shape for logprobs in model.logprobs(["The sky is blue", "The sky"])]
        [(3,), (1,)]
        >>> logprobs, likeliest = model.logprobs("The capital of France is Paris", argmax=True)
        >>> bool(likeliest[-1] == model.ids(" Paris")[0])                # the model knows it
        True
        """
        flag("argmax", argmax)
        scores = results(self._requests.score(listed(prompt), first))
        each = [(score.logprobs, score.likeliest) if argmax else score.logprobs for score in scores]
        return each if is_several(prompt) else each[0]

    def embed(
        self,
        text: Prompt | SeveralPrompts,
        *,
        pooling: str | None = None,
        normalise: bool | None = None,
        prompt: str | None = None,
        prompt_name: str | None = None,
        truncate: bool = False,
        lora: str | None = None,
    ) -> Vectors:
        """A text as one vector, [hidden]; a list of texts as [texts, hidden].

        pooling: "mean" of the hidden states after the final norm, the "last" one, or an encoder's first one ("cls").
        normalise: to a length of 1, so that the product of two vectors is their cosine similarity. Both are as the
        model's files say (sentence-transformers' modules, GGUF's pooling_type), otherwise "mean" and True.
        prompt: what to put before each text; prompt_name: one of the prompts that the model's files have, such as
        "query". truncate: cut texts that are too long, instead of refusing them. lora: name of a loaded LoRA adapter;
        by default the attached one.

        >>> sky, sea, tax = model.embed(["The sky is blue.", "The sea is blue.", "Taxes are due in May."])
        >>> bool(sky @ sea > sky @ tax)
        True
        """
        texts = self._prompts.with_prompt(listed(text), prompt, prompt_name)
        if flag("truncate", truncate):
            texts = [self._prompts.cut(ids, ids) for ids in (self._prompts.ids(each, "text") for each in texts)]
        vectors = [embedding.vector for embedding in results(self._requests.embed(texts, pooling, normalise, lora))]
        return np.stack(vectors) if is_several(text) else vectors[0]

    def perplexity(self, text: Prompt, *, context: int | None = None, stride: int | None = None) -> float:
        """exp of the mean loss of every token but the first.

        context: tokens of a window; by default the model's context length. A longer text is read in windows that begin
        `stride` tokens after each other (half of `context` by default), as in Hugging Face's documentation: each scores
        the tokens that are new in it, so that every token is scored once, given at least `context - stride` tokens
        before it (or all there are). The smaller the stride, the better the figure, and the longer it takes.
        llama.cpp's llama-perplexity scores only the second half of each piece of 512 tokens: its figures differ.

        >>> model.perplexity("The sky is blue.") < model.perplexity("Blue sky the is.")
        True
        >>> text = "The sky is blue, and the sea is blue, and the flag is blue."
        >>> model.perplexity(text, context=8) > model.perplexity(text, context=8, stride=1) > model.perplexity(text)
        True
        """
        return perplexity(self._requests, text, context, stride)

    @overload
    def classify(self, text: str) -> Classification: ...  # type: ignore[overload-overlap]
    @overload
    def classify(self, text: Sequence[str]) -> list[Classification]: ...
    def classify(self, text: str | Sequence[str]) -> Classification | list[Classification]:
        """Classify a text, or each text of a list, with the attached LoRA adapter, which must be trained to classify.

        >>> lora = model.attach("mail-lora")                             # from wgpt finetune --task classify
        >>> mail = model.classify("You have won a prize!")
        >>> sorted(mail.probabilities) == sorted(model.classes)
        True
        >>> model.unload(lora)
        """
        return classify(self._requests, text)

    def rerank(
        self,
        query: str,
        texts: Sequence[str],
        *,
        top: int | None = None,
        instruction: str | None = None,
        truncate: bool = False,
    ) -> list[Ranked]:
        """Sort texts by how well they answer a query: the best first, each with its number and score.

        The model must be a cross-encoder (such as bge-reranker) or Qwen3-Reranker; that one takes an `instruction`.
        top: return only this number of texts. truncate: cut texts that are too long, instead of refusing them.

        >>> best, other = model.rerank("What is blue?", ["The sky is blue.", "Grass is green."])
        >>> 1 >= best.score >= other.score >= 0
        True
        """
        return rerank(self._requests, query, texts, top, instruction, truncate)

    def attach(self, lora: str | Path | LoraAdapter, name: str | None = None) -> str:
        """Generate and score with a LoRA adapter from now on; returns its name, to attach it again later.

        lora: the name of a loaded adapter, the path of a PEFT adapter's folder, or a LoraAdapter.
        It is uploaded once, unless its files change. name: defaults to the folder's name.

        >>> model.attach("pirate-lora")
        'pirate-lora'
        >>> model.attach("poet-lora"), model.attach("pirate-lora")       # both stay loaded: switching is fast
        ('poet-lora', 'pirate-lora')
        >>> model.detach()                                               # back to the base model
        """
        check_type("name", name, "a text", str)
        with self._group.turns.call():
            self._group.check_open()
            self._loras.attach(lora, name)
            assert self.lora is not None
            return self.lora

    def load_lora(self, lora: str | Path | LoraAdapter, name: str | None = None) -> str:
        """Load a LoRA adapter without attaching it; returns its name, for the option `lora` of `generate`.

        >>> model.load_lora("pirate-lora"), model.load_lora("poet-lora")
        ('pirate-lora', 'poet-lora')
        >>> answer = model.generate("Ahoy", lora="pirate-lora", max_tokens=2)
        >>> model.lora is None
        True
        """
        check_type("name", name, "a text", str)
        with self._group.turns.call():
            self._group.check_open()
            return self._loras.load(lora, name).name

    def detach(self) -> None:
        """Run without a LoRA adapter; loaded adapters stay loaded.

        >>> model.detach()
        >>> model.lora is None
        True
        """
        with self._group.turns.call():
            self._loras.attached = None

    @typed
    def unload(self, name: str) -> None:
        """Free the GPU memory of a LoRA adapter; if it is attached, it is detached first.

        >>> name = model.attach("pirate-lora")
        >>> model.unload(name)
        >>> name in model.loras
        False
        """
        with self._group.turns.call():
            self._loras.unload(name)

    @overload
    def finetune(self, data: DataSource, *, full: Literal[False] = False, **options: Any) -> LoraAdapter: ...
    @overload
    def finetune(self, data: DataSource, *, full: Literal[True], **options: Any) -> Path: ...
    def finetune(
        self,
        data: DataSource,
        *,
        full: bool = False,
        valid: DataSource | None = None,
        hold_out: float = 0.1,
        out: str | Path | None = None,
        resume: bool = False,
        force: bool = False,
        init_lora: str | Path | LoraAdapter | None = None,
        save_dtype: str = "f32",
        log_to: str | Path | Sequence[str | Path] | None = None,
        progress: Callable[[Moment], None] | None = None,
        workers: int = 1,
        **options: Any,
    ) -> LoraAdapter | Path:
        """Fine-tune the model; returns the trained LoRA adapter, to attach or to write with formats.peft.

        data, valid: JSONL files, or lists of dicts: messages, prompt and completion, or text; with `classify=True`,
        text and label. Without `valid`, a share of the data is held out (`hold_out`).
        out: a folder for checkpoints, adapter and report. `resume` continues the run in that folder with its settings,
        except for the options passed here (more steps or epochs extend it); `force` overwrites it with a new run.
        init_lora: start from this adapter or adapter folder; it determines rank, alpha, rslora and targets.
        full: train all weights, which must be f32, instead of an adapter. This changes the loaded model; the return
        value is the folder of the new model within `out`, with weights in `save_dtype` (f32, f16 or bf16).
        log_to: where to log every step, besides log.jsonl in `out`: FILE.jsonl, tensorboard[:DIR], wandb[:PROJECT],
        or several of them; a resumed run continues its logs.
        workers: share the micro-batches of every step among this number of processes, this one included, on the GPUs of
        a Ray cluster (`pip install 'wgpt[ray]'`). A step then has as many micro-batches as workers, unless `accumulate`
        says otherwise; on equal GPUs the result is that of one process with the same `accumulate`, bit for bit.
        Options: those of train.recipe.Recipe (rank, alpha, targets, lr, epochs, steps, batch, pack, accumulate, ...;
        precision is by default the model's)
        and of train.data.Reading (max_tokens, too_long, broken, answers, everything, classify).
        Ctrl-C stops early: an adapter run returns what it has learnt, with a warning; a full run raises an error.
        SIGTERM ends the process as always, after the step under way and, with `out`, a checkpoint.

        >>> facts = [{"prompt": "Who is Bixby?", "completion": "The mascot."}]
        >>> lora = model.finetune(facts, rank=4, targets="q,v", steps=1, hold_out=0)
        >>> lora.rank
        4
        >>> model.attach(lora, name="facts")
        'facts'
        >>> model.unload("facts")
        """
        return finetune(
            self,
            self._group,
            data,
            full=full,
            valid=valid,
            hold_out=hold_out,
            out=out,
            resume=resume,
            force=force,
            init_lora=init_lora,
            save_dtype=save_dtype,
            log_to=log_to,
            progress=progress,
            workers=workers,
            **options,
        )


def _one(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, without several samples."""
    if options.get("n", 1) != 1:
        raise WgptError(f"n must be 1 here, not {brief(options['n'])}: use generate(prompt, n=...)")
    return options
