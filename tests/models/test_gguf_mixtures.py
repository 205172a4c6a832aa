"""GGUF files in the mixtures that quantisers make: another type where rows are not whole blocks, more bits for some."""

from __future__ import annotations

from pathlib import Path

import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network

from . import made_up
from .compare import TOLERANCE, error_of_decoding, error_of_prefill
from .gguf_maker import write_gguf

pytestmark = [pytest.mark.gpu, pytest.mark.full]
# Rows of `down` are not whole blocks of 256.
LLAMA = made_up.llama_like("llama", hidden=256, layers=1, heads=4, kv_heads=2, ffn=352)
IDS = [3, 141, 59, 26, 5, 35, 89, 79, 32, 38, 46]
MIXTURES = {
    "iq2_xs": {"ffn_down": "iq4_nl", "attn_v": "q4_k", "token_embd": "iq3_s"},
    "q3_k": {"ffn_down": "q4_0", "attn_v": "q5_k", "token_embd": "q6_k"},
    "iq4_xs": {"ffn_down": "iq4_nl", "attn_k": "mxfp4", "token_embd": "q2_k"},
}


@pytest.mark.parametrize("kind", MIXTURES)
def test_each_matrix_keeps_its_type(device: GpuDevice, tmp_path: Path, kind: str) -> None:
    path, others = tmp_path / "model.gguf", MIXTURES[kind]
    truth = write_gguf(path, LLAMA, made_up.random_weights(LLAMA, seed=31), kind, **others)
    with open_checkpoint(path) as checkpoint:
        stored = {stored.type for stored in checkpoint.tensors.values()}
        assert stored == {kind, "f32", *others.values()}
        network = Network.load(device, checkpoint)
    assert error_of_prefill(network, LLAMA, truth, IDS) < TOLERANCE
    assert error_of_decoding(network, LLAMA, truth, IDS[:3]) < TOLERANCE
    network.release()
