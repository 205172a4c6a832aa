"""Grammars of strangers are compiled in a process of their own first: one that takes too long is killed with it.

A schema such as {"type": "integer", "multipleOf": 9999999} compiles for minutes, and a thread cannot be stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ..formats.tokenizer import Tokenizer
from ..gpu import WgptError
from .errors import ApiError
from .openai.fields import FieldError
from .structured import JSON_OBJECT, Rule, grammar_of

_START_SECONDS = 120.0  # on a busy machine; the first compilation prepares the vocabulary


class GrammarProcess:
    """Checks rules one after the other. The process is started for the first, and again after it was killed."""

    def __init__(self, tokenizer: Tokenizer, seconds: float) -> None:
        self._tokenizer, self._seconds = tokenizer, seconds
        self._thread = ThreadPoolExecutor(1, "wgpt-grammar")
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    async def check(self, rule: Rule) -> None:
        """Refuse a rule that cannot be kept, or that takes too long to compile."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._check, rule)

    def _check(self, rule: Rule) -> None:
        refusal = self._compiled(rule)
        if refusal is not None:
            message, field = refusal
            raise ApiError(400, message, param=field)

    def _compiled(self, rule: Rule) -> tuple[str, str] | None:
        """Why a rule is refused. Its process is asked again if it ended by itself, because something else may have
        ended it; a rule that ends it twice runs out of memory, or of stack."""
        for last in (False, True):
            connection = self._connection or self._start()
            try:
                connection.send(rule)
                if not connection.poll(self._seconds):
                    message = f"{rule.field} took more than {self._seconds:g} s to compile: simplify it"
                    self._end()
                    raise ApiError(400, message, param=rule.field, code="grammar_too_complex")
                refusal: tuple[str, str] | None = connection.recv()
                return refusal
            except (OSError, EOFError):
                self._end()
                if last:
                    message = f"{rule.field} is too complex to compile: simplify it"
                    raise ApiError(400, message, param=rule.field, code="grammar_too_complex") from None
        raise AssertionError("unreachable")

    def _start(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=_run, args=(self._tokenizer, theirs), name="wgpt-grammars", daemon=True)
        self._process.start()
        theirs.close()
        refusal: str | None = None
        with contextlib.suppress(OSError, EOFError):
            refusal = ours.recv() if ours.poll(_START_SECONDS) else None
        if refusal != "":
            self._end()
            if refusal:  # no grammar works with this tokenizer
                raise ApiError(400, refusal)
            raise ApiError(503, "grammars cannot be compiled now: try again later", retry_after=2)
        self._connection = ours
        return ours

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(1)
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _run(tokenizer: Tokenizer, connection: Connection) -> None:
    """The main function of the process. It ends with the other end of the connection."""
    with contextlib.suppress(OSError, EOFError, KeyboardInterrupt):
        refusal = _refusal(Rule(JSON_OBJECT, None, "grammar"), tokenizer)
        connection.send("" if refusal is None else refusal[0])
        while True:
            connection.send(_refusal(connection.recv(), tokenizer))


def _refusal(rule: Rule, tokenizer: Tokenizer) -> tuple[str, str] | None:
    """Why, and the field."""
    try:
        grammar_of(rule, tokenizer)
    except FieldError as e:
        return str(e), e.name or rule.field
    except WgptError as e:
        return str(e), rule.field
    return None
