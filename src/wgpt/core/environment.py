"""Every environment variable that wgpt reads: `wgpt --help` prints this table, and so do the docs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple

_PREFIX = "WGPT_"
_RENAMED = {"WGPT_ADAPTER": "WGPT_GPU"}


class Variable(NamedTuple):
    name: str
    example: str
    meaning: str


VARIABLES = (
    Variable("WGPT_GPU", "nvidia", "the GPU: its index in `wgpt info`, or part of its name; --gpu overrides it"),
    Variable("WGPT_WEBGPU", "dawn", "the WebGPU to use: auto (the default), dawn or wgpu; --webgpu overrides it"),
    Variable("WGPT_DAWN", "FILE", "a shared library of Dawn instead of the one in the package wgpudawn"),
    Variable("WGPT_GPU_MIN_SIZE", "100000", "array size, in elements, from which wgpt.ops uses the GPU"),
    Variable("WGPT_MEMORY_LIMIT", "4GiB", "GPU memory that wgpt may use; layers beyond it stay in host memory"),
    Variable("WGPT_HOME", "DIR", "folder for models, converted weights and tuning results"),
    Variable("WGPT_CACHE_LIMIT", "20GiB", "size limit of the cache of converted weights; 0 disables it"),
    Variable("WGPT_API_KEY", "KEY", "a key that `wgpt serve` requires of every request"),
    Variable("WGPT_OFFLINE", "1", "download nothing"),
    Variable("WGPT_NATIVE", "0", "use wgpu-py's public API instead of direct C calls"),
    Variable("WGPT_SUBMIT_THREAD", "0", "submit commands without a second thread (1: always with one)"),
    Variable("WGPT_TRITON_LOCKS", "1", "compile Triton kernels that wait for other programs"),
    Variable("WGPT_ALLOW_FAULTY", "1", "use a driver even if it computes wrong numbers"),
    Variable("WGPT_DEBUG", "1", "print tracebacks instead of one-line errors"),
)


def table() -> str:
    """One aligned line for each variable."""
    assignments = [f"{v.name}={v.example}" for v in VARIABLES]
    width = max(map(len, assignments))
    return "\n".join(f"  {a:{width}}  {v.meaning}" for a, v in zip(assignments, VARIABLES, strict=True))


def unknown(names: Iterable[str]) -> str | None:
    """A message about the first unknown name that starts with WGPT_: a misspelt setting would be ignored silently."""
    known = [v.name for v in VARIABLES]
    for name in sorted(names):
        if name.startswith(_PREFIX) and name not in known:
            nearest = difflib.get_close_matches(name[len(_PREFIX) :], [k[len(_PREFIX) :] for k in known], 1)
            if name in _RENAMED:
                nearest = [_RENAMED[name][len(_PREFIX) :]]
            remedy = f"did you mean {_PREFIX}{nearest[0]}?" if nearest else f"known variables: {', '.join(known)}"
            return f"unknown environment variable {name}: {remedy}"
    return None
