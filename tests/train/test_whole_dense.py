"""Full fine-tuning of the dense decoders: the gradient of every weight, along a random direction, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.train.step import TrainStep

from . import golden
from .test_golden import loss_of, weights_with
from .test_step import batch_of, rows_of, targets_of

pytestmark = [pytest.mark.gpu, pytest.mark.full]
# Of each way that gradients of weights take: queries that grow, scales, norms of heads, neighbours, LayerNorm without a
# shift, parallel blocks, GELU, q, k and v in turns, the bias of a head.
NAMES = ("ministral3", "granite4", "exaone4", "glm4", "cohere2", "stablelm-parallel", "starcoder2", "gptneox", "phi")
STEP = 1e-5


@pytest.mark.parametrize("name", NAMES)
def test_every_gradient(device: GpuDevice, name: str) -> None:
    run, rng = golden.load(name), np.random.default_rng(2)
    with open_checkpoint(run.model) as checkpoint:
        network = Network.load(device, checkpoint, "f32")
        names = set(checkpoint.tensors)
    weights, m, slots = network.weights(), rows_of(run.examples), len(run.examples)
    step = TrainStep(network, weights, m, slots, 64, precision="exact")
    loss = step.gradients(batch_of(run.examples, m, slots, targets_of(run.examples))).result()["loss"]
    gradients = dict(weights.named(step.gradients_of()))
    assert set(gradients) == names
    plain = weights_with(run, {})
    assert float(loss.sum(dtype=np.float64)) == pytest.approx(loss_of(run, plain)[0], rel=1e-5)
    for key, gradient in gradients.items():
        direction = rng.standard_normal(gradient.shape)
        up, down = (loss_of(run, plain | {key: plain[key] + h * direction})[0] for h in (STEP, -STEP))
        along = float((gradient * direction).sum(dtype=np.float64))
        assert abs((up - down) / (2 * STEP) - along) <= 1e-3 * np.linalg.norm(gradient) + 1e-7, key
    step.release()
    network.release()
