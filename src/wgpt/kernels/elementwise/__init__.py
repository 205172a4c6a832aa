"""Kernels of one element at a time: arithmetic, activations, casts, dropout."""
