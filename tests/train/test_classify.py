"""Classification: the step against torch and peft; runs that learn, repeat, stop and go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.peft import read_lora, write_lora
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.ops.lora import LoraLayers
from wgpt.ops.lora_pool import LoraPool
from wgpt.ops.score import Score, Scored
from wgpt.train import checkpoint
from wgpt.train.batches import make_batch, rows_of
from wgpt.train.data import Counts, Dataset
from wgpt.train.recipe import Recipe
from wgpt.train.step import TrainStep
from wgpt.train.tokens import Example
from wgpt.train.trainer import Moment, Trainer

from . import golden_classify

pytestmark = pytest.mark.gpu


@pytest.mark.full
@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("name", golden_classify.NAMES)
def test_loss_scores_and_every_gradient(device: GpuDevice, name: str, checkpointing: bool) -> None:
    run = golden_classify.load(name)
    with open_checkpoint(run.model) as opened:
        network = Network.load(device, opened)
    adapter = read_lora(run.adapter)
    assert adapter.task == "SEQ_CLS" and adapter.classes == ("LABEL_0", "LABEL_1", "LABEL_2")
    adapters, score = LoraLayers(device, adapter.targets), Score(device, adapter.score)
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
        precision="exact",
    )
    batch = make_batch(examples, range(len(examples)), len(examples))
    assert step.gradients(batch).result()["loss"].sum(dtype=np.float64) == pytest.approx(run.loss, rel=1e-5)
    gradients = {
        f"{name}.{part}": matrix
        for name, pair in adapters.read(device.read(step.gradient[0])).items()
        for part, matrix in zip("AB", pair, strict=True)
    }
    gradients["score"] = device.read(step.gradient[1]).reshape(score.shape)
    assert set(gradients) == set(run.gradients)
    for key, gradient in gradients.items():
        expected = run.gradients[key]
        assert np.abs(gradient - expected).max() <= 1e-4 * np.abs(expected).max(), key
    evaluation = step.evaluate(batch).result()
    assert evaluation["loss"].sum(dtype=np.float64) == pytest.approx(run.loss, rel=1e-5)
    best = evaluation["best"].reshape(m, 2)[batch.targets >= 0, 1]
    np.testing.assert_array_equal(best, run.scores.argmax(axis=1))
    for part in (step, adapters, score, network):
        part.release()


# Whole runs ---------------------------------------------------------------------------------------------------------

RECIPE = Recipe(rank=4, targets=("q", "v"), lr=2e-2, steps=16, batch=4, seed=3)
LABELS = ("low", "high", "mixed")


def dataset(count: int, seed: int = 0) -> Dataset:
    """Tokens of one small set, of another, or of both: classes that can be learnt."""
    rng = np.random.default_rng(seed)
    examples = []
    for i in range(count):
        n, label = int(rng.integers(4, 24)), i % 3
        low, high = rng.integers(3, 8, n), rng.integers(40, 45, n)
        ids = (low, high, np.where(np.arange(n) % 2, low, high))[label]
        examples.append(Example(ids.astype(np.int32), np.zeros(n, bool), label, i))
    return Dataset(tuple(examples), Counts(lines=count), LABELS)


@pytest.fixture(scope="module")
def network(device: GpuDevice) -> Iterator[Network]:
    with open_checkpoint(golden_classify.load("llama-gqa").model) as checkpoint_:
        network = Network.load(device, checkpoint_)
    yield network
    network.release()


def trained(
    network: Network, folder: Path | None = None, stop_after: int = 99, resume: bool = False, **options: object
):
    trainer = Trainer(network, replace(RECIPE, **options), dataset(48), dataset(24, seed=1), folder=folder)
    moments: list[Moment] = []
    try:
        if resume:
            trainer.resume(checkpoint.load(checkpoint.latest(folder)))
        return trainer.run(moments.append, lambda: bool(moments) and moments[-1].step >= stop_after), moments
    finally:
        trainer.release()


def test_it_learns_and_tells_how_many_are_right(network):
    outcome, moments = trained(network, steps=60)
    assert outcome.finished and outcome.lora.labels == LABELS and outcome.lora.task == "SEQ_CLS"
    assert [step for step, _ in outcome.accuracies] == [step for step, _ in outcome.evaluations]
    assert outcome.accuracies[0][1] < 0.7 and outcome.accuracies[-1][1] >= 0.9, outcome.accuracies
    assert [(m.step, m.accuracy) for m in moments if m.accuracy is not None] == outcome.accuracies
    assert outcome.parameters == outcome.lora.parameters


def test_accuracy_is_counted_by_text(network):
    """Against the adapter's scores, computed from hidden states and a product on the host."""
    outcome, _ = trained(network, steps=8)
    with_lora = FixedBatch(network, 32, 1, "f32")
    adapters = LoraPool.holding(network.device, network.adaptable, outcome.lora.targets)
    with_lora.attach((adapters, 1))
    right = [
        int(np.argmax(outcome.lora.score @ with_lora.hidden({0: example.ids.tolist()})[0][-1])) == example.label
        for example in dataset(24, seed=1).examples
    ]
    assert outcome.accuracies[-1] == (8, sum(right) / 24) and 0 < sum(right) < 24
    with_lora.release()
    adapters.release()


@pytest.mark.full
@pytest.mark.parametrize("options", [{}, {"pack": 96, "dropout": 0.2, "checkpointing": True}], ids=["plain", "packed"])
def test_stopped_and_resumed_it_ends_the_same(network, tmp_path, options):
    whole, _ = trained(network, **options)
    part, _ = trained(network, tmp_path, stop_after=5, **options)
    assert not part.finished and part.steps == 5
    rest, _ = trained(network, tmp_path, resume=True, **options)
    assert (rest.losses, rest.evaluations, rest.accuracies) == (whole.losses, whole.evaluations, whole.accuracies)
    np.testing.assert_array_equal(rest.lora.score, whole.lora.score)
    for name, factors in whole.lora.targets.items():
        np.testing.assert_array_equal(rest.lora.targets[name].a, factors.a)
        np.testing.assert_array_equal(rest.lora.targets[name].b, factors.b)


def test_other_classes_are_another_run(network, tmp_path):
    trained(network, tmp_path, stop_after=1)
    renamed = [replace(data, labels=("a", "b", "c")) for data in (dataset(48), dataset(24, seed=1))]
    trainer = Trainer(network, RECIPE, *renamed)
    with pytest.raises(PreconditionError, match="the classes differ from those this run began with"):
        trainer.resume(checkpoint.load(checkpoint.latest(tmp_path)))
    trainer.release()


def test_labels_go_into_the_folder_and_come_back(network, tmp_path):
    adapter = trained(network, steps=2)[0].lora
    write_lora(adapter, tmp_path / "out")
    again = read_lora(tmp_path / "out")
    assert again.labels == LABELS == again.classes
    np.testing.assert_array_equal(again.score, adapter.score)
    (tmp_path / "out" / "labels.json").write_text('{"id2label": {"0": "low", "1": "low", "2": "high"}}')
    with pytest.raises(FormatError, match=r"labels\.json: names 2 classes, but the adapter has 3"):
        read_lora(tmp_path / "out")
    write_lora(read_lora(golden_classify.load("llama-gqa").adapter), tmp_path / "out")  # without class names
    assert read_lora(tmp_path / "out").labels == ()


def test_all_weights_are_not_trained_to_classify(network):
    with pytest.raises(PreconditionError, match="classification trains an adapter"):
        Trainer(network, replace(RECIPE, full=True), dataset(6))
