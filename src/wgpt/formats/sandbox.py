"""Jinja as chat templates expect it, for untrusted templates.

The settings, filters and functions are those of transformers' `apply_chat_template`. Beyond Jinja's own sandbox,
work is counted, so that a template that loops without end or builds gigabytes stops with an error that says so.
Counting cannot cover everything that Python's own methods do: `template_worker` runs this module in a process with
limits on time and memory. It therefore imports nothing but Jinja and the standard library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache, wraps
from string import Formatter
from typing import Any

from jinja2 import Environment, Template, TemplateError, nodes, pass_environment
from jinja2.ext import Extension, loopcontrols
from jinja2.filters import do_format, make_attrgetter
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

MAX_STEPS = 1_000_000  # rounds of loops; a chat of a thousand messages takes about ten thousand
_CALL = 50  # the cost of a call in rounds
MAX_TEXT = 1 << 24  # most characters in a value, and in the result
MAX_BITS = 1 << 12  # most bits of a whole number
# elements of a list, and characters of a text, that a function processes in the time of a round
_ITEMS, _CHARACTERS = 8, 64


class TemplateLimitError(TemplateError):
    """The template needs more work or memory than any real chat."""


class _Steps:
    def __init__(self) -> None:
        self.left = MAX_STEPS

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TemplateLimitError(f"it takes more than {MAX_STEPS} steps")


_steps: ContextVar[_Steps] = ContextVar("steps")


class _Generation(Extension):
    """{% generation %} marks the assistant's text for training; here its content is simply rendered."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        return nodes.Scope(parser.parse_statements(("name:endgeneration",), drop_needle=True), lineno=line)


class _Counters(NodeTransformer):
    """Rewrites every loop and every `~` to use the counters below."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def visit_For(self, node: nodes.For) -> nodes.Node:
        if node.recursive:
            raise TemplateLimitError(f"line {node.lineno}: recursive loops are unsupported")
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
        self.filters |= {"tojson": _tojson, "join": _join, "format": _format}
        self.filters = {name: _bounding(function) for name, function in self.filters.items()}
        self.filters |= {"_counted": _counted, "_bounded": _bounded}
        self.globals |= {"raise_exception": _raise_exception, "strftime_now": _strftime_now}
        del self.globals["lipsum"]  # filler text of any length that the caller requests

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Counters(self).visit(super()._parse(source, name, filename))
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            for many, times in ((left, right), (right, left)):
                if isinstance(times, int) and hasattr(many, "__len__") and len(many) * times > MAX_TEXT:
                    raise TemplateLimitError(f"it repeats {len(many)} items {times} times")
        if operator == "**" and isinstance(right, int) and abs(right) > 64:
            raise TemplateLimitError(f"it raises to the power of {right}")
        if operator == "%" and isinstance(left, str):
            _check_percent(left)
        return _bounded(super().call_binop(context, operator, left, right))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is not None:
            _check_braces(value.__self__)
        return wrapped

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        # named like Jinja's parameters, which cannot clash with a template's own keyword arguments
        _steps.get().take(_CALL + _work(args) + _work(kwargs.values()))
        return _bounded(super().call(__context, __obj, *args, **kwargs))


def _counted(iterable: Any) -> Any:
    steps = _steps.get()
    if hasattr(iterable, "__len__"):
        steps.take(len(iterable))
        return iterable
    return _each(iterable, steps)


def _each(iterable: Iterable[Any], steps: _Steps) -> Iterable[Any]:
    for item in iterable:
        steps.take(1)
        yield item


def _bounded(value: Any) -> Any:
    if type(value) is str and len(value) <= MAX_TEXT:  # nearly all are
        return value
    if isinstance(value, str | list | tuple) and len(value) > MAX_TEXT:
        raise TemplateLimitError(f"it makes a value of {len(value)} items; the limit is {MAX_TEXT}")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise TemplateLimitError(f"it computes a number of {value.bit_length()} bits; the limit is {MAX_BITS}")
    return value


def _bounding(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter with limits on its numbers (widths, counts) and its result, whose work is counted."""

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        _steps.get().take(_work(args))
        if kwargs:
            _steps.get().take(_work(kwargs.values()))
        return _bounded(function(*args, **kwargs))

    return checked


def _work(values: Iterable[Any]) -> int:
    """The work of processing the arguments, in rounds. Refuses numbers that no honest template uses."""
    work = 0
    for value in values:
        if isinstance(value, str):
            work += len(value) // _CHARACTERS
        elif isinstance(value, int):
            if abs(value) > MAX_TEXT:
                number = value if value.bit_length() < 200 else "a huge number"
                raise TemplateLimitError(f"it calls a function with {number}")
        elif isinstance(value, list | tuple | dict | range):
            work += len(value) // _ITEMS
    return work


def _check_percent(form: str) -> None:
    """Refuse widths of six digits, or widths from arguments."""
    if re.search(r"%(\([^)]*\))?[^%a-zA-Z]*(\d{6}|\*)", form):
        raise TemplateLimitError(f"it formats with {form[:40]!a}")


def _check_braces(form: str) -> None:
    """Check the format of `str.format`."""
    for _, _, spec, _ in Formatter().parse(form):
        if spec and re.search(r"\d{6}|\{", spec):
            raise TemplateLimitError(f"it formats with {form[:40]!a}")


def _format(value: Any, *args: Any, **kwargs: Any) -> str:
    _check_percent(str(value))
    return do_format(value, *args, **kwargs)


@pass_environment
def _join(environment: Environment, value: Iterable[Any], d: Any = "", attribute: str | int | None = None) -> str:
    """Jinja's join without escaping, which stops before the text gets too long."""
    length, parts = 0, []
    for item in value if attribute is None else map(make_attrgetter(environment, attribute), value):
        parts.append(str(item))
        length += len(parts[-1]) + len(str(d))
        if length > MAX_TEXT:
            raise TemplateLimitError(f"it joins a text of more than {MAX_TEXT} characters")
    return str(d).join(parts)


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
    """The rendered text. Raises TemplateLimitError if it gets longer than any real chat."""
    parts: list[str] = []
    length = 0
    _steps.set(_Steps())
    for part in template.generate(variables):
        length += len(part)
        if length > MAX_TEXT:
            raise TemplateLimitError(f"its result is longer than {MAX_TEXT} characters")
        parts.append(part)
    return "".join(parts)
