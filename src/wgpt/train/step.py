"""A training step as Programs: forward, loss and backward of a micro-batch; then clipping and AdamW."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import one_of
from ..core.errors import PreconditionError
from ..gpu import Heap, Pending, Program, Recorder, Tensor
from ..gpu.bindings import most_bytes
from ..gpu.programs import Programs
from ..kernels.attention.attending import PADDING
from ..kernels.memory.embed import sorted_ids
from ..kernels.training.adamw import hyper
from ..kernels.training.clip import blocks_of
from ..models.network import Network
from ..models.targets import check_trainable
from ..ops.backend import PRECISIONS, GpuBackend
from ..ops.cache import KVCache
from ..ops.forward import Rows
from ..ops.parameters import Gradients, Learner
from ..ops.resident import Linear
from .batches import Batch
from .tape import Dropout, TrainForward

_LOGIT_BYTES, _LOGIT_BYTES_SOFTWARE = 256 << 20, 64 << 20  # most bytes of logits at once
_PIECE = 16 << 20  # values to read or write at once, through a staging buffer
_ALIGN = 64  # rows: offsets of bindings must be multiples of 256 bytes


class TrainStep:
    """Gradients for batches of `m` rows in `slots` sequences of up to `length`, and the parameter update.

    The learner is LoRA layers, or all weights of the model: `network.weights()`.
    `head` is a classification head that replaces the model's; if trained, it is among the learner's parameters.

    `checkpointing` keeps less than a tenth of a block's memory and computes every block's forward twice.
    `dropout` is LoRA's dropout rate; `evaluate` does not apply it.
    `precision` is that of products on matrix units: "fast" rounds their factors to f16, "exact" is as exact as f32.

    >>> step = TrainStep(network, adapters, batch.m, batch.slots, length)     # doctest: +SKIP
    >>> loss = step.gradients(batch).result()["loss"].sum()
    >>> step.update(lr=1e-4, step=1)
    """

    def __init__(
        self,
        network: Network,
        learner: Learner,
        m: int,
        slots: int,
        length: int,
        *,
        head: Linear | None = None,
        checkpointing: bool = False,
        dropout: float = 0.0,
        precision: str = "fast",
    ) -> None:
        network.check_generates()
        one_of("precision", precision, PRECISIONS)
        if not 0 <= dropout < 1:
            raise PreconditionError(f"dropout must be at least 0 and below 1, not {dropout}")
        check_trainable(network.config)
        network.check_resident("training")
        config, self.device = network.config, network.device
        self.network, self.learner = network, learner
        self.head, self.classifies = head or network.family.head, head is not None
        self.m, self.slots, self.checkpointing, self.dropout = m, slots, checkpointing, dropout
        self.precision = precision
        layers = config.cache_layers[: 1 if checkpointing else None]
        self.cache = KVCache(self.device, layers, length, slots, "f32")
        self.heap = Heap(self.device)
        # WebGPU initialises memory to 0.
        self.gradient, self.first, self.second = (
            [self.device.empty(p.shape, "f32", name) for p in learner.parameters]
            for name in ("gradient", "adam m", "adam v")
        )
        self._hyper = self.device.tensor(hyper(0.0, 0.0, 0.0, 1.0, 0.0, 1), label="hyper")
        self._programs = Programs()

    # Gradients --------------------------------------------------------------------------------------------

    def gradients(self, batch: Batch, onto: bool = False, draw: int = 0) -> Pending:
        """Run a micro-batch; `onto` adds its gradient to the previous ones. The result has `loss`, weighted, by row.

        `draw` (64 bits) seeds dropout's masks: a different one for each micro-batch.
        """
        return self._run("more" if onto else "first", batch, draw)

    def evaluate(self, batch: Batch) -> Pending:
        """Only the `loss`, weighted, by row, for held-out data; for classification, also each row's `best` class."""
        return self._run("evaluate", batch)

    def _run(self, kind: str, batch: Batch, draw: int = 0) -> Pending:
        program = self._programs.get(kind, partial(self.record, kind))
        for key in ("ids", "places", "targets", "weights", "runs"):
            program.write(key, getattr(batch, key))
        if "seed" in program.inputs:
            program.write("seed", np.array([draw & 0xFFFFFFFF, draw >> 32, 0, 0], np.uint32))
        self._write_sorted(program, "tokens", np.where(batch.places[:, 1] == PADDING, PADDING, batch.ids))
        self._write_sorted(program, "positions", batch.places[:, 1])
        return program.submit()

    def _write_sorted(self, program: Program, table: str, ids: NDArray[np.uint32]) -> None:
        """Write the rows sorted by their ids, if a table of the model is trained."""
        if f"{table}.order" in program.inputs:
            for key, array in sorted_ids(ids.astype(np.uint32)).items():
                program.write(f"{table}.{key}", array)

    @property
    def programs(self) -> tuple[Program, ...]:
        """The Programs recorded so far: of the optimiser step, and of evaluation."""
        return tuple(program for _, program in self._programs.items())

    def record(self, kind: str) -> Program:
        """A new Program of a micro-batch, owned by the caller: "first" or "more" of a step, or "evaluate"."""
        with Recorder(self.device, self.heap) as recorder:
            arrays = {
                "ids": np.zeros(self.m, np.uint32),
                "places": np.zeros((self.m, 2), np.uint32),
                "targets": np.zeros(self.m, np.int32),
                "weights": np.zeros(self.m, np.float32),
                "runs": np.zeros((self.slots, 2), np.uint32),
            }
            if self.dropout and kind != "evaluate":
                arrays["seed"] = np.zeros(4, np.uint32)
            inputs = {name: recorder.upload(array, name) for name, array in arrays.items()}
            backend, rows = GpuBackend(recorder, self.precision), Rows(self.m, inputs["ids"], inputs["places"])
            gradients = Gradients() if kind == "evaluate" else self.gradients_of()
            parts = (self.cache, inputs["runs"], self.learner.layers, gradients)
            dropout = Dropout(self.dropout, inputs["seed"]) if "seed" in inputs else None
            if kind == "first":
                self._clear(backend, self.gradient)
            f = TrainForward(backend, rows, *parts, checkpointing=self.checkpointing, dropout=dropout)
            hidden = f.value(self.network.family.forward(f))
            outputs = {"loss": recorder.tensor((self.m,), "f32", "loss")}
            if self.classifies and kind == "evaluate":
                outputs["best"] = recorder.tensor((self.m, 1, 2), "u32", "best")
            if kind == "evaluate":
                self._loss(backend, f, hidden, inputs, outputs)
            else:
                gradient = recorder.tensor(hidden.shape, "f32", "hidden gradient")
                self._loss(backend, f, hidden, inputs, outputs, gradient)
                f.backward(hidden, gradient)
            return recorder.finish(**outputs)

    def gradients_of(self) -> Gradients:
        """The gradient tensors, by parameter."""
        return Gradients(self.learner.parameters, self.gradient)

    def _clear(self, backend: GpuBackend, tensors: Sequence[Tensor]) -> None:
        zero = backend.array(np.zeros(1, np.uint32))
        for part in (part for tensor in tensors for part in self._bindable(tensor)):
            words = Tensor(part.buffer, part.shape, "u32", part.offset)
            backend.apply("repeat_words", {"n": words.size, "period": 1}, x=zero, y=words)

    def _bindable(self, flat: Tensor) -> list[Tensor]:
        """Split into pieces that fit into one binding."""
        most = most_bytes(self.device) // (4 * _ALIGN) * _ALIGN
        return [flat.window(at, min(most, flat.size - at)) for at in range(0, flat.size, most)]

    def _loss(
        self,
        backend: GpuBackend,
        f: TrainForward,
        hidden: Tensor,
        inputs: Mapping[str, Tensor],
        outputs: Mapping[str, Tensor],
        gradient: Tensor | None = None,
    ) -> None:
        """Fill in the outputs of each row, and the hidden states' gradient, for a few rows' logits at a time."""
        m, head = hidden.shape[0], self.head
        most = _LOGIT_BYTES_SOFTWARE if self.device.software else _LOGIT_BYTES
        chunks = -(-m // max(_ALIGN, most // (4 * head.n) // _ALIGN * _ALIGN))
        chunk = -(-m // chunks // _ALIGN) * _ALIGN  # as equal as possible
        for lo in range(0, m, chunk):
            count = min(chunk, m - lo)
            few = _rows(hidden, lo, count)
            products = f.projected(few, head)
            logits = f.finished(products, head)
            problem = {"rows": count, "vocab": head.n}
            if "best" in outputs:
                best = _rows(outputs["best"], lo, count)
                backend.apply("argmax_parts", {**problem, "parts": 1}, logits=logits, parts=best)
            parts = {name: _rows(inputs[name], lo, count) for name in ("targets", "weights")}
            backend.apply("cross_entropy_grad", problem, logits=logits, loss=_rows(outputs["loss"], lo, count), **parts)
            if gradient is not None:
                dlogits = f.finish_back(products, logits, head)  # cross_entropy_grad has replaced the logits
                f.project_back(dlogits, head, _rows(gradient, lo, count))
                f.weights_back(few, head, dlogits)

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
        """Clip the gradient and take AdamW's step (from 1). The result has `clip`: factor, norm, 1 if it is finite."""
        program = self._programs.get("update", self.record_update)
        self.device.write(self._hyper, hyper(lr, beta1, beta2, eps, decay, step, max_norm))
        return program.submit()

    def record_update(self) -> Program:
        """A new Program of clipping and AdamW, owned by the caller."""
        with Recorder(self.device, self.heap) as recorder:
            backend, groups = GpuBackend(recorder), (self.learner.parameters, self.gradient, self.first, self.second)
            pieces = [[piece for tensor in tensors for piece in self._bindable(tensor)] for tensors in groups]
            counts = [blocks_of(piece.size) for piece in pieces[0]]
            starts = [0, *accumulate(-(-count // _ALIGN) * _ALIGN for count in counts[:-1])]
            blocks = starts[-1] + counts[-1]
            ends = [*starts[1:], blocks]  # all but the last have empty blocks, so that the next one is aligned
            partial = recorder.tensor((blocks,), "f32", "squares")
            for gradient, start, end in zip(pieces[1], starts, ends, strict=True):
                problem = {"n": gradient.size, "blocks": end - start}
                backend.apply("square_sum", problem, x=gradient, partial=partial.window(start, end - start))
            clip = backend.apply("clip", {"blocks": blocks}, partial=partial, hyper=self._hyper)["clip"]
            for param, gradient, m, v in zip(*pieces, strict=True):
                state = {"param": param, "m": m, "v": v}
                backend.apply("adamw_flat", {"n": param.size}, g=gradient, hyper=self._hyper, clip=clip, **state)
            return recorder.finish(clip=clip)

    # The gradient, for those who share the work ---------------------------------------------------------------

    def read_gradient(self) -> list[NDArray[np.float32]]:
        """The gradient that `gradients` has left, by parameter."""
        return [self._read(tensor) for tensor in self.gradient]

    def write_gradient(self, values: Sequence[NDArray[np.float32]]) -> None:
        """Replace the gradient that `update` takes."""
        for tensor, array in zip(self.gradient, values, strict=True):
            self._write(tensor, array)

    # What a checkpoint holds ----------------------------------------------------------------------------------

    def _tensors(self) -> dict[str, Tensor]:
        kinds = {"params": self.learner.parameters, "m": self.first, "v": self.second}
        return {
            f"{kind}.{i}" if i else kind: tensor for kind, tensors in kinds.items() for i, tensor in enumerate(tensors)
        }

    def state(self) -> dict[str, NDArray[np.float32]]:
        """The parameters and AdamW's two moments."""
        return {name: self._read(tensor) for name, tensor in self._tensors().items()}

    def _read(self, tensor: Tensor) -> NDArray[np.float32]:
        values = np.empty(tensor.shape, np.float32)
        for lo in range(0, tensor.size, _PIECE):
            part = tensor.window(lo, min(_PIECE, tensor.size - lo))
            values[lo : lo + part.size] = self.device.read(part)
        return values

    def restore(self, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        """Continue from a state."""
        current = self._tensors()
        if set(tensors) != set(current):
            raise PreconditionError(
                f"the state has {', '.join(sorted(tensors))}; this run has {', '.join(sorted(current))}"
            )
        for name, tensor in current.items():
            if tensors[name].shape != tensor.shape:
                raise PreconditionError(f"{name} has {tensors[name].size} values; this run trains {tensor.size}")
        for name, tensor in current.items():
            self._write(tensor, tensors[name])

    def _write(self, tensor: Tensor, values: NDArray[np.float32]) -> None:
        for lo in range(0, tensor.size, _PIECE):
            part = tensor.window(lo, min(_PIECE, tensor.size - lo))
            self.device.write(part, values[lo : lo + part.size])

    @property
    def nbytes(self) -> int:
        """GPU memory without the model's: activations, cache, LoRA layers, gradients and moments."""
        trained = 3 * sum(p.nbytes for p in self.learner.parameters)
        return self.heap.nbytes + self.cache.nbytes + self.learner.nbytes_beside + trained

    def release(self) -> None:
        self._programs.clear()
        self.heap.release()
        self.cache.release()
        for tensor in (*self.gradient, *self.first, *self.second, self._hyper):
            tensor.buffer.release()


def _rows(tensor: Tensor, lo: int, count: int) -> Tensor:
    """Rows lo .. lo + count of a tensor, as a window."""
    each = tensor.size // tensor.shape[0]
    return tensor.window(lo * each, count, *tensor.shape[1:])
