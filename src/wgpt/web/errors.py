"""Errors of an export: what does not fit into a web page, and why."""

from __future__ import annotations

from ..core.errors import WgptError


class WebExportError(WgptError):
    """A model that cannot be exported; nothing was written."""
