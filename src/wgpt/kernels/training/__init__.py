"""Losses, the clipping of gradients, and AdamW."""
