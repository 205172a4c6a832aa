"""Compiles untrusted grammars in a separate process, which is killed if one takes too long.

A schema such as {"type": "integer", "multipleOf": 9999999} compiles for minutes, and a thread cannot be interrupted.
"""

from __future__ import annotations

import asyncio
import queue

from ..core.errors import WgptError
from ..formats.tokenizer import Tokenizer
from ..processes.child import Link
from ..processes.supervisor import ProcessEnded, Status, Supervised
from .errors import ApiError
from .openai.fields import FieldError
from .structured import JSON_OBJECT, Rule, grammar_of

_START_SECONDS = 120.0  # seconds on a busy machine; the first compilation prepares the vocabulary


class GrammarProcess:
    """Checks rules one after another, in a process that is started for the first one, and again if it was killed."""

    def __init__(self, tokenizer: Tokenizer, seconds: float) -> None:
        self._seconds = seconds
        self._unusable = ""  # why grammars do not work with this tokenizer
        self.process = Supervised(
            _work,
            lambda: (tokenizer,),
            "the grammars' process",
            name="wgpt-grammars",
            ready=self._ready,
            most_deaths=0,
        )
        self._turn = asyncio.Lock()

    async def check(self, rule: Rule) -> None:
        """Refuse a rule that is unsupported, or takes too long to compile."""
        # a client that disconnects does not stop the check
        refusal = await asyncio.shield(asyncio.create_task(self._checked(rule)))
        if refusal is not None:
            raise refusal

    async def _checked(self, rule: Rule) -> ApiError | None:
        """Why a rule is refused. If the process dies, it is asked once more, because something else may have killed it;
        a rule that kills it twice runs out of memory or stack."""
        async with self._turn:
            for _ in range(2):
                if self.process.status is not Status.READY and not await self._start():
                    return ApiError(503, "grammars cannot be compiled now: try again later", retry_after=2)
                if self._unusable:
                    return ApiError(400, self._unusable)
                try:
                    async with asyncio.timeout(self._seconds):
                        refusal = await self.process.call(rule)
                except ProcessEnded:
                    continue
                except TimeoutError:
                    await self.end()
                    return _too_complex(rule, f"took more than {self._seconds:g} s to compile")
                return None if refusal is None else ApiError(400, refusal[0], param=refusal[1])
            return _too_complex(rule, "is too complex to compile")

    async def _start(self) -> bool:
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self.process.start()
                await self.process.until_ready()
        except (OSError, WgptError):  # TimeoutError is an OSError
            await self.end()
            return False
        return True

    def _ready(self, unusable: str) -> None:
        self._unusable = unusable

    async def end(self) -> None:
        self.process.kill()
        await self.process.stop()


def _too_complex(rule: Rule, why: str) -> ApiError:
    message = f"{rule.field} {why}: simplify it"
    return ApiError(400, message, param=rule.field, code="grammar_too_complex")


def _work(link: Link, tokenizer: Tokenizer) -> None:
    """The main function of the process."""
    calls: queue.SimpleQueue[tuple[int, Rule]] = queue.SimpleQueue()
    link.listen(lambda number, rule: calls.put((number, rule)))
    refusal = _refusal(Rule(JSON_OBJECT, None, "grammar"), tokenizer)  # which also prepares the vocabulary
    link.ready("" if refusal is None else refusal[0])
    while True:
        number, rule = calls.get()
        link.done(number, _refusal(rule, tokenizer))


def _refusal(rule: Rule, tokenizer: Tokenizer) -> tuple[str, str] | None:
    """The reason of a refusal, and the field."""
    try:
        grammar_of(rule, tokenizer)
    except FieldError as e:
        return str(e), e.name or rule.field
    except WgptError as e:
        return str(e), rule.field
    return None
