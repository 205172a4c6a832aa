"""Sizes of known models, for benchmarks with random weights."""

from __future__ import annotations

from .config import Config

_LLAMA3 = {
    "rope_type": "llama3",
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}

PRESETS = {
    "gpt2": Config("gpt2", 50257, 768, 3072, 12, 12, 12, 64, 1024, 1e-5, qkv_bias=True, out_bias=True, ffn_bias=True),
    "smollm2-135m": Config("llama", 49152, 576, 1536, 30, 9, 3, 64, 8192, 1e-5, theta=1e5),
    "llama-3.2-1b": Config(
        "llama", 128256, 2048, 8192, 16, 32, 8, 64, 131072, 1e-5, theta=5e5, rope_scaling=_LLAMA3
    ),
    "qwen2.5-1.5b": Config("qwen2", 151936, 1536, 8960, 28, 12, 2, 128, 32768, 1e-6, qkv_bias=True, theta=1e6),
    "qwen3-4b": Config("qwen3", 151936, 2560, 9728, 36, 32, 8, 128, 40960, 1e-6, theta=1e6),
}
