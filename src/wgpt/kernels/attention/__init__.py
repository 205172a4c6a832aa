"""Attention over the cache of keys and values, forward and backward, with RoPE and softmax."""
