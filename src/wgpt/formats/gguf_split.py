"""A model in several GGUF files, as llama-gguf-split makes them: NAME-00001-of-00003.gguf and so on.

The first file has all metadata; the others have only tensors, and say which of how many they are.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import Any

from . import gguf_scan
from .errors import shown
from .gguf_scan import GgufHeader
from .hf_folder import MAX_SHARDS
from .mapped import Mapped

_NAME = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.DOTALL)


def scan(file: Mapped) -> tuple[GgufHeader, tuple[Mapped, ...]]:
    """The header of a GGUF file and the list of its files. The first of several has the tensors of all."""
    header = gguf_scan.scan(file)
    count = _number(file, header.metadata, "split.count", 0, MAX_SHARDS)
    if count <= 1:
        return header, (file,)
    number = _number(file, header.metadata, "split.no", 0, count - 1)
    name = _NAME.fullmatch(file.path.name)
    if name is None or (int(name["number"]), int(name["count"])) != (number + 1, count):
        raise file.error(
            f"is file {number + 1} of {count} of a split model: rename it so that it ends in {_ending(number, count)}"
        )
    names = [f"{name['stem']}{_ending(i, count)}" for i in range(count)]
    if number:
        raise file.error(f"is file {number + 1} of {count} of a split model: give the first, {shown(names[0])}")
    folder = file.path.parent
    if missing := [name for name in names if not os.path.isfile(folder / name)]:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise file.error(f"is the first of {count} files, and {shown(missing[0])}{more} is missing: download it")
    files, tensors = [file], dict(header.tensors)
    for i in range(1, count):
        shard = Mapped(folder / names[i])
        part = gguf_scan.scan(shard)
        place = (part.metadata.get("split.no"), part.metadata.get("split.count"))
        if place != (i, count):
            raise shard.error(
                f"says that it is file {shown(place[0])} of {shown(place[1])}, counted from 0, not {i} of {count}: "
                "download the files of this model again"
            )
        if twice := next((name for name in part.tensors if name in tensors), None):
            raise shard.error(f"has tensor {shown(twice)}, which another file of the model has as well")
        tensors |= part.tensors
        files.append(shard)
    total = header.metadata.get("split.tensors.count", len(tensors))
    if total != len(tensors):
        raise file.error(f"says that its {count} files have {shown(total)} tensors, and they have {len(tensors)}")
    return replace(header, tensors=tensors), tuple(files)


def _ending(number: int, count: int) -> str:
    return f"-{number + 1:05d}-of-{count:05d}.gguf"


def _number(file: Mapped, metadata: dict[str, Any], key: str, least: int, most: int) -> int:
    value = metadata.get(key, 0)
    if type(value) is not int or not least <= value <= most:
        raise file.error(f"{key} is {shown(value)}, not an integer from {least} to {most}")
    return value
