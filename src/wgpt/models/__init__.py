"""Models: one file for each family in families/, and shared code.

A family that does not come with wgpt registers itself the same way: see docs/add-a-model.md.
"""

from ..formats.family import register

__all__ = ["register"]
