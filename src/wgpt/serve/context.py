"""What every endpoint needs."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from .metrics import Metrics
from .prompts import Prompts
from .replicas import AnyEngine
from .settings import Settings


@dataclass(frozen=True)
class Server:
    """An endpoint gets it from `routes(server)` of its module, which returns Starlette routes:

    def routes(server: Server) -> list[BaseRoute]:
        async def chat(request: Request) -> Response: ...
        return [Route("/v1/chat/completions", chat, methods=["POST"])]

    A handler raises ApiError; the application turns it into a response (app.py).
    """

    settings: Settings
    engine: AnyEngine
    prompts: Prompts
    metrics: Metrics
    created: int = field(default_factory=lambda: int(time.time()))  # start time in Unix time
