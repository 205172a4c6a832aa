"""The fields of a request: supported, ignored labels, and refused ones. `wgpt batch` uses this, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.arguments import brief
from ...core.errors import WgptError
from ...core.generation import MOST_SEED
from ...core.generation import OPTIONS as TABLE
from ...core.naming import as_keywords
from ...engine.options import Options, check_salt
from ...formats.errors import shown
from ..settings import Limits

OPTIONS = tuple(TABLE)  # request fields with the names of options; grammars and tools have fields of their own
MOST_PRIORITY = 1000
MOST_TOKENS = 2**31  # most tokens to generate: more than any context
# Fields that change nothing in an answer, and their types.
LABELS: Mapping[str, type] = {
    "user": str,
    "metadata": dict,
    "safety_identifier": str,
    "prompt_cache_key": str,  # used to choose a replica (affinity.py)
    "request_id": str,
}
# Settings of the prompt cache: prompts are cached as long as there is GPU memory.
CACHING: Mapping[str, tuple[Any, ...]] = {
    "prompt_cache_retention": ("in_memory",),
    "prompt_cache_options": ({}, {"mode": "implicit"}),
}
_TYPES = {str: "a string", dict: "an object", list: "a list", bool: "true or false", int: "a whole number"}


class FieldError(WgptError):
    """A field that is missing, unknown, unsupported or invalid. `status` and `code` are for an HTTP response."""

    def __init__(self, message: str, name: str | None = None, *, status: int = 400, code: str | None = None) -> None:
        super().__init__(message)
        self.name, self.status, self.code = name, status, code


@contextmanager
def about(name: str) -> Iterator[None]:
    """Within the block, errors are about this field."""
    try:
        with as_keywords():
            yield
    except FieldError:
        raise
    except WgptError as e:
        raise FieldError(str(e), name) from None


def refused(name: str, value: Any, allowed: str) -> FieldError:
    return FieldError(f"{name} must be {allowed}, not {shown(value)}", name)


def checked(name: str, value: Any, kind: type) -> Any:
    """The value, checked to be of this JSON type."""
    wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
    if wrong:
        raise refused(name, value, _TYPES[kind])
    return value


def take(body: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    """The field, or the default if it is not set."""
    value = body.get(name)
    return default if value is None else checked(name, value, kind)


def between(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise refused(name, value, f"a whole number from {least} to {most}")
    return value


def chosen(name: str, value: Any, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        *first, last = choices
        raise refused(name, value, f"{', '.join(first)} or {last}" if first else last)
    return value


def check_names(value: Mapping[str, Any], supported: Sequence[str], where: str = "", prefix: str = "") -> None:
    """Refuse unknown fields, which would otherwise be ignored silently.

    `prefix`: the path of an object within the body.
    """
    unknown = next((name for name in value if name not in supported), None)
    if unknown is not None:
        message = f"unknown field {shown(unknown)}{where}; supported: {', '.join(sorted(supported))}"
        raise FieldError(message, f"{prefix}{brief(unknown, 100)[1:-1]}")


def object_of(value: Any, name: str, supported: Sequence[str]) -> dict[str, Any]:
    """An object within the body, without null fields; unknown fields are refused."""
    present = {key: item for key, item in checked(name, value, dict).items() if item is not None}
    check_names(present, supported, f" in {name}", f"{name}.")
    return present


def supported_fields(
    body: Any, names: Sequence[str], off: Mapping[str, tuple[Any, ...]], endpoint: str, labels: Sequence[str] = ()
) -> dict[str, Any]:
    """The fields that matter; null means that a field is not set.

    names: the supported ones. off: those that are accepted with these values only, because others would change the
    answer. labels: those beyond LABELS that change nothing, with any value.
    """
    if not isinstance(body, Mapping):
        raise FieldError(f"the body must be a JSON object, not {shown(body)}")
    present = {name: value for name, value in body.items() if value is not None}
    for name, kind in LABELS.items():
        if name in present and name not in names:
            checked(name, present.pop(name), kind)
    for name in labels:
        present.pop(name, None)
    for name, allowed in {**CACHING, **off}.items():
        if name in present and name not in names:
            value = present.pop(name)
            if not any(value == each and type(value) is type(each) for each in allowed):
                only = f"; only {' or '.join(map(shown, allowed))} is supported" if allowed else ""
                raise FieldError(f"{name} {shown(value)} is unsupported{only}", name)
    check_names(present, names, f" in the body of a request to {endpoint}")
    return present


def need(body: Mapping[str, Any], name: str) -> Any:
    if body.get(name) is None:
        raise FieldError(f'the body needs "{name}"', name)
    return body[name]


def options_of(body: Mapping[str, Any], limits: Limits = Limits()) -> dict[str, Any]:
    """The generation options among the fields, each checked separately so that errors name it."""
    options = {name: body[name] for name in OPTIONS if body.get(name) is not None}
    for name, read in _READERS.items():
        if name in options:
            options[name] = read(options[name], limits)
    for name, value in options.items():
        with about(name):
            Options.of({**_needed(name, options), name: value})
    return options


def _needed(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that must be set to check another one; a request's default temperature is not 0."""
    if name == "min_tokens":
        return {"max_tokens": options.get("max_tokens", MOST_TOKENS)}
    return {"temperature": options.get("temperature", 1.0)} if TABLE[name].filters else {}


