"""`wgpt export-web`: writes a model as a site, a folder that any web server can serve."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.progress import Progress
from ..core.versions import versions
from ..formats import Checkpoint
from ..formats.lora import LoraAdapter
from ..formats.tokenizer import Tokenizer
from ..gpu.dry import DryDevice, ExportDevice
from ..models.config import Config
from ..models.network import Network
from ..models.source import kinds_of
from ..models.targets import linear_shapes
from ..ops.cache import check_cache
from ..ops.lora_pool import LoraPool
from .chat_texts import chat_texts
from .errors import WebExportError
from .page_assets import page_assets
from .recording import ChatPrograms, record_layout
from .shards import Shards
from .targets import BROWSER, LIMITS, TARGETS, Target
from .tokenizer_data import tokenizer_data
from .trials import trials

FORMAT, VERSION = "wgpt-web", 1
CONTEXT = 4096  # default context length, if the model's is not shorter
MODEL = "model"  # the model's folder within the site


@dataclass(frozen=True)
class Request:
    """What to export."""

    checkpoint: Checkpoint
    tokenizer: Tokenizer
    name: str
    dtype: str | None = None
    context: int | None = None
    cache: str = "f16"
    lora: LoraAdapter | None = None
    targets: Sequence[str] = ()


@dataclass(frozen=True)
class Site:
    """What was exported, in numbers."""

    context: int
    weight_bytes: int  # download size in bytes
    gpu_bytes: Mapping[str, int]  # memory that a page needs, by target
    shards: int
    chats: bool  # whether the model has a chat template


def export_site(request: Request, folder: Path, progress: Progress | None = None) -> Site:
    """Write a site into an empty folder. What cannot be exported is refused before the weights are read."""
    config = Config.of(request.checkpoint.config)
    _check_family(config)
    context = _context(request, config)
    check_cache(request.cache, config.cache_layers)
    words = tokenizer_data(request.tokenizer, request.name)
    chat = chat_texts(request.tokenizer, request.name)
    if request.lora is not None:
        if request.lora.score is not None:
            raise WebExportError("the LoRA adapter classifies texts, and a page only generates: export another one")
        request.lora.check(linear_shapes(config), "the LoRA adapter")
    targets = [target for name, target in TARGETS.items() if name in {*request.targets, BROWSER.name}]
    device = ExportDevice(BROWSER.traits, LIMITS)
    types = _weight_types(request, config)
    for target in targets:
        target.check(types, request.name)
    network = Network.load(device, request.checkpoint, request.dtype, progress, resident="all", context=context)
    lora = None if request.lora is None else LoraPool.holding(device, network.adaptable, request.lora.targets)
    chat_programs = ChatPrograms(network, context, request.cache, lora)
    model = folder / MODEL
    (model / "weights").mkdir(parents=True)
    shards = Shards(model / "weights", progress, device.bytes_in_use)
    described = [_write_target(model, target, chat_programs, device, shards) for target in targets]
    shards.finish()
    description = {
        "format": FORMAT,
        "version": VERSION,
        "name": request.name,
        "made_by": f"wgpt {versions()['wgpt']}",
        "family": config.family,
        "dtype": request.dtype,
        "vocab": config.vocab,
        "context": context,
        "chat": chat,
        "targets": described,
        "prefill": list(chat_programs.prefill),
        "record": dict(record_layout()),
        "lora": 0 if lora is None else 1,
        "tokenizer": _write_json(model / "tokenizer.json", words),
        "weights": {"bytes": shards.bytes, "shards": shards.files},
    }
    _write_json(model / "model.json", description)
    copy_assets(folder)
    device.close()
    return Site(
        context,
        shards.bytes,
        {target["name"]: target["memory"] for target in described},
        len(shards.files),
        chat is not None,
    )


def _check_family(config: Config) -> None:
    if config.encoder is not None:
        raise WebExportError(f"{config.family} models are encoders, and a page only generates: export a decoder")
    if config.states:
        raise WebExportError(f"exporting {config.family} models is unsupported: pages cannot keep their layers' states")
    if config.v_norm or config.latent is not None or len(set(config.cache_layers)) > 1:
        raise WebExportError(f"exporting {config.family} models is unsupported: export a model of another family")
    if any(config.layer(i).mixture is not None for i in range(config.layers)):
        raise WebExportError(f"exporting {config.family} models with experts is unsupported: export a dense model")


def _weight_types(request: Request, config: Config) -> Collection[str]:
    dry = DryDevice(ExportDevice(BROWSER.traits, LIMITS))
    return Network.empty(dry, config, kinds_of(request.checkpoint, request.dtype))[1].keys()


def _context(request: Request, config: Config) -> int:
    if request.context is None:
        return min(CONTEXT, config.context)
    if not 1 <= request.context <= config.context:
        raise WebExportError(f"context must be from 1 to the model's {config.context} tokens, not {request.context}")
    return request.context


def _write_target(
    model: Path, target: Target, programs: ChatPrograms, device: ExportDevice, shards: Shards
) -> dict[str, Any]:
    """Write the Programs and trials for a kind of GPU; returns what the runtime needs to choose it."""
    with device.as_if(target.traits, target.tuned):
        exported, used = programs.export()
        steps = programs.steps
    manifest = exported.manifest
    places = {str(number): shards.add(data) for number, data in exported.contents.items()}
    return {
        "name": target.name,
        "program": _write_json(model / f"program-{target.name}.json", {**manifest, "contents": places}),
        "trials": _write_json(model / f"trials-{target.name}.json", trials(device, target, used)),
        "features": manifest["features"],
        "language": manifest["language"],
        "subgroup_size": target.subgroup_size,
        "software": target.software,
        "vendor": target.vendor,
        "limits": manifest["limits"],
        "steps": list(steps),
        "memory": sum(buffer["bytes"] for buffer in manifest["buffers"]),
    }


def _write_json(path: Path, data: Any) -> dict[str, Any]:
    """Write a file; returns what the runtime needs to verify it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(text)
    return {"file": path.name, "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}


def copy_assets(folder: Path) -> None:
    """Copy the runtime, and the page that uses it."""
    for name, content in page_assets().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
