"""Packed weights are cached on disk: if packing changes, its version must change."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from wgpt.quant.weights import PACKING_VERSION, TYPES, pack

VERSION = 1
VERSIONS = dict.fromkeys(("iq2_xxs", "iq2_xs", "iq2_s", "iq3_s", "nf4_dq"), 1)
DIGESTS = {
    "f32": "2b98596d5719da1f",
    "f16": "3dd41f86ccb6b40e",
    "bf16": "21682185b564fdbe",
    "q8_0": "101c1cae031f3611",
    "q4_0": "08d870f979cf2033",
    "q4_1": "f3db93b87458d201",
    "q5_0": "b37d9f3e54a349f4",
    "q5_1": "a25d69f6849fde7d",
    "q4_k": "599f7a652e564922",
    "q5_k": "b50633b86aaac571",
    "q6_k": "338691234ec97b86",
    "nf4": "80a9dff85741be11",
    "nf4_dq": "983606fee479ada6",
    "iq4_nl": "d15ee93a4389307e",
    "iq4_xs": "de867671efdfb8c2",
    "mxfp4": "2958661b56fecbc1",
    "q2_k": "8f51e4048b85754c",
    "q3_k": "53dc733caec1dea4",
    "iq2_xxs": "585a635f64abe3d8",
    "iq2_xs": "83fa15ccff1dc7a8",
    "iq2_s": "b47d824fd38dc139",
    "iq3_xxs": "3f0136bf6174db49",
    "iq3_s": "59704c61a88a69df",
    "affine4": "dffb01a1092bad21",
    "affine8": "fdc068272ea0a6f6",
    "affine4_32": "a91a2f6304cfbc36",
    "affine8_32": "6af94e2c97ef1f86",
}


@pytest.mark.parametrize("name", TYPES)
def test_what_a_matrix_becomes(name: str) -> None:
    """If this fails, raise the type's version, or PACKING_VERSION, and write down the new digests: kept weights are
    then converted anew."""
    packed = pack(np.random.default_rng(0).standard_normal((70, 300)).astype(np.float32), name)
    digest = hashlib.sha256(packed.w.tobytes() + packed.s.tobytes()).hexdigest()[:16]
    assert (PACKING_VERSION, TYPES[name].version, digest) == (VERSION, VERSIONS.get(name, 0), DIGESTS[name])
