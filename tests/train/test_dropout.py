"""LoRA's dropout: on the input of each A, with another mask for each layer, drawn again in the backward pass."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Heap, Recorder
from wgpt.kernels import registry
from wgpt.ops.backend import GpuBackend
from wgpt.ops.cache import KVCache, KVShape
from wgpt.ops.forward import Rows
from wgpt.ops.lora import LoraLayers
from wgpt.ops.parameters import Gradients
from wgpt.ops.resident import Linear, Part, slices_of
from wgpt.ops.weight import Weight
from wgpt.quant.weights import pack
from wgpt.train.step import TrainStep
from wgpt.train.tape import Dropout, TrainForward

from .test_step import Bench

pytestmark = pytest.mark.gpu
M, RATE, SEED = 21, 0.3, np.array([5, 6, 0, 0], np.uint32)
SHAPES = {"first": (36, 20), "q": (24, 36), "v": (14, 36)}  # [N, K]


def mask(stream: int, *shape: int) -> NDArray[np.float64]:
    """0 or 1 / (1 - rate)."""
    problem = {"n": shape[0] * shape[1], "rate": RATE, "stream": stream, "onto": False}
    inputs = {"x": np.ones(problem["n"], np.float32), "seed": SEED}
    return registry.get("dropout").reference(inputs, problem)["y"].reshape(shape)


@pytest.mark.full
def test_two_layers_as_numpy_has_them(device: GpuDevice) -> None:
    """x to `first`, its result to q and v side by side: results, and the gradients of every A and B."""
    rng = np.random.default_rng(4)

    def draw(*shape: int) -> NDArray[np.float32]:
        return rng.standard_normal(shape).astype(np.float32)

    x, dy, scale = draw(M, 20), draw(M, 38), 1.7
    w = {name: draw(*shape) for name, shape in SHAPES.items()}
    ab = {name: (draw(3, k), draw(n, 3)) for name, (n, k) in SHAPES.items()}
    adapters = LoraLayers(device, {name: (a, b, scale) for name, (a, b) in ab.items()})
    gradient = device.tensor(np.zeros(adapters.size, np.float32))

    def linear(*names: str) -> Linear:
        weight = Weight.upload(device, pack(np.concatenate([w[name] for name in names]), "f32"))
        return Linear((Part(weight),), slices_of([(name, SHAPES[name][0]) for name in names]))

    heap, cache = Heap(device), KVCache(device, [KVShape(1, 8)], 8, dtype="f32")
    with Recorder(device, heap) as recorder:
        places, runs = (recorder.upload(np.zeros((M, 2), np.uint32)) for _ in range(2))
        rows = Rows(M, recorder.upload(np.zeros(M, np.uint32)), places)
        dropout = Dropout(RATE, recorder.upload(SEED))
        gradients = Gradients(adapters.parameters, [gradient])
        f = TrainForward(GpuBackend(recorder), rows, cache, runs, adapters.layers, gradients, dropout=dropout)
        y = f.linear(f.linear(recorder.upload(x), linear("first")), linear("q", "v"))
        f.backward(y, recorder.upload(dy))
        with recorder.finish(y=y) as program:
            result = program.read()["y"]

    masks = {"first": mask(0, M, 20), "q": mask(1, M, 36), "v": mask(2, M, 36)}
    assert all((layer_mask == 0).mean() == pytest.approx(RATE, abs=0.06) for layer_mask in masks.values())
    assert (masks["q"] != masks["v"]).mean() == pytest.approx(2 * RATE * (1 - RATE), abs=0.06)
    wide = {name: tuple(part.astype(np.float64) for part in (w[name], *ab[name])) for name in w}

    def adapted(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        base, a, b = wide[name]
        return x @ base.T + scale * (masks[name] * x) @ a.T @ b.T

    def back(x: NDArray[np.float64], name: str, d: NDArray[np.float64]) -> NDArray[np.float64]:
        base, a, b = wide[name]
        expected[name] = scale * (d @ b).T @ (masks[name] * x), scale * d.T @ ((masks[name] * x) @ a.T)
        return d @ base + masks[name] * (scale * d @ b @ a)

    expected: dict[str, tuple[NDArray[np.float64], ...]] = {}
    h = adapted(x, "first")
    np.testing.assert_allclose(result, np.concatenate([adapted(h, "q"), adapted(h, "v")], axis=1), atol=1e-3, rtol=1e-5)
    back(x, "first", back(h, "q", dy[:, :24]) + back(h, "v", dy[:, 24:]))
    for name, pair in adapters.read(device.read(gradient)).items():
        for part, exact in zip(pair, expected[name], strict=True):
            np.testing.assert_allclose(part, exact, atol=1e-5 * np.abs(exact).max(), err_msg=name)
    for resource in (adapters, heap, cache):
        resource.release()


@pytest.fixture
def bench(device: GpuDevice):
    bench = Bench(device, "llama-gqa-seven")
    yield bench
    bench.close()


def step_of(bench: Bench, dropout: float, checkpointing: bool = False) -> TrainStep:
    return TrainStep(
        bench.network, bench.adapters, bench.m, bench.slots, 64, checkpointing=checkpointing, dropout=dropout
    )


def ran(bench: Bench, step: TrainStep, draw: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    loss = step.gradients(bench.batch(bench.run.examples), draw=draw).result()["loss"]
    return loss, bench.device.read(step.gradient[0])


@pytest.mark.full
def test_masks_follow_from_the_draw_alone(bench: Bench) -> None:
    plain, steps = ran(bench, bench.step, 0), [step_of(bench, 0.4), step_of(bench, 0.4, True), step_of(bench, 0.0)]
    first = ran(bench, steps[0], 7)
    others = [ran(bench, steps[0], draw) for draw in (8, 7 << 32)]
    for other in (plain, *others):
        assert all(np.abs(a - b).max() > 1e-3 * np.abs(a).max() for a, b in zip(first, other, strict=True))
    for same in (ran(bench, steps[0], 7), ran(bench, steps[1], 7)):
        for a, b in zip(first, same, strict=True):
            np.testing.assert_array_equal(a, b, "the same draw, with checkpointing or without")
    for a, b in zip(plain, ran(bench, steps[2], 7), strict=True):
        np.testing.assert_array_equal(a, b, "no dropout")
    np.testing.assert_array_equal(steps[0].evaluate(bench.batch(bench.run.examples)).result()["loss"], plain[0])
    for step in steps:
        step.release()


def test_the_gradient_is_that_of_the_loss(bench: Bench) -> None:
    """Along a random direction, against differences of the loss under the same masks."""
    step, rng = step_of(bench, 0.25, True), np.random.default_rng(5)
    parameters = bench.device.read(bench.adapters.flat)
    gradient = ran(bench, step, 3)[1].astype(np.float64)
    direction = gradient / np.linalg.norm(gradient) + rng.standard_normal(parameters.size) / parameters.size**0.5
    ends = []
    for sign in (1, -1):
        bench.device.write(bench.adapters.flat, (parameters + sign * 0.01 * direction).astype(np.float32))
        ends.append(ran(bench, step, 3)[0].sum(dtype=np.float64))
    assert (ends[0] - ends[1]) / 0.02 == pytest.approx(gradient @ direction, rel=2e-3)
    step.release()


def test_a_rate_that_is_none(bench: Bench) -> None:
    with pytest.raises(PreconditionError, match="below 1, not 1"):
        step_of(bench, 1.0)
