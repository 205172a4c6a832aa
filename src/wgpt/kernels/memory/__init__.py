"""Kernels that look up, fill, unpack or inspect: embeddings, weights, tensors."""
