"""Argument checks: an error names the argument, its value and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gpu import PreconditionError
from ..gpu.arguments import shown


def is_token_id(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_list(value: Any) -> bool:
    """Whether it is a list, tuple, array, ...; strings and bytes do not count."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray | memoryview)


def token_ids(name: str, ids: Any, allowed: str = "a list of token ids") -> list[int]:
    """Token ids as a list, from any sequence or array of whole numbers."""
    if isinstance(ids, np.ndarray) and ids.ndim == 1 and np.issubdtype(ids.dtype, np.integer):
        return [int(token) for token in ids]
    if not is_list(ids):
        raise PreconditionError(f"{name} must be {allowed}, not {shown(ids)}")
    for token in ids:
        if not is_token_id(token):
            raise PreconditionError(f"{name}: token ids must be whole numbers, not {shown(token)}")
    return [int(token) for token in ids]
