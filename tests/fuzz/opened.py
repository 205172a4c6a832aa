"""Uses a model's files as far as possible without a GPU."""

from __future__ import annotations

import json
from pathlib import Path

from wgpt.formats import open_checkpoint
from wgpt.formats.tokenizer_base import Tokenizer
from wgpt.formats.wanted import wanted
from wgpt.models.config import Config
from wgpt.models.rope import steps_of

TEXTS = (
    "",
    "Hello world 123 é 😀",
    "a" * 300,
    " " * 300 + "\n",
    "1234567890" * 20,
    "<|im_start|>user\n",
    "日本語" * 50,
)


def use_checkpoint(path: Path) -> None:
    """Open it, build its config and its table of rotations, and read the first and the last rows of every tensor."""
    with open_checkpoint(path) as checkpoint:
        assert json.dumps(checkpoint.config, allow_nan=False)
        assert {tensor.name for tensor in wanted(checkpoint.config)} == set(checkpoint.tensors)
        config = Config.of(checkpoint.config)
        if checkpoint.config["model_type"] != "gpt2":
            steps_of(config)
        for stored in checkpoint.tensors.values():
            n = stored.shape[0]
            for lo, hi in ((0, min(n, 3)), (n - 1, n)):
                rows = stored.rows(lo, hi)
                assert len(rows.tobytes()) == (hi - lo) * (stored.nbytes // n)


def use_tokenizer(tokenizer: Tokenizer) -> None:
    for text in TEXTS:
        tokenizer.decode(tokenizer.encode(text)[:2000])
    tokenizer.decode(range(50))
