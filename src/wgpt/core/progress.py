"""How long work reports its progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]  # (done, total, description)
