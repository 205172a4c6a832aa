"""affine8: codes of 8 bits with a scale and an offset for each 64 (affine.py); 9 bits a weight."""

from __future__ import annotations

from .. import affine

TYPE = affine.weight_type("affine8", 8, 64, good_for="files of MLX, GPTQ, AWQ and compressed-tensors")
