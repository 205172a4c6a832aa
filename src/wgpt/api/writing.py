"""Generating text: completions of prompts, and answers in a chat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from ..core.arguments import brief, check_progress, check_type, is_list, is_token_id, whole_number
from ..core.errors import WgptError
from ..core.progress import Progress
from ..engine.completion import Completion
from ..engine.engine import Engine
from ..engine.options import Options
from ..engine.request import Request
from ..formats.chat import encode_chat
from .loaded import Loaded, Prompt
from .loaded_loras import LoadedLora
from .stream import Stream

MOST_SAMPLES = 128  # of one prompt


class Writing(Loaded):
    """Continues prompts and answers chats."""

    @overload
    def generate(self, prompt: str, **options: Any) -> Completion: ...
    @overload
    def generate(self, prompt: Sequence[str] | Sequence[Sequence[int]], **options: Any) -> list[Completion]: ...
    @overload
    def generate(self, prompt: Sequence[int], **options: Any) -> Completion: ...
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
        several = is_list(prompt) and len(prompt) > 0 and not is_token_id(prompt[0])
        completions = self._generate(list(prompt) if several else [prompt], options)
        each = completions if options.get("n", 1) != 1 else [samples[0] for samples in completions]
        return each if several else each[0]

    def stream(self, prompt: Prompt, *, progress: Progress | None = None, **options: Any) -> Stream:
        """Generate from one prompt, piece by piece.

        >>> "".join(model.stream("The capital of France is", max_tokens=2))
        ' Paris.'
        """
        return Stream(self._submit([prompt], _one(options), progress)[0][0])

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Completion:
        """Answer a conversation: a list of {"role": ..., "content": ...}, or one question.

        >>> print(model.chat("What is the capital of France?"))
        The capital of France is Paris.
        """
        return self._generate([self.chat_ids(messages)], _one(options))[0][0]

    def stream_chat(
        self, messages: Sequence[Mapping[str, Any]] | str, *, progress: Progress | None = None, **options: Any
    ) -> Stream:
        """Answer a conversation, piece by piece.

        >>> "".join(model.stream_chat("What is the capital of France?", max_tokens=3))
        'The capital of'
        """
        return Stream(self._submit([self.chat_ids(messages)], _one(options), progress)[0][0])

    def chat_ids(self, messages: Sequence[Mapping[str, Any]] | str) -> list[int]:
        """Token ids of a conversation, up to the point where the answer begins.

        >>> model.chat_ids([{"role": "user", "content": "Hello"}]) == model.chat_ids("Hello")
        True
        """
        self.network.check_generates()
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        return encode_chat(self.tokenizer, conversation)

    def _generate(self, prompts: Sequence[Prompt], options: Mapping[str, Any]) -> list[list[Completion]]:
        """The completions of each prompt: `n` of them."""
        requests = self._submit(prompts, options)
        try:
            return [[request.result() for request in samples] for samples in requests]
        finally:  # after an error, or Ctrl-C
            for samples in requests:
                for request in samples:
                    request.cancel()

    def _submit(
        self, prompts: Sequence[Prompt], options: Mapping[str, Any], progress: Progress | None = None
    ) -> list[list[Request]]:
        lora = options.get("lora")
        rest = {name: value for name, value in options.items() if name != "lora"}
        return self._submit_to(self._engine, prompts, rest, lora=lora, progress=progress)

    def _submit_to(
        self,
        engine: Engine | Callable[[], Engine],
        prompts: Sequence[Prompt],
        options: Mapping[str, Any],
        *,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> list[list[Request]]:
        """Submit prompts to an engine: `n` requests for each. All arguments are checked before that."""
        self._check_open()
        check_progress(progress)
        check_type("lora", lora, "the name of a loaded LoRA adapter", str)
        whole_number("priority", priority, -1000, 1000)
        adapter = self._loras.attached if lora is None else self._loras.named(lora)
        _check_writes(adapter)
        samples = whole_number("n", options.get("n", 1), 1, MOST_SAMPLES)
        checked = Options.of({name: value for name, value in options.items() if name != "n"})
        ids = [self.ids(prompt) for prompt in prompts]
        engine = engine() if callable(engine) else engine
        id = 0 if adapter is None else adapter.id
        rows = [(row * samples + i, each) for row, each in enumerate(ids) for i in range(samples)]
        requests = engine.submit_all(rows, checked, lora=id, priority=priority, progress=progress)
        return [requests[at : at + samples] for at in range(0, len(requests), samples)]


def _check_writes(adapter: LoadedLora | None) -> None:
    if adapter is not None and adapter.classes is not None:
        raise WgptError(
            f"the LoRA adapter {adapter.name!r} classifies texts and cannot generate: use classify(text), or detach "
            "it to generate"
        )


def _one(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, without several samples."""
    if options.get("n", 1) != 1:
        raise WgptError(f"n must be 1 here, not {brief(options['n'])}: use generate(prompt, n=...)")
    return options
