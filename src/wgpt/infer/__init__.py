"""Inference: sessions with a KV cache, sampling, generation."""
