"""Losses, gradient clipping, and AdamW."""
