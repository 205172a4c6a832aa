"""What a chunk computes for the sequences that are only read: which rows, what is recorded, and who gets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from ..gpu import Program, Recorder, Tensor
from ..ops.forward import Forward
from ..ops.lazy import Lazy
from ..ops.resident import Linear
from .batch import TILE, Chunk
from .importance import MeasuredForward
from .reading import Embedded, Reading, Scored
from .sequence import Sequence as EngineSequence

_LOGIT_BYTES = 64 << 20  # most bytes of logits that exist at once
_ALIGN = 64  # rows: windows of a buffer begin at multiples of 256 bytes
_ALL = -1  # every row of the chunk is scored
_SCORED = (16, 128, 512)  # rows that Programs are recorded for where it pays to leave out the others
_POOLED = (1, 16, 128)  # sums
_TOPS = (0, 5, 20)  # most likely tokens
# What is computed of all rows: hidden states after the final norm, logits, or the sums of squares for an importance
# matrix.
HIDDEN, LOGITS, SQUARES = "hidden", "logits", "squares"
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Outputs:
    """What a chunk's Program computes besides keys and values: the scores of some rows, and sums of rows."""

    scored: int = 0
    top: int = 0
    pooled: int = 0
    exact: bool = False  # the precision of the forward
    whole: str = ""  # or one of HIDDEN, LOGITS and SQUARES, for the caller of a FixedBatch

    def measured(self, f: Forward) -> Forward:
        """The forward to record: one that adds up squares, if they are needed."""
        return MeasuredForward(f) if self.whole == SQUARES else f

    def record(self, recorder: Recorder, f: Forward, hidden: Tensor | Lazy, head: Linear) -> dict[str, Tensor]:
        if self.whole == HIDDEN:
            return {HIDDEN: f.value(hidden)}
        if self.whole == LOGITS:
            return {LOGITS: f.linear(hidden, head)}
        if isinstance(f, MeasuredForward):
            return f.squares
        if not (self.pooled or self.scored):
            return {}
        outputs, x = dict[str, Tensor](), f.value(hidden)
        if self.pooled:
            outputs["sums"] = f.sum_rows(x, _upload_spans(recorder, "pooled", self.pooled))
        if self.scored:
            rows = x if self.scored == _ALL else f.sum_rows(x, _upload_spans(recorder, "picked", self.scored))
            outputs |= self._record_scores(recorder, f, rows, head)
        return outputs

    def _record_scores(self, recorder: Recorder, f: Forward, x: Tensor, head: Linear) -> dict[str, Tensor]:
        """In slices of rows: the logits of all of them may be too large."""
        count, hidden = x.shape
        targets = recorder.upload(np.zeros(count, np.int32), "targets")
        size, outputs = max(_ALIGN, _LOGIT_BYTES // (4 * head.n) // _ALIGN * _ALIGN), dict[str, Tensor]()
        for i, at in enumerate(range(0, count, size)):
            rows = min(size, count - at)
            logits, following = f.linear(x.window(at * hidden, rows, hidden), head), targets.window(at, rows)
            scores = {"losses": f.next_token.losses(logits, following)}
            if self.top:
                tokens = Tensor(following.buffer, following.shape, "u32", following.offset)
                likely = f.next_token.top_logprobs(logits, tokens, self.top)
                scores |= {"ids": likely["ids"], "values": likely["values"]}
            else:
                scores["maxima"] = f.next_token.maxima(logits)
            outputs |= {f"{name} {i}": tensor for name, tensor in scores.items()}
        return outputs


@dataclass(frozen=True, eq=False)
class Plan:
    """The outputs of a chunk, the inputs that they need, and whose they are."""

    outputs: Outputs
    inputs: dict[str, NDArray[Any]]
    scored: Sequence[tuple[Scored, Rows]]  # with rows of the scores
    pooled: Sequence[tuple[Embedded, Rows, int]]  # with rows of the sums, and the number of positions

    @classmethod
    def whole(cls, name: str) -> Plan:
        """HIDDEN, LOGITS or SQUARES of all rows; they are for the caller, not for sequences."""
        return cls(Outputs(whole=name), {}, (), ())

    @classmethod
    def of(cls, chunk: Chunk, parts: Sequence[tuple[EngineSequence, int, int]], fixed: bool) -> Plan | None:
        """For the parts of a chunk: (sequence, first position, how many). None: no output is needed.

        `fixed`: score all rows and sum whole tiles, so that results do not depend on who else is in the chunk.
        """
        scored, pooled = list[tuple[Scored, range, Rows]](), list[tuple[Embedded, Rows]]()
        for sequence, first, count in parts:
            if isinstance(sequence, Reading) and (wanted := sequence.wanted(first, count)):
                assert sequence.slot is not None
                rows = chunk.where[sequence.slot][wanted.start - first : wanted.stop - first]
                if isinstance(sequence, Scored):
                    scored.append((sequence, wanted, rows))
                elif isinstance(sequence, Embedded):
                    pooled.append((sequence, rows))
        plan = cls(Outputs(), {}, [], [])
        if scored:
            plan = plan._with_scores(scored, chunk.m, fixed)
        if pooled:
            plan = plan._with_sums(pooled, TILE if fixed else chunk.m)
        return plan if scored or pooled else None

    def _with_scores(self, scored: Sequence[tuple[Scored, range, Rows]], m: int, fixed: bool) -> Plan:
        rows = np.concatenate([each for _, _, each in scored])
        targets = np.array([token for each, wanted, _ in scored for token in each.targets(wanted)], np.int32)
        count = _ALL if fixed else next((size for size in _SCORED if len(rows) <= size <= m // 2), _ALL)
        top = _size(_TOPS, max(each.most_likely for each, _, _ in scored))
        outputs = replace(self.outputs, scored=count, top=top)
        if count == _ALL:
            following = np.zeros(m, np.int32)
            following[rows] = targets
            owners = [(each, at) for each, _, at in scored]
            return replace(self, outputs=outputs, inputs={"targets": following}, scored=owners)
        inputs = {"targets": _padded(targets, count), "picked": _spans(rows, np.ones_like(rows), count)}
        places = _places([len(at) for _, _, at in scored])
        owners = [(each, at) for (each, _, _), at in zip(scored, places, strict=True)]
        return replace(self, outputs=outputs, inputs=inputs, scored=owners)

    def _with_sums(self, pooled: Sequence[tuple[Embedded, Rows]], most: int) -> Plan:
        """A sequence's rows follow each other: one sum for at most `most` of them."""
        pieces = [[rows[at : at + most] for at in range(0, len(rows), most)] for _, rows in pooled]
        first, sizes = (np.array([f(rows) for each in pieces for rows in each]) for f in (np.min, len))
        count, places = _size(_POOLED, len(first)), _places(list(map(len, pieces)))
        return replace(
            self,
            outputs=replace(self.outputs, pooled=count),
            inputs={**self.inputs, "pooled": _spans(first, sizes, count)},
            pooled=[(each, at, len(rows)) for (each, rows), at in zip(pooled, places, strict=True)],
        )

    def padded(self, m: int) -> Plan:
        """The same for a chunk of m rows."""
        if self.outputs.scored != _ALL:
            return self
        return replace(self, inputs={**self.inputs, "targets": _padded(self.inputs["targets"], m)})

    def writes(self, program: Program) -> list[tuple[Tensor, NDArray[Any]]]:
        return [(program.inputs[name], array) for name, array in self.inputs.items()]

    def give(self, result: Mapping[str, NDArray[Any]]) -> list[tuple[Reading[Any], WgptError]]:
        """Give the sequences their outputs; returns those that cannot go on, and why."""
        failed = list[tuple[Reading[Any], WgptError]]()
        scores = _scores(result) if self.scored else {}
        for scored, rows in self.scored:
            try:
                scored.take(**{name: array[rows] for name, array in scores.items()})
            except WgptError as error:
                failed.append((scored, error))
        for embedded, rows, count in self.pooled:
            try:
                embedded.take(result["sums"][rows], count)
            except WgptError as error:
                failed.append((embedded, error))
        return failed


def _scores(result: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The slices in one; the most likely token of each row instead of the largest logits of its parts."""
    slices = range(sum(name.startswith("losses ") for name in result))
    names = dict.fromkeys(name.split()[0] for name in result if name.endswith(" 0"))
    scores = {name: np.concatenate([result[f"{name} {i}"] for i in slices]) for name in names}
    if "maxima" in scores:
        scores["likeliest"] = likeliest(scores.pop("maxima"))
    else:
        scores["likeliest"] = scores["ids"][:, 0].astype(np.int64)
    return scores


def likeliest(maxima: NDArray[Any]) -> NDArray[np.int64]:
    """The token with the largest logit in each row; the parts of a row are in order, so the first of equal ones."""
    best = maxima[..., 0].argmax(axis=1)
    return np.take_along_axis(maxima[..., 1], best[:, None], axis=1)[:, 0].astype(np.int64)


def _places(counts: Sequence[int]) -> list[Rows]:
    """Row numbers of the output, where each has this number of rows, one after the other."""
    return np.split(np.arange(sum(counts)), np.cumsum(counts)[:-1])


def _size(sizes: Sequence[int], needed: int) -> int:
    return next(size for size in sizes if needed <= size)


def _padded(array: NDArray[Any], size: int) -> NDArray[Any]:
    return np.pad(array, (0, size - len(array)))


def _spans(first: Rows, count: Rows, size: int) -> NDArray[np.uint32]:
    """Spans of rows (kernels/memory/sum_rows.py); those that are not needed are empty."""
    return np.stack([_padded(first, size), _padded(count, size)], axis=1).astype(np.uint32)


def _upload_spans(recorder: Recorder, name: str, size: int) -> Tensor:
    return recorder.upload(np.zeros((size, 2), np.uint32), name)
