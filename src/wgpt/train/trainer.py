"""A training run: steps, evaluations and checkpoints, from its beginning or from where it stopped."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats.peft import Adapter
from ..gpu.errors import PreconditionError
from ..models.network import Network
from . import checkpoint
from .batches import Batch, Batches, Position
from .checkpoint import TrainingState
from .data import Dataset
from .health import Health, TrainingError
from .learning import Learning
from .recipe import Recipe
from .step import TrainStep

_RECENT = 20  # steps over which the speed is taken


@dataclass(frozen=True)
class Moment:
    """How a run is getting on, after a step (or, with step 0, before the first)."""

    step: int
    total: int
    epoch: int
    loss: float  # nan before the first step
    held_out: float | None  # loss, where it was just measured
    accuracy: float | None  # of the held-out texts, where they are classified
    lr: float
    norm: float  # of the gradient, before clipping
    rate: float  # tokens a second
    left: float  # seconds
    nbytes: int  # GPU memory


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run came to."""

    adapter: Adapter | None  # none where the model's own weights learnt
    parameters: int  # that learn
    losses: list[float] = field(repr=False)  # of every step
    evaluations: list[tuple[int, float]] = field(repr=False)
    accuracies: list[tuple[int, float]] = field(repr=False)  # share of held-out texts that are classified rightly
    total: int  # steps it was to have
    tokens: int  # trained on by this process
    seconds: float  # of this process
    nbytes: int  # most GPU memory

    @property
    def steps(self) -> int:
        return len(self.losses)

    @property
    def finished(self) -> bool:
        return self.steps == self.total


