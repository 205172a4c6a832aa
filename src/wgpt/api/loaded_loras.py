"""LoRA adapters on a model's GPU, by name; at most one of them is attached."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ..core.arguments import brief
from ..core.errors import WgptError
from ..engine.loras import Loras
from ..formats.lora import LoraAdapter
from ..formats.peft import CONFIG, LABELS, WEIGHTS, read_lora
from ..gpu import AllocationError
from ..models.network import AnyNetwork
from ..models.targets import linear_shapes
from ..ops.lora_pool import LoraPool
from .classify import Classes

_Stamp = tuple[tuple[int, int, int], ...]


@dataclass(eq=False)
class LoadedLora:
    """A LoRA adapter on the GPU, and its source."""

    name: str
    id: int  # in engine.loras
    folder: Path | None = None
    stamp: _Stamp | None = None  # of the folder's files when they were read
    origin: weakref.ref[LoraAdapter] | None = None  # the object it was uploaded from
    digest: bytes = b""  # of the object's contents when they were uploaded: they may change in place
    classes: Classes | None = None  # if it classifies

    def is_from(self, source: Path | LoraAdapter) -> bool:
        if isinstance(source, Path):
            return self.folder == source and self.stamp == _stamp(source)
        return self.origin is not None and self.origin() is source and self.digest == source.digest()

    def is_same_object(self, source: Path | LoraAdapter) -> bool:
        return self.origin is not None and self.origin() is source


class LoadedLoras:
    """Uploads each adapter once, however often it is attached."""

    def __init__(self, network: AnyNetwork, quiet: Callable[[int], AbstractContextManager[None]]) -> None:
        """`quiet`: a block in which no request runs, for changes that they must not see; with an adapter's id, it
        begins when all requests with that adapter have ended."""
        self._network, self._quiet = network, quiet
        self.shared = Loras(network)
        self._loaded: dict[str, LoadedLora] = {}
        self.attached: LoadedLora | None = None

    @property
    def names(self) -> list[str]:
        return list(self._loaded)

    @property
    def nbytes(self) -> int:
        return self.shared.nbytes

    @property
    def placed(self) -> tuple[LoraPool, int] | None:
        """The attached adapter's place on the GPU."""
        if self.attached is None or self.shared.pool is None:
            return None
        return self.shared.pool, self.shared.placed(self.attached.id).index

    def attach(self, adapter: str | Path | LoraAdapter, name: str | None = None) -> None:
        """Attach a loaded adapter by its name, or load it first."""
        self.attached = self.load(adapter, name)

    def named(self, name: str) -> LoadedLora:
        """The loaded adapter of this name."""
        if name not in self._loaded:
            raise WgptError(f"adapter {brief(name)} is not loaded; loaded: {_list(self.names)}")
        return self._loaded[name]

    def load(self, adapter: str | Path | LoraAdapter, name: str | None = None) -> LoadedLora:
        """Upload an adapter unless it is loaded."""
        if self._network.config.encoder is not None:
            raise WgptError("LoRA adapters are unsupported for encoders: merge it into the model with peft first")
        loaded = self._named(adapter) if isinstance(adapter, str) and name is None else None
        return loaded or self._loaded_from(source_of(adapter, self.names), name)

    def _named(self, name: str) -> LoadedLora | None:
        """The loaded adapter of this name; None if the name is also its folder, whose files have changed since."""
        match = self._loaded.get(name)
        if match is not None and match.folder == _absolute(name) and _stamp(match.folder) not in (None, match.stamp):
            return None
        return match

    def _loaded_from(self, source: Path | LoraAdapter, name: str | None) -> LoadedLora:
        for loaded in self._loaded.values():
            if loaded.is_from(source) and name in (None, loaded.name):
                return loaded
        changed = next((loaded.name for loaded in self._loaded.values() if loaded.is_same_object(source)), None)
        if name is None:
            name = changed or self._name_for(source)
        before = self._loaded.get(name)
        if before is not None and not before.is_same_object(source) and before.folder != source:
            where = before.folder or "another object"
            raise WgptError(
                f"an adapter named {brief(name)} is already loaded from {where}: choose another name, or unload it "
                "first"
            )
        uploaded = self._upload(source, name)
        if before is not None:  # its files or its factors have changed
            self._free(before)
        self._loaded[name] = uploaded
        return uploaded

    def _name_for(self, source: Path | LoraAdapter) -> str:
        if isinstance(source, Path):
            return source.name
        return next(name for i in range(1, len(self._loaded) + 2) if (name := f"adapter-{i}") not in self._loaded)

    def _upload(self, source: Path | LoraAdapter, name: str) -> LoadedLora:
        stamp = _stamp(source) if isinstance(source, Path) else None
        adapter = read_lora(source) if isinstance(source, Path) else source
        adapter.check(linear_shapes(self._network.config), place(source))
        classes = Classes.of(adapter, self._network.config.hidden, place(source))
        try:
            with contextlib.nullcontext() if self.shared.fits(adapter.targets) else self._quiet(0):
                id = self.shared.add(adapter.targets)
        except AllocationError as e:
            raise AllocationError(f"the adapter {brief(name)} does not fit: {e} ({self._way_out()})") from e
        if isinstance(source, Path):
            return LoadedLora(name, id, folder=source, stamp=stamp, classes=classes)
        return LoadedLora(name, id, origin=weakref.ref(source), digest=source.digest(), classes=classes)

    def _way_out(self) -> str:
        return f"unload one of {_list(self.names)}" if self._loaded else "load the model with a shorter context"

    def unload(self, name: str) -> None:
        """Free an adapter's memory, and detach it if it is attached."""
        gone = self.named(name)
        del self._loaded[name]
        if gone is self.attached:
            self.attached = None
        self._free(gone)

    def _free(self, loaded: LoadedLora) -> None:
        self.shared.retire(loaded.id)
        with self._quiet(loaded.id):
            self.shared.remove(loaded.id)

    def release(self) -> None:
        self.attached = None
        self.shared.release()
        self._loaded = {}


def source_of(
    adapter: str | Path | LoraAdapter, names: Sequence[str] = (), argument: str = "lora"
) -> Path | LoraAdapter:
    """The adapter's folder (absolute) or object."""
    if isinstance(adapter, LoraAdapter):
        return adapter
    if not isinstance(adapter, str | os.PathLike):
        raise WgptError(
            f"{argument} must be the path of a PEFT adapter, the name of a loaded one, or a LoraAdapter "
            f"(formats.peft.read_lora), not {type(adapter).__name__}"
        )
    if isinstance(adapter, str) and not os.path.exists(os.path.expanduser(adapter)):
        loaded = f"; loaded: {_list(names)}" if names else ""
        raise WgptError(f"unknown adapter {brief(adapter)}: no such folder{loaded}")
    return _absolute(adapter)


def place(source: Path | LoraAdapter) -> str:
    """The source's name in messages."""
    return str(source) if isinstance(source, Path) else "the adapter"


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(brief, names)) or "none"


def _absolute(path: str | Path) -> Path:
    return Path(os.path.realpath(os.path.expanduser(path)))


def _stamp(folder: Path) -> _Stamp | None:
    """A fingerprint that changes when the adapter's files are rewritten; None if they are missing."""
    try:
        stats = [os.stat(folder / name) for name in (CONFIG, WEIGHTS)]
    except OSError:
        return None
    with contextlib.suppress(OSError):
        stats.append(os.stat(folder / LABELS))
    return tuple((s.st_mtime_ns, s.st_size, s.st_ino) for s in stats)
