"""llama.cpp as a peer, from the package xllamacpp: what its quantisers make, and what it says with a model.

It runs models in a process of its own: python -m tests.llama_cpp MODEL.gguf PROMPT TOKENS
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import gguf
import numpy as np


def quantised(rows: np.ndarray, kind: str, importance: np.ndarray | None = None) -> np.ndarray:
    """Rows as ggml quantises them, bytes [rows, bytes of a row]."""
    (folder,) = find_spec("xllamacpp").submodule_search_locations
    library = ctypes.CDLL(str(next(Path(folder).glob("xllamacpp*.so"))))
    library.ggml_quantize_chunk.restype = ctypes.c_size_t
    qtype = gguf.GGMLQuantizationType[kind.upper()]
    block, nbytes = gguf.GGML_QUANT_SIZES[qtype]
    rows = np.ascontiguousarray(rows, np.float32)
    out = np.zeros(rows.size // block * nbytes, np.uint8)
    weights = None if importance is None else importance.ctypes.data_as(ctypes.c_void_p)
    sizes = (ctypes.c_int64(0), ctypes.c_int64(len(rows)), ctypes.c_int64(rows.shape[1]))
    places = (rows.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p))
    assert library.ggml_quantize_chunk(int(qtype), *places, *sizes, weights) == out.size
    return out.reshape(len(rows), -1)


def greedy(model: Path, prompt: str, tokens: int) -> str:
    """The likeliest continuation."""
    command = [sys.executable, "-m", "tests.llama_cpp", str(model), prompt, str(tokens)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=Path(__file__).parents[1])
    assert result.returncode == 0, result.stderr[-2000:]
    return str(json.loads(result.stdout.splitlines()[-1])["content"])


def _serve(model: str, prompt: str, tokens: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx, params.n_parallel, params.warmup = 256, 1, False
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    server = xllamacpp.Server(params)
    body = {"prompt": prompt, "n_predict": tokens, "temperature": 0, "cache_prompt": False}
    request = urllib.request.Request(
        f"{server.listening_address}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as reply:
        print("\n" + json.dumps({"content": json.load(reply)["content"]}))


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
