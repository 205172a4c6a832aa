"""What callers pass as text or token ids, as the token ids that the model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.arguments import brief, check_type, is_list, is_token_id, token_ids
from ..core.errors import WgptError
from ..engine.errors import ContextError, check_length
from ..engine.fixed_batch import check_ids
from ..formats.chat import encode_chat
from ..formats.sentence_files import SentenceSettings
from ..formats.tokenizer import Tokenizer
from ..models.config import Config
from ..train.tokens import ids_to_classify

Prompt = str | Sequence[int]
SeveralPrompts = Sequence[str] | Sequence[Sequence[int]]
_PROMPTS = "a text or a list of token ids"


class Prompts:
    """A model's tokenizer, its context length, and what its files say of texts that become vectors."""

    def __init__(
        self, config: Config, tokenizer: Tokenizer | None, name: str, context: int, sentences: SentenceSettings
    ) -> None:
        self.config, self.name, self.context, self.sentences = config, name, context, sentences
        self._tokenizer = tokenizer

    @property
    def tokenizer(self) -> Tokenizer:
        if self._tokenizer is None:
            raise WgptError(f"{self.name or 'this model'} has no tokenizer: pass token ids instead of text")
        return self._tokenizer

    def ids(self, prompt: Prompt, name: str = "prompt") -> list[int]:
        ids = self.tokenizer.encode(prompt) if isinstance(prompt, str) else token_ids(name, prompt, _PROMPTS)
        if not ids:
            raise ContextError(f"the {name} is empty: a prompt needs at least one token")
        check_ids(ids, self.config.vocab)
        return ids

    def chat_ids(self, messages: Sequence[Mapping[str, Any]] | str) -> list[int]:
        conversation = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        return encode_chat(self.tokenizer, conversation)

    def ids_to_classify(self, text: Any) -> list[int]:
        check_type("text", text, "a string", str)
        if not text:
            raise WgptError("text must not be empty")
        ids = self.ids(ids_to_classify(self.tokenizer, text), "text")
        check_length(len(ids), self.context, "text")
        return ids

    def with_prompt(self, texts: list[Prompt], prompt: str | None, prompt_name: str | None) -> list[Prompt]:
        """The texts with a prompt before each: this one, the one of this name, or the files' default."""
        check_type("prompt", prompt, "a text to put before each text", str)
        check_type("prompt_name", prompt_name, "the name of a prompt", str)
        files = self.sentences
        if prompt is not None and prompt_name is not None:
            raise WgptError("prompt and prompt_name exclude each other: give one of them")
        if prompt_name is not None and prompt_name not in files.prompts:
            known = ", ".join(files.prompts) or "none"
            raise WgptError(f"unknown prompt_name {brief(prompt_name)}; the model's files have: {known}")
        name = files.default_prompt if prompt_name is None else prompt_name
        if prompt is None and name is not None:
            prompt = files.prompts[name]
        if prompt and not all(isinstance(text, str) for text in texts):
            raise WgptError('a prompt goes before texts, not before token ids: give texts, or prompt=""')
        if not (prompt or files.lowercase):
            return texts
        whole = [f"{prompt or ''}{text}" if isinstance(text, str) else text for text in texts]
        return [text.lower() if files.lowercase and isinstance(text, str) else text for text in whole]

    def cut(self, ids: list[int], values: list[int]) -> list[int]:
        """At most as many values as the context has tokens; special tokens at the end of `ids` stay."""
        if len(ids) <= self.context:
            return values
        special = self._tokenizer.special_ids if self._tokenizer is not None else frozenset[int]()
        ends = next((n for n, id in enumerate(reversed(ids)) if id not in special), 0)
        return [*values[: self.context - ends], *values[len(values) - ends :]]


def is_several(prompt: Any) -> bool:
    """Whether it is a list of prompts."""
    return is_list(prompt) and len(prompt) > 0 and not is_token_id(prompt[0])


def listed(prompt: Any) -> list[Any]:
    """One prompt, or each of a list."""
    return list(prompt) if is_several(prompt) else [prompt]
