"""Errors of an export."""

from __future__ import annotations

from ..core.errors import WgptError


class WebExportError(WgptError):
    """The model cannot be exported; nothing was written."""
