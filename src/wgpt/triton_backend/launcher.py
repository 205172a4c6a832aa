"""Launches: converts arguments to buffers, chooses the shader variant, and copies results back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from weakref import ref

from wgpt.gpu import Recorder, Tensor, default_device, device_of
from wgpt.gpu.bindings import Window
from wgpt.ttir import Refused
from wgpt.ttir.elements import memory_bytes
from wgpt.ttir.launch import Prepared, needs_folding

from .batch import open_batch
from .compiled import Compiled
from .host import HostMemory, host_memory
from .notes import make_notes, report

_KEPT_LAUNCHES = 256


def synchronize() -> None:
    """Wait until all launches have finished."""
    device = default_device()
    with Recorder(device) as recorder:
        device.read(recorder.tensor((4,)))


class Launcher:
    """Created once per compiled kernel, and called for each launch with the Python arguments."""

    def __init__(self, src: Any, metadata: Any) -> None:
        self._signature = list(src.signature.values())
        self._flat = all(isinstance(s, str) and not s.startswith("tensordesc") for s in self._signature)
        self._kept = [i for i, s in enumerate(self._signature) if s != "constexpr"]
        kinds = _kinds(self._signature)
        self._pointers = [i for i, k in enumerate(kinds) if k.startswith("*")]
        self._seen: dict[tuple[int, ...], _Seen] = {}

    def __call__(
        self,
        gx: int,
        gy: int,
        gz: int,
        stream: Any,
        function: Compiled,
        packed: Any,
        launch_metadata: Any,
        enter: Any,
        leave: Any,
        *args: Any,
    ) -> None:
        if len(args) == 1 and isinstance(args[0], tuple) and len(self._signature) != 1:
            args = args[0]
        if gx * gy * gz <= 0:
            return
        if enter is not None:
            enter(launch_metadata)
        values = [args[i] for i in self._kept] if self._flat else _flattened(self._signature, args)
        grid = (int(gx), int(gy), int(gz))
        pointers = [values[i] for i in self._pointers]
        if all(type(p).__name__ == "Array" and hasattr(p, "tensor") for p in pointers):
            self._launch_on_tensors(function, grid, values, [p.tensor for p in pointers])
        else:
            _launch_with_copies(function, grid, values, self._pointers)
        if leave is not None:
            leave(launch_metadata)

    def _launch_on_tensors(
        self, function: Compiled, grid: tuple[int, int, int], values: list[Any], tensors: list[Tensor]
    ) -> None:
        """All arguments are on the GPU: no copies, no waiting. Repeated launches are prepared only once."""
        key = (*grid, *map(id, tensors))
        seen = self._seen.get(key)
        if seen is None or not seen.is_for(function, tensors):
            seen = _Seen(function, grid, values, self._pointers, tensors)
            if len(self._seen) >= _KEPT_LAUNCHES:
                self._seen.pop(next(iter(self._seen)))
            self._seen[key] = seen
        seen.launch(values)


def _kinds(signature: Sequence[Any]) -> list[str]:
    """The types of a kernel's arguments in TTIR, with tuples and descriptors flattened."""
    kinds: list[str] = []
    for kind in signature:
        if isinstance(kind, tuple):
            kinds += _kinds(kind)
        elif kind == "constexpr":
            continue
        elif kind.startswith("tensordesc"):
            from triton.backends.driver import _parse_descriptor

            dtype, rank = _parse_descriptor(kind)
            kinds += [f"*{dtype}", *(["i64"] * 2 * rank), "i1", "i1", *(["i32"] * rank), *(["i64"] * rank)]
        else:
            kinds.append(kind)
    return kinds


