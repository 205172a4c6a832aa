"""Texts through an encoder: packed into as few forwards as memory allows, whatever their lengths."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from ..gpu import Heap, Pending, Program, Recorder
from ..gpu.programs import Programs
from ..kernels.attention.attending import PADDING
from ..models.bidirectional import Bidirectional
from ..models.encoder import Encoder, settings_of
from ..models.network import Network
from ..ops.backend import Kernels
from ..ops.encoding import TILE, Encoding, TextRows
from .chunk_sizes import most_rows
from .errors import ContextError, check_length

POOLINGS = ("mean", "cls", "last")
_SOFTWARE_ROWS = 512  # of a forward on a software driver, so that Ctrl-C acts soon
_TEXTS = (16, 128, 1024)  # that Programs are recorded for
_HEAD_ROWS = 64
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Text:
    """Token ids, and the token type of each where it is not 0."""

    ids: Sequence[int]
    types: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Packed:
    """Texts in the rows of one forward."""

    texts: Sequence[int]  # their numbers
    rows: int  # a size that Programs are recorded for
    inputs: dict[str, NDArray[np.uint32]] = field(repr=False)
    first: NDArray[np.int64]  # of each text: its first row,
    lengths: NDArray[np.int64]  # and how many there are


class EncoderRunner:
    """Runs texts through an encoder's Programs. Not thread-safe."""

    def __init__(self, network: Network, kernels: str | Kernels = "wgsl") -> None:
        if network.config.encoder is None:
            raise WgptError(f"{network.config.family} generates text: it is not an encoder")
        self.network, self.device, self._family = network, network.device, network.family
        self._settings = settings_of(network.config)
        self._backend = partial(Kernels.of(kernels).backend, precision="exact")
        self.heap = Heap(self.device)
        self._programs = Programs()
        most = most_rows(network.config, self.device)
        self.most_rows = min(_SOFTWARE_ROWS, most) if self.device.software else most

    # What callers ask for -------------------------------------------------------------------------------------

    def hidden(self, texts: Sequence[Text]) -> list[NDArray[np.float32]]:
        """Hidden states after the last norm, [tokens, hidden] of each text."""
        results: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(texts)
        for packed, result in self._forwards(texts, self._record_hidden, "hidden", lambda packed: {}):
            for number, first, length in zip(packed.texts, packed.first, packed.lengths, strict=True):
                results[number] = result["hidden"][first : first + length]
        return results

    def pooled(self, texts: Sequence[Text], pooling: str) -> Floats:
        """[texts, hidden]: the mean of a text's hidden states, the first ("cls") or the last one, through the model's
        dense layers if it has any."""
        vectors = np.empty((len(texts), self.network.config.hidden))
        forwards = self._forwards(texts, self._record_sums, "sums", lambda p: {"pooled": _spans(p, pooling)})
        for packed, result in forwards:
            sums = result["sums"][: len(packed.texts)].astype(np.float64)
            vectors[packed.texts] = sums / packed.lengths[:, None] if pooling == "mean" else sums
        if not np.isfinite(vectors).all():
            raise WgptError("cannot embed the text: the hidden states contain NaN or Inf; run `wgpt verify`")
        return self._headed(vectors) if self._settings.dense else vectors

    def scores(self, texts: Sequence[Text]) -> NDArray[np.float32]:
        """[texts, labels] of the model's classification head."""
        return self._headed(self.pooled(texts, self._settings.pooling)).astype(np.float32)

    def _headed(self, vectors: Floats) -> Floats:
        """What the layers after pooling make of vectors."""
        padded = np.zeros((-(-len(vectors) // _HEAD_ROWS) * _HEAD_ROWS, vectors.shape[1]), np.float32)
        padded[: len(vectors)] = vectors
        program, parts = self._programs.get(("head",), self._record_head), list[NDArray[np.float32]]()
        for at in range(0, len(padded), _HEAD_ROWS):
            program.write("pooled", padded[at : at + _HEAD_ROWS])
            parts.append(program.submit().result()["scores"])
        return np.concatenate(parts)[: len(vectors)].astype(np.float64)

    # Packing --------------------------------------------------------------------------------------------------

    def check(self, text: Text, context: int) -> None:
        """Refuse what can never run."""
        if not len(text):
            raise ContextError("the text is empty: at least one token is required")
        check_length(len(text), context, "text")

    def _batches(self, texts: Sequence[Text]) -> Iterator[Packed]:
        """Long texts first: those of similar lengths share tiles, and the last forward is small."""
        batch, rows = list[int](), 0
        for number in sorted(range(len(texts)), key=lambda i: -len(texts[i])):
            if batch and (rows + len(texts[number]) > self.most_rows or len(batch) == _TEXTS[-1]):
                yield self._packed(texts, batch, rows)
                batch, rows = [], 0
            batch.append(number)
            rows += len(texts[number])
        if batch:
            yield self._packed(texts, batch, rows)

    def _packed(self, texts: Sequence[Text], batch: Sequence[int], rows: int) -> Packed:
        m = _size(rows)
        lengths = np.array([len(texts[i]) for i in batch], np.int64)
        first = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        flat = {name: np.full(m, PADDING, np.uint32) for name in ("ids", "positions", "types")}
        flat["ids"][:rows] = np.concatenate([np.asarray(texts[i].ids, np.uint32) for i in batch])
        flat["types"][:rows] = np.concatenate([np.asarray(texts[i].types or [0] * len(texts[i])) for i in batch])
        flat["positions"][:rows] = self._settings.offset + np.concatenate([np.arange(n) for n in lengths])
        spans = np.zeros((m, 2), np.uint32)
        spans[:rows] = np.repeat(np.stack([first, first + lengths], axis=1), lengths, axis=0)
        return Packed(list(batch), m, {**flat, "spans": spans}, first, lengths)

    def _forwards(
        self,
        texts: Sequence[Text],
        record: Callable[[int, int], Program],
        kind: str,
        more: Callable[[Packed], dict[str, NDArray[np.uint32]]],
    ) -> Iterator[tuple[Packed, dict[str, NDArray[Any]]]]:
        """Run all texts; a forward is queued while the one before it runs, except on a software driver."""
        queued: deque[tuple[Packed, Pending]] = deque()
        most = 1 if self.device.software else 2
        for packed in self._batches(texts):
            if len(queued) == most:
                done, pending = queued.popleft()
                yield done, pending.result()
            m, n = packed.rows, next(size for size in _TEXTS if len(packed.texts) <= size)
            program = self._programs.get((kind, m, n), partial(record, m, n))
            for name, array in {**packed.inputs, **more(packed)}.items():
                program.write(name, array)
            queued.append((packed, program.submit()))
        for done, pending in queued:
            yield done, pending.result()

    # Programs -------------------------------------------------------------------------------------------------

    def _encoded(self, recorder: Recorder, m: int) -> tuple[Encoding, Any]:
        backend = self._backend(recorder)
        f = Encoding(backend, TextRows.inputs(backend, m), self.network.uploads)
        return f, f.value(self._family.forward(f))

    def _record_hidden(self, m: int, n: int) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            return recorder.finish(hidden=self._encoded(recorder, m)[1])

    def _record_sums(self, m: int, n: int) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            f, hidden = self._encoded(recorder, m)
            spans = recorder.upload(np.zeros((n, 2), np.uint32), "pooled")
            return recorder.finish(sums=f.sum_rows(hidden, spans))

    def _record_head(self) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            backend = self._backend(recorder)
            pooled = recorder.upload(np.zeros((_HEAD_ROWS, self.network.config.hidden), np.float32), "pooled")
            f = Encoding(backend, TextRows.inputs(backend, TILE))
            assert isinstance(self._family, Encoder | Bidirectional), "no other family has layers after pooling"
            return recorder.finish(scores=self._family.scores(f, pooled))

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return self.heap.nbytes

    @property
    def largest(self) -> tuple[int, int]:
        """Rows and dispatches of the largest forward so far."""
        forwards = [
            (key, program) for key, program in self._programs.items() if isinstance(key, tuple) and len(key) > 1
        ]
        return max((key[1], len(program)) for key, program in forwards)

    def forget_programs(self) -> None:
        self._programs.clear()

    def release(self) -> None:
        self.forget_programs()
        self.heap.release()


def _size(rows: int) -> int:
    """The next size that Programs are recorded for: 1, 2, 3, 4, 6, 8, 12, ... tiles."""
    tiles = -(-rows // TILE)
    power = 1 << (tiles - 1).bit_length()
    return TILE * (3 * power // 4 if power > 2 and tiles <= 3 * power // 4 else power)


def _spans(packed: Packed, pooling: str) -> NDArray[np.uint32]:
    """(first row, how many) of what is summed for each text, and nothing for those that are not there."""
    count = next(size for size in _TEXTS if len(packed.texts) <= size)
    spans = np.zeros((count, 2), np.uint32)
    last = packed.first + packed.lengths - 1
    spans[: len(packed.texts), 0] = last if pooling == "last" else packed.first
    spans[: len(packed.texts), 1] = packed.lengths if pooling == "mean" else 1
    return spans
