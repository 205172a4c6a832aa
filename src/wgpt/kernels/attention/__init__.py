"""Attention over the KV cache, forward and backward, with RoPE and softmax."""
