"""Sizes of known models, for benchmarks with random weights."""

from __future__ import annotations

from ..formats.family import families
from .family import model_family

PRESETS = {name: config for family in families() for name, config in model_family(family).presets.items()}
