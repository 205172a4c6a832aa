"""Writes tests/golden/splittings: the ids that llama.cpp gives texts for each pre-tokenizer name that wgpt knows.

Run by hand (a minute, no GPU), after make_tokens.py, whose trained vocabulary it takes:

    golden-venv/bin/pip install sentencepiece protobuf transformers torch==2.13.0 xllamacpp -e .
    golden-venv/bin/python -m tests.golden.make_splittings
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from wgpt.formats.splitting import SPLITTINGS

from .archives import pack
from .make_tokens import OUTPUT as TOKENS
from .make_tokens import llama_cpp, tiny_gguf
from .token_texts import SPLITTING_TEXTS, TEXTS

OUTPUT = Path(__file__).parent / "splittings"


def main() -> None:
    OUTPUT.mkdir(exist_ok=True)
    described = json.loads((TOKENS / "bytes.json").read_text())["metadata"]
    texts = [text for text in TEXTS + SPLITTING_TEXTS if text]
    different: list[Any] = []
    names: dict[str, int] = {}
    for name in SPLITTINGS:
        with tempfile.TemporaryDirectory() as folder:
            # Neither bos nor sep: how text is split is the question here.
            metadata = described | {"tokenizer.ggml.pre": name, "tokenizer.ggml.add_sep_token": False}
            ids = llama_cpp(tiny_gguf(Path(folder), metadata), texts)
        if ids not in different:
            different.append(ids)
        names[name] = different.index(ids)
        print(name, names[name], flush=True)
    text = json.dumps({"texts": texts, "names": names, "ids": different}, separators=(",", ":"))
    (OUTPUT / "llama.cpp.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
    pack(OUTPUT)