def _bias(value: Any, limits: Limits) -> dict[int, Any]:
    """Convert the keys of logit_bias: JSON's are strings."""
    bias = {}
    for token, amount in checked("logit_bias", value, dict).items():
        if not (isinstance(token, int) or (token.isascii() and token.isdigit() and len(token) < 10)):
            raise FieldError(f"logit_bias: token ids must be whole numbers, not {shown(token)}", "logit_bias")
        bias[int(token)] = amount
    check_count("logit_bias", len(bias), limits.logit_bias, "tokens")
    return bias


def _stop(value: Any, limits: Limits) -> Any:
    stops = [value] if isinstance(value, str) else checked("stop", value, list)
    check_count("stop", len(stops), limits.stops, "strings")
    for stop in stops:
        if isinstance(stop, str):
            check_count("stop", len(stop), limits.stop_characters, "characters in a string")
    return stops


def _stop_ids(value: Any, limits: Limits) -> Any:
    check_count("stop_token_ids", len(checked("stop_token_ids", value, list)), limits.stops, "tokens")
    return value


def _seed(value: Any, limits: Limits) -> Any:
    """OpenAI's seeds may be negative."""
    negative = isinstance(value, int) and not isinstance(value, bool) and -(MOST_SEED + 1) // 2 <= value < 0
    return value + MOST_SEED + 1 if negative else value


def _top_k(value: Any, limits: Limits) -> Any:
    return 0 if value == -1 and not isinstance(value, float) else value  # vLLM's value for "off"


def _max_tokens(value: Any, limits: Limits) -> int:
    return between("max_tokens", value, 1, MOST_TOKENS)


_READERS: Mapping[str, Callable[[Any, Limits], Any]] = {
    "max_tokens": _max_tokens,
    "logit_bias": _bias,
    "stop": _stop,
    "stop_token_ids": _stop_ids,
    "seed": _seed,
    "top_k": _top_k,
}


def check_count(name: str, count: int, most: int, things: str) -> None:
    if count > most:
        raise FieldError(f"{name} may have at most {most} {things}, not {count}", name)


def samples_of(body: Mapping[str, Any], limits: Limits = Limits()) -> int:
    return between("n", 1 if body.get("n") is None else body["n"], 1, limits.n)


def priority_of(body: Mapping[str, Any]) -> int:
    """The priority; smaller numbers go first."""
    return between("priority", 0 if body.get("priority") is None else body["priority"], -MOST_PRIORITY, MOST_PRIORITY)


def salt_of(body: Mapping[str, Any]) -> str | None:
    """The salt of a request that generates nothing; others have it among their options."""
    with about("cache_salt"):
        check_salt(body.get("cache_salt"))
    salt: str | None = body.get("cache_salt")
    return salt


def lora_of(body: Mapping[str, Any]) -> str | None:
    lora = body.get("lora")
    if not isinstance(lora, str | None):
        raise FieldError(f"lora must be the name of a LoRA adapter, not {shown(lora)}", "lora")
    return lora


def streaming_of(body: Mapping[str, Any]) -> tuple[bool, bool]:
    """(whether to stream, whether the stream ends with the usage)."""
    stream = take(body, "stream", bool, False)
    options = body.get("stream_options")
    if options is None:
        return stream, False
    if not stream:
        raise FieldError("stream_options needs stream: true", "stream_options")
    options = object_of(options, "stream_options", ("include_usage", "include_obfuscation"))
    if options.get("include_obfuscation") not in (None, False):
        raise FieldError("stream_options.include_obfuscation is unsupported", "stream_options.include_obfuscation")
    return stream, checked("stream_options.include_usage", options.get("include_usage", False), bool)


def text_of(content: Any, where: str, types: Sequence[str] = ("text",), field: str = "messages") -> Any:
    """A content as a string, joining a list of text parts. Other values are returned unchanged."""
    if not isinstance(content, list):
        return content
    texts = []
    for i, part in enumerate(content):
        if isinstance(part, Mapping) and part.get("type") in types and isinstance(part.get("text"), str):
            texts.append(part["text"])
            continue
        kind = part.get("type") if isinstance(part, Mapping) else part
        images = ": this model reads text only" if isinstance(kind, str) and "image" in kind else ""
        raise FieldError(
            f"{where}.content[{i}]: unsupported content {shown(kind)}; supported: {' and '.join(types)}{images}", field
        )
    return "".join(texts)
