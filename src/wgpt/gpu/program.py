"""A Program: an immutable list of dispatches over buffers, recorded once and replayed often.

It is plain data with five readers: the replayer, the profiler, the verifier, a person (`wgpt explain`),
and the browser (exported.py). What changes between replays lives in small buffers that kernels read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief, wrong_type
from ..core.errors import PreconditionError, WgptError
from . import dtypes
from .buffer import Buffer, Tensor
from .deferred import flush_deferred
from .device import GpuDevice
from .errors import ValidationError
from .exported import Exported, export_programs
from .launch import Launch
from .load_program import rebuild
from .prepared import Prepared
from .process_bound import ProcessBound
from .profile import Profile, profile_program
from .readback import Pending
from .submitter import when
from .typed import typed_methods
from .upload import Arrays, Upload
from .webgpu.failures import translated
from .webgpu.interface import Step, Steps

_LONG = 200  # dispatches whose encoding takes noticeable CPU time,
_HEAVY = 4 << 30  # and operations (or bytes) that keep a GPU busy for the same time
_FIRST = 24
_IDLE_BOUNDS = (16, 48, 96, 144)  # dispatch numbers at which to cut a Program that an idle GPU waits for
_SMALL = 1 << 20  # bytes of an input: copying a larger one takes longer than it saves, and needs its memory twice
_DOING = "replaying a Program"
Writes = Sequence[tuple[Tensor, NDArray[Any]]]


def _checked(writes: Writes) -> Arrays:
    """The bytes to write, still sharing the arrays' memory, which the caller may change later."""
    if not isinstance(writes, list | tuple):
        raise wrong_type("writes", writes, "a list of (Tensor, array)")
    arrays = []
    for pair in writes:
        tensor, array = pair if isinstance(pair, tuple) and len(pair) == 2 else (None, None)
        if not isinstance(tensor, Tensor) or not isinstance(array, np.ndarray):
            raise wrong_type("writes", writes, "a list of (Tensor, array)")
        if array.size > tensor.size or array.dtype != dtypes.numpy_type(tensor.dtype):
            raise ValueError(f"writes: cannot write {array.shape} {array.dtype} into {tensor}")
        if array.size:
            is_ready = array.flags.c_contiguous and array.nbytes % 4 == 0
            arrays.append((tensor, array if is_ready else dtypes.as_words(array)))
    return arrays


def _pieces(steps: Steps, work: int, software: bool) -> list[Steps]:
    """Split a Program into pieces that are submitted separately.

    A long Program starts with a small piece, and each next one is twice as long, so that the GPU works while the rest
    is encoded. Short ones are one piece, because every submit costs CPU time, and so are those of software drivers,
    which begin a submit only when the last is done.
    """
    if len(steps) <= _LONG or work < _HEAVY or software:
        return [steps]
    pieces, at, count = list[Steps](), 0, _FIRST
    while at < len(steps):
        pieces.append(steps[at : at + count])
        at, count = at + count, min(2 * count, _LONG)
    return pieces


def _cut(steps: Steps, bounds: Sequence[int]) -> list[Steps]:
    """Split the steps into pieces after these dispatch numbers."""
    bounds = [0, *(at for at in bounds if at < len(steps)), len(steps)]
    return [steps[first:last] for first, last in pairwise(bounds)]


