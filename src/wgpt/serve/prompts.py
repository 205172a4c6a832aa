"""Turns prompts into token ids: chat templates and tokenization, outside of the event loop if that is slow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from ..core.arguments import whole_number
from ..core.errors import WgptError
from ..formats import open_checkpoint
from ..formats.chat import chat_text, continued_text
from ..formats.tokenizer import Tokenizer, load_tokenizer
from ..models.config import Config
from .errors import ApiError, api_error, too_long

_SHORT = 2000  # characters that are tokenized in about a millisecond, and ids that are decoded in less
# characters of a text to tokenize: at most in total, or per token of a context
_MOST_CHARACTERS, _CHARACTERS_PER_TOKEN = 1 << 19, 16
_GROUP = 1 << 16  # characters of several texts to tokenize before other requests get their turn
_MOST_IDS = 1 << 16  # most ids to detokenize, or the context length if that is larger
_T = TypeVar("_T")


class Prompts:
    """`context`: most tokens of a prompt."""

    def __init__(self, tokenizer: Tokenizer, context: int) -> None:
        self.tokenizer, self.context = tokenizer, context
        self._threads = ThreadPoolExecutor(2, "wgpt-tokenize")
        self._renderer = ThreadPoolExecutor(1, "wgpt-render")  # one process renders all templates

    @classmethod
    def load(
        cls,
        model: Path,
        context: int | None,
        tokenizer: str | Path | None = None,
        *,
        allow_control_tokens: bool = False,
    ) -> Prompts:
        """Load the model's files, without a GPU. `context`: by default the model's own."""
        with open_checkpoint(model) as checkpoint:
            words = load_tokenizer(tokenizer if tokenizer is not None else checkpoint.tokenizer)
            most = Config.of(checkpoint.config).context
        words.allow_control_tokens = allow_control_tokens
        return cls(words, most if context is None else whole_number("context", context, 1, most))

    async def warm_up(self) -> None:
        """Do in advance what the first request would wait for."""
        await self._run(self._threads, lambda: self._longest_token)
        if self.has_template:
            with suppress(ApiError):  # some templates require more than this
                await self.render([{"role": "user", "content": "Hello"}])

    @property
    def has_template(self) -> bool:
        return self.tokenizer.chat_template is not None

    async def chat(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> list[int]:
        """Token ids of a conversation up to the beginning of the answer; see `render` for the options."""
        (ids,) = await self.encode([await self.render(messages, **options)], special=False, param="messages")
        return ids

    async def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Any] | None = None,
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        template_kwargs: Mapping[str, Any] | None = None,
    ) -> str:
        """The text of a conversation through the model's chat template.

        Each message has a role and a string as its content. `continue_final_message`: the text ends with the last
        message, which the answer continues. `template_kwargs`: variables that the template reads.
        """
        self.check_size(sum(len(str(message.get("content") or "")) for message in messages), "messages")
        reserved = {"messages", "tools", "documents", "add_generation_prompt", "tokenizer"}
        for name in template_kwargs or {}:
            if name in reserved:
                raise ApiError(400, f"chat_template_kwargs cannot set {name}", param="chat_template_kwargs")

        def work() -> str:
            options = {"tools": tools, **(template_kwargs or {})}
            if continue_final_message:
                return continued_text(self.tokenizer, messages, **options)
            return chat_text(self.tokenizer, messages, add_generation_prompt=add_generation_prompt, **options)

        return await self._run(self._renderer, work)

    async def encode(self, texts: Sequence[str], *, special: bool = True, param: str = "prompt") -> list[list[int]]:
        """Token ids of each text. Refuses texts longer than the context."""
        for text in texts:
            self.check_size(len(text), param)
        ids: list[list[int]] = []
        for group in _groups(texts):
            for each in await self._encoded(group, special):
                if len(each) > self.context:
                    raise too_long(len(each), self.context, param)
                ids.append(each)
        return ids

    async def _encoded(self, texts: Sequence[str], special: bool) -> list[list[int]]:
        if sum(map(len, texts)) <= _SHORT:
            return _checked(lambda: [self.tokenizer.encode(text, special) for text in texts])
        return await self._run(
            self._threads, lambda: [self.tokenizer.encode(text, special, unlocked=True) for text in texts]
        )

    async def tokens(self, text: str, *, special: bool = True, param: str = "prompt") -> list[int]:
        """Token ids of a text, which may be longer than the context."""
        self._check_characters(len(text), param)
        (ids,) = await self._encoded([text], special)
        return ids

    async def text(self, ids: Sequence[int], param: str) -> str:
        """The text of ids, with special tokens. Refuses too many ids, or ids outside the vocabulary."""
        most = max(_MOST_IDS, self.context)
        if len(ids) > most:
            raise ApiError(400, f"{param} may have at most {most} ids, not {len(ids)}", param=param)
        self._check_known(ids, param)
        if len(ids) <= _SHORT:
            return self.decode(ids, skip_special=False)
        return await self._run(self._threads, lambda: self.tokenizer.decode(ids, False, unlocked=True))

    def spellings(self, ids: Sequence[int]) -> dict[int, str]:
        """The text of each token by itself."""
        return {id: self.decode([id], skip_special=False) for id in set(ids)}

    def check_ids(self, ids: Sequence[int], param: str = "prompt") -> None:
        """Refuse token ids that are too many, or outside the vocabulary."""
        if len(ids) > self.context:
            raise too_long(len(ids), self.context, param)
        self._check_known(ids, param)

    def _check_known(self, ids: Sequence[int], param: str) -> None:
        unknown = set(ids).difference(self._known)
        if unknown:
            first = next(id for id in ids if id in unknown)
            raise ApiError(400, f"{param}: token id {first} is not in the vocabulary", param=param)

    def decode(self, ids: Sequence[int], skip_special: bool = True) -> str:
        return _checked(lambda: self.tokenizer.decode(ids, skip_special))

    def beginning(self, text: str) -> str:
        """The beginning of a text, no shorter than what fits, for callers that cut its tokens anyway."""
        return text[: self._longest_token * self.context]

    def check_size(self, characters: int, param: str) -> None:
        """Refuse a text that cannot fit before tokenizing it."""
        self._check_characters(characters, param)
        least = characters // self._longest_token
        if least > self.context:
            raise too_long(f"at least {least}", self.context, param)

    def _check_characters(self, characters: int, param: str) -> None:
        """Refuse a text that is too long to tokenize: each character takes up to 200 bytes and some microseconds."""
        most = max(_MOST_CHARACTERS, _CHARACTERS_PER_TOKEN * self.context)
        if characters > most:
            why = f"it has {characters} characters; at most {most} are tokenized"
            least = characters // self._longest_token
            raise too_long(f"at least {least}" if least > self.context else "too many", self.context, param, why)

    @cached_property
    def _known(self) -> frozenset[int]:
        """The ids of all tokens: a model's table may have more rows than its vocabulary."""
        return frozenset(id for id in range(self.tokenizer.vocab_size) if self.tokenizer.has(id))

    @cached_property
    def _longest_token(self) -> int:
        """The length of the longest token in characters, at least 16, because tokenizers may drop some characters."""
        return max(16, max((len(self.tokenizer.token(id)) for id in self._known), default=0))

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(threads, lambda: _checked(work))


def _checked(work: Callable[[], _T]) -> _T:
    try:
        return work()
    except WgptError as e:
        raise api_error(e) from None


def _groups(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in order, in groups small enough for their thread to be free again soon."""
    first, size = 0, 0
    for end, text in enumerate(texts):
        if end > first and size + len(text) > _GROUP:
            yield texts[first:end]
            first, size = end, 0
        size += len(text)
    if texts:
        yield texts[first:]
