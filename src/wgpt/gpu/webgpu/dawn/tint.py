"""WGSL as Dawn's compiler takes it."""

from __future__ import annotations

import re


def for_tint(wgsl: str) -> str:
    """Tint requires `enable subgroups;`, naga rejects it. In the first line, so that messages name the right ones."""
    if "subgroup" not in wgsl or re.search(r"enable\s+subgroups\s*;", wgsl):
        return wgsl
    return f"enable subgroups; {wgsl}"
