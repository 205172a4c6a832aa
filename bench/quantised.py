"""What each mixture of `wgpt quantize` costs: perplexity and KL divergence against the source, as a Markdown table.

    wgpt convert smollm2-135m --out f16.gguf
    wgpt imatrix f16.gguf --text calibration.txt --out imatrix.gguf
    python bench/quantised.py f16.gguf --text sample.txt --imatrix imatrix.gguf --folder quantised --tokens 1024

Files in the folder are made once. The forward is the reference in NumPy with the weights as the files hold them, which
needs no GPU and is the same everywhere; `wgpt compare` computes the same on a GPU.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import wgpt
from wgpt.api.comparing import Comparison, compared
from wgpt.formats import load_tokenizer, open_checkpoint
from wgpt.formats.hf_config import hf_config
from wgpt.formats.write_model import floats
from wgpt.models import reference
from wgpt.quant.mixtures import supported

_CONTEXT = 512


def logits(path: Path, pieces: list[list[int]]) -> list[NDArray[np.float32]]:
    """Of each piece, without the last row, which nothing follows."""
    with open_checkpoint(path) as checkpoint:
        config = hf_config(checkpoint.config, "f32")
        weights = {
            name: floats(stored, 0, stored.shape[0]).astype(np.float32) for name, stored in checkpoint.tensors.items()
        }
    return [reference.logits(config, weights, piece, np.float32)[:-1].astype(np.float32) for piece in pieces]


def against(source: list[NDArray[np.float32]], path: Path, pieces: list[list[int]]) -> Comparison:
    parts = [
        compared(a, b, np.array(piece[1:])) for a, b, piece in zip(source, logits(path, pieces), pieces, strict=True)
    ]
    positions = np.concatenate([np.arange(1, len(piece)) for piece in pieces])
    losses_a, losses_b, divergence, agree = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Comparison(losses_a, losses_b, divergence, agree.astype(np.bool_), positions)


def cells(comparison: Comparison) -> str:
    facts = comparison.summary()
    return f"{facts['perplexity_b']:.3f} | {facts['kl_mean']:.4f} ± {facts['kl_error']:.4f} | {facts['agreement']:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--imatrix", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--only", help="mixtures, with commas between")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with open_checkpoint(options.model) as checkpoint:
        ids = load_tokenizer(checkpoint.tokenizer).encode(options.text.read_text("utf-8"))[: options.tokens]
        parameters = sum(int(np.prod(stored.shape)) for stored in checkpoint.tensors.values())
    pieces = [ids[i : i + _CONTEXT] for i in range(0, len(ids), _CONTEXT)]
    source = logits(options.model, pieces)
    perplexity = against(source, options.model, pieces).perplexities[0]
    print(f"{len(ids)} tokens in pieces of {_CONTEXT}; perplexity of the source: {perplexity:.3f}\n")
    print("| mixture | bits per weight | perplexity | KL | same token | with imatrix: perplexity | KL | same token |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for mixture in options.only.split(",") if options.only else supported():
        if mixture in ("f32", "bf16", "f16"):
            continue
        columns = []
        for imatrix in (None, options.imatrix):
            path = options.folder / f"{mixture}{'' if imatrix is None else '.imatrix'}.gguf"
            if not path.exists():
                wgpt.quantize(options.model, path, mixture, imatrix=imatrix)
            columns.append(cells(against(source, path, pieces)))
        bits = 8 * (options.folder / f"{mixture}.gguf").stat().st_size / parameters
        print(f"| {mixture} | {bits:.2f} | {columns[0]} | {columns[1]} |", flush=True)


if __name__ == "__main__":
    main()
