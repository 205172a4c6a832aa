"""Arguments checked against a function's own annotations: errors are one line that names the argument.

NumPy's integers arrive as Python's, whose arithmetic has no overflow.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, TypeVar

import numpy as np

from ..core.arguments import as_whole, shown
from ..core.errors import PreconditionError

Class = TypeVar("Class", bound=type)
_Test = Callable[[Any], bool]


def typed_methods(cls: Class) -> Class:
    """Check the arguments of a class's public methods and constructor wherever their annotations are simple.

    >>> @typed_methods
    ... class Counter:
    ...     def add(self, n: int) -> None: ...
    >>> Counter().add("2")
    Traceback (most recent call last):
    wgpt.core.errors.PreconditionError: n must be a whole number, not '2' (str)
    """
    for name, method in list(vars(cls).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(method, classmethod):
            setattr(cls, name, classmethod(typed(method.__func__)))
        elif inspect.isfunction(method):
            setattr(cls, name, typed(method))
    return cls


def typed(function: Callable[..., Any]) -> Any:
    """The function, with its arguments checked before it runs; unchanged if no annotation is simple."""
    parameters = inspect.signature(function).parameters
    annotations = {n: p.annotation for n, p in parameters.items() if isinstance(p.annotation, str)}
    if not any(_is_simple(a) for a in annotations.values()):
        return function
    positional = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((n for n, p in parameters.items() if p.kind is p.VAR_POSITIONAL), "")
    named = next((n for n, p in parameters.items() if p.kind is p.VAR_KEYWORD), "")
    integers = {n for n, annotation in annotations.items() if "int" in _parts(annotation)}
    tests: dict[str, tuple[_Test, str]] = {}
    known = list[bool]()

    def check(parameter: str, name: str, value: Any) -> Any:
        if parameter in tests and not tests[parameter][0](value):
            raise PreconditionError(f"{name} must be {tests[parameter][1]}, not {shown(value)}")
        return int(value) if parameter in integers and isinstance(value, np.integer | np.ndarray) else value

    def checked(args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        if not known:  # annotations may name classes that the module defines later: they are resolved at the first call
            tests.update({n: _allowed(a, function.__globals__) for n, a in annotations.items()})
            known.append(True)
            for name in [n for n, (test, _) in tests.items() if test is _anything]:
                del tests[name]
        names = [*positional[: len(args)], *[rest] * (len(args) - len(positional))]
        return (
            [check(n, n, v) if n in tests else v for n, v in zip(names, args, strict=True)],
            {k: check(k if k in parameters else named, k, v) for k, v in keywords.items()} if keywords else {},
        )

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **keywords: Any) -> Any:
            args_checked, keywords_checked = checked(args, keywords)
            return await function(*args_checked, **keywords_checked)

        return awaited

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        args_checked, keywords_checked = checked(args, keywords)
        return function(*args_checked, **keywords_checked)

    return call


def _is_text(value: Any) -> bool:
    """Whether the value is a str without lone surrogates, which cannot be encoded."""
    try:
        return isinstance(value, str) and (value.isascii() or bool(value.encode()))
    except UnicodeEncodeError:
        return False


def _whole(value: Any) -> bool:
    return as_whole(value) is not None


_KNOWN: dict[str, tuple[_Test, str]] = {
    "int": (_whole, "a whole number"),
    "str": (_is_text, "a text"),
    "bool": (lambda value: isinstance(value, bool | np.bool_), "True or False"),
    "None": (lambda value: value is None, "None"),
    "F32": (lambda value: isinstance(value, np.ndarray), "a NumPy array"),
    "NDArray[np.floating]": (lambda value: isinstance(value, np.ndarray), "a NumPy array"),
    "NDArray[Any]": (lambda value: isinstance(value, np.ndarray | np.generic), "a NumPy array"),
    "dict[str, Any]": (lambda value: isinstance(value, dict), "a dict"),
    "tuple[int, ...]": (lambda value: isinstance(value, tuple | list) and all(map(_whole, value)), "a tuple of sizes"),
}


def _is_simple(annotation: str) -> bool:
    """Whether some part of an annotation can be checked; classes of modules not imported yet cannot."""
    return any((part in _KNOWN and part != "None") or part[:1].isupper() for part in _parts(annotation))


def _allowed(annotation: str, names: Mapping[str, Any]) -> tuple[_Test, str]:
    """The check of an annotation, and what it allows in words; no check if a part is more than a class."""
    tests, words = [], []
    for part in _parts(annotation):
        test, word = _KNOWN.get(part, (None, ""))
        if test is None:
            elements = re.fullmatch(r"Sequence\[(\w+)\]", part)
            name = elements[1] if elements else part
            classes = names.get(name)
            if not _are_classes(classes):
                return _anything, "anything"
            test, word = functools.partial(_is_instance, classes), _class_names(name, classes)
            if elements:
                test, word = functools.partial(_is_sequence, classes), f"a list, each {word}"
        tests.append(test)
        if part != "None":
            words.append(word)
    passes = tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)
    return passes, " or ".join(words)


def _anything(value: Any) -> bool:
    return True


def _are_classes(classes: Any) -> bool:
    """Whether isinstance() accepts it: a class, or a union of classes. Any and protocols are refused."""
    if isinstance(classes, UnionType):
        return all(map(_are_classes, classes.__args__))
    return isinstance(classes, type) and classes is not Any and not getattr(classes, "_is_protocol", False)


def _is_instance(classes: Any, value: Any) -> bool:
    return isinstance(value, classes)


def _is_sequence(classes: Any, value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, classes) for item in value)


def _class_names(name: str, classes: Any) -> str:
    names = [c.__name__ for c in classes.__args__] if isinstance(classes, UnionType) else [name]
    return " or ".join(f"a {n}" for n in names)


def _parts(annotation: str) -> list[str]:
    return [part.strip() for part in annotation.split("|")]
