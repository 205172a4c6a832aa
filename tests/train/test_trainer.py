"""Complete runs on a tiny model: they learn, repeat, stop, resume, and report errors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.train import checkpoint
from wgpt.train.data import Counts, Dataset
from wgpt.train.health import TrainingError
from wgpt.train.recipe import Recipe
from wgpt.train.step import TrainStep
from wgpt.train.tokens import Example
from wgpt.train.trainer import Trainer

from . import golden

pytestmark = pytest.mark.gpu
RECIPE = Recipe(rank=4, targets=("q", "v", "down"), lr=2e-2, steps=8, batch=2, accumulate=2, seed=3)


@pytest.fixture(scope="module")
def network(device: GpuDevice) -> Iterator[Network]:
    with open_checkpoint(golden.load("llama-gqa").model) as checkpoint_:
        network = Network.load(device, checkpoint_)
    yield network
    network.release()


def dataset(count: int = 10, seed: int = 0, most: int = 60) -> Dataset:
    """Sequences that count upwards from anywhere: something that can be learnt."""
    rng = np.random.default_rng(seed)
    examples = []
    for i in range(count):
        n = int(rng.integers(5, 40))
        ids = (rng.integers(0, most) + np.arange(n)) % most
        examples.append(Example(ids.astype(np.int32), np.arange(n) > 1, line=i))
    return Dataset(tuple(examples), Counts(lines=count))


def trained(network, recipe=RECIPE, folder=None, stop_after=None, resume=False, held_out=None):
    trainer = Trainer(network, recipe, dataset(), held_out, folder=folder)
    moments = []
    try:
        if resume:
            trainer.resume(checkpoint.load(checkpoint.latest(folder)))
        stop = (lambda: bool(moments) and moments[-1].step >= stop_after) if stop_after else lambda: False
        return trainer.run(moments.append, stop), moments
    finally:
        trainer.release()


def same(first, second):
    assert first.losses == second.losses
    for name, factors in first.lora.targets.items():
        np.testing.assert_array_equal(factors.a, second.lora.targets[name].a)
        np.testing.assert_array_equal(factors.b, second.lora.targets[name].b)


def test_a_run_learns_and_tells_how_it_goes(network):
    held_out = dataset(3, seed=9)
    outcome, moments = trained(network, held_out=held_out)
    assert outcome.finished and outcome.steps == 8 and outcome.tokens > 0
    assert np.mean(outcome.losses[-2:]) < 0.8 * outcome.losses[0]
    assert outcome.evaluations[-1][1] < 0.95 * outcome.evaluations[0][1]
    assert [m.step for m in moments] == list(range(9))
    assert moments[0].held_out == outcome.evaluations[0][1]
    assert all(m.rate > 0 and m.left >= 0 and m.norm > 0 for m in moments[1:])
    assert moments[-1].nbytes > network.nbytes
    assert set(outcome.lora.targets) == {
        f"model.layers.{i}.{name}"
        for i in range(3)
        for name in ("self_attn.q_proj", "self_attn.v_proj", "mlp.down_proj")
    }


def test_the_same_seed_repeats_a_run_and_another_does_not(network):
    first, second = trained(network)[0], trained(network)[0]
    same(first, second)
    other = trained(network, Recipe(**{**vars(RECIPE), "seed": 4}))[0]
    assert other.losses != first.losses


@pytest.mark.parametrize("stop_after", [1, 3, 7])
def test_stopped_and_resumed_it_ends_the_same(network, tmp_path, stop_after):
    held_out = dataset(3, seed=9)
    whole = trained(network, held_out=held_out)[0]
    part, _ = trained(network, folder=tmp_path, stop_after=stop_after, held_out=held_out)
    assert not part.finished and part.steps == stop_after
    rest, moments = trained(network, folder=tmp_path, resume=True, held_out=held_out)
    assert moments[0].step == stop_after + 1
    same(rest, whole)
    assert rest.evaluations == whole.evaluations


def test_packed_batches_learn_too(network):
    outcome, _ = trained(network, Recipe(**{**vars(RECIPE), "pack": 96, "steps": 16}))
    assert np.mean(outcome.losses[-2:]) < 0.8 * outcome.losses[0]


def test_dropout_repeats_and_goes_on_where_it_stopped(network, tmp_path):
    recipe = Recipe(**{**vars(RECIPE), "dropout": 0.3})
    whole = trained(network, recipe)[0]
    assert whole.losses != trained(network)[0].losses
    trained(network, recipe, folder=tmp_path, stop_after=4)
    same(trained(network, recipe, folder=tmp_path, resume=True)[0], whole)


def test_checkpointing_changes_nothing(network):
    same(trained(network, Recipe(**{**vars(RECIPE), "checkpointing": True}))[0], trained(network)[0])


def test_a_finished_run_that_is_resumed_is_still_finished(network, tmp_path):
    whole = trained(network, folder=tmp_path)[0]
    again, moments = trained(network, folder=tmp_path, resume=True)
    assert again.finished and not moments
    same(again, whole)


def test_another_run_is_not_resumed(network, tmp_path):
    trained(network, folder=tmp_path, stop_after=1)
    state = checkpoint.load(checkpoint.latest(tmp_path))
    for trainer, fault in (
        (Trainer(network, Recipe(**{**vars(RECIPE), "lr": 1e-3}), dataset()), r"lr was 0.02, now 0.001"),
        (Trainer(network, RECIPE, dataset(11)), "the training data is not the data this run began with"),
        (Trainer(network, RECIPE, dataset(), dataset(2)), "the held-out data is not"),
    ):
        with pytest.raises(PreconditionError, match=fault):
            trainer.resume(state)
        trainer.release()


def test_a_run_that_explodes_says_at_which_step_and_keeps_its_checkpoint(network, tmp_path):
    wild = Recipe(**{**vars(RECIPE), "lr": 1e30, "decay": 0.0, "warmup": 0, "save_every": 1, "steps": 30})
    with pytest.raises(TrainingError, match=r"step \d+: .*learning rate is probably too high.*checkpoint-\d+"):
        trained(network, wild, folder=tmp_path)
    state = checkpoint.load(checkpoint.latest(tmp_path))
    assert all(np.isfinite(t).all() for t in state.tensors.values())


@pytest.mark.parametrize("held_out", [None, dataset(3, seed=9)], ids=["no held-out data", "held-out data"])
@pytest.mark.parametrize("with_folder", [True, False], ids=["folder", "no folder"])
def test_the_last_update_is_looked_at_too(network, tmp_path, held_out, with_folder):
    """The loss of a step is computed before its update, so nothing else would detect a bad last update."""
    wild = Recipe(**{**vars(RECIPE), "lr": 1e30, "decay": 0.0, "steps": 1})
    with pytest.raises(TrainingError, match=r"step 1: the largest .*\(params\) is 1e\+30: .* probably too high"):
        trained(network, wild, folder=tmp_path if with_folder else None, held_out=held_out)
    assert [path.name for path in checkpoint.checkpoints(tmp_path)] == (["checkpoint-0"] if with_folder else [])


def test_a_loss_that_is_no_number_where_nothing_is_learnt(network, tmp_path, monkeypatch):
    class Spoilt:
        def result(self):
            return {"loss": np.array([np.nan], np.float32)}

    monkeypatch.setattr(TrainStep, "evaluate", lambda self, batch: Spoilt())
    with pytest.raises(TrainingError, match="step 0: the held-out loss is nan: it failed in the first step"):
        trained(network, folder=tmp_path, held_out=dataset(2))
    with pytest.raises(TrainingError, match=r"step 8: the loss after the update is nan: .*checkpoint-0"):
        trained(network, folder=tmp_path)


def test_parameters_that_are_no_numbers_are_not_saved(network, tmp_path, monkeypatch):
    state = TrainStep.state

    def spoilt(self):
        values = state(self)
        values["v"][7] = np.nan if values["v"].any() else 0.0
        return values

    monkeypatch.setattr(TrainStep, "state", spoilt)
    with pytest.raises(TrainingError, match=r"step 8: the largest trained value \(v\) is nan.*checkpoint-0"):
        trained(network, folder=tmp_path)
    assert [path.name for path in checkpoint.checkpoints(tmp_path)] == ["checkpoint-0"]


def test_a_run_may_be_made_longer(network, tmp_path):
    whole = trained(network, Recipe(**{**vars(RECIPE), "schedule": "constant", "warmup": 0, "steps": 12}))[0]
    short = Recipe(**{**vars(RECIPE), "schedule": "constant", "warmup": 0, "steps": 5})
    trained(network, short, folder=tmp_path)
    longer = Recipe(**{**vars(short), "steps": 12})
    rest, moments = trained(network, longer, folder=tmp_path, resume=True)
    assert rest.finished and moments[0].step == 6
    same(rest, whole)
    with pytest.raises(PreconditionError, match="has already done 12 steps, but 7 were requested"):
        trained(network, Recipe(**{**vars(short), "steps": 7}), folder=tmp_path, resume=True)


def test_data_of_another_model_is_refused(network):
    strange = dataset(most=network.config.vocab + 50)
    with pytest.raises(PreconditionError, match="the tokenizer belongs to another model"):
        Trainer(network, RECIPE, strange)
