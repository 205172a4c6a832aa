"""Qwen3: Llama with a norm of each q and k head, and a head_dim of its own."""

from __future__ import annotations

from .llama import Llama


class Qwen3(Llama):
    """The norms run before RoPE, inside the attention kernels; the forward is Llama's."""

    qk_norm = True
