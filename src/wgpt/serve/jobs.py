"""Turns a request into a job for the engine: prompts, grammars, defaults. For all endpoints that generate."""

from __future__ import annotations

import asyncio
import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from starlette.requests import Request

from ..core.errors import WgptError
from ..core.sizes import PAGE
from ..engine.completion import Completion
from ..engine.grammar import Grammar
from ..formats.chat import encode_chat, keeping
from .access_log import current_record
from .bodies import read_request
from .context import Server
from .conversation import Conversation, Prepared
from .errors import ApiError, api_error
from .generation import Generation
from .grammar_process import GrammarProcess
from .openai.completions import Prompt
from .openai.fields import FieldError
from .openai.objects import Tokens
from .openai.request import Common, Names
from .replicas import AnyEngine
from .responses import Finished
from .structured import Rule, unchecked_grammar
from .tools import style_of
from .wire import Job

DEFAULTS = {"temperature": 1.0}  # OpenAI's and Anthropic's default
_KNOWN_GRAMMARS = 256
_FEW_LOGPROBS = 128
T = TypeVar("T")


@contextmanager
def api_errors() -> Iterator[None]:
    """Within the block, errors about fields become error responses."""
    try:
        yield
    except FieldError as e:
        raise ApiError(e.status, str(e), param=e.name, code=e.code) from None
    except WgptError as e:
        raise api_error(e) from None


