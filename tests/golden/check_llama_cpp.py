"""Checks that llama.cpp loads the exported adapters, and computes the same with them as torch and peft.

    golden-venv/bin/pip install xllamacpp -e .
    golden-venv/bin/python -m tests.golden.check_llama_cpp

Every golden model is written as a GGUF file and its adapter exported; llama.cpp's probabilities of the token that
follows must be those of the golden logits with the adapter, and others without it.
"""

from __future__ import annotations

import json
import tempfile
import urllib.request
from pathlib import Path

import numpy as np
import xllamacpp

from tests.models import golden as models
from tests.models.gguf_maker import write_gguf
from tests.models.vocabulary import SIZE, tokens
from tests.train import golden
from wgpt.formats import open_checkpoint
from wgpt.formats.lora_gguf import export_lora_gguf
from wgpt.formats.peft import read_lora


def ask(model: Path, lora: Path | None, ids: list[int]) -> np.ndarray:
    """llama.cpp's log-probabilities of the token that follows."""
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx, params.n_parallel, params.warmup = 256, 1, False
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    if lora is not None:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(lora), 1.0)]
    server = xllamacpp.Server(params)
    body = {"prompt": ids, "n_predict": 1, "n_probs": SIZE, "temperature": 0, "cache_prompt": False}
    body["logit_bias"] = [[tokens().index("a"), 100]]  # an end or a partial character has no probabilities
    request = urllib.request.Request(
        f"{server.listening_address}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as reply:
        entries = json.load(reply)["completion_probabilities"][0]["top_logprobs"]
    del server
    logprobs = np.full(SIZE, -np.inf)
    for entry in entries:
        logprobs[entry["id"]] = entry["logprob"]
    return logprobs


def check(name: str) -> None:
    training = golden.load(name)
    base = models.load(training.model.name)
    with tempfile.TemporaryDirectory() as folder:
        model, lora = Path(folder) / "model.gguf", Path(folder) / "lora.gguf"
        write_gguf(model, base.config, base.weights, "f32")
        with open_checkpoint(training.model) as checkpoint:
            export_lora_gguf(read_lora(training.adapter), checkpoint.config, lora)
        ids, logits = training.examples[1].ids, training.logits[1][-1].astype(np.float64)
        truth = logits - np.logaddexp.reduce(logits)
        difference, bare = (np.abs(ask(model, which, ids) - truth).max() for which in (lora, None))
    print(f"{name}: log-probabilities within {difference:.1e}; without the adapter they are {bare:.2f} away")
    assert difference < 0.05 < 0.5 < bare  # its attention is in f16


if __name__ == "__main__":
    for each in ("llama-gqa", "llama-gqa-seven", "qwen2", "qwen2-rslora", "qwen3", "gpt2"):
        check(each)
