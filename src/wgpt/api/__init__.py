"""The public API: `wgpt.load()` returns a Model that generates, chats, scores and fine-tunes."""

from .engine import Engine
from .loading import load
from .model import Model
from .stream import Stream

__all__ = ["Engine", "Model", "Stream", "load"]
