"""The engine's process: it loads the model, and sends what each step brought."""

from __future__ import annotations

import socket

from .settings import Settings


def run(settings: Settings, connection: socket.socket, parent: int) -> None:
    """The main function of the process."""
    raise NotImplementedError
