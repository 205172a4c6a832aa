"""A training step as Programs: forward, loss and backward of a micro-batch; then clipping and AdamW."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..gpu import Heap, Pending, PreconditionError, Program, Recorder, Tensor
from ..kernels.adamw_flat import hyper
from ..kernels.square_sum import blocks_of
from ..models.network import Network
from ..ops.adapters import Adapters
from ..ops.cache import KVCache
from ..ops.engine import GpuEngine
from ..ops.forward import Rows
from .batches import Batch
from .tape import Dropout, TrainForward

_LOGIT_BYTES = 64 << 20  # logits that exist at once
_ALIGN = 64  # rows: windows of single words begin at multiples of 256 bytes


class TrainStep:
    """Gradients of the adapters for batches of `m` rows in `slots` sequences of up to `length`, and their update.

    `checkpointing` keeps less than a tenth of a block's memory and computes every block's forward twice.
    `dropout` is the rate of LoRA's, which `evaluate` leaves out.

    >>> step = TrainStep(network, adapters, batch.m, batch.slots, length)     # doctest: +SKIP
    >>> loss = step.gradients(batch).result()["loss"].sum()
    >>> step.update(lr=1e-4, step=1)
    """

    def __init__(
        self,
        network: Network,
        adapters: Adapters,
        m: int,
        slots: int,
        length: int,
        *,
        checkpointing: bool = False,
        dropout: float = 0.0,
    ) -> None:
        if not 0 <= dropout < 1:
            raise PreconditionError(f"dropout must be at least 0 and below 1, and is {dropout}")
        config, self.device = network.config, network.device
        self.network, self.adapters = network, adapters
        self.m, self.slots, self.checkpointing, self.dropout = m, slots, checkpointing, dropout
        layers = 1 if checkpointing else config.layers
        self.cache = KVCache(self.device, layers, config.kv_heads, config.head_dim, length, slots, "f32")
        self.heap = Heap(self.device)
        zeros = np.zeros(adapters.size, np.float32)
        self._total, self._more, self.first, self.second = (
            self.device.tensor(zeros, label=name) for name in ("gradient", "more gradient", "adam m", "adam v")
        )
        self._hyper = self.device.tensor(hyper(0.0, 0.0, 0.0, 1.0, 0.0, 1), label="hyper")
        self._one = self.device.tensor(np.ones(1, np.float32), label="one")
        self._programs: dict[str, Program] = {}

    # Gradients --------------------------------------------------------------------------------------------

    def gradients(self, batch: Batch, onto: bool = False, draw: int = 0) -> Pending:
        """Run a micro-batch; `onto` adds its gradient to that of those before. Read `loss`: of each row, weighted.

        `draw` (64 bits) is what dropout's masks are made of: another one for each micro-batch.
        """
        return self._run("more" if onto else "first", batch, draw)

    def evaluate(self, batch: Batch) -> Pending:
        """Only the `loss` of each row, weighted: of what is held out."""
        return self._run("evaluate", batch)

    def _run(self, kind: str, batch: Batch, draw: int = 0) -> Pending:
        if kind not in self._programs:
            self._programs[kind] = self._record(kind)
        program = self._programs[kind]
        for key in ("ids", "places", "targets", "weights", "runs"):
            program.write(key, getattr(batch, key))
        if "seed" in program.inputs:
            program.write("seed", np.array([draw & 0xFFFFFFFF, draw >> 32, 0, 0], np.uint32))
        return program.submit()

    def _record(self, kind: str) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            given = {
                "ids": np.zeros(self.m, np.uint32),
                "places": np.zeros((self.m, 2), np.uint32),
                "targets": np.zeros(self.m, np.int32),
                "weights": np.zeros(self.m, np.float32),
                "runs": np.zeros((self.slots, 2), np.uint32),
            }
            if self.dropout and kind != "evaluate":
                given["seed"] = np.zeros(4, np.uint32)
            inputs = {name: recorder.upload(array, name) for name, array in given.items()}
            engine, into = GpuEngine(recorder), self._more if kind == "more" else self._total
            rows = Rows(self.m, inputs["ids"], inputs["places"])
            windows = self.adapters.windows(into)
            parts = (self.cache, inputs["runs"], self.adapters.layers, windows)
            dropout = Dropout(self.dropout, inputs["seed"]) if "seed" in inputs else None
            f = TrainForward(engine, rows, *parts, checkpointing=self.checkpointing, dropout=dropout)
            hidden = f.value(self.network.family.forward(f))
            loss, gradient = self._loss(engine, f, hidden, inputs["targets"], inputs["weights"])
            if kind != "evaluate":
                f.backward(hidden, gradient)
            if kind == "more":
                problem = {"n": self.adapters.size}
                engine.apply("accumulate", problem, x=self._more, factor=self._one, y=self._total)
            return recorder.finish(loss=loss)

    def _loss(
        self, engine: GpuEngine, f: TrainForward, hidden: Tensor, targets: Tensor, weights: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The loss of each row, and the gradient of the hidden states: the logits of a few rows at a time."""
        (m, width), head = hidden.shape, self.network.family.head
        chunk = max(_ALIGN, _LOGIT_BYTES // (4 * head.n) // _ALIGN * _ALIGN)
        loss = engine.recorder.tensor((m,), "f32", "loss")
        gradient = engine.recorder.tensor((m, width), "f32", "hidden gradient")
        for lo in range(0, m, chunk):
            count = min(chunk, m - lo)
            few = _rows(hidden, lo, count)
            logits = f.projected(few, head)
            problem = {"rows": count, "vocab": head.n}
            parts = {"targets": _rows(targets, lo, count), "weights": _rows(weights, lo, count)}
            engine.apply("cross_entropy_grad", problem, logits=logits, loss=_rows(loss, lo, count), **parts)
            f.project_back(logits, head, _rows(gradient, lo, count))
        return loss, gradient

    # The update -------------------------------------------------------------------------------------------

    def update(
        self,
        lr: float,
        step: int,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        decay: float = 0.01,
        max_norm: float = 1.0,
    ) -> Pending:
        """Clip the gradient and take AdamW's step (counted from 1). Read `clip`: factor, norm, 1 if it is finite."""
        if "update" not in self._programs:
            self._programs["update"] = self._record_update()
        self.device.write(self._hyper, hyper(lr, beta1, beta2, eps, decay, step, max_norm))
        return self._programs["update"].submit()

    def _record_update(self) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            engine, n = GpuEngine(recorder), self.adapters.size
            blocks = blocks_of(n)
            partial = engine.apply("square_sum", {"n": n, "blocks": blocks}, x=self._total)["partial"]
            clip = engine.apply("clip", {"blocks": blocks}, partial=partial, hyper=self._hyper)["clip"]
            state = {"param": self.adapters.flat, "m": self.first, "v": self.second}
            engine.apply("adamw_flat", {"n": n}, g=self._total, hyper=self._hyper, clip=clip, **state)
            return recorder.finish(clip=clip)

    # What a checkpoint holds ----------------------------------------------------------------------------------

    def state(self) -> dict[str, NDArray[np.float32]]:
        """The parameters and AdamW's two moments."""
        held = {"params": self.adapters.flat, "m": self.first, "v": self.second}
        return {name: self.device.read(tensor) for name, tensor in held.items()}

    def restore(self, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        """Go on from a state."""
        for name, tensor in {"params": self.adapters.flat, "m": self.first, "v": self.second}.items():
            given = tensors[name]
            if given.shape != tensor.shape:
                raise PreconditionError(f"{name} has {given.size} values; this run trains {tensor.size}")
            self.device.write(tensor, given)

    @property
    def nbytes(self) -> int:
        """GPU memory beside the weights: activations, cache, adapters, gradients and moments."""
        return self.heap.nbytes + self.cache.nbytes + 5 * self.adapters.nbytes

    @property
    def gradient(self) -> Tensor:
        """Of all adapters, flat: `adapters.read(device.read(...))` has it by layer."""
        return self._total

    def release(self) -> None:
        for program in self._programs.values():
            program.release()
        self._programs = {}
        self.heap.release()
        self.cache.release()
        for tensor in (self._total, self._more, self.first, self.second, self._hyper, self._one):
            tensor.buffer.release()


def _rows(tensor: Tensor, lo: int, count: int) -> Tensor:
    """Rows lo .. lo + count of a tensor, as a window."""
    each = tensor.size // tensor.shape[0]
    return tensor.window(lo * each, count, *tensor.shape[1:])
