"""`wgpt bench`: models, kernels and peers in one run. Ctrl-C keeps the results so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..core.errors import WgptError
from ..core.progress import Progress
from ..gpu import GpuDevice
from ..kernels import registry
from ..kernels.kernel import BenchCase, Kernel
from ..models.network import Network
from ..quant.registry import example
from . import generation, roofline, training
from .comparison import CONTEXT, LORA, PROMPT, Figure
from .explain import Explained, explain
from .generation import Bench
from .kernels import KernelBench, Result, time_case
from .kernels import cases as bench_cases
from .models import Chosen
from .origin import origin
from .passes import decoding
from .peers import SCRIPTS, Peers
from .roofline import Roofs
from .training import Training

PARTS = ("decode", "prefill", "contexts", "batches", "timeline", "train", "peers", "kernels")
_DEFAULT, _LARGER = "smollm2-135m", "qwen2.5-1.5b"
# Weight types of the matrices and of the embedding, as in small models' files.
_FILE_TYPES = (example("nibbles"), example("bytes"))


@dataclass(frozen=True)
class Sizes:
    """How much of each part to run."""

    contexts: tuple[int, ...]  # the first one is also that of the other decode benchmarks
    batches: tuple[int, ...]
    prompt: int = PROMPT
    tokens: int | None = None
    repeats: int = 5
    every_case: bool = True  # all cases of a kernel, not only the cheapest

    @classmethod
    def of(cls, software: bool, quick: bool) -> Sizes:
        if quick:
            return cls((CONTEXT, 256), (1, 4), 128 if software else PROMPT, 8 if software else 64, 3, False)
        if software:
            return cls((CONTEXT, 256, 512), (1, 4), repeats=3)
        return cls((CONTEXT, 256, 1024, 2048, 4096), (1, 2, 4, 8, 16, 32))


@dataclass
class ModelRun:
    """The results of one model."""

    chosen: Chosen
    decode: Bench | None = None
    prefill: Bench | None = None
    contexts: list[Bench] = field(default_factory=list)
    batches: list[Bench] = field(default_factory=list)
    timeline: Explained | None = None
    train: Training | None = None
    # decode results by (batch, context), each measured once
    measured: dict[tuple[int, int], Bench] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "model": self.chosen.to_dict(),
            "decode": self.decode.to_dict() if self.decode else None,
            "prefill": self.prefill.to_dict() if self.prefill else None,
            "contexts": [b.to_dict() for b in self.contexts],
            "batches": [b.to_dict() for b in self.batches],
            "timeline": self.timeline.to_dict() if self.timeline else None,
            "train": self.train.to_dict() if self.train else None,
        }

    def figures(self) -> Iterator[Figure]:
        """wgpt's figures in the peers' schema, for the sizes that peers measure."""
        kind = self.chosen.to_dict()
        mode = kind["dtype"] or "as stored"
        mode += f" + {kind['table']}" if kind["table"] not in (None, kind["dtype"]) else ""
        if self.decode and self.decode.context == CONTEXT:
            yield Figure("wgpt", mode, "decode", kind["name"], self.decode.rate, "tok/s")
        if self.prefill and self.prefill.context == PROMPT:
            ms = 1e3 * self.prefill.tokens / self.prefill.rate
            yield Figure("wgpt", mode, "prefill", kind["name"], ms, "ms")
        t = self.train
        if t and (t.batch, t.length, t.rank) == LORA and t.targets == ("q_proj", "v_proj"):
            yield Figure("wgpt", mode, "lora", kind["name"], 1e3 * t.step_seconds, "ms")


@dataclass
class Everything:
    """A run of `wgpt bench`, complete or cut short."""

    origin: dict[str, Any]
    quick: bool
    roofs: Roofs | None = None
    models: list[ModelRun] = field(default_factory=list)
    kernels: list[Result] = field(default_factory=list)
    peers: list[Figure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def figures(self) -> list[Figure]:
        """wgpt's figures and the peers'."""
        return [f for m in self.models for f in m.figures()] + self.peers

    def comparison(self) -> list[Figure]:
        """The figures to compare; empty without peers."""
        return self.figures() if self.peers else []

    def kernel_bench(self) -> KernelBench | None:
        if self.roofs is None or not self.kernels:
            return None
        return KernelBench(self.origin, self.roofs.bytes_per_second, tuple(self.kernels))

    def to_dict(self) -> dict[str, Any]:
        bench = self.kernel_bench()
        return {
            **self.origin,
            "bench": "all",
            "quick": self.quick,
            "interrupted": self.interrupted,
            "roofs": self.roofs.to_dict() if self.roofs else None,
            "models": [m.to_dict() for m in self.models],
            "kernels": bench.to_dict()["results"] if bench else [],
            "figures": [f.to_dict() for f in self.figures()],
            "skipped": self.skipped,
        }


def choices(
    software: bool,
    quick: bool = False,
    presets: Sequence[str] = (),
    dtype: str | None = None,
    table: str | None = None,
) -> list[Chosen]:
    """Each preset in f16 and in 4 bits, or in `dtype`. By default a small and a larger model; only the small one
    if `quick` or on a software driver."""
    names = presets or ((_DEFAULT,) if software or quick else (_DEFAULT, _LARGER))
    if dtype or table:
        return [Chosen(preset=name, dtype=dtype, table=table) for name in names]
    kinds: list[tuple[str | None, str | None]] = [(None, None)] if quick else [(None, None), _FILE_TYPES]
    return [Chosen(preset=name, dtype=d, table=t) for name in names for d, t in kinds]


Job = tuple[str, Callable[[], None]]


class Runner:
    """Plans the jobs of a run and runs them one after another."""

    def __init__(
        self,
        device: GpuDevice,
        chosen: Sequence[Chosen],
        parts: Sequence[str] = PARTS,
        quick: bool = False,
        peers: Peers | None = None,
        cache: str = "f16",
    ) -> None:
        self.device, self.cache, self.peers = device, cache, peers
        self.sizes = Sizes.of(device.software, quick)
        self.result = Everything(origin(device), quick)
        self._network: tuple[Chosen, Network] | None = None
        self._failed: tuple[Chosen, WgptError] | None = None
        self._jobs = list(self._all(chosen, parts))

    def run(self, progress: Progress | None = None) -> Everything:
        """Run all jobs. A job that fails is skipped, with the reason."""
        try:
            for i, (name, job) in enumerate(self._jobs):
                if progress:
                    progress(i, len(self._jobs), name)
                try:
                    job()
                except WgptError as e:
                    self.result.skipped[name] = " ".join(str(e).split())
        except KeyboardInterrupt:
            self.result.interrupted = True
        finally:
            self._release()
        return self.result

    def _all(self, chosen: Sequence[Chosen], parts: Sequence[str]) -> Iterator[Job]:
        yield "roofs", self._roofs
        for model in chosen:
            yield from self._of_model(model, parts)
        if "peers" in parts and self.peers:
            presets = dict.fromkeys(model.preset for model in chosen if model.preset)
            for preset in presets:
                for peer in SCRIPTS:
                    yield f"{peer}, {preset}", partial(self._peer, self.peers, peer, preset)
        if "kernels" in parts:
            for kernel in registry.kernels().values():
                for case in self._cases(kernel):
                    yield f"{kernel.name} {case.note}", partial(self._kernel, kernel, case)

    def _of_model(self, chosen: Chosen, parts: Sequence[str]) -> Iterator[Job]:
        run, sizes = ModelRun(chosen), self.sizes
        self.result.models.append(run)
        if "decode" in parts:
            yield f"{chosen}: decode", partial(self._decode, run)
        if "prefill" in parts:
            yield f"{chosen}: prefill", partial(self._prefill, run)
        for context in sizes.contexts if "contexts" in parts else ():
            yield f"{chosen}: decode at context {context}", partial(self._sweep, run, run.contexts, 1, context)
        for batch in sizes.batches if "batches" in parts else ():
            yield (
                f"{chosen}: decode at batch size {batch}",
                partial(self._sweep, run, run.batches, batch, sizes.contexts[0]),
            )
        if "timeline" in parts:
            yield f"{chosen}: timeline", partial(self._timeline, run)
        if "train" in parts:
            yield f"{chosen}: training step", partial(self._train, run)

    def _cases(self, kernel: Kernel) -> list[BenchCase]:
        cases = bench_cases(self.device, kernel)
        if self.sizes.every_case:
            return cases
        return sorted(cases, key=lambda case: kernel.bytes(case.problem) + kernel.flops(case.problem))[:1]

    def _loaded(self, chosen: Chosen) -> Network:
        if self._failed and self._failed[0] is chosen:
            raise self._failed[1]
        if self._network is None or self._network[0] is not chosen:
            self._release()
            try:
                self._network = chosen, chosen.load(self.device).whole("this benchmark")
            except WgptError as e:  # skip the model's other jobs, too
                self._failed = chosen, e
                raise
        return self._network[1]

    def _release(self) -> None:
        if self._network:
            self._network[1].release()
        self._network = None

    def _roofs(self) -> None:
        self.result.roofs = roofline.measure(self.device)

    def _bench(self, run: ModelRun, batch: int, context: int) -> Bench:
        if (batch, context) not in run.measured:
            network, sizes = self._loaded(run.chosen), self.sizes
            bench = generation.decode(network, run.chosen, batch, context, sizes.tokens, sizes.repeats, self.cache)
            run.measured[batch, context] = bench
        return run.measured[batch, context]

    def _decode(self, run: ModelRun) -> None:
        run.decode = self._bench(run, 1, self.sizes.contexts[0])

    def _sweep(self, run: ModelRun, into: list[Bench], batch: int, context: int) -> None:
        into.append(self._bench(run, batch, context))

    def _prefill(self, run: ModelRun) -> None:
        network, sizes = self._loaded(run.chosen), self.sizes
        run.prefill = generation.prefill(network, run.chosen, 1, sizes.prompt, sizes.repeats, self.cache)

    def _timeline(self, run: ModelRun) -> None:
        with decoding(self._loaded(run.chosen), self.sizes.contexts[0], True) as (program, title):
            run.timeline = explain(program, f"{run.chosen}: {title}", grouped=True)

    def _train(self, run: ModelRun) -> None:
        network, steps = self._loaded(run.chosen), None if self.sizes.every_case else 3
        run.train = training.train(network, run.chosen, steps=steps)

    def _kernel(self, kernel: Kernel, case: BenchCase) -> None:
        self.result.kernels.append(time_case(self.device, kernel, case))

    def _peer(self, peers: Peers, peer: str, preset: str) -> None:
        self._release()  # a peer on the same GPU needs the memory
        peers.ask(peer, preset, self.result.peers.append)
