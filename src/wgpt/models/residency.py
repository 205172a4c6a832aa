"""Which of a model's blocks stay on the GPU, and which are streamed from host memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.arguments import as_whole, brief
from ..core.errors import WgptError
from ..core.naming import argument
from ..core.sizes import parse_bytes, readable_bytes
from ..gpu import AllocationError, GpuDevice
from ..ops.resident import Arena
from ..ops.streaming import SLOTS, StreamingArena

Resident = str | int
_FORMS = "auto, all, a number of layers, or a limit for the weights on the GPU such as 2GiB"

_GAPS = 32  # up to 1 / this share of memory is lost to fragmentation


class ResidentRequest(NamedTuple):
    """The parsed value of `resident`."""

    kind: str  # auto, all, layers or bytes
    amount: int = 0


def parse_resident(resident: Resident) -> ResidentRequest:
    """Parse "auto", "all", a number of layers (14 or "14") or of bytes ("2GiB").

    >>> parse_resident("2GiB")
    ResidentRequest(kind='bytes', amount=2147483648)
    """
    if isinstance(resident, str):
        text = resident.strip().lower()
        if text in ("auto", "all"):
            return ResidentRequest(text)
        if text.isdecimal():
            return ResidentRequest("layers", int(text))
        try:
            return ResidentRequest("bytes", parse_bytes(text, "resident"))
        except WgptError:
            raise WgptError(f"{argument('resident')} must be {_FORMS}, not {brief(resident)}") from None
    layers = as_whole(resident)
    if layers is None or layers < 0:
        raise WgptError(f"{argument('resident')} must be {_FORMS}, not {brief(resident)}")
    return ResidentRequest("layers", layers)


@dataclass(frozen=True)
class Sizes:
    """Bytes of a model's weights on the GPU."""

    blocks: tuple[int, ...]
    rest: int  # embedding, head, final norm: always resident
    embedding: int = 0  # the part of these bytes that comes before the blocks

    @property
    def total(self) -> int:
        return self.rest + sum(self.blocks)

    def on_gpu(self, streamed: Sequence[int]) -> int:
        """Bytes on the GPU with this number of blocks in host memory, including the buffers to stream them."""
        moved = [self.blocks[i] for i in streamed]
        return self.total - sum(moved) + SLOTS * max(moved, default=0)


@dataclass(frozen=True)
class Residency:
    """The blocks that are streamed; none if all are resident."""

    sizes: Sizes
    streamed: tuple[int, ...] = ()

    @property
    def streamed_bytes(self) -> int:
        """Bytes that every forward copies to the GPU."""
        return sum(self.sizes.blocks[i] for i in self.streamed)

    def arena(self, device: GpuDevice) -> Arena:
        blocks = {i: self.sizes.blocks[i] for i in self.streamed}
        return StreamingArena(device, blocks) if blocks else Arena(device)

    def __str__(self) -> str:
        layers = len(self.sizes.blocks)
        if not self.streamed:
            return f"all {layers} layers are resident"
        return (
            f"{layers - len(self.streamed)} of {layers} layers are resident "
            f"({readable_bytes(self.sizes.on_gpu(self.streamed))} of weights on the GPU); the others, "
            f"{readable_bytes(self.streamed_bytes)}, are streamed from host memory in every forward pass"
        )


def plan(request: ResidentRequest, sizes: Sizes, device: GpuDevice, reserve: int = 0) -> Residency:
    """Plan which blocks are resident; `reserve`: bytes that "auto" leaves for cache and intermediate results."""
    layers = len(sizes.blocks)
    if request.kind == "all":
        return Residency(sizes)
    if request.kind == "layers":
        if request.amount > layers:
            raise WgptError(f"resident is {request.amount} layers, but the model has {layers}")
        return Residency(sizes, _spread(layers, layers - request.amount))
    if request.kind == "bytes":
        return _within(sizes, request.amount, "the limit set by resident")
    needed = sizes.total + reserve
    room = device.room(needed)
    if room >= needed:
        return Residency(sizes)
    return _within(sizes, room - reserve - room // _GAPS, "the free GPU memory beside the cache")


def _within(sizes: Sizes, allowed: int, source: str) -> Residency:
    """As many resident blocks as fit; `source` names the limit in the error."""
    layers = len(sizes.blocks)
    if sizes.total <= allowed:
        return Residency(sizes)
    for count in range(SLOTS + 1, layers + 1):
        streamed = _spread(layers, count)
        if sizes.on_gpu(streamed) <= allowed:
            return Residency(sizes, streamed)
    least = sizes.on_gpu(_spread(layers, layers)) if layers > SLOTS else sizes.total
    raise AllocationError(
        f"the model's weights do not fit: with all layers in host memory they need {readable_bytes(least)} on the GPU, "
        f"but {source} is {readable_bytes(max(0, allowed))} (convert them to a smaller type, such as q4_1, use a "
        "shorter context, or use a smaller model)"
    )


def _spread(layers: int, streamed: int) -> tuple[int, ...]:
    """The numbers of the streamed layers, evenly spaced, so that resident ones compute while the next arrives.

    Streaming no more layers than there are buffers would not save memory: they stay resident.
    """
    if streamed <= SLOTS:
        return ()
    return tuple(i for i in range(layers) if (i + 1) * streamed // layers > i * streamed // layers)
