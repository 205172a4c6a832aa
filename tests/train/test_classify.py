"""Classification: the step against torch and peft; runs that learn, repeat, stop and go on."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_adapter
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.ops.adapters import Adapters
from wgpt.ops.score import Score, Scored
from wgpt.train.batches import make_batch, rows_of
from wgpt.train.step import TrainStep
from wgpt.train.tokens import Example

from . import golden_classify

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("name", golden_classify.NAMES)
def test_loss_scores_and_every_gradient(device: GpuDevice, name: str, checkpointing: bool) -> None:
    run = golden_classify.load(name)
    with open_checkpoint(run.model) as checkpoint:
        network = Network.load(device, checkpoint)
    given = read_adapter(run.adapter)
    assert given.task == "SEQ_CLS" and given.classes == ("LABEL_0", "LABEL_1", "LABEL_2")
    adapters, score = Adapters(device, given.targets), Score(device, given.score)
    examples = [
        Example(np.array(ids, np.int32), np.zeros(len(ids), bool), label)
        for ids, label in zip(run.texts, run.labels, strict=True)
    ]
    m, longest = sum(rows_of(len(e)) for e in examples), max(map(len, examples))
    step = TrainStep(
        network,
        Scored(adapters, score),
        m,
        len(examples),
        longest,
        head=score.linear,
        checkpointing=checkpointing,
    )
    batch = make_batch(examples, range(len(examples)), len(examples))
    assert step.gradients(batch).result()["loss"].sum(dtype=np.float64) == pytest.approx(run.loss, rel=1e-5)
    found = {
        f"{name}.{part}": matrix
        for name, pair in adapters.read(device.read(step.gradient[0])).items()
        for part, matrix in zip("AB", pair, strict=True)
    }
    found["score"] = device.read(step.gradient[1]).reshape(score.shape)
    assert set(found) == set(run.gradients)
    for key, gradient in found.items():
        wanted = run.gradients[key]
        assert np.abs(gradient - wanted).max() <= 1e-4 * np.abs(wanted).max(), key
    told = step.evaluate(batch).result()
    assert told["loss"].sum(dtype=np.float64) == pytest.approx(run.loss, rel=1e-5)
    best = told["best"].reshape(m, 2)[batch.targets >= 0, 1]
    np.testing.assert_array_equal(best, run.scores.argmax(axis=1))
    for part in (step, adapters, score, network):
        part.release()
