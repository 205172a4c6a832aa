"""The GGUF files that the tests write, read again with the gguf package; no GPU.

Whether llama.cpp's own layout was met was checked by hand: transformers loads these files to the golden logits.
"""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from . import golden, made_up
from .gguf_maker import KINDS, RANDOM_BLOCKS, write_gguf

# Of the largest weight: half a step of the type, or so.
STEP = {"f32": 0.0, "f16": 5e-4, "bf16": 4e-3, "q8_0": 5e-3, "q4_0": 0.13, "q4_1": 0.07, "q5_0": 0.07, "q5_1": 0.04}


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gpt2"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_back_is_what_went_in(tmp_path: Path, family: str, kind: str) -> None:
    if family == "gpt2":
        config = made_up.gpt2(hidden=256, layers=1, heads=4)
    else:
        config = made_up.llama_like(family, hidden=256, layers=1, heads=4, kv_heads=2, ffn=512)
    weights = made_up.random_weights(config, seed=3)
    truth = write_gguf(tmp_path / "model.gguf", config, weights, kind, attn_output="q8_0")
    assert truth.keys() == weights.keys()
    for name, values in weights.items():
        used = "q8_0" if name.endswith(("o_proj.weight", "attn.c_proj.weight")) else kind
        if values.ndim == 1 or "wpe" in name:
            used = "f32"
        if used in RANDOM_BLOCKS:
            assert truth[name].shape == values.shape and 0.9 < truth[name].std() / values.std() < 1.1
        else:
            assert np.abs(truth[name] - values).max() <= STEP[used] * np.abs(values).max(), name


def test_names_shapes_and_types_are_llama_cpps(tmp_path: Path) -> None:
    model = golden.load("llama3-rope")
    write_gguf(tmp_path / "model.gguf", model.config, model.weights, "f16", output="f32")
    reader = gguf.GGUFReader(tmp_path / "model.gguf")
    tensors = {t.name: ([int(n) for n in t.shape], t.tensor_type.name) for t in reader.tensors}
    block = {
        "attn_norm": ([40], "F32"),
        "attn_q": ([40, 64], "F16"),
        "attn_k": ([40, 32], "F16"),
        "attn_v": ([40, 32], "F16"),
        "attn_output": ([64, 40], "F32"),
        "ffn_norm": ([40], "F32"),
        "ffn_gate": ([40, 72], "F16"),
        "ffn_up": ([40, 72], "F16"),
        "ffn_down": ([72, 40], "F16"),
    }
    assert tensors == {
        "token_embd.weight": ([40, 320], "F16"),
        "output_norm.weight": ([40], "F32"),
        "output.weight": ([40, 320], "F32"),
        "rope_freqs.weight": ([8], "F32"),
        **{f"blk.{i}.{name}.weight": facts for i in range(2) for name, facts in block.items()},
    }
    # Interleaved RoPE turns rows 2i and 2i + 1 of a head: the half-split rows i and i + 8.
    q = next(t.data for t in reader.tensors if t.name == "blk.1.attn_q.weight")
    original = model.weights["model.layers.1.self_attn.q_proj.weight"].astype(np.float16)
    np.testing.assert_array_equal(q[16 + 6], original[16 + 3])
    np.testing.assert_array_equal(q[16 + 7], original[16 + 3 + 8])
