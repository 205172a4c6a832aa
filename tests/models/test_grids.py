"""Types with a grid in front of their scales: matrices in slabs, in parts, and of random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.kernels.weighted import planes
from wgpt.models.network import Network
from wgpt.models.random_source import RandomSource
from wgpt.ops.weight import Weight
from wgpt.quant.weights import TYPES, Packed, pack, unpack, weight_type

from . import made_up
from .gguf_maker import write_gguf

pytestmark = pytest.mark.gpu
GRIDS = [name for name, kind in TYPES.items() if kind.codes == "grid"]
LLAMA = made_up.llama_like("llama", hidden=256, layers=1, heads=4, kv_heads=2, ffn=256)


def values_of(device: GpuDevice, weight: Weight) -> np.ndarray:
    """What a GPU has of a weight; the grid must be in its place."""
    words = {name: device.read(plane).view(np.uint32).reshape(-1) for name, plane in weight.planes.items()}
    head = weight.type.head.size
    np.testing.assert_array_equal(words["s"][:head], weight.type.head)
    return unpack(Packed(weight.type, weight.n, weight.k, words["w"], words["s"][head:]))


def test_there_are_grids() -> None:
    """As many words as entries, and each word another; where signs are looked up, too, 128 words follow."""
    sizes = {"iq3_s": 512, "iq3_xxs": 256, "iq2_s": 1024, "iq2_xs": 512, "iq2_xxs": 256}
    assert set(GRIDS) == set(sizes)
    for name, size in sizes.items():
        grid, signs = np.split(weight_type(name).head, [size])
        assert len(signs) == (128 if name in ("iq2_xs", "iq2_xxs") else 0)
        assert all(len(np.unique(words)) == len(words) for words in (grid, signs))


def test_a_matrix_in_slabs(device: GpuDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slabs of 64 rows; only the first brings the grid."""
    monkeypatch.setattr("wgpt.models.source._SLAB", 1)
    truth = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=51), "iq3_s")
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        network = Network.load(device, checkpoint)
    values = values_of(device, network.family.embedding.parts[0].weight)
    network.release()
    np.testing.assert_array_equal(values.astype(np.float32), truth["model.embed_tokens.weight"])


@pytest.mark.parametrize("name", GRIDS)
def test_rows_that_are_uploaded_alone_have_the_grid(name: str) -> None:
    packed = pack(np.random.default_rng(52).standard_normal((130, 256)), name)
    part = packed.rows(64, 130)
    head = packed.type.head
    np.testing.assert_array_equal(planes(part)["s"][: head.size], head)
    np.testing.assert_array_equal(unpack(part), unpack(packed)[64:])


@pytest.mark.parametrize("name", GRIDS)
def test_random_weights(device: GpuDevice, name: str) -> None:
    source = RandomSource(device, lambda _: weight_type(name))
    values = values_of(device, source.linear(512, ("layer", 200)).parts[0].weight)
    source.arena.release()
    assert np.isfinite(values).all() and 0.002 < values.std() < 0.2