def _flattened(signature: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    arguments: list[Any] = []
    for kind, arg in zip(signature, args, strict=False):
        if isinstance(kind, tuple):
            arguments += _flattened(kind, arg)
        elif kind == "constexpr":
            continue
        elif kind.startswith("tensordesc"):
            nan = getattr(arg, "padding", "zero") == "nan"
            tf32 = bool(getattr(arg, "round_f32_to_tf32", False))
            arguments += [arg.base, *arg.shape, *arg.strides, nan, tf32, *arg.shape, *arg.strides]
        else:
            arguments.append(arg)
    return arguments


def _sharing(keys: Sequence[int]) -> tuple[int, ...]:
    """For each key, the position of the first equal one; () if all differ."""
    first: dict[int, int] = {}
    positions = tuple(first.setdefault(key, i) for i, key in enumerate(keys))
    return () if len(first) == len(keys) else positions


class _Seen:
    """A previous launch, with weak references to its tensors, because an id may be reused for another tensor."""

    def __init__(
        self,
        function: Compiled,
        grid: tuple[int, int, int],
        values: list[Any],
        positions: list[int],
        tensors: list[Tensor],
    ) -> None:
        self._function, self._grid = function, grid
        self._tensors = [ref(t) for t in tensors]
        alias = _sharing([id(t.buffer) for t in tensors])
        device = device_of(tensors[0]) if tensors else default_device()
        if any(t.buffer.device is not device for t in tensors):
            raise Refused("arguments on several devices")
        alignment = device.limits["min-storage-buffer-offset-alignment"]
        offsets = bool(alias) or any(t.offset % alignment for t in tensors)
        self._prepared = function.prepared((alias, offsets, needs_folding(grid)), device)
        shader = self._prepared.shader
        by_position = dict(zip(positions, tensors, strict=True))
        windows: list[Window] = []
        self._notes: Tensor | None = None
        for binding in shader.bindings:
            if not binding.args:
                self._notes = make_notes(device)
                windows.append((self._notes.buffer, 0, self._notes.buffer.size))
                continue
            tensor = by_position[binding.args[0]]
            if offsets:
                windows.append((tensor.buffer, 0, tensor.buffer.size))
            else:
                size = min(-(-tensor.nbytes // 16) * 16, tensor.buffer.size - tensor.offset)
                windows.append((tensor.buffer, tensor.offset, size))
        self._starts = [0] * len(values)
        if offsets:
            for position, tensor in by_position.items():
                self._starts[position] = tensor.offset // memory_bytes(shader.elems[position][1:])
        self._ready = self._prepared.ready(grid, windows)

    def is_for(self, function: Compiled, tensors: list[Tensor]) -> bool:
        if self._notes is not None or function is not self._function:
            return False  # each launch needs a new notes buffer
        return [kept() for kept in self._tensors] == tensors  # compares tensors by identity

    def launch(self, values: list[Any]) -> None:
        params, report = self._prepared.pack(values, self._starts, self._grid), _telling(self._prepared, self._notes)
        batch = open_batch()
        if batch is not None:
            batch.add(self._ready, params, report=report)
            return
        self._ready.launch(params)
        if report is not None:
            report()


def _telling(prepared: Prepared, notes: Tensor | None) -> Callable[[], None] | None:
    """The function to call after a launch in debug mode; None otherwise."""
    return None if notes is None else partial(_tell, prepared, notes)


def _tell(prepared: Prepared, notes: Tensor) -> None:
    report(prepared.shader, prepared.device.read(notes))


def _launch_with_copies(
    function: Compiled, grid: tuple[int, int, int], values: list[Any], positions: list[int]
) -> None:
    """Launch with arguments in host memory: copied to the GPU, and back if the kernel writes to them."""
    device = default_device()
    keys: list[int] = []
    places: list[tuple[HostMemory | None, Tensor | None, int]] = []  # host or GPU memory, and the offset in bytes
    for i in positions:
        arg = values[i]
        if type(arg).__name__ == "Array" and hasattr(arg, "tensor"):
            keys.append(id(arg.tensor.buffer))
            places.append((None, arg.tensor, arg.tensor.offset))
        else:
            memory, start = host_memory(arg)
            keys.append(-memory.address if memory.address else -(1 << 60) - i)
            places.append((memory, None, start - memory.address if memory.nbytes else 0))
    alias = _sharing(keys)
    offsets = any(first for _, _, first in places)
    prepared = function.prepared((alias, offsets, needs_folding(grid)), device)
    shader = prepared.shader
    starts = [0] * len(values)
    for position, (_, _, first) in zip(positions, places, strict=True):
        size = memory_bytes(shader.elems[position][1:])
        if first % size:
            raise Refused(f"argument {position} starts {first} bytes into its memory, not a multiple of {size}")
        starts[position] = first // size
    at = {position: place for position, place in zip(positions, places, strict=True)}
    batch = open_batch()
    uploaded: list[Tensor] = []
    outputs: list[tuple[HostMemory, Tensor]] = []
    windows: list[Window] = []
    try:
        notes: Tensor | None = None
        for binding in shader.bindings:
            if not binding.args:
                notes = make_notes(device)
                windows.append((notes.buffer, 0, notes.buffer.size))
                continue
            host, tensor, _ = at[binding.args[0]]
            if host is not None and batch is not None:
                tensor = batch.copy_of(host, device)
            elif host is not None:
                tensor = host.upload(device)
                uploaded.append(tensor)
            assert tensor is not None
            if host is not None and binding.access == "read_write":
                outputs.append((host, tensor))
            windows.append((tensor.buffer, 0, tensor.buffer.size))
        ready, params = prepared.ready(grid, windows), prepared.pack(values, starts, grid)
        report = _telling(prepared, notes)
        if batch is not None:
            batch.add(ready, params, [memory for memory, _ in outputs], report)
            return
        ready.launch(params)
        for memory, tensor in outputs:
            memory.download(device, tensor)
        if report is not None:
            report()
    finally:
        for tensor in uploaded:
            device.pool.give(tensor.buffer)
