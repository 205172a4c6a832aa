"""The worked example of docs/add-a-quantisation.md: a type of two files, registered from outside of wgpt."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.models import made_up
from tests.models.compare import TOLERANCE, error_of_decoding, error_of_prefill
from tests.models.gguf_maker import write_gguf
from wgpt.contracts import obligations
from wgpt.contracts.verify import verify
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.kernels import registry as kernels
from wgpt.models.network import Network
from wgpt.models.weight_recipe import WeightRecipe
from wgpt.quant.registry import TYPES, register, unregister
from wgpt.quant.weight_type import WeightType
from wgpt.quant.weights import pack, unpack

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/add_a_quantisation"
LLAMA = made_up.llama_like("llama", hidden=256, layers=1, heads=4, kv_heads=2, ffn=512)


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("q6_a", FOLDER / "q6_a.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def q6_a() -> Iterator[WeightType]:
    kind = example().add()
    yield kind
    unregister(kind.name)


def test_it_is_two_files() -> None:
    assert sorted(p.name for p in FOLDER.iterdir() if p.name != "__pycache__") == ["q6_a.py", "q6_a.wgsl"]


def test_where_each_bit_is(q6_a: WeightType) -> None:
    """Codes that are known, and the words that hold them by the description in the module."""
    codes = np.random.default_rng(3).permutation(64)[:32]
    codes[[0, 31]] = 0, 63
    weights = (-2.0 + 0.25 * codes).astype(np.float32)[None]
    packed = pack(weights, "q6_a")
    low, high = [0] * 4, [0, 0]
    for i, code in enumerate(int(c) for c in codes):
        half, j = divmod(i, 16)  # byte j of 16 has weight j low and weight j + 16 high
        low[j // 4] |= (code & 15) << 8 * (j % 4) + 4 * half
        a, b, c, e = i // 16, i // 8 % 2, i // 4 % 2, i % 4
        high[b] |= (code >> 4) << 8 * e + 4 * a + 2 * c
    pair = int(np.array([0.25, -2.0], np.float16).view(np.uint32)[0])
    assert packed.w.reshape(-1).tolist() == low
    assert packed.s.tolist() == [*high, pair]
    np.testing.assert_array_equal(unpack(packed), weights)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 33), (7, 203), (3, 256)])
def test_packs_and_unpacks(q6_a: WeightType, n: int, k: int) -> None:
    matrix = np.random.default_rng(n).uniform(-1, 1, (n, k)).astype(np.float32)
    packed = pack(matrix, "q6_a")
    # Half a step of at most 2 / 63, and the f16 rounding of a scale (times 63 steps) and of a minimum.
    bound = 0.5 * 2 / 63 + 2 * 2.0**-11 + 2.0**-11
    assert np.abs(unpack(packed) - matrix).max() <= bound
    assert packed.w.nbytes + packed.s.nbytes == q6_a.nbytes(n, k) == n * q6_a.padded(k) * 7 // 8
    with pytest.raises(ValueError, match="do not fit q6_a"):
        pack(np.full((1, 32), 1e6, np.float32), "q6_a")


def test_contracts_have_rows_of_it_while_it_is_there(q6_a: WeightType) -> None:
    ids = [o.id for o in obligations()]
    assert {"gemv_q6_a", "gemm_q6_a", "embed_q6_a"} <= set(ids)
    cases_by_kernel = {
        name: [c for c in kernel.cases if c.problem.get("weight") == "q6_a"]
        for name, kernel in kernels.hand_written().items()
    }
    names = {"gemv", "gemm", "embed", "gemm_input_grad", "gemm_matrix", "expert_gemv", "expert_gemm"} | {
        "expert_matrix"
    }
    assert {name for name, cases in cases_by_kernel.items() if cases} == names
    assert WeightRecipe.parse("ffn=q6_a").parts == (("ffn", "q6_a"),)


@pytest.mark.gpu
@pytest.mark.parametrize("row", ["gemv_q6_a", "gemm_q6_a", "embed_q6_a"])
def test_kernels_read_it(q6_a: WeightType, device: GpuDevice, row: str) -> None:
    report = verify(device, row)
    assert report.passed and report.trials > 1, report.rows


@pytest.mark.gpu
def test_a_model_is_loaded_as_it(q6_a: WeightType, device: GpuDevice, tmp_path: Path) -> None:
    weights = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=24), "f32")
    truth = {name: unpack(pack(w, "q6_a")) if w.ndim == 2 else w for name, w in weights.items()}
    ids = np.random.default_rng(7).integers(0, 320, 19).tolist()
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        network = Network.load(device, checkpoint, "q6_a")
    try:
        assert error_of_prefill(network, LLAMA, truth, ids) < TOLERANCE
        assert error_of_decoding(network, LLAMA, truth, ids[:3]) < TOLERANCE
    finally:
        network.release()


def test_what_cannot_be_registered() -> None:
    kind: WeightType = example().TYPE
    wrong = {
        "already": replace(kind, name="f16"),
        "lower-case": replace(kind, name="Q6-A"),
        "path of its WGSL": replace(kind, shader=Path("nowhere.wgsl")),
        "do not support high of 8 bits": replace(kind, bits=8),
        "have scales": replace(kind, codes="floats", bits=16),
        "expanded must name": replace(kind, group=256),
        "not a multiple of the chunk size": replace(kind, block=48),
        "set `planes`": replace(kind, planes=None),
    }
    for message, weight_type in wrong.items():
        with pytest.raises(ValueError, match=message):
            register(weight_type)
    assert "q6_a" not in TYPES
    with pytest.raises(ValueError, match="is built into wgpt"):
        unregister("f16")
