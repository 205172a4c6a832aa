"""The folder for downloads, caches and measurements."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """WGPT_HOME, or the user's cache directory."""
    return Path(os.environ.get("WGPT_HOME") or platformdirs.user_cache_dir("wgpt"))