@typed_methods
class Program(ProcessBound):
    """Made by a Recorder. `run()` replays it; `submit()` replays it and reads later.

    >>> batch = wgpt.CommandBatch()
    >>> x = batch.upload(np.float32([1, 2]), "x")
    >>> with batch.finish(y=batch.add(x, x)) as program:
    ...     first = program.submit()
    ...     program.write("x", np.float32([3, 4]))
    ...     second = program.submit()           # the GPU goes on while we read
    ...     first.result()["y"], second.result()["y"]
    (array([2., 4.], dtype=float32), array([6., 8.], dtype=float32))
    """

    _way_out = "save it instead (export), or record it in the process that needs it"

    def __init__(
        self,
        device: GpuDevice,
        launches: Sequence[Launch],
        steps: Steps,
        inputs: Mapping[str, Tensor],
        outputs: Mapping[str, Tensor],
        transient: Sequence[Buffer],
        owned: Sequence[Buffer],
    ) -> None:
        self.device = device
        self.launches = tuple(launches)
        self.inputs = dict(inputs)
        self.outputs = dict(outputs)
        self._steps: Steps | None = tuple(steps)
        pieces = _pieces(steps, self.flops + self.bytes, device.software)
        self._pieces = [device.webgpu.ready(piece) for piece in pieces]
        self._transient, self._owned = list(transient), list(owned)
        self._background = when(len(steps), device.software) if device.webgpu.direct else "never"
        self._idle_pieces = self._pieces
        self._whole: Sequence[Any] | None = None  # one piece, for commands that are recorded in advance
        if self._background == "pipelined" and len(pieces) == 1:
            self._idle_pieces = [device.webgpu.ready(piece) for piece in _cut(steps, _IDLE_BOUNDS)]
        self._releases_seen = -1
        self._prepared: Prepared | None = None  # recorded commands of the next replay

    def __len__(self) -> int:
        return len(self.launches)

    @property
    def flops(self) -> int:
        return sum(launch.flops for launch in self.launches)

    @property
    def bytes(self) -> int:
        return sum(launch.bytes for launch in self.launches)

    @property
    def steps(self) -> Steps:
        if self._steps is None:
            raise WgptError("this Program was released; record it again")
        return self._steps

    def compile(self) -> None:
        """Have the driver compile everything now that the first replay would compile, and wait for it.

        A software driver compiles a shader at its first dispatch, even one without workgroups. Other drivers have
        compiled it when its pipeline was created.
        """
        device = self.device
        if not device.compiles_late:
            return
        done = device.pipelines.dispatched
        steps = {id(step.pipeline): step for step in self.steps if isinstance(step, Step)}
        new = [step._replace(x=0, y=0, z=0) for key, step in steps.items() if key not in done]
        if not new:
            return
        with device.lock, translated("compiling a Program"):
            self._check_device()
            device.settle()
            pending = Pending(device, device.pool, dict(list(self.outputs.items())[:1]))
            device.webgpu.submit(device.webgpu.ready(new), pending.copies())
            pending.start()
        pending.result()
        done.update(steps)

    def write(self, name: str, array: NDArray[Any]) -> None:
        """Replace the contents of a named input before the next replay."""
        if name not in self.inputs:
            raise KeyError(f"no input {brief(name)}; this Program has {sorted(self.inputs)}")
        self.device.write(self.inputs[name], array)

    def run(self) -> None:
        """Replay the Program in one pass and one submit (several, if it is long), without reading or waiting."""
        self._submit(None, ())

    def prepare(self, *written: Tensor, close: bool = False) -> bool:
        """Record the commands of the next `submit` of all outputs now; returns whether there was anything to do.

        The commands do not depend on the contents that `submit` writes, so it then starts the work sooner: soonest if
        it writes the whole of exactly the inputs `written`. Otherwise the prepared commands are discarded. `close`:
        also close them here, which takes as long again, instead of on another thread.
        """
        if self._background == "never":
            return False
        if self._prepared is not None:
            self._prepared.poll()
            return False
        _ = self.steps  # raises if it was released
        if not all(any(tensor is known for known in self.inputs.values()) for tensor in written):
            raise PreconditionError(f"written: only inputs of this Program, which are {sorted(self.inputs)}")
        device = self.device
        with device.lock, translated(_DOING):
            self._check_device()
            small = [tensor for tensor in written if tensor.nbytes <= _SMALL]
            upload = Upload(device, device.pool, small) if small else None
            pending = Pending(device, device.pool, self.outputs)
            if self._whole is None:
                self._whole = self._pieces if len(self._pieces) == 1 else [device.webgpu.ready(self.steps)]
            self._prepared = Prepared(device, self._whole, pending, upload, close)
        return True

    def submit(self, *names: str, writes: Writes = ()) -> Pending:
        """Replay, and start reading the named outputs (by default all).

        `writes` are tensors and the arrays to copy into them, after all Programs submitted before and before this one.
        Unlike `write`, this does not wait for earlier submits.
        """
        unknown = next((n for n in names if n not in self.outputs), None)
        if unknown is not None:
            raise KeyError(f"no output {brief(unknown)}; this Program has {sorted(self.outputs)}")
        pending = self._submit({n: self.outputs[n] for n in names} if names else self.outputs, _checked(writes))
        assert pending is not None
        return pending

    def read(self, *names: str) -> dict[str, NDArray[Any]]:
        """Replay and wait for the named outputs."""
        return self.submit(*names).result()

    def _submit(self, outputs: Mapping[str, Tensor] | None, arrays: Arrays) -> Pending | None:
        """Replay. Without outputs, nothing is awaited, not even the end of the work."""
        device = self.device
        _ = self.steps  # raises if it was released
        flush_deferred(device)
        with device.lock, translated(_DOING):
            self._check_device()
            prepared, pending, pieces = self._prepared_for(outputs, arrays), None, self._pieces
            if prepared is not None:
                pending = prepared.pending
            elif outputs is not None:
                pending = Pending(device, device.pool, dict(outputs))
            is_closed = prepared is not None and prepared.closed_meanwhile
            mode = "busy" if is_closed and self._background == "pipelined" else self._background
            in_background = device.submitter.takes(mode, pending)
            if in_background:  # the caller may change the arrays while the work is queued
                arrays = [(tensor, data.copy()) for tensor, data in arrays]
            if prepared is not None:
                self._submit_prepared(prepared, arrays, in_background)
            elif in_background:
                self._hand_over(pending, arrays)
            else:
                pieces = pieces if pending is None else self._idle_pieces
                self._submit_here(pieces, pending, arrays)
            device.uploaded_bytes += sum(data.nbytes for _, data in arrays)
            device.submits += len(pieces) if prepared is None else prepared.submits
        return pending

    def _prepared_for(self, outputs: Mapping[str, Tensor] | None, arrays: Arrays) -> Prepared | None:
        """The prepared commands, if they fit these outputs and writes."""
        prepared = self._prepared
        if prepared is None or outputs is not self.outputs:
            return None
        self._prepared = None
        if prepared.upload is None or prepared.upload.is_whole(arrays):
            return prepared
        prepared.discard()
        return None

    def _submit_here(self, pieces: Sequence[Any], pending: Pending | None, arrays: Arrays) -> None:
        self.device.settle()
        self._write(arrays)
        for piece in pieces[:-1]:
            self.device.webgpu.submit(piece)
        self.device.webgpu.submit(pieces[-1], () if pending is None else pending.copies())
        if pending is not None:
            pending.start()

    def _submit_prepared(self, prepared: Prepared, arrays: Arrays, in_background: bool) -> None:
        if not in_background:
            self.device.settle()
            prepared.submit(arrays)
            return

        def submit() -> None:
            with translated(_DOING):
                prepared.submit(arrays)

        self.device.submitter.check()
        prepared.pending.submits.append(self.device.submitter.hand_over(submit))

    def _write(self, arrays: Arrays) -> None:
        for tensor, data in arrays:
            self.device.webgpu.write_buffer(tensor.buffer.handle, tensor.offset, data)

    def _hand_over(self, pending: Pending | None, arrays: Arrays) -> None:
        """Record each piece and pass it to the submitting thread."""
        webgpu, submitter = self.device.webgpu, self.device.submitter
        submitter.check()
        copies = () if pending is None else pending.copies()

        def finish(recorded: Any, first: bool, last: bool) -> None:
            try:
                with translated(_DOING):
                    if first:
                        self._write(arrays)
                    webgpu.finish(recorded)
                    if last and pending is not None:
                        pending.start()
            except WgptError as error:
                if pending is None:
                    submitter.note(error)
                raise

        for piece in self._pieces:
            first, last = piece is self._pieces[0], piece is self._pieces[-1]
            recorded = webgpu.record(piece, copies if last else ())
            if last:
                webgpu.anticipate()
            handed = submitter.hand_over(partial(finish, recorded, first, last))
            if pending is not None:
                pending.submits.append(handed)

    def _check_device(self) -> None:
        self.device.check_alive()
        if self.device.releases != self._releases_seen:
            self._check_memory()

    def _check_memory(self) -> None:
        """Refuse to replay with released memory: wgpu-native would abort the process."""
        bound = [(f"{launch.label}: {b.name}", b.tensor) for launch in self.launches for b in launch.bindings]
        for name, tensor in [*bound, *self.outputs.items()]:
            if tensor.buffer.released:
                raise ValidationError(f"{name} {tensor} was released after the Program was recorded: record it again")
        self._releases_seen = self.device.releases

    def profile(self, repeats: int = 5) -> Profile:
        """GPU time of each dispatch (median of `repeats`), from timestamp queries."""
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

    def export(self) -> Exported:
        """The Program with everything that a replay needs: shaders, parameters, and buffers with their contents as
        they are now. `Exported.save` writes it; JavaScript replays it, and so does `load`.

        >>> batch = wgpt.CommandBatch()
        >>> x = batch.upload(np.float32([1, 2]), "x")
        >>> with batch.finish(y=batch.add(x, x)) as program:
        ...     exported = program.export()
        >>> with wgpt.Program.load(wgpt.default_device(), exported) as again:
        ...     again.read()["y"]
        array([2., 4.], dtype=float32)
        """
        _ = self.steps  # raises if it was released
        self._check_memory()
        return export_programs({"main": self})

    @classmethod
    def load(cls, device: GpuDevice, exported: Exported) -> Program:
        """Load an exported Program on this device. Its shaders are compiled with bounds checks."""
        programs = cls.load_all(device, exported)
        if len(programs) != 1:
            for program in programs.values():
                program.release()
            raise PreconditionError(f"the export has {len(programs)} Programs, {sorted(programs)}: use load_all")
        return next(iter(programs.values()))

    @classmethod
    def load_all(cls, device: GpuDevice, exported: Exported) -> dict[str, Program]:
        """All Programs of an export, by name. They share memory: release them together."""
        programs, tensors = rebuild(device, exported)
        return {
            name: cls(device, p.launches, p.steps, {**tensors, **p.inputs}, p.outputs, (), p.owned)
            for name, p in programs.items()
        }

    def adopt(self, buffers: Sequence[Buffer]) -> None:
        """Make the Program own these buffers: `release` frees them too."""
        self._owned += buffers

    def release(self) -> None:
        """Free the Program's own buffers, but not imported tensors."""
        self._steps, self._pieces, self._idle_pieces, self._whole = None, [], [], None
        if self._prepared is not None:
            self._prepared.discard()
            self._prepared = None
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
