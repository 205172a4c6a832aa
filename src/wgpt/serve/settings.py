"""All options of the `wgpt serve` command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.arguments import number_between, whole_number
from ..engine.engine import MAX_BATCH

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Limits:
    """Limits of requests."""

    body_bytes: int = 16 << 20
    body_parts: int = 1 << 16  # most strings, objects and lists in a body
    body_values: int = 1 << 18  # most values, such as token ids
    body_escapes: int = 1 << 20  # most backslash escapes in strings, such as those of line ends
    string_bytes: int = 8 << 20  # most bytes of a string: more than the text of a million tokens
    body_seconds: float = 30.0  # seconds for which a client may send nothing of its body
    n: int = 128  # most texts to generate for all prompts together
    stops: int = 16
    stop_characters: int = 1024
    schema_bytes: int = 128 << 10  # most bytes of a JSON schema or a grammar, and of all tools together
    logit_bias: int = 4096
    prompts: int = 1024  # most prompts in a request
    stream_seconds: float = 60.0  # seconds for which a stream waits for a client that does not read
    stream_tokens: int = 16384  # most tokens queued for such a client
    grammar_seconds: float = 5.0  # seconds to compile a grammar


@dataclass(frozen=True)
class Settings:
    """`model`: the path of the files, and `load`: other options of wgpt.load; `engine`: options of wgpt.Engine.

    `replicas`: GPUs, as wgpt.load takes one; an engine on each of them. None: one engine, on the GPU of `load`.
    """

    model: Path
    name: str  # the model's name for clients
    aliases: tuple[str, ...] = ()  # further names
    load: Mapping[str, Any] = field(default_factory=dict)
    engine: Mapping[str, Any] = field(default_factory=dict)
    loras: Mapping[str, Path] = field(default_factory=dict)
    replicas: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    port: int = 8000
    api_keys: tuple[str, ...] = field(default=(), repr=False)
    share_cache: bool = False  # all API keys share the prefix cache
    cors_origins: tuple[str, ...] = ()
    admin: Path | None = None  # folder from which requests may load LoRA adapters
    max_batch: int = MAX_BATCH
    max_queue: int = 4 * MAX_BATCH
    shutdown_seconds: float = 30.0
    step_seconds: float = 60.0  # seconds after which an unfinished step counts as hanging
    log_json: bool = False
    warm_up: bool = True
    page: bool = True  # serve the chat page at /
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        whole_number("port", self.port, 0, 65535)
        whole_number("max_batch", self.max_batch, 1, MAX_BATCH)
        whole_number("max_queue", self.max_queue, 1, 1 << 20)
        number_between("shutdown_timeout", self.shutdown_seconds, 0, 86400)
        number_between("step_timeout", self.step_seconds, 1, 86400)

    def public(self, message: str) -> str:
        """A message without the path of the model's files, so that clients may see it."""
        for path in (self.model, *self.loras.values()):
            for spelling in (str(path.resolve()), str(path)):
                message = message.replace(spelling, path.name)
        return message

    @property
    def is_local(self) -> bool:
        return self.host in LOCAL_HOSTS