class JobBuilder:
    """Reads requests and builds jobs, for all endpoints of a server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tokens = Tokens(server.prompts.tokenizer)
        self._threads = ThreadPoolExecutor(1, "wgpt-template")
        self._checks = GrammarProcess(server.prompts.tokenizer, server.settings.limits.grammar_seconds)
        # Hashes of grammars that compile; the oldest is replaced. The grammars themselves would be small objects that
        # live long between those of large bodies, and keep whole arenas of Python's memory from being given back.
        self._known_grammars, self._oldest_grammar = array("q", bytes(8 * _KNOWN_GRAMMARS)), 0

    @property
    def names(self) -> Names:
        info, settings = self.server.engine.info, self.server.settings
        return Names.of(info.name, settings.model, info.loras, settings.aliases)

    async def read(self, request: Request, read: Callable[..., T], **options: Any) -> T:
        """Read a body with one of the read_* functions of endpoints; errors become ApiErrors."""
        limits = self.server.settings.limits
        with api_errors():
            return await read_request(request, limits, partial(read, names=self.names, limits=limits, **options))

    async def chat(self, conversation: Conversation) -> tuple[Prepared, list[int]]:
        """The conversation prepared for its template and grammar, and its token ids."""
        self._check_generates()
        prompts = self.server.prompts
        await self._run(style_of, prompts.tokenizer)  # the first call renders a template
        with api_errors():
            prepared = conversation.prepared(prompts.tokenizer)
        ids = await prompts.chat(
            prepared.messages,
            tools=prepared.tools,
            add_generation_prompt=conversation.add_generation_prompt,
            continue_final_message=conversation.continue_final_message,
            template_kwargs=conversation.variables,
        )
        if not ids:
            raise ApiError(400, "the chat template wrote nothing", param="messages")
        return prepared, ids

    async def texts(self, texts: Sequence[Prompt], name: str, special: bool) -> list[list[int]]:
        """The token ids of texts; given token ids are checked."""
        prompts = self.server.prompts
        encoded = iter(await prompts.encode([t for t in texts if isinstance(t, str)], special=special, param=name))
        ids = []
        for text in texts:
            each = next(encoded) if isinstance(text, str) else text
            if not isinstance(text, str):
                prompts.check_ids(text, name)
            if not each:
                raise ApiError(400, f"the {name} has no tokens: at least one is required", param=name)
            ids.append(each)
        return ids

    async def begin(self, conversation: Conversation, common: Common) -> tuple[Prepared, list[int], Generation]:
        """Begin the answer to a conversation."""
        prepared, ids = await self.chat(conversation)
        job = await self.job(common, [ids], prepared.rule)
        options = {**job.options, **prepared.options}
        job = replace(job, options=await self._keeping(options, conversation, prepared, ids))
        return prepared, ids, await self.server.engine.submit(job)

    async def job(
        self, common: Common, prompts: Sequence[Sequence[int]], rule: Rule | None, max_tokens: int | None = None
    ) -> Job:
        """The job for a request. `max_tokens`: used if the request sets none; None: until the context is full."""
        self._check_generates()
        longest = max(map(len, prompts))
        options = {**DEFAULTS, "max_tokens": max_tokens or max(1, self._room() - longest + 1), **common.options}
        if (salt := self.salt(common.options.get("cache_salt"))) is not None:
            options["cache_salt"] = salt
        if rule is not None:
            options["grammar"] = await self._grammar(rule)
        return Job(prompts, options, common.n, common.lora, common.priority, common.stream)

    async def _keeping(
        self, options: dict[str, Any], conversation: Conversation, prepared: Prepared, ids: list[int]
    ) -> dict[str, Any]:
        """See formats.chat.keeping."""
        if options.get("overflow") != "slide":
            return options
        tokenizer, variables = self.server.prompts.tokenizer, conversation.variables
        encode = partial(encode_chat, tokenizer, tools=prepared.tools, **variables)
        return await self._run(partial(keeping, options, prepared.messages, encode, ids))

    def salt(self, own: str | None) -> str | None:
        """Isolates prompts in the cache: made of the API key, where keys are separated, and the request's own salt."""
        record = current_record.get()
        tenant = "" if record is None else record.tenant
        if not (tenant or own):
            return None
        return hashlib.blake2b(f"{tenant} {own or ''}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _check_generates(self) -> None:
        """Refuse to generate with an encoder."""
        why = self.server.engine.info.encoder
        if why:
            raise ApiError(400, f"{why}: ask /v1/embeddings or /v1/rerank", param="model", code="unsupported_model")

    def _room(self) -> int:
        """How many tokens a sequence can have: limited by the context length and the KV cache."""
        context, pages = self.server.prompts.context, self.server.engine.pages
        return min(context, pages * PAGE) if pages else context

    async def _grammar(self, rule: Rule) -> Grammar:
        """Compile the grammar here once, so that an unsupported one is refused before anything is generated."""
        with api_errors():
            grammar = unchecked_grammar(rule)
        if hash(grammar) not in self._known_grammars:
            await self._checks.check(rule)
            self._known_grammars[self._oldest_grammar] = hash(grammar)
            self._oldest_grammar = (self._oldest_grammar + 1) % _KNOWN_GRAMMARS
        return grammar

    async def _run(self, work: Any, *arguments: Any) -> Any:
        with api_errors():
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


_known: WeakKeyDictionary[AnyEngine, JobBuilder] = WeakKeyDictionary()


def job_builder_of(server: Server) -> JobBuilder:
    """The server's JobBuilder, which all its endpoints share."""
    if server.engine not in _known:
        _known[server.engine] = JobBuilder(server)
    return _known[server.engine]


class _Scored(Protocol):
    """A completion, or an echoed prompt."""

    @property
    def logprobs(self) -> Sized: ...


async def built(texts: Iterable[_Scored], build: Callable[..., T], *arguments: Any) -> T:
    """`build(*arguments)`; in a thread if there are so many log-probabilities that other requests would wait."""
    if sum(len(text.logprobs) for text in texts) < _FEW_LOGPROBS:
        return build(*arguments)
    return await asyncio.to_thread(build, *arguments)


def completions_of(results: Sequence[Finished]) -> list[Completion]:
    completions = []
    for result in results:
        completion = Completion(result.text, result.ids, logprobs=result.logprobs, top_logprobs=result.top_logprobs)
        if (end := result.end) is not None:
            completion.reason, completion.prompt_tokens = end.reason, end.prompt_tokens
            completion.cached_tokens, completion.seconds = end.cached_tokens, end.seconds
        completions.append(completion)
    return completions
