"""The identity of a run's base model: checkpoints record it, and a run resumes only over the same base."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from ..core.errors import PreconditionError
from ..formats import Checkpoint
from ..formats.model_digest import model_digest


def identity_of(checkpoint: Checkpoint, name: str, dtype: str | None) -> dict[str, Any]:
    """The identity of a base model from these files, with matrices converted by the recipe `dtype`."""
    return {"name": name, "digest": model_digest(checkpoint), "dtype": dtype}


def check_identity(then: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> None:
    """Refuse a base that is not the one the run began with. If either is unknown, warn instead."""
    if then is None or now is None:
        if known := then or now:
            side = "the checkpoint does not name its base" if then is None else "the model was not loaded from files"
            warnings.warn(f"{side}: make sure that the base model is {known['name']}", stacklevel=2)
        return
    if then["digest"] != now["digest"]:
        difference = f"{then['name']}, not {now['name']}"
        if then["name"] == now["name"]:
            difference = f"another {then['name']}: its weights have changed since"
        raise PreconditionError(f"this run began with {difference}: resume it with the same base, or start a new run")
    if then["dtype"] != now["dtype"]:
        raise PreconditionError(
            f"this run began with {then['name']} {_described(then['dtype'])}, not {now['name']} "
            f"{_described(now['dtype'])}: resume it with the same dtype, or start a new run"
        )


def _described(dtype: str | None) -> str:
    return "unconverted" if dtype is None else f"in {dtype}"
