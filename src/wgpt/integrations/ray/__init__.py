"""Models in Ray's pipelines (`pip install 'wgpt[ray]'`): classes for Ray Data's map_batches."""

from .rows import Embed, Generate, Score

__all__ = ["Embed", "Generate", "Score"]
