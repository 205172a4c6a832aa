"""affine8_32: codes of 8 bits with a scale and an offset for each 32 (affine.py); 10 bits a weight."""

from __future__ import annotations

from .. import affine

TYPE = affine.weight_type("affine8_32", 8, 32, good_for="affine8 in groups of 32")
