"""GPT-2 by name and at its real width: its f32 table of 50257 x 768 exceeds a binding of 128 MiB."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator

import numpy as np
import pytest

from wgpt import Model, load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.gpu import GpuDevice
from wgpt.ops.backend import backends

from . import gpt2_wide
from .compare import error
from .gpt2_wide import Truth

pytestmark = [pytest.mark.gpu, pytest.mark.slow]
# Eleven products in a row (four of each layer, attention's two, the head), each of up to 3072 terms: rounding errors
# of 2^-24 that add up at random, √3072 of them in a term and 11 times.
TOLERANCE = 11 * 3072**0.5 * 2**-24
TABLE_BYTES = 50257 * 768 * 4


@pytest.fixture(scope="module")
def truth() -> Truth:
    return gpt2_wide.truth()


@pytest.fixture(scope="module")
def model(device: GpuDevice, truth: Truth, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    """`gpt2`, out of a hub that has a folder for it."""
    folder = tmp_path_factory.mktemp("openai-community-gpt2")
    tensors = gpt2_wide.weights()
    assert gpt2_wide.checksum(tensors) == truth.checksum, "other weights than those the golden file was made of"
    gpt2_wide.write_folder(folder, tensors)
    hub = types.ModuleType("huggingface_hub")
    hub.snapshot_download = lambda name, **_: {"openai-community/gpt2": str(folder)}[name]  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "huggingface_hub", hub)
        model = load("gpt2", device=device, cache="f32")
    (folder / "model.safetensors").unlink()  # 220 MB
    with model:
        yield model


def test_the_table_is_split_where_a_binding_is_too_small(model: Model) -> None:
    limit = model.device.limits["max-storage-buffer-binding-size"]
    parts = model.network.family.head.parts
    assert len(parts) == -(-TABLE_BYTES // limit)
    assert sum(part.weight.n for part in parts) == 50257


@pytest.mark.parametrize("kernels", backends())
def test_as_transformers_computes_it(model: Model, truth: Truth, kernels: str) -> None:
    with FixedBatch(model.network, 32, cache="f32", logits=True, kernels=kernels) as batch:
        logits = batch.logits({0: truth.ids})[0]
        batch.start({0: truth.ids})
        steps = [batch.step().result() for _ in truth.greedy]
    assert error(logits[truth.positions][:, truth.columns], truth.logits) < TOLERANCE
    assert error(np.logaddexp.reduce(logits.astype(np.float64), axis=1), truth.logsumexp) < TOLERANCE
    assert logits.argmax(axis=1).tolist() == truth.argmax
    assert error(steps[0]["logits"][0, truth.columns], truth.logits[-1]) < TOLERANCE
    assert [int(step["tokens"][0]) for step in steps] == truth.greedy
