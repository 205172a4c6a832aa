"""One trial: a kernel, a case and a variant on a device, against the float64 reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder, Tensor
from ..gpu.dtypes import NUMPY, from_bf16
from ..kernels.kernel import Arrays, Case, Kernel, Out, Variant

_POISON = 0x7FC0DEAD  # a NaN: an unwritten element or an out-of-bounds read cannot pass
GUARD = 0xDEADBEEF  # after each output; not a NaN, because arithmetic on a NaN may give the same NaN
_GUARD_WORDS = 64


@dataclass(frozen=True)
class Outcome:
    """The largest error of a trial, relative to the result's scale, and where it was."""

    error: float
    where: str
    overrun: bool = False

    def within(self, tolerance: float) -> bool:
        return not self.overrun and self.error <= tolerance


@dataclass(frozen=True)
class Prepared:
    """Inputs and float64 references of a case: computed once, used for every variant."""

    kernel: Kernel
    case: Case
    inputs: Arrays
    references: Arrays


def prepare(kernel: Kernel, case: Case) -> Prepared:
    rng = np.random.default_rng([case.seed, *case.label.encode()])
    inputs = kernel.inputs(rng, case.problem)
    return Prepared(kernel, case, inputs, kernel.reference(inputs, case.problem))


def upload(prepared: Prepared, device: GpuDevice) -> dict[str, Tensor]:
    """Upload the inputs, so that `run` can use them repeatedly; the caller releases them."""
    operands = prepared.kernel.operands(prepared.case.problem)
    guarded = {name: device.tensor(_with_guard(array, _POISON)) for name, array in _read_only(prepared).items()}
    return {name: typed(tensor, operands[name]) for name, tensor in guarded.items()}


def _read_only(prepared: Prepared) -> Arrays:
    operands = prepared.kernel.operands(prepared.case.problem)
    return {name: array for name, array in prepared.inputs.items() if name in operands}


def typed(words: Tensor, out: Out) -> Tensor:
    """Words as a tensor of the type that a kernel takes it to be."""
    return Tensor(words.buffer, (words.nbytes // NUMPY[out.dtype].itemsize,), out.dtype, words.offset)


def run(
    prepared: Prepared, device: GpuDevice, variant: Variant | None = None, uploaded: dict[str, Tensor] | None = None
) -> tuple[Arrays, bool]:
    """The results, and whether anything wrote past an output's end."""
    with record(prepared, device, variant, uploaded) as program:
        words = program.read()
    results, overrun = {}, False
    for name, out in prepared.kernel.outputs(prepared.case.problem).items():
        results[name] = words[name].view(np.uint8)[: _nbytes(out)].view(NUMPY[out.dtype]).reshape(out.shape)
        if out.dtype == "bf16":
            results[name] = from_bf16(results[name])
        overrun |= bool((words[name][-(-_nbytes(out) // 4) :] != GUARD).any())
    return results, overrun


def record(
    prepared: Prepared, device: GpuDevice, variant: Variant | None = None, uploaded: dict[str, Tensor] | None = None
) -> Program:
    """A Program with the one dispatch; its outputs are words.

    Every tensor is followed by a guard inside its binding: a read past the end gives NaN in the result, and a write
    past the end is detected. (Outside the binding, a driver may drop or clamp the access and hide the fault.)
    """
    kernel, problem = prepared.kernel, prepared.case.problem
    outputs, operands = kernel.outputs(problem), kernel.operands(problem)
    recorder, written = Recorder(device), dict[str, Tensor]()
    if uploaded is not None:
        tensors = dict(uploaded)
    else:
        words = {n: recorder.upload(_with_guard(a, _POISON)) for n, a in _read_only(prepared).items()}
        tensors = {name: typed(tensor, operands[name]) for name, tensor in words.items()}
    for name, out in outputs.items():
        initial = prepared.inputs.get(name)
        blank = np.full(-(-_nbytes(out) // 4), _POISON, np.uint32)
        written[name] = recorder.upload(_with_guard(blank if initial is None else initial, GUARD))
        tensors[name] = typed(written[name], out)
    try:
        recorder.launch(kernel.launch(device, tensors, problem, variant))
        return recorder.finish(**written)
    except Exception:
        recorder.discard()
        raise


def _nbytes(out: Out) -> int:
    return int(np.prod(out.shape)) * NUMPY[out.dtype].itemsize


def _with_guard(array: NDArray[Any], word: int) -> NDArray[np.uint32]:
    """The words of an array, followed by `word` to beyond the next whole vec4."""
    words = np.full(-(-array.nbytes // 16) * 4 + _GUARD_WORDS, word, np.uint32)
    words.view(np.uint8)[: array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return words


def compare(results: Arrays, references: Arrays, overrun: bool = False) -> Outcome:
    """The worst relative error over all outputs; a NaN or Inf that the reference does not have is an infinite error."""
    worst = Outcome(0.0, "", overrun)
    for name, reference in references.items():
        result = results[name].astype(np.float64)
        if result.size == 0:
            continue
        scale = float(np.abs(reference[np.isfinite(reference)]).max(initial=0.0)) or 1.0
        with np.errstate(invalid="ignore"):
            same = (result == reference) | (np.isnan(result) & np.isnan(reference))
            error = np.where(same, 0.0, np.abs(result - reference)) / scale
        error = np.where(np.isnan(error), np.inf, error)
        at = int(np.argmax(error))
        if error.reshape(-1)[at] > worst.error or not worst.where:
            index = tuple(int(i) for i in np.unravel_index(at, error.shape))
            worst = Outcome(float(error.reshape(-1)[at]), f"{name}{list(index)}", overrun)
    return worst


def check(prepared: Prepared, device: GpuDevice, variant: Variant | None = None) -> Outcome:
    """Run one variant and compare."""
    results, overrun = run(prepared, device, variant)
    return compare(results, prepared.references, overrun)
