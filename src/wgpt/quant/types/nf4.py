"""nf4: codes of QLoRA's table in blocks of 64, as bitsandbytes has them, for the linear layers of blocks; `s` has the
largest magnitude of each block (f32). 4.5 bits a weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import nf4, unpack
from ..gguf_blocks import Form, copy
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType, nibbles_to_words

_BLOCK = 64


def records(codes: U8, absmax: F32) -> U8:
    """Rows of blocks, the largest magnitude and 64 codes each: codes [N, K], absmax [N, K / 64]."""
    blocks = np.zeros(absmax.shape, _FORM.record)
    blocks["d"], blocks["q"] = absmax, nibbles_to_words(codes).view(f"V{_BLOCK // 2}").reshape(absmax.shape)
    return blocks.view(np.uint8).reshape(len(codes), -1)


def _quantise(rows: F32) -> U8:
    codes, absmax = nf4.quantize(rows, _BLOCK)
    return records(codes.reshape(rows.shape), absmax.reshape(len(rows), -1))


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    s.view(np.float32)[...] = blocks["d"]
    copy(w, blocks["q"])


_FORM = Form(None, (("d", "<f4"), ("q", f"V{_BLOCK // 2}")), _split, quantiser=_quantise, size=_BLOCK)


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, _BLOCK)
    return nf4.CODEBOOK.astype(np.float64)[codes] * s.view(np.float32).astype(np.float64)[:, None]


TYPE = WeightType(
    "nf4",
    equation=f"absmax code[q], blocks of {_BLOCK}",
    good_for="QLoRA: the base model while an adapter is trained",
    common=True,
    bits=4,
    block=_BLOCK,
    scale_bits=32,
    floats=FloatWords("f32"),
    values=_values,
    codes="table",
    table=tuple(nf4.CODEBOOK),
    gguf_form=_FORM,
    layers_only=True,
    stands_for="table",
)
