"""Generating text: completions of prompts, and answers in a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, overload

from ..engine.arguments import is_list, is_token_id
from ..engine.completion import Completion
from ..engine.options import Options
from ..engine.request import Progress, Request
from ..formats.chat import encode_chat
from ..gpu import WgptError
from .checks import check_progress
from .loaded import Loaded, Prompt
from .stream import Stream


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

        Options: max_tokens, temperature, top_k, top_p, min_p, repetition_penalty, seed, logit_bias, stop,
        ignore_eos, overflow ("refuse" or "slide"). Without a seed, a random one is used; the Completion has it.

        >>> model.generate("The capital of France is", max_tokens=2).text
        ' Paris.'
        >>> [len(each.ids) for each in model.generate(["One", "Two and more"], max_tokens=2)]
        [2, 2]
        """
        several = is_list(prompt) and len(prompt) > 0 and not is_token_id(prompt[0])
        completions = self._generate(list(prompt) if several else [prompt], options)
        return completions if several else completions[0]

    def stream(self, prompt: Prompt, *, progress: Progress | None = None, **options: Any) -> Stream:
        """Generate from one prompt, piece by piece.

        >>> "".join(model.stream("The capital of France is", max_tokens=2))
        ' Paris.'
        """
        return Stream(self._requests([prompt], options, progress)[0])

    def chat(self, messages: Sequence[Mapping[str, Any]] | str, **options: Any) -> Completion:
        """Answer a conversation: a list of {"role": ..., "content": ...}, or one question.

        >>> print(model.chat("What is the capital of France?"))
        The capital of France is Paris.
        """
        return self._generate([self.chat_ids(messages)], options)[0]

    def stream_chat(
        self, messages: Sequence[Mapping[str, Any]] | str, *, progress: Progress | None = None, **options: Any
    ) -> Stream:
        """Answer a conversation, piece by piece.

        >>> "".join(model.stream_chat("What is the capital of France?", max_tokens=3))
        'The capital of'
        """
        return Stream(self._requests([self.chat_ids(messages)], options, progress)[0])

    def chat_ids(self, messages: Sequence[Mapping[str, Any]] | str) -> list[int]:
        """Token ids of a conversation, up to the point where the answer begins.

        >>> model.chat_ids([{"role": "user", "content": "Hello"}]) == model.chat_ids("Hello")
        True
        """
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        return encode_chat(self.tokenizer, conversation)

    def _generate(self, prompts: Sequence[Prompt], options: Mapping[str, Any]) -> list[Completion]:
        requests = self._requests(prompts, options)
        try:
            return [request.result() for request in requests]
        finally:  # after an error, or Ctrl-C
            for request in requests:
                request.cancel()

    def _requests(
        self, prompts: Sequence[Prompt], options: Mapping[str, Any], progress: Progress | None = None
    ) -> list[Request]:
        """Arguments are checked before the first request is submitted."""
        self._check_open()
        check_progress(progress)
        self._check_writes()
        checked = Options.of(options)
        ids = [self.ids(prompt) for prompt in prompts]
        engine, lora = self._engine(), self._loras.attached
        for each in ids:
            engine.check(each, checked)
        id = 0 if lora is None else lora.id
        return [engine.submit(each, checked, row=row, lora=id, progress=progress) for row, each in enumerate(ids)]

    def _check_writes(self) -> None:
        if self._classifies is not None:
            raise WgptError(
                f"the LoRA adapter {self.lora!r} classifies texts and cannot generate: use classify(text), or detach "
                "it to generate"
            )
