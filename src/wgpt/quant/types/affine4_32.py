"""affine4_32: codes of 4 bits with a scale and an offset for each 32 (affine.py); 6 bits a weight."""

from __future__ import annotations

from .. import affine

TYPE = affine.weight_type("affine4_32", 4, 32, good_for="affine4 in groups of 32")
