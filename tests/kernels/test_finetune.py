"""The kernels of a fine-tuning step: references against independent formulas, and several dispatches together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import LAVAPIPE, NVIDIA

from wgpt.gpu import GpuDevice, Recorder, Tensor
from wgpt.kernels.kernel import Arrays
from wgpt.kernels.memory.embed import sorted_ids
from wgpt.kernels.products import lora_product
from wgpt.kernels.products.lora_slices import LoraLayer
from wgpt.kernels.registry import get
from wgpt.kernels.training.adamw import HYPER, hyper
from wgpt.kernels.training.clip import blocks_of


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(4)


class Steps:
    """Dispatches one after another over tensors by name."""

    def __init__(self, device: GpuDevice, **arrays: np.ndarray) -> None:
        self.device, self.recorder = device, Recorder(device)
        self.tensors: dict[str, Tensor] = {name: self.recorder.upload(array) for name, array in arrays.items()}

    def do(self, kernel: str, problem: dict[str, Any], **bound: str) -> None:
        for name, out in get(kernel).outputs(problem).items():
            if bound[name] not in self.tensors:
                self.tensors[bound[name]] = self.recorder.tensor(out.shape, out.dtype)
        tensors = {name: self.tensors[key] for name, key in bound.items()}
        self.recorder.launch(get(kernel).launch(self.device, tensors, problem))

    def read(self, *names: str) -> Arrays:
        with self.recorder.finish(**{name: self.tensors[name] for name in names}) as program:
            return program.read()


def test_the_corrections_keep_their_digits_at_every_step():
    for step in (1, 2, 1000, 100_000, 10_000_000):
        values = dict(zip(HYPER, hyper(1e-4, 0.9, 0.999, 1e-8, 0.01, step, 1.0).astype(np.float64), strict=False))
        assert values["unbias1"] == pytest.approx(1 / -np.expm1(step * np.log(0.9)), rel=1e-6)
        assert values["unbias2"] == pytest.approx(1 / -np.expm1(step * np.log(0.999)), rel=1e-6)
        assert values["new2"] == pytest.approx(0.001, rel=1e-7) and values["max_norm"] == 1.0


@pytest.mark.parametrize("wrong", [{"step": 0}, {"beta1": 1.0}, {"beta2": -0.1}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        hyper(**{"lr": 1e-4, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "decay": 0.0, "step": 1, **wrong})


def test_the_gradients_of_layernorms_gain_and_shift_are_its_slopes(rng):
    x, gamma, beta, dy = (rng.standard_normal(shape) for shape in ((5, 7), (7,), (7,), (5, 7)))
    problem = {"rows": 5, "hidden": 7, "eps": 1e-5, "blocks": 1}
    stats = get("layernorm_backward").reference({"x": x, "gamma": gamma, "dy": dy}, problem)["stats"]
    gradient = get("layernorm_backward_weight").reference({"x": x, "dy": dy, "stats": stats}, problem)["partial"][0]

    def loss(gain_and_shift: np.ndarray) -> float:
        inputs = {"x": x, "gamma": gain_and_shift[:7], "beta": gain_and_shift[7:]}
        return float(np.sum(get("layernorm").reference(inputs, problem)["y"] * dy))

    at = np.concatenate([gamma, beta])
    slopes = [(loss(at + 1e-5 * e) - loss(at - 1e-5 * e)) / 2e-5 for e in np.eye(14)]
    np.testing.assert_allclose(gradient, slopes, rtol=1e-7, atol=1e-8)


def test_embed_backward_is_the_transpose_of_embed(rng):
    ids = np.array([3, 1, 0xFFFFFFFF, 3, 0, 3], np.uint32)
    dy, table = rng.standard_normal((6, 5)), rng.standard_normal((4, 5))
    inputs = {"dy": dy, "dtable": np.zeros((4, 5)), **sorted_ids(ids)}
    dtable = get("embed_backward").reference(inputs, {"rows": 6, "n": 4, "hidden": 5, "first": 0})["dtable"]
    used = ids != 0xFFFFFFFF
    assert np.vdot(dtable, table) == pytest.approx(np.vdot(dy[used], table[ids[used]]))


@pytest.mark.parametrize("ids", [[], [0xFFFFFFFF] * 3, [7], [2, 2, 2], [5, 1, 5, 0, 1]])
def test_sorted_ids_hold_every_row_once(ids):
    arrays = sorted_ids(np.array(ids, np.uint32))
    assert [len(arrays[name]) for name in ("order", "ids", "starts")] == [len(ids), len(ids), len(ids) + 1]
    rows = [
        [int(arrays["ids"][d]), int(row)]
        for d in range(len(ids))
        for row in arrays["order"][arrays["starts"][d] : arrays["starts"][d + 1]]
    ]
    assert rows == sorted([i, row] for row, i in enumerate(ids) if i != 0xFFFFFFFF)


def test_blocks_are_for_gpus_and_for_results_too_small_to_fill_them():
    assert lora_product.blocks_of(LAVAPIPE, 576, 16, 2048) == 1
    assert lora_product.blocks_of(NVIDIA, 576, 16, 2048) > 4
    assert lora_product.blocks_of(NVIDIA, 16, 8960, 2048) == 1
    assert lora_product.blocks_of(NVIDIA, 8, 8, 100) == 1
    layer = LoraLayer(960, 576, [(0, 576, 16, 2.0), (768, 192, 16, 2.0)])
    assert layer.blocks(LAVAPIPE, 2048) == 1 and layer.blocks(NVIDIA, 2048) > 4
    gap = LoraLayer(960, 576, layer.slices, layer.offsets, layer.size + 1)
    assert gap.blocks(NVIDIA, 2048) == 1
    assert blocks_of(1) == 1 and blocks_of(10**9) == 1024


@pytest.mark.gpu
def test_loras_way_there_and_back(device, rng):
    """y += s (x A^T) B^T on a slice, and all its gradients, against NumPy."""
    m, k, r, n, width, at, s = 37, 20, 4, 12, 24, 8, 0.7
    x, a, b, y, dy = (
        rng.standard_normal(shape).astype(np.float32) for shape in ((m, k), (r, k), (n, r), (m, width), (m, width))
    )
    dx = rng.standard_normal((m, k)).astype(np.float32)
    of = lora_product.problem_of
    steps = Steps(device, x=x, a=a, b=b, y=y, dy=dy, dx=dx)
    steps.do("lora_product", of(m, r, k, trans_b=True), a="x", b="a", y="t")
    steps.do(
        "lora_product", of(m, n, r, trans_b=True, y_width=width, y_at=at, factor=s, onto=True), a="t", b="b", y="y"
    )
    steps.do("lora_product", of(m, r, n, a_width=width, a_at=at, factor=s), a="dy", b="b", y="dt")
    parts = of(n, r, m, trans_a=True, a_width=width, a_at=at, factor=s, blocks=2)
    steps.do("lora_product", parts, a="dy", b="t", y="parts")
    steps.do("column_sum", {"rows": 2, "hidden": n * r}, x="parts", y="db")
    steps.do("lora_product", of(r, k, m, trans_a=True), a="dt", b="x", y="da")
    steps.do("lora_product", of(m, k, r, onto=True), a="dt", b="a", y="dx")
    results = steps.read("y", "db", "da", "dx")
    x, a, b, dy = (array.astype(np.float64) for array in (x, a, b, dy))
    slice_ = dy[:, at : at + n]
    y = y.astype(np.float64)
    y[:, at : at + n] += s * x @ a.T @ b.T
    expected = {"y": y, "db": s * slice_.T @ (x @ a.T), "da": (s * slice_ @ b).T @ x, "dx": dx + s * slice_ @ b @ a}
    for name, exact in expected.items():
        np.testing.assert_allclose(results[name].reshape(exact.shape), exact, atol=1e-5 * np.abs(exact).max())


@pytest.mark.gpu
@pytest.mark.parametrize("finite", [True, False])
def test_a_step_of_the_optimiser_with_clipping(device, rng, finite):
    """Norm, clip and AdamW together; a NaN anywhere and not a bit changes."""
    n = 5003
    blocks = {"n": n, "blocks": 3}
    g, param, m = (rng.standard_normal(n).astype(np.float32) for _ in range(3))
    v = rng.exponential(1.0, n).astype(np.float32)
    if not finite:
        g[1234] = np.nan
    settings = {"lr": 0.02, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "decay": 0.1, "step": 9}
    steps = Steps(device, g=g, param=param, m=m, v=v, hyper=hyper(**settings, max_norm=2.5))
    steps.do("square_sum", blocks, x="g", partial="partial")
    steps.do("clip", {"blocks": 3, "max_norm": 2.5}, partial="partial", hyper="hyper", clip="clip")
    bound = {name: name for name in ("g", "hyper", "clip", "param", "m", "v")}
    steps.do("adamw_flat", {"n": n, **settings, "clip": 0.0, "finite": finite}, **bound)
    results = steps.read("param", "m", "v", "clip")
    before = {"param": param, "m": m, "v": v}
    if not finite:
        assert results["clip"][2] == 0 and np.isnan(results["clip"][1])
        assert all((results[name].view(np.uint32) == array.view(np.uint32)).all() for name, array in before.items())
        return
    norm = np.linalg.norm(g.astype(np.float64))
    assert results["clip"][:3] == pytest.approx([2.5 / (norm + 1e-6), norm, 1.0], rel=1e-5)
    expected = get("adamw_step").reference({**before, "g": g * (2.5 / (norm + 1e-6))}, settings)
    for name, exact in expected.items():
        np.testing.assert_allclose(results[name], exact, atol=1e-5 * np.abs(exact).max())


@pytest.mark.gpu
def test_dropout_keeps_as_many_as_it_should_and_the_same_ones_again(device, rng):
    n, problem = 40_000, {"n": 40_000, "rate": 0.3, "stream": 5, "onto": False}
    x, dy = (rng.standard_normal(n).astype(np.float32) for _ in range(2))
    seeds = {"first": np.array([1, 2, 3, 0], np.uint32), "next": np.array([1, 2, 4, 0], np.uint32)}
    steps = Steps(device, x=x, dy=dy, **seeds)
    steps.do("dropout", problem, x="x", seed="first", y="there")
    steps.do("dropout", problem, x="dy", seed="first", y="back")
    steps.do("dropout", problem, x="x", seed="next", y="later")
    steps.do("dropout", {**problem, "stream": 6}, x="x", seed="first", y="elsewhere")
    masks = {name: array != 0 for name, array in steps.read("there", "back", "later", "elsewhere").items()}
    assert (masks["there"] == masks["back"]).all()
    for name in ("there", "later", "elsewhere"):
        assert masks[name].mean() == pytest.approx(0.7, abs=0.01)
    for name in ("later", "elsewhere"):
        assert (masks["there"] & masks[name]).mean() == pytest.approx(0.49, abs=0.01)
