"""Models that also read images: their text part, whose settings and tensors are nested in theirs.

config.json has the settings under text_config. Tensors are called language_model.model.layers... or, since
transformers 4.52, model.language_model.layers...; those of the vision part are not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .errors import FormatError, shown
from .family import HEAD, families, model_types
from .stored import Entry

_TEXT = "text_config"
# Keys of the outer config that concern the text part.
_OUTER = ("bos_token_id", "eos_token_id", "tie_word_embeddings", "torch_dtype", "dtype", "quantization_config")
_NESTED = re.compile(r"(?:model\.)?language_model\.(?:model\.)?(.+)")
_VISION = re.compile(
    r"(?:model\.)?(vision_tower|vision_model|visual|multi_modal_projector|embed_vision|audio_tower|embed_audio)\..+"
)


def wrappers() -> set[str]:
    """The model_types of models whose text part is supported."""
    return {kind for family in families() for kind in family.wrappers}


def text_config(raw: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The settings of the text part; a config without a nested one is returned unchanged."""
    kind, inner = raw.get("model_type"), raw.get(_TEXT)
    known = wrappers()
    if inner is None or (isinstance(kind, str) and kind in model_types() and kind not in known):
        return dict(raw)
    if not isinstance(kind, str) or kind not in known:
        supported = ", ".join([*model_types(), *sorted(known)])
        raise FormatError(f"{where}: unsupported model_type {shown(kind)}; supported: {supported}")
    if not isinstance(inner, dict):
        raise FormatError(f"{where}: {_TEXT} is {shown(inner)}, not an object")
    text_type = inner.get("model_type")
    parts = {each.wrappers[kind]: each for each in families() if each.wrappers.get(kind) in each.model_types}
    if not isinstance(text_type, str) or text_type not in parts:
        raise FormatError(
            f"{where}: unsupported {_TEXT}.model_type {shown(text_type)} of a {kind} model; "
            f"supported: {', '.join(parts)}"
        )
    outer = {key: raw[key] for key in _OUTER if raw.get(key) is not None}
    # The outer and inner config may disagree on whether the head is tied: the files decide.
    text = {**outer, **{key: value for key, value in inner.items() if value is not None or key not in outer}}
    return {**parts[text_type].text_defaults, **text, "tie_word_embeddings": None}


def text_tensors(raw: Mapping[str, Any], entries: Mapping[str, Entry]) -> tuple[dict[str, Entry], str]:
    """The tensors of the text part under the names of a text model, and a sentence about ignored tensors."""
    if not isinstance(kind := raw.get("model_type"), str) or kind not in wrappers():
        return dict(entries), ""
    text: dict[str, Entry] = {}
    aside: dict[str, int] = {}
    for name, entry in entries.items():
        if match := _VISION.fullmatch(name):
            aside[match[1]] = aside.get(match[1], 0) + 1
            continue
        plain = plain_name(name)
        if plain in text:
            raise entry.source.error(f"has {shown(plain)} twice, as {shown(text[plain].name)} and {shown(name)}")
        text[plain] = replace(entry, name=plain)
    if not aside:
        return text, ""
    count, parts = sum(aside.values()), ", ".join(aside)
    return text, f"text only: {count} tensors of the vision part ({parts}) are not loaded, and images are unsupported"


def plain_name(name: str) -> str:
    """The name of a nested tensor or layer in a plain text model."""
    match = _NESTED.fullmatch(name)
    if match is None:
        return name
    return match[1] if match[1].startswith(HEAD) else f"model.{match[1]}"
