"""What a model is, whether it runs, and how much memory it takes: from the headers of its files, without a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.arguments import check_type, one_of
from ..core.errors import WgptError
from ..core.sizes import PAGE
from ..engine.memory import page_bytes
from ..formats import FormatError, open_checkpoint
from ..formats.describe import Description, add_files, describe
from ..formats.sources import resolve
from ..formats.tokenizer import load_tokenizer
from ..models.config import Config
from ..ops.cache import DTYPES, state_bytes
from ..quant.registry import weight_type


def model_info(model: str | Path | None = None, cache: str = "f16") -> dict[str, Any]:
    """Facts about a model's files: format, architecture, sizes, types of the weights, memory, and whether it runs.

    Only headers are read, also of files that wgpt cannot run: `problems` says why not. memory: bytes on the GPU of the
    weights as they are stored, and of a KV cache of the given type for the model's whole context.

    >>> info = wgpt.model_info(model.path)
    >>> info["runs"], info["sizes"]["layers"], info["memory"]["kv_cache"]
    (True, 30, 188743680)
    """
    check_type("model", model, "the name or path of a model", str, Path)
    one_of("cache", cache, DTYPES)
    description = describe(resolve(model))
    problems = [] if description.problem is None else [description.problem]
    memory: dict[str, int] = {}
    if not problems:
        memory = _memory(description, cache, problems)
    return {
        "path": str(description.path),
        "format": description.format,
        "files": description.files,
        "bytes": description.nbytes,
        "name": description.name,
        "architecture": description.architecture,
        "family": description.family,
        "parameters": description.parameters,
        "sizes": description.sizes,
        "types": {
            name: {"tensors": each.tensors, "parameters": each.parameters, "bytes": each.nbytes}
            for name, each in description.types.items()
        },
        "tokenizer": description.tokenizer,
        "chat_template": description.chat_template,
        "memory": memory,
        "runs": not problems,
        "problems": problems,
    }


def _memory(description: Description, cache: str, problems: list[str]) -> dict[str, int]:
    """Bytes on the GPU; of a model that does not run only those of its weights in the files."""
    try:
        with open_checkpoint(description.path) as checkpoint:
            if description.format == "gguf":
                add_files(description, checkpoint.files[1:])
            try:
                load_tokenizer(checkpoint.tokenizer)
            except FormatError as e:
                problems.append(str(e))
            weights = 0
            for stored in checkpoint.tensors.values():
                *rows, width = stored.shape if len(stored.shape) > 1 else (1, stored.shape[0])
                n = 1
                for each in rows:
                    n *= each
                weights += weight_type(stored.type).nbytes(n, width) if len(stored.shape) > 1 else 4 * width
            config = Config.of(checkpoint.config)
            position = page_bytes(config, cache) // PAGE
            context = config.context
            states = {"states_per_sequence": state_bytes(config.states)} if config.states else {}
            return {"weights": weights, "kv_cache": position * context, "kv_cache_per_token": position, **states}
    except WgptError as e:
        problems.append(str(e))
        return {"weights": sum(each.nbytes for each in description.types.values())}
