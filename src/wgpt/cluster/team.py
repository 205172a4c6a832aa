"""Data-parallel training: the leader of the run, and its followers in actors of Ray.

The leader is the process that began the run. It has data, progress and checkpoints, as any run has; its followers know
the recipe and the data, compute the gradients of their share of the micro-batches, and take its steps. A gradient is
sent for every micro-batch, and the sum is formed in their order, so that the number of workers changes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core.errors import WgptError
from ..train.batches import Batch, Position
from ..train.checkpoint import TrainingState
from ..train.finetuning import Finetuning, Share
from ..train.parts import Part, summed
from ..train.trainer import Trainer
from .connection import connected, gpu_here, ray_module
from .follower import Follower, Job

_ALIKE_EVERY = 50  # steps after which unequal GPUs get the leader's parameters
_MOST_DEATHS = 3  # of followers within a step
_START = 600.0  # seconds until the followers must be there


class RayTeam:
    """The followers of one run."""

    def __init__(self, ray: Any, job: Job, workers: int, leader: str, swap: tuple[str, int, int] | None) -> None:
        self._ray, self._workers, self._leader = ray, workers, leader
        self._job, self._swap = ray.put(job), swap
        self._actor = ray.remote(num_gpus=1, num_cpus=1, max_restarts=0)(Follower)
        self._followers = [self._started() for _ in range(workers - 1)]
        self._begun = False
        self._alike = True

    def _started(self) -> Any:
        return self._actor.remote(self._job, self._swap)

    def reduce(self, trainer: Trainer, batches: Sequence[Batch], step: int, position: Position) -> list[Part]:
        """The followers' parts and our own; their sum is left in `trainer` and sent to the followers."""
        if not self._begun:
            self._begin(trainer.state())
        elif not self._alike and step % _ALIKE_EVERY == 0:
            self._send(trainer.state())
        asked = [self._ask(rank, position, step) for rank in range(1, self._workers)]
        parts = [trainer.part(batches[i], step, i) for i in range(0, len(batches), self._workers)]
        for rank, answer in enumerate(asked, 1):
            parts += self._answered(rank, answer, trainer, position, step)
        parts.sort(key=lambda part: part.number)
        total = summed(parts)
        trainer.write_gradient(total)
        shared = self._ray.put(total)
        for follower in self._followers:
            follower.update.remote(shared, step)
        return parts

    def _ask(self, rank: int, position: Position, step: int) -> Any:
        return self._followers[rank - 1].parts.remote(position, step, rank, self._workers)

    def _answered(self, rank: int, answer: Any, trainer: Trainer, position: Position, step: int) -> list[Part]:
        """A follower's parts. One that has died is replaced: the new one continues from the leader's state."""
        errors = self._ray.exceptions
        for deaths in range(_MOST_DEATHS + 1):
            try:
                parts: list[Part] = self._ray.get(answer)
                return parts
            except errors.RayActorError as e:
                if deaths == _MOST_DEATHS:
                    raise WgptError(f"worker {rank} died {deaths + 1} times in step {step}: {e}") from e
                warnings.warn(f"worker {rank} died in step {step}; another one takes its place", stacklevel=2)
                follower = self._followers[rank - 1] = self._started()
                follower.begin.remote(trainer.state())
                answer = self._ask(rank, position, step)
            except errors.RayTaskError as e:
                raise WgptError(f"worker {rank}: {e.cause}") from e.cause
        raise AssertionError("unreachable")

    def _begin(self, state: TrainingState) -> None:
        """Wait for the followers, and give them the state of the run."""
        errors = self._ray.exceptions
        try:
            abouts = self._ray.get([follower.about.remote() for follower in self._followers], timeout=_START)
        except errors.GetTimeoutError as e:
            raise WgptError(
                f"the workers did not start within {_START:.0f} s: see `ray status` for what the cluster lacks"
            ) from e
        except errors.RayError as e:
            raise WgptError(f"a worker could not start: {getattr(e, 'cause', None) or e}") from e
        if others := sorted({about["gpu"] for about in abouts} - {self._leader}):
            self._alike = False
            warnings.warn(
                f"the GPUs differ ({self._leader}; {'; '.join(others)}): their rounding does too, so all workers take "
                f"the first one's parameters every {_ALIKE_EVERY} steps",
                stacklevel=2,
            )
        self._send(state)
        self._begun = True

    def _send(self, state: TrainingState) -> None:
        shared = self._ray.put(state)
        try:
            self._ray.get([follower.begin.remote(shared) for follower in self._followers])
        except self._ray.exceptions.RayTaskError as e:
            raise WgptError(f"a worker cannot join the run: {e.cause}") from e.cause
        except self._ray.exceptions.RayActorError:
            pass  # it is replaced when it is asked for its part

    def end(self) -> None:
        for follower in self._followers:
            self._ray.kill(follower)


class _GpuHolder:
    """Keeps the leader's GPU from being given to others."""

    def gpu(self) -> int:
        """The one that Ray counts as ours."""
        return gpu_here(ray_module().get_gpu_ids())


def shared_by(workers: int) -> Share:
    """For Finetuning: the number of workers that take part in every step, the process that began the run included."""

    @contextmanager
    def share(work: Finetuning) -> Iterator[RayTeam]:
        micro = work.recipe.accumulate
        if workers > micro:
            raise WgptError(
                f"{workers} workers share the {micro} micro-batches of a step (accumulate): use at most {micro} workers"
            )
        job = Job(
            work.about["model"],
            work.name,
            work.about["dtype"],
            work.network.config.context,
            work.recipe,
            work.training,
            work.held_out,
            work.init,
        )
        with connected() as ray, _reserved(ray, workers, work.network.device.info.index) as swap:
            team = RayTeam(ray, job, workers, str(work.network.device.info), swap)
            try:
                yield team
            finally:
                team.end()

    return share


@contextmanager
def _reserved(ray: Any, workers: int, gpu: int) -> Iterator[tuple[str, int, int] | None]:
    """Check that there are enough GPUs, and keep this process's from being given to a follower. Ray chooses which GPU
    it counts as ours: the follower that gets ours instead must swap, as Follower takes it."""
    here = ray.get_runtime_context().get_node_id()
    nodes = {node["NodeID"]: node["Resources"].get("GPU", 0) for node in ray.nodes() if node["Alive"]}
    counted = nodes.get(here, 0) >= 1  # else Ray does not know of our GPU
    free = int(ray.available_resources().get("GPU", 0)) + (not counted)
    if free < workers:
        raise WgptError(
            f"{workers} workers need a GPU each, but {free} are free in this Ray cluster ({len(nodes)} nodes): use "
            "fewer workers, or add nodes (ray start --address=HOST:PORT --num-gpus=N)"
        )
    if not counted:
        yield None
        return
    strategy = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(here, soft=False)
    holder = ray.remote(num_gpus=1, num_cpus=0, scheduling_strategy=strategy)(_GpuHolder).remote()
    try:
        given = ray.get(holder.gpu.remote())
        yield None if given == gpu else (here, gpu, given)
    finally:
        ray.kill(holder)
