"""WGSL for Dawn's compiler, Tint."""

from __future__ import annotations

import re


def for_tint(wgsl: str) -> str:
    """Add `enable subgroups;`, which Tint requires and naga rejects: in the first line, so that line numbers are
    unchanged.
    """
    if "subgroup" not in wgsl or re.search(r"enable\s+subgroups\s*;", wgsl):
        return wgsl
    return f"enable subgroups; {wgsl}"
