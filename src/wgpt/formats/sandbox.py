"""Jinja as chat templates expect it, for templates that nobody has vouched for.

The settings, filters and functions are those of transformers' `apply_chat_template`. Beyond Jinja's own sandbox,
work is counted: a template that loops without end or builds gigabytes stops with an error instead of hanging.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from jinja2 import Environment, Template, TemplateError, nodes, pass_context
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MAX_STEPS = 5_000_000  # rounds of loops; a chat of a thousand messages takes some ten thousand
_CALL = 20  # what a call costs, in rounds
MAX_TEXT = 1 << 24  # characters in one value, and in the result
_STEPS = " steps"  # with a space, so that no template can name it


class TooMuchError(TemplateError):
    """The template wants more work or memory than any chat needs."""


class _Steps:
    def __init__(self) -> None:
        self.left = MAX_STEPS

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooMuchError(f"it takes more than {MAX_STEPS} steps")


class _Generation(Extension):
    """{% generation %} marks what the assistant said, for training; here its content is simply rendered."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


class _Counters(NodeTransformer):
    """Has every loop and every `~` go through the counters below."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def visit_For(self, node: nodes.For) -> nodes.Node:
        if node.recursive:
            raise TooMuchError(f"line {node.lineno}: recursive loops are not run")
        self.generic_visit(node)
        node.iter = self._through("_counted", node.iter)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        return self._through("_bounded", node)

    def _through(self, name: str, node: nodes.Node) -> nodes.Filter:
        return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno, environment=self.environment)


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self) -> None:
        super().__init__(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
        self.filters |= {"tojson": _tojson, "_counted": _counted, "_bounded": _bounded}
        self.globals |= {"raise_exception": _raise_exception, "strftime_now": _strftime_now}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Counters(self).visit(super()._parse(source, name, filename))
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(times, int) and hasattr(many, "__len__") and len(many) * times > MAX_TEXT:
                    raise TooMuchError(f"it repeats {len(many)} items {times} times")
        if operator == "**" and isinstance(right, int) and abs(right) > 64:
            raise TooMuchError(f"it raises to the power of {right}")
        if operator == "%" and isinstance(left, str) and re.search(r"\d{6}|\*", left):
            raise TooMuchError(f"it formats with {left[:40]!a}")
        return _bounded(super().call_binop(context, operator, left, right))

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        # Jinja's names: a template's own keyword arguments must not meet them.
        __context.parent[_STEPS].take(_CALL)
        for value in (*args, *kwargs.values()):
            if isinstance(value, int) and abs(value) > MAX_TEXT:
                raise TooMuchError(f"it calls a function with {value}")
        return _bounded(super().call(__context, __obj, *args, **kwargs))


@pass_context
def _counted(context: Context, iterable: Any) -> Any:
    steps = context.parent[_STEPS]
    if hasattr(iterable, "__len__"):
        steps.take(len(iterable))
        return iterable
    return _each(iterable, steps)


def _each(iterable: Iterable[Any], steps: _Steps) -> Iterable[Any]:
    for item in iterable:
        steps.take(1)
        yield item


def _bounded(value: Any) -> Any:
    if isinstance(value, str | list | tuple) and len(value) > MAX_TEXT:
        raise TooMuchError(f"it makes a value of {len(value)} items; the limit is {MAX_TEXT}")
    return value


def _raise_exception(message: Any) -> None:
    raise TemplateError(str(message))


def _tojson(
    value: Any, ensure_ascii: bool = False, indent: int | None = None, separators: Any = None, sort_keys: bool = False
) -> str:
    # Jinja's own escapes <, > and & for HTML.
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _strftime_now(form: str) -> str:
    return datetime.now().strftime(form)


@lru_cache(maxsize=16)
def compiled(template: str) -> Template:
    return _Sandbox().from_string(template)


def render(template: Template, variables: dict[str, Any]) -> str:
    """The text; TooMuchError where it gets longer than any chat is."""
    parts: list[str] = []
    length = 0
    for part in template.generate({**variables, _STEPS: _Steps()}):
        length += len(part)
        if length > MAX_TEXT:
            raise TooMuchError(f"its result is longer than {MAX_TEXT} characters")
        parts.append(part)
    return "".join(parts)
