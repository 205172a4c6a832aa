"""What requests of all endpoints share: the model, generation options, and streaming."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...formats.errors import shown
from ..settings import Limits
from ..structured import FIELDS as STRUCTURED
from .fields import OPTIONS, FieldError, checked, lora_of, options_of, priority_of, samples_of, streaming_of, take

COMMON = ("model", "n", "lora", "priority", "stream", "stream_options", "return_token_ids", *STRUCTURED, *OPTIONS)
# Fields that are accepted with these values only, because others would change the answer.
OFF: Mapping[str, tuple[Any, ...]] = {
    "store": (False,), "functions": ([],), "function_call": ("none",), "modalities": (["text"],), "audio": (),
    "prediction": (), "web_search_options": (), "moderation": (), "service_tier": ("auto", "default"),
    "reasoning_effort": ("none",), "verbosity": ("medium",), "echo": (False,), "suffix": ("",), "best_of": (1,),
    "use_beam_search": (False,), "length_penalty": (1, 1.0), "skip_special_tokens": (True,),
    "spaces_between_special_tokens": (True,), "include_stop_str_in_output": (False,),
}  # fmt: skip


@dataclass(frozen=True)
class Names:
    """The model names that a request may use: the base model's spellings, and its LoRA adapters'."""

    base: tuple[str, ...]
    loras: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, path: Path | None, loras: Iterable[str] = (), aliases: Iterable[str] = ()) -> Names:
        spellings = [Path(name).name or name, name, *aliases]
        if path is not None:
            spellings += [str(path), path.name, path.stem]
        return cls(tuple(dict.fromkeys(spellings)), tuple(loras))

    def lora(self, body: Mapping[str, Any]) -> str | None:
        """The requested LoRA adapter: `lora`, or an adapter's name as `model`. Refuses names of other models."""
        lora, name = lora_of(body), body.get("model")
        if lora is not None and lora not in self.loras:
            loaded = ", ".join(self.loras) or "none"
            raise FieldError(f"LoRA adapter {shown(lora)} is not loaded; loaded: {loaded}", "lora")
        if name is None:
            return lora
        checked("model", name, str)
        if name in self.loras and lora in (None, name):
            return str(name)
        if name.lower() in [spelling.lower() for spelling in self.base]:
            return lora
        known = ", ".join([self.base[0], *self.loras])
        message = f"model {shown(name)} is not loaded; loaded: {known}"
        raise FieldError(message, "model", status=404, code="model_not_found")


@dataclass(frozen=True)
class Common:
    """`name`: the model name for the response. `options`: the generation options that the request sets."""

    name: str
    lora: str | None
    options: dict[str, Any]
    n: int
    priority: int
    stream: bool
    include_usage: bool
    return_token_ids: bool

    @classmethod
    def of(cls, body: Mapping[str, Any], names: Names, limits: Limits) -> Common:
        """Read the fields, except `logprobs`, whose spelling depends on the endpoint."""
        lora = names.lora(body)
        stream, include_usage = streaming_of(body)
        options = options_of({name: value for name, value in body.items() if name != "logprobs"}, limits)
        return cls(
            name=body.get("model") or lora or names.base[0],
            lora=lora,
            options=options,
            n=samples_of(body, limits),
            priority=priority_of(body),
            stream=stream,
            include_usage=include_usage,
            return_token_ids=take(body, "return_token_ids", bool, False),
        )
