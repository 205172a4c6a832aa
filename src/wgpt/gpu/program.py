"""A Program: an immutable list of dispatches over buffers, recorded once and replayed often.

It is plain data with five readers: the replayer, the profiler, the verifier, a person (`wgpt explain`),
and later the browser. What changes between replays lives in small buffers that kernels read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import native
from .bindings import access_modes
from .buffer import Buffer, Tensor
from .errors import ValidationError, WgptError, translated
from .pipeline import ShaderCode
from .readback import Pending
from .submitter import when

if TYPE_CHECKING:
    from .device import GpuDevice
    from .profile import Profile


_LONG = 200  # dispatches of which encoding takes the CPU long enough to be felt,
_HEAVY = 4 << 30  # and operations (or bytes) that keep a GPU busy for as long
_FIRST = 24
_DOING = "replaying a Program"


@dataclass(frozen=True)
class Bound:
    """One binding of a dispatch."""

    name: str
    access: str  # "read" or "read_write"
    tensor: Tensor


@dataclass(frozen=True)
class Launch:
    """One dispatch, as a kernel asks for it."""

    kernel: str
    variant: str
    wgsl: str
    params: bytes
    bindings: tuple[Bound, ...]
    grid: tuple[int, int, int]
    shape: str = ""
    flops: int = 0
    bytes: int = 0
    trusted: bool = False

    @property
    def label(self) -> str:
        return f"{self.kernel}[{self.variant}]" if self.variant else self.kernel

    @property
    def access(self) -> tuple[str, ...]:
        return access_modes(self.params, (b.access for b in self.bindings))

    @property
    def code(self) -> ShaderCode:
        return ShaderCode(self.wgsl, self.access, self.label, self.trusted)


def _pieces(steps: Sequence[native.Step], work: int, software: bool) -> list[Sequence[native.Step]]:
    """What is submitted at once: all, or of a long Program first a little, so that the GPU works while the rest is
    encoded. A software driver takes a second submit only when the first is done, and every submit costs the CPU."""
    if len(steps) <= _LONG or work < _HEAVY or software:
        return [steps]
    return [steps[:_FIRST], *(steps[at : at + _LONG] for at in range(_FIRST, len(steps), _LONG))]


class Program:
    """Made by a Recorder. `run()` replays it; `submit()` replays it and reads later.

    >>> with batch.finish(y=y) as program:      # doctest: +SKIP
    ...     first = program.submit()
    ...     second = program.submit()           # the GPU goes on while we read
    ...     first.result()["y"]
    """

    def __init__(
        self,
        device: GpuDevice,
        launches: Sequence[Launch],
        steps: Sequence[native.Step],
        inputs: Mapping[str, Tensor],
        outputs: Mapping[str, Tensor],
        transient: Sequence[Buffer],
        owned: Sequence[Buffer],
    ) -> None:
        self.device = device
        self.launches = tuple(launches)
        self.inputs = dict(inputs)
        self.outputs = dict(outputs)
        self._steps: Sequence[native.Step] | None = tuple(steps)
        self._pieces = [native.commands(piece) for piece in _pieces(steps, self.flops + self.bytes, device.software)]
        self._transient, self._owned = list(transient), list(owned)
        self._background = when(len(steps), device.software) if native.available else "never"
        self._releases_seen = -1

    def __len__(self) -> int:
        return len(self.launches)

    @property
    def flops(self) -> int:
        return sum(launch.flops for launch in self.launches)

    @property
    def bytes(self) -> int:
        return sum(launch.bytes for launch in self.launches)

    @property
    def steps(self) -> Sequence[native.Step]:
        if self._steps is None:
            raise WgptError("this Program was released; record it again")
        return self._steps

    def write(self, name: str, array: NDArray[Any]) -> None:
        """Replace the contents of a named input before the next replay."""
        if name not in self.inputs:
            raise KeyError(f"no input {name!r}; this Program has {sorted(self.inputs)}")
        self.device.write(self.inputs[name], array)

    def run(self) -> None:
        """Replay: one pass, one submit (some, if it is long); nothing is read and nothing is waited for."""
        self._submit(None)

    def submit(self, *names: str) -> Pending:
        """Replay, and start reading the named outputs (all of them by default)."""
        pending = Pending(self.device, {n: self.outputs[n] for n in names} if names else self.outputs)
        self._submit(pending)
        return pending

    def read(self, *names: str) -> dict[str, NDArray[Any]]:
        """Replay and wait for the named outputs."""
        return self.submit(*names).result()

    def _submit(self, pending: Pending | None) -> None:
        device = self.device
        _ = self.steps  # raises if it was released
        with device.lock, translated(_DOING):
            device.check_alive()
            if device.releases != self._releases_seen:
                self._check_memory()
            copies = pending.copies() if pending is not None else ()
            if device.submitter.takes(self._background, pending):
                self._hand_over(pending, copies)
            else:
                self._submit_here(pending, copies)
            device.submits += len(self._pieces)

    def _submit_here(self, pending: Pending | None, copies: Sequence[native.Copy]) -> None:
        self.device.settle()
        for piece in self._pieces[:-1]:
            native.submit(self.device.wgpu_device, piece)
        native.submit(self.device.wgpu_device, self._pieces[-1], copies)
        if pending is not None:
            pending.start()

    def _hand_over(self, pending: Pending | None, copies: Sequence[native.Copy]) -> None:
        """Record each piece, and leave it to the device's thread to submit it."""
        wgpu_device, submitter = self.device.wgpu_device, self.device.submitter
        submitter.check()

        def finish(encoder: Any, last: bool) -> None:
            try:
                with translated(_DOING):
                    native.finish(wgpu_device, encoder)
                    if last and pending is not None:
                        pending.start()
            except WgptError as error:
                if pending is None:
                    submitter.note(error)
                raise

        for piece in self._pieces:
            last = piece is self._pieces[-1]
            encoder = native.record(wgpu_device, piece.raw, copies if last else ())
            handed = submitter.hand_over(partial(finish, encoder, last))
            if pending is not None:
                pending.submits.append(handed)

    def _check_memory(self) -> None:
        """Refuse to replay over memory that was released meanwhile: wgpu-native would end the process."""
        bound = [(f"{launch.label}: {b.name}", b.tensor) for launch in self.launches for b in launch.bindings]
        for name, tensor in [*bound, *self.outputs.items()]:
            if tensor.buffer.released:
                raise ValidationError(f"{name} {tensor} was released after the Program was recorded: record it again")
        self._releases_seen = self.device.releases

    def profile(self, repeats: int = 5) -> Profile:
        """GPU time of each dispatch (median of `repeats`), from timestamp queries."""
        from .profile import profile_program

        return profile_program(self, repeats)

    def to_dict(self) -> dict[str, Any]:
        """The Program as plain data (JSON-able): what `wgpt explain --json` prints."""
        ids: dict[int, int] = {}

        def buffer_id(buffer: Buffer) -> int:
            return ids.setdefault(id(buffer), len(ids))

        def tensor(t: Tensor) -> dict[str, Any]:
            return {"buffer": buffer_id(t.buffer), "offset": t.offset, "shape": list(t.shape), "dtype": t.dtype}

        dispatches = [
            {
                "kernel": launch.kernel,
                "variant": launch.variant,
                "shape": launch.shape,
                "grid": list(launch.grid),
                "flops": launch.flops,
                "bytes": launch.bytes,
                "bindings": [{"name": b.name, "access": b.access, **tensor(b.tensor)} for b in launch.bindings],
            }
            for launch in self.launches
        ]
        outputs = {name: tensor(t) for name, t in self.outputs.items()}
        return {"dispatches": dispatches, "outputs": outputs, "inputs": {n: tensor(t) for n, t in self.inputs.items()}}

    def adopt(self, buffers: Sequence[Buffer]) -> None:
        """Release these buffers with the Program."""
        self._owned += buffers

    def release(self) -> None:
        """Give the Program's own buffers back. Tensors that were imported stay."""
        self._steps, self._pieces = None, []
        for buffer in self._transient:
            self.device.pool.give(buffer)
        for buffer in self._owned:
            buffer.release()
        self._transient, self._owned = [], []

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *exc: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"Program({len(self)} dispatches, outputs {sorted(self.outputs)})"


def as_words(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of an array, padded to whole 32-bit words as WebGPU's writes need."""
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if raw.size % 4:
        raw = np.concatenate([raw, np.zeros(4 - raw.size % 4, np.uint8)])
    return raw
