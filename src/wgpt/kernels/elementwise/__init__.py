"""Elementwise kernels: arithmetic, activations, casts, dropout."""
