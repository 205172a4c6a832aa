"""Kernels that look up, fill, unpack or inspect data: embeddings, weights, tensors."""
