"""Qwen2 and Qwen2.5: Llama with biases on q, k and v."""

from __future__ import annotations

from .llama import Llama


class Qwen2(Llama):
    """The biases come with its config (`qkv_bias`); the forward is Llama's."""
