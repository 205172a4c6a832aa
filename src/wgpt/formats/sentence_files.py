"""Reads how a model embeds texts: sentence-transformers' modules and prompts, or GGUF's pooling."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import FormatError, shown
from .safetensors_scan import parse_object, read_json

_MODULES = "modules.json"
_PROMPTS = "config_sentence_transformers.json"
_LIMITS = "sentence_bert_config.json"
_SUPPORTED = {"Transformer", "Pooling", "Normalize"}
_MODES = {  # keys of 1_Pooling/config.json
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len",
    "pooling_mode_weightedmean_tokens": "weightedmean",
}
_NAMED_MODES = {"lasttoken": "last"}
_GGUF = {1: "mean", 2: "cls", 3: "last"}  # values of pooling_type
_MOST_BYTES = 1 << 20  # of modules.json
POOLINGS = ("mean", "cls", "last")


@dataclass(frozen=True)
class SentenceSettings:
    """The settings in the files; None where they say nothing. `unsupported`: why wgpt's vectors would differ from the
    model's."""

    pooling: str | None = None
    normalise: bool | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    default_prompt: str | None = None  # the name of a prompt
    max_tokens: int | None = None  # most tokens of a text
    lowercase: bool = False
    unsupported: str = ""


def of_gguf(pooling_type: Any, lacks_dense: bool = False) -> SentenceSettings:
    """Read GGUF metadata. `lacks_dense`: the model has dense layers after pooling, but the file does not."""
    pooling = _GGUF.get(pooling_type) if type(pooling_type) is int else None
    without = "the file lacks the dense layers after pooling (dense_2, dense_3), which llama.cpp's converter writes "
    without += "with --sentence-transformers-dense-modules"
    return SentenceSettings(pooling=pooling, unsupported=without if lacks_dense else "")


def of_folder(folder: Path, dense: bool = False) -> SentenceSettings:
    """Read a Hugging Face folder; defaults if it has no modules.json. `dense`: wgpt runs the model's dense layers."""
    if not os.path.isfile(folder / _MODULES):
        return SentenceSettings()
    kinds = dict(_modules(folder))
    unknown = [kind for kind in kinds if kind not in (*_SUPPORTED, *(["Dense"] if dense else []))]
    unsupported = f"its modules.json has {shown(unknown[0])}, which is unsupported" if unknown else ""
    pooling = None
    if "Pooling" in kinds:
        pooling, why = _pooling(kinds["Pooling"] / "config.json")
        unsupported = unsupported or why
    prompts, default = _prompts(folder / _PROMPTS)
    limits = _optional(kinds.get("Transformer", folder) / _LIMITS)
    longest = limits.get("max_seq_length")
    if longest is not None and (type(longest) is not int or longest < 1):
        raise FormatError(f"{folder / _LIMITS}: max_seq_length is {shown(longest)}, not a number of tokens")
    return SentenceSettings(
        pooling,
        "Normalize" in kinds,
        prompts,
        default,
        longest,
        limits.get("do_lower_case") is True,
        unsupported,
    )


def dense_folders(folder: Path) -> list[Path]:
    """The folders of the dense layers after pooling, in order. Refuses layers that are more than a matrix."""
    if not os.path.isfile(folder / _MODULES):
        return []
    found = [path for kind, path in _modules(folder) if kind == "Dense"]
    for path in found:
        settings = read_json(path / "config.json")
        act = settings.get("activation_function")
        if settings.get("bias") is not False or not isinstance(act, str) or act.rsplit(".", 1)[-1] != "Identity":
            raise FormatError(
                f"{path / 'config.json'}: unsupported dense layer with bias {shown(settings.get('bias'))} and "
                f"activation_function {shown(act)}; supported: False and Identity"
            )
    return found


def _modules(folder: Path) -> Iterator[tuple[str, Path]]:
    """The kinds and folders of modules.json."""
    for module in _list(folder / _MODULES):
        kind, path = (module.get("type"), module.get("path", "")) if isinstance(module, dict) else (None, None)
        if not isinstance(kind, str) or not isinstance(path, str) or ".." in Path(path).parts or os.path.isabs(path):
            raise FormatError(f"{folder / _MODULES}: {shown(module)} is not a module with a type and a path")
        yield kind.rsplit(".", 1)[-1], folder / path


def _list(path: Path) -> list[Any]:
    """The list in a JSON file."""
    if path.stat().st_size > _MOST_BYTES:
        raise FormatError(f"{path}: has {path.stat().st_size} bytes; the limit for this file is {_MOST_BYTES}")
    value = parse_object(b'{"modules": ' + path.read_bytes() + b"}", str(path))["modules"]
    if not isinstance(value, list):
        raise FormatError(f"{path}: is {shown(value)}, not a list of modules")
    return value


def _pooling(path: Path) -> tuple[str | None, str]:
    """The pooling method, or why it is unsupported."""
    config = read_json(path)
    chosen = [mode for key, mode in _MODES.items() if config.get(key) is True]
    named = config.get("pooling_mode")
    if isinstance(named, str):
        chosen = [_NAMED_MODES.get(named, named)]
    if config.get("include_prompt") is False:
        return None, f"{path} has include_prompt false, which is unsupported"
    if len(chosen) != 1 or chosen[0] not in POOLINGS:
        return None, f"{path} pools by {shown(chosen)}; supported: one of {', '.join(POOLINGS)}"
    return chosen[0], ""


def _prompts(path: Path) -> tuple[dict[str, str], str | None]:
    config = _optional(path)
    prompts, default = config.get("prompts") or {}, config.get("default_prompt_name")
    if not isinstance(prompts, dict) or not all(isinstance(text, str) for text in prompts.values()):
        raise FormatError(f"{path}: prompts is {shown(prompts)}, not an object with texts")
    if default is not None and default not in prompts:
        raise FormatError(f"{path}: default_prompt_name is {shown(default)}, which is not among its prompts")
    return prompts, default


def _optional(path: Path) -> dict[str, Any]:
    return read_json(path) if os.path.isfile(path) else {}
