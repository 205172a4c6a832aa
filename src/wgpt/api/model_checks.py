"""Contracts of a whole model: hidden states against NumPy, and weights that are uploaded once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ..contracts import trial
from ..contracts.checks import register
from ..contracts.contract import Obligation
from ..contracts.plan import Attempt, Finding, Plan, finding_of
from ..engine.batch import TILE
from ..engine.packed_rows import PackedRows
from ..gpu import GpuDevice, Recorder
from ..models import reference
from ..models.tiny_models import CONFIGS, VOCAB, random_weights, write_folder
from ..ops.backend import GpuBackend
from ..ops.encoding import TILE as ENCODER_TILE
from .forward_pass import ForwardPass

_TOKENS = 37  # more than two tiles
_LENGTHS = ((1,), (_TOKENS,), (5, _TOKENS, 1))  # of the sequences that run together
_ENCODER_ROW_BYTES = 20  # its id, position and token type, and the first and last row of its text
_SCRATCH_WORDS = 1 << 16


def _hidden_states(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Hidden states of every family against a NumPy forward in float64."""

    def against(family: str, lengths: tuple[int, ...]) -> Finding:
        config, sequences = CONFIGS[family], [_ids(n) for n in lengths]
        with _resident(plan.device, family) as forward:
            results = forward.forward_hidden_batch(sequences)
        weights = random_weights(config)
        exact = [reference.hidden(config, weights, ids) for ids in sequences]
        names = [f"hidden of sequence {i} " for i in range(len(sequences))]
        return finding_of(trial.compare(dict(zip(names, results, strict=True)), dict(zip(names, exact, strict=True))))

    return [Attempt(_case(f, n), "", partial(against, f, n)) for f in CONFIGS for n in _LENGTHS]


def _resident_weights(plan: Plan, obligation: Obligation) -> Sequence[Attempt]:
    """Repeating a forward, with other work in between: identical bits, and nothing uploaded but tokens."""
    device = plan.device

    def repeated(family: str) -> Finding:
        ids = _ids(_TOKENS)
        with _resident(device, family) as forward:
            first = forward.forward_hidden(ids)
            kept = first.copy()
            between: dict[str, Callable[[], object]] = {
                "at once": lambda: None,
                "after another sequence": lambda: forward.forward_hidden(_ids(5)),
                "after other work on the GPU": lambda: _other_work(device),
            }
            for when, work in between.items():
                work()
                fault = _changed(first, kept) and "an earlier result changes"
                fault = fault or _uploads(device, forward, ids) or _changed(forward.forward_hidden(ids), kept)
                if fault:
                    return Finding(np.inf, fault=f"repeated {when}: {fault}")
        return Finding(0.0 if np.isfinite(kept).all() else np.inf)

    return [Attempt(_case(family, (_TOKENS,)), "", partial(repeated, family)) for family in CONFIGS]


def _uploads(device: GpuDevice, forward: ForwardPass, ids: list[int]) -> str:
    """The fault, if any, in the memory that a repeated forward uses."""
    uploaded, buffers = device.uploaded_bytes, device.buffers_in_use
    forward.forward_hidden(ids)
    uploaded, buffers = device.uploaded_bytes - uploaded, device.buffers_in_use - buffers
    encodes = forward.config is not None and forward.config.encoder is not None
    if encodes:
        allowed = _ENCODER_ROW_BYTES * -(-len(ids) // ENCODER_TILE) * ENCODER_TILE
    else:
        allowed = 4 * PackedRows.size(-(-len(ids) // TILE) * TILE)
    if uploaded > allowed:
        return f"{uploaded} bytes are uploaded, but the tokens take {allowed}"
    return f"{buffers} buffers are left behind" if buffers > 0 else ""


def _changed(result: NDArray[np.float32], expected: NDArray[np.float32]) -> str:
    changed = np.argwhere(result.view(np.uint32) != expected.view(np.uint32))
    if not changed.size:
        return ""
    return f"{len(changed)} of {expected.size} numbers differ, the first is hidden{changed[0].tolist()}"


def _other_work(device: GpuDevice) -> None:
    """Write to pooled and to new memory, and run another model."""
    with Recorder(device) as recorder:
        backend = GpuBackend(recorder)
        problem = {"kind": "bits", "n": _SCRATCH_WORDS, "seed": 1, "unit": 1.0}
        words = backend.apply("random_words", problem)["y"]
        scratch = device.empty((_SCRATCH_WORDS,), "u32", "scratch")
        backend.apply("random_words", problem, y=scratch)
        with recorder.finish(y=words) as program:
            program.read()
        scratch.buffer.release()
    with _resident(device, next(iter(CONFIGS)), seed=1) as other:
        other.forward_hidden(_ids(_TOKENS))


@contextmanager
def _resident(device: GpuDevice, family: str, seed: int = 0) -> Iterator[ForwardPass]:
    """A ForwardPass of a family's tiny model, loaded from files like any other model."""
    config, forward = CONFIGS[family], ForwardPass(device=device)
    with TemporaryDirectory(prefix="wgpt-verify-") as folder:
        write_folder(Path(folder), config, random_weights(config, seed))
        forward.with_resident_weights(Path(folder))
    try:
        yield forward
    finally:
        forward.release()


def _ids(tokens: int) -> list[int]:
    return np.random.default_rng(tokens).integers(0, VOCAB, tokens).tolist()


def _case(family: str, lengths: tuple[int, ...]) -> str:
    return f"{family}, {' and '.join(map(str, lengths))} tokens"


register("hidden_states", _hidden_states)
register("resident_weights", _resident_weights)
