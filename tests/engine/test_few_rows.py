"""The last rows of a prompt, one to a tile: attention takes their context in slices, as it does of decoding rows."""

from __future__ import annotations

import pytest

from tests.models import golden
from tests.models.compare import TOLERANCE, error
from wgpt import load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.gpu import GpuDevice, Traits
from wgpt.kernels.attention.attention_decode import slices_of_few
from wgpt.ops.backend import GpuBackend

pytestmark = pytest.mark.gpu

# qk norms; windows and a soft cap; no RoPE in some layers. attention_prefill keeps keys that are values, and sinks.
MODELS = [("qwen3", None), ("gemma2", None), ("smollm3", None), ("deepseek2", "latent"), ("gpt-oss", "experts")]


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "among"), [pytest.param(*m, marks=() if m[0] == "qwen3" else pytest.mark.full) for m in MODELS]
)
@pytest.mark.parametrize("slices", [1, 3])
def test_as_transformers(
    name: str, among: str | None, slices: int, device: GpuDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = golden.load(name, among)
    monkeypatch.setattr(GpuBackend, "fuses", True)
    monkeypatch.setattr("wgpt.ops.forward.slices_of_few", lambda *_: slices)
    monkeypatch.setattr("wgpt.engine.batch._tile_for", lambda _: 1)
    with load(truth.folder, cache="f32", context=truth.context, device=device) as model:
        with FixedBatch(model.network, 64, slots=3, cache="f32") as batch:
            logits = batch.logits({slot: run.ids for slot, run in enumerate(truth.runs)})
            ((_, program),) = batch.runner._programs.items()
            kernels = [launch.kernel for launch in program.launches]
        for slot, run in enumerate(truth.runs):
            assert error(logits[slot], run.logits) < TOLERANCE
    kept = among is not None
    assert ("attention_prefill" in kernels) == kept
    assert ("attention_combine" in kernels) == (slices > 1 and not kept)


def test_slices_fill_a_gpu() -> None:
    def slices(rows: int, kv_heads: int, cores: int = 132) -> int:
        return slices_of_few(Traits(False, True, 32, 32768, 1024, cores=cores), rows, kv_heads)

    assert [slices(rows, 3) for rows in (1, 8, 16, 32, 64, 65)] == [4, 4, 2, 1, 1, 0]
    assert [slices(32, heads) for heads in (1, 2, 8, 32)] == [3, 1, 1, 1]
    assert slices(32, 3, cores=16) == 1
