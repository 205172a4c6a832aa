"""Kernels of layers that keep a state of fixed size for each sequence, instead of a KV cache."""
