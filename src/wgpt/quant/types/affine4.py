"""affine4: codes of 4 bits with a scale and an offset for each 64 (affine.py); 5 bits a weight."""

from __future__ import annotations

from .. import affine

TYPE = affine.weight_type("affine4", 4, 64, good_for="files of MLX, GPTQ, AWQ and compressed-tensors")
