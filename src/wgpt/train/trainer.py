"""A training run: steps, evaluations and checkpoints, from its beginning or from a checkpoint."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..formats.lora import LoraAdapter
from ..gpu import Pending
from ..models.network import Network
from . import checkpoint
from .batches import Batch, Batches, Position
from .checkpoint import TrainingState
from .data import Dataset
from .health import Health, TrainingError
from .identity import check_identity
from .learning import Learning
from .parts import Part
from .recipe import Recipe
from .step import TrainStep

_RECENT = 20  # steps over which the speed is averaged
_LARGEST = 1e18  # larger parameters overflow f32 when squared in a norm, whose result, and then the loss, would be 0


@dataclass(frozen=True)
class Moment:
    """The progress of a run after a step (or, with step 0, before the first)."""

    step: int
    total: int
    epoch: int
    loss: float  # nan before the first step
    held_out: float | None  # the loss, if just measured
    accuracy: float | None  # accuracy on held-out texts, for classification
    lr: float
    norm: float  # norm of the gradient before clipping
    rate: float  # tokens per second
    left: float  # seconds
    nbytes: int  # GPU memory


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a run."""

    lora: LoraAdapter | None  # None after a full run
    parameters: int  # number of trained values
    losses: list[float] = field(repr=False)  # of every step
    evaluations: list[tuple[int, float]] = field(repr=False)
    accuracies: list[tuple[int, float]] = field(repr=False)  # share of held-out texts classified correctly
    total: int  # planned steps
    tokens: int  # tokens that this process trained on
    seconds: float  # of this process
    nbytes: int  # peak GPU memory

    @property
    def steps(self) -> int:
        return len(self.losses)

    @property
    def finished(self) -> bool:
        return self.steps == self.total


class Team(Protocol):
    """Processes that compute the gradients of a step together and then take the same step."""

    def reduce(self, trainer: Trainer, batches: Sequence[Batch], step: int, position: Position) -> list[Part]:
        """Leave the sum of the micro-batches' gradients in `trainer`; return the parts in order.

        `position`: where the run is before this step."""
        ...