class Trainer:
    """Trains an adapter for a network, or its weights. With a folder it leaves checkpoints there, and can go on from
    the latest. Data with labels trains a classification.

    >>> trainer = Trainer(network, Recipe(rank=8), training, held_out, folder="out")     # doctest: +SKIP
    >>> trainer.run(lambda moment: print(moment.step, moment.loss)).adapter
    """

    def __init__(
        self,
        network: Network,
        recipe: Recipe,
        training: Dataset,
        held_out: Dataset | None = None,
        *,
        folder: str | Path | None = None,
        about: Mapping[str, Any] | None = None,
        base: str | None = None,
    ) -> None:
        _check(network, training, held_out)
        self.network, self.recipe, self._base = network, recipe, base
        self.folder = None if folder is None else Path(folder)
        self._batches, longest = batches_of(recipe, training, held_out)
        self._held_out = None
        if held_out is not None:
            self._held_out = Batches(held_out.examples, rows=self._batches.m, slots=self._batches.slots)
        self.total = recipe.total(self._batches)
        self._config = {
            "recipe": recipe.as_json(),
            "data": training.fingerprint,
            "held_out": None if held_out is None else held_out.fingerprint,
            "labels": list(training.labels),
            "about": dict(about or {}),
        }
        self.learning = Learning(network, recipe, training.labels)
        self._step = TrainStep(
            network,
            self.learning.learner,
            self._batches.m,
            self._batches.slots,
            longest,
            head=self.learning.head,
            checkpointing=recipe.checkpointing,
            dropout=recipe.dropout,
        )
        self._position = Position()
        self._losses: list[float] = []
        self._evaluations: list[tuple[int, float]] = []
        self._accuracies: list[tuple[int, float]] = []
        self._saved = -1  # the step of the last checkpoint

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and sequences of a micro-batch."""
        return self._batches.m, self._batches.slots

    @property
    def nbytes(self) -> int:
        return self.network.nbytes + self._step.nbytes

    # The run ----------------------------------------------------------------------------------------------

    def run(self, watch: Callable[[Moment], None] | None = None, stop: Callable[[], bool] = lambda: False) -> Outcome:
        """All steps that are left, unless `stop` says so between two. What was learnt is kept in any case."""
        watch, health = watch or (lambda _: None), Health(self._losses)
        begun, tokens, recent = time.monotonic(), 0, [(time.monotonic(), 0)]
        if not self._losses and not self._evaluations:
            self._evaluate(0)
            watch(self._moment(math.nan, 0.0, 0.0, recent))
            self.save()  # so that whatever happens, the run can go on by its folder alone
        for batches, position in self._batches.steps(self._position):
            if len(self._losses) >= self.total or stop():
                break
            step = len(self._losses) + 1
            lr = self.recipe.rate(step, self.total)
            pending = [
                self._step.gradients(batch, onto=i > 0, draw=self._draw(step, i)) for i, batch in enumerate(batches)
            ]
            r = self.recipe
            update = self._step.update(lr, step, r.beta1, r.beta2, r.eps, r.decay, r.max_norm)
            loss = math.fsum(float(np.sum(p.result()["loss"], dtype=np.float64)) for p in pending)
            _, norm, finite = (float(x) for x in update.result()["clip"][:3])
            self._checked(health, loss, norm, finite == 1.0, lr)
            self._losses.append(loss)
            self._position = position
            tokens += sum(batch.tokens for batch in batches)
            recent = [*recent[-_RECENT:], (time.monotonic(), tokens)]
            if self.recipe.evaluates(step, self.total):
                self._evaluate(step)
            if step % self.recipe.save_every == 0:
                self.save()
            watch(self._moment(loss, lr, norm, recent))
        self.save()
        return Outcome(
            self.learning.adapter(self._base),
            self.learning.parameters,
            self._losses,
            self._evaluations,
            self._accuracies,
            self.total,
            tokens,
            time.monotonic() - begun,
            self.network.device.peak_bytes,
        )

    def _draw(self, step: int, micro: int) -> int:
        """64 bits for the dropout of one micro-batch."""
        digest = hashlib.blake2b(f"{self.recipe.seed}:{step}:{micro}".encode(), digest_size=8)
        return int.from_bytes(digest.digest(), "little")

    def _evaluate(self, step: int) -> None:
        if self._held_out is None:
            return
        losses, right, count = [], 0, 0
        for batch in self._held_out.once(self._batches.slots):
            found = self._step.evaluate(batch).result()
            losses.append(float(np.sum(found["loss"], dtype=np.float64)))
            if self._step.classifies:
                right, count = right + _right(batch, found["best"]), count + batch.count
        self._evaluations.append((step, math.fsum(losses)))
        if count:
            self._accuracies.append((step, right / count))

    def _checked(self, health: Health, loss: float, norm: float, finite: bool, lr: float) -> None:
        try:
            health.check(loss, norm, finite, lr)
        except TrainingError as e:
            kept = None if self.folder is None else checkpoint.latest(self.folder)
            raise TrainingError(f"{e}. The last checkpoint is {kept}" if kept else str(e)) from None

    def _moment(self, loss: float, lr: float, norm: float, recent: list[tuple[float, int]]) -> Moment:
        (began, before), (now, after) = recent[0], recent[-1]
        steps, seconds = len(recent) - 1, now - began
        done = len(self._losses)
        return Moment(
            step=done,
            total=self.total,
            epoch=self._position.epoch,
            loss=loss,
            held_out=_measured(self._evaluations, done),
            accuracy=_measured(self._accuracies, done),
            lr=lr,
            norm=norm,
            rate=(after - before) / seconds if steps else 0.0,
            left=(self.total - done) * seconds / steps if steps else math.nan,
            nbytes=self.nbytes,
        )

    # Checkpoints ------------------------------------------------------------------------------------------

    def save(self) -> None:
        """A checkpoint of this moment, if there is a folder and none of it yet."""
        if self.folder is None or self._saved == len(self._losses):
            return
        checkpoint.save(self.folder, self._state())
        self._saved = len(self._losses)

    def _state(self) -> TrainingState:
        return TrainingState(
            step=len(self._losses),
            position=self._position,
            seed=self.recipe.seed,
            tensors=self._step.state(),
            config=self._config,
            losses=self._losses,
            evaluations=self._evaluations,
            accuracies=self._accuracies,
        )

    def resume(self, state: TrainingState) -> None:
        """Go on from a checkpoint of the same run."""
        for key, what in (("data", "the training data"), ("held_out", "the held-out data")):
            if state.config.get(key) != self._config[key]:
                raise PreconditionError(
                    f"{what} is not what this run began with (or was tokenised or split differently): "
                    "resume with the same, or begin a new run in another folder"
                )
        if state.config.get("labels", []) != self._config["labels"]:
            raise PreconditionError("the classes are not those that this run began with: begin a new run for others")
        then = Recipe.from_json(state.config["recipe"])
        # How often a run is looked at changes nothing in it.
        same = replace(then, save_every=self.recipe.save_every, evaluate_every=self.recipe.evaluate_every)
        if same != self.recipe:
            new, old = self.recipe.as_json(), then.as_json()
            told = ", ".join(f"{key} was {old[key]}, now {new[key]}" for key in old if old[key] != new[key])
            raise PreconditionError(f"this run began differently: {told}: resume it as it was, or begin a new one")
        self._step.restore(state.tensors)
        self._position, self._saved = state.position, state.step
        self._losses, self._evaluations = list(state.losses), list(state.evaluations)
        self._accuracies = list(state.accuracies)

    def release(self) -> None:
        self._step.release()
        self.learning.release()


def batches_of(recipe: Recipe, training: Dataset, held_out: Dataset | None) -> tuple[Batches, int]:
    """The run's micro-batches, and the longest sequence that its step must take."""
    longest = max(part.longest for part in (training, held_out) if part is not None)
    batches = Batches(
        training.examples,
        size=recipe.batch if recipe.pack is None else None,
        rows=recipe.pack,
        accumulate=recipe.accumulate,
        seed=recipe.seed,
        least=longest,
    )
    return batches, longest


def _right(batch: Batch, best: NDArray[np.uint32]) -> int:
    """How many of a batch's texts have their own class as the likeliest."""
    asked = batch.targets >= 0
    return int((best.reshape(batch.m, 2)[asked, 1] == batch.targets[asked]).sum())


def _measured(evaluations: list[tuple[int, float]], step: int) -> float | None:
    """What was found at this step, if anything was."""
    return evaluations[-1][1] if evaluations and evaluations[-1][0] == step else None


def _check(network: Network, training: Dataset, held_out: Dataset | None) -> None:
    """The data must fit the model."""
    for data in (training, held_out):
        if data is None:
            continue
        most = max(int(example.ids.max()) for example in data.examples)
        if most >= network.config.vocab:
            raise PreconditionError(
                f"the data has token {most}; the model knows {network.config.vocab}: the tokenizer is another model's"
            )
        if data.longest > network.config.context:
            raise PreconditionError(
                f"an example has {data.longest} tokens; the model's context is {network.config.context}: "
                "give a smaller max_tokens"
            )
