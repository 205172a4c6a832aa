"""Writes tests/golden/bitsandbytes.npz: a matrix as bitsandbytes keeps it in NF4 with double quantisation.

Run by hand, again only when something here changes (needs no GPU):

    golden-venv/bin/pip install torch==2.13.0 bitsandbytes==0.50.2 -e .
    golden-venv/bin/python -m tests.golden.make_bitsandbytes
"""

from __future__ import annotations

from pathlib import Path

import bitsandbytes.functional as bnb
import numpy as np
import torch

from tests.quant.test_double import matrix


def main() -> None:
    packed, state = bnb.quantize_4bit(
        torch.from_numpy(matrix()), blocksize=64, compress_statistics=True, quant_type="nf4"
    )
    values = bnb.dequantize_4bit(packed, state).numpy()
    scales = bnb.dequantize_blockwise(state.absmax, state.state2) + state.offset
    np.savez_compressed(
        Path(__file__).parent / "bitsandbytes.npz",
        map=bnb.create_dynamic_map().numpy(),
        codes=packed.numpy().reshape(-1),  # two to a byte, the first one high
        scale_codes=state.absmax.numpy(),
        group_scales=state.state2.absmax.numpy(),
        mean=state.offset.numpy(),
        scales=scales.numpy(),
        row_sums=np.abs(values.astype(np.float64)).sum(axis=1),
        some_rows=values[:3],
    )


if __name__ == "__main__":
    main()