class Trainer:
    """Trains an adapter for a network, or its weights. With a folder it saves checkpoints there, and can continue from
    the latest. Data with labels trains a classification head.

    >>> trainer = Trainer(network, Recipe(rank=8), training, held_out, folder="out")     # doctest: +SKIP
    >>> trainer.run(lambda moment: print(moment.step, moment.loss)).lora
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
        identity: Mapping[str, Any] | None = None,
        init: LoraAdapter | None = None,
        team: Team | None = None,
    ) -> None:
        """`identity`: identifies the base model (identity.py). `init`: the adapter that training starts from. `team`:
        the processes to share the micro-batches with."""
        _check(network, training, held_out)
        self.network, self.recipe, self._base, self._team = network, recipe, base, team
        self.folder = None if folder is None else Path(folder)
        self._batches, longest = batches_of(recipe, training, held_out)
        self._held_out = None
        if held_out is not None:
            self._held_out = Batches(held_out.examples, rows=self._batches.m, slots=self._batches.slots)
        self.total = recipe.total(self._batches)
        self._config: dict[str, Any] = {
            "recipe": recipe.as_json(),
            "data": training.fingerprint,
            "held_out": None if held_out is None else held_out.fingerprint,
            "labels": list(training.labels),
            "about": dict(about or {}),
            "base": None if identity is None else dict(identity),
        }
        self.learning = Learning(network, recipe, training.labels, init)
        self._step = TrainStep(
            network,
            self.learning.learner,
            self._batches.m,
            self._batches.slots,
            longest,
            head=self.learning.head,
            checkpointing=recipe.checkpointing,
            dropout=recipe.dropout,
            precision=recipe.precision,
        )
        self._position = Position()
        self._losses: list[float] = []
        self._evaluations: list[tuple[int, float]] = []
        self._accuracies: list[tuple[int, float]] = []
        self._saved = -1  # the step of the last checkpoint
        self._health = Health()
        self._last: tuple[Batch, float] | None = None  # a batch of the last step, and its learning rate

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and sequences of a micro-batch."""
        return self._batches.m, self._batches.slots

    @property
    def nbytes(self) -> int:
        return self.network.nbytes + self._step.nbytes

    # The run ----------------------------------------------------------------------------------------------

    def run(self, watch: Callable[[Moment], None] | None = None, stop: Callable[[], bool] = lambda: False) -> Outcome:
        """Run all remaining steps, or until `stop` returns True between two. The state is saved in either case."""
        watch, self._health = watch or (lambda _: None), Health(self._losses)
        begun, tokens, recent = time.monotonic(), 0, [(time.monotonic(), 0)]
        if not self._losses and not self._evaluations:
            self._evaluate(0, lr=0.0)
            watch(self._moment(math.nan, 0.0, 0.0, recent))
            self.save()  # so that the run can always be resumed from its folder
        for batches, position in self._batches.steps(self._position):
            if len(self._losses) >= self.total or stop():
                break
            step = len(self._losses) + 1
            lr = self.recipe.rate(step, self.total)
            pending: Sequence[Pending | Part]
            if self._team is None:
                pending = [self._gradient(batch, step, i, onto=i > 0) for i, batch in enumerate(batches)]
            else:
                pending = self._team.reduce(self, batches, step, self._position)
            update = self.update(step)
            loss = math.fsum(float(np.sum(p.result()["loss"], dtype=np.float64)) for p in pending)
            _, norm, finite = (float(x) for x in update.result()["clip"][:3])
            with self._naming_the_checkpoint():
                self._health.check(loss, norm, finite == 1.0, lr)
            self._losses.append(loss)
            self._position = position
            tokens += sum(batch.tokens for batch in batches)
            recent = [*recent[-_RECENT:], (time.monotonic(), tokens)]
            self._last = batches[-1], lr
            if self.recipe.evaluates(step, self.total):
                self._evaluate(step, lr)
            watch(self._moment(loss, lr, norm, recent))
            if step % self.recipe.save_every == 0:
                self.save()  # after `watch`: logs then have every step of a checkpoint, whenever a run is killed
        if self.folder is None:
            self._check_update(self._step.state())
        self.save()
        return Outcome(
            self.learning.lora(self._base),
            self.learning.parameters,
            self._losses,
            self._evaluations,
            self._accuracies,
            self.total,
            tokens,
            time.monotonic() - begun,
            self.network.device.peak_bytes,
        )

    def _gradient(self, batch: Batch, step: int, micro: int, onto: bool = False) -> Pending:
        return self._step.gradients(batch, onto=onto, draw=self._draw(step, micro))

    def update(self, step: int) -> Pending:
        """Take a step with the present gradient."""
        r = self.recipe
        return self._step.update(r.rate(step, self.total), step, r.beta1, r.beta2, r.eps, r.decay, r.max_norm)

    def part(self, batch: Batch, step: int, micro: int) -> Part:
        """The gradient of one micro-batch alone; it replaces the present gradient."""
        pending = self._gradient(batch, step, micro)
        return Part(micro, self._step.read_gradient(), pending.result()["loss"])

    def write_gradient(self, gradient: Sequence[NDArray[np.float32]]) -> None:
        """Replace the present gradient."""
        self._step.write_gradient(gradient)

    def batches_at(self, position: Position) -> list[Batch]:
        """The micro-batches of the step at a position."""
        return next(self._batches.steps(position))[0]

    def _draw(self, step: int, micro: int) -> int:
        """64 bits for the dropout of one micro-batch."""
        digest = hashlib.blake2b(f"{self.recipe.seed}:{step}:{micro}".encode(), digest_size=8)
        return int.from_bytes(digest.digest(), "little")

    def _evaluate(self, step: int, lr: float) -> None:
        if self._held_out is None:
            return
        losses, right, count = [], 0, 0
        for batch in self._held_out.once(self._batches.slots):
            outputs = self._step.evaluate(batch).result()
            losses.append(float(np.sum(outputs["loss"], dtype=np.float64)))
            if self._step.classifies:
                right, count = right + _right(batch, outputs["best"]), count + batch.count
        loss = math.fsum(losses)
        with self._naming_the_checkpoint():
            self._health.check_update("the held-out loss", loss, lr)
        self._evaluations.append((step, loss))
        if count:
            self._accuracies.append((step, right / count))

    def _check_update(self, state: Mapping[str, NDArray[np.float32]]) -> None:
        """Refuse parameters that are not finite, or whose loss is not: a step's loss is that of the update before."""
        if self._last is None:
            return
        batch, lr = self._last
        with self._naming_the_checkpoint():
            for name, values in state.items():
                largest = max(float(values.max()), -float(values.min()))  # NaN if there is one
                self._health.check_update(f"the largest trained value ({name})", largest, lr, _LARGEST)
            if _measured(self._evaluations, len(self._losses)) is None:
                loss = float(np.sum(self._step.evaluate(batch).result()["loss"], dtype=np.float64))
                self._health.check_update("the loss after the update", loss, lr)

    @contextmanager
    def _naming_the_checkpoint(self) -> Iterator[None]:
        try:
            yield
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
        """Save a checkpoint, if there is a folder and this step is not saved yet."""
        if self.folder is None or self._saved == len(self._losses):
            return
        state = self.state()
        self._check_update(state.tensors)
        checkpoint.save(self.folder, state)
        self._saved = len(self._losses)

    def state(self) -> TrainingState:
        """The contents of a checkpoint at this moment."""
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
        """Continue from a checkpoint of the same run, possibly for more steps than planned."""
        check_identity(state.config.get("base"), self._config["base"])
        for key, description in (("data", "the training data"), ("held_out", "the held-out data")):
            if state.config.get(key) != self._config[key]:
                raise PreconditionError(
                    f"{description} is not the data this run began with (or was tokenised or split differently): "
                    "resume with the same data, or start a new run in another folder"
                )
        if state.config.get("labels", []) != self._config["labels"]:
            raise PreconditionError("the classes differ from those this run began with: start a new run")
        then = Recipe.from_json(state.config["recipe"])
        # How often a run is evaluated and saved does not affect it, and it may be extended.
        free = {name: getattr(self.recipe, name) for name in ("save_every", "evaluate_every", "steps", "epochs")}
        same = replace(then, **free)
        if same != self.recipe:
            new, old = self.recipe.as_json(), then.as_json()
            changes = ", ".join(f"{key} was {old[key]}, now {new[key]}" for key in old if old[key] != new[key])
            raise PreconditionError(
                f"this run began with other settings: {changes}: resume it with the same settings, or start a new run"
            )
        if state.step > self.total:
            raise PreconditionError(
                f"this run has already done {state.step} steps, but {self.total} were requested: use at least as many"
            )
        self._step.restore(state.tensors)
        self._position, self._saved = state.position, state.step
        self._losses, self._evaluations = list(state.losses), list(state.evaluations)
        self._accuracies = list(state.accuracies)

    def release(self) -> None:
        self._step.release()
        self.learning.release()


def batches_of(recipe: Recipe, training: Dataset, held_out: Dataset | None) -> tuple[Batches, int]:
    """The run's micro-batches, and the length of its longest sequence."""
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
    """How many of a batch's texts are classified correctly."""
    labelled = batch.targets >= 0
    return int((best.reshape(batch.m, 2)[labelled, 1] == batch.targets[labelled]).sum())


def _measured(evaluations: list[tuple[int, float]], step: int) -> float | None:
    """The value measured at this step, if any."""
    return evaluations[-1][1] if evaluations and evaluations[-1][0] == step else None


def _check(network: Network, training: Dataset, held_out: Dataset | None) -> None:
    """Check that the data fits the model."""
    for data in (training, held_out):
        if data is None:
            continue
        most = max(int(example.ids.max()) for example in data.examples)
        if most >= network.config.vocab:
            raise PreconditionError(
                f"the data has token id {most}, outside the vocabulary of {network.config.vocab}: "
                "the tokenizer belongs to another model"
            )
        if data.longest > network.config.context:
            raise PreconditionError(
                f"an example has {data.longest} tokens, but the context length is {network.config.context}: "
                "use a smaller max_tokens"
            )
