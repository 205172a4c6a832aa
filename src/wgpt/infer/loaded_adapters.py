"""LoRA adapters that a model has on its GPU, by name; one of them, or none, is attached."""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..formats.peft import CONFIG, LABELS, WEIGHTS, Adapter, read_adapter
from ..gpu import AllocationError, WgptError
from ..models.network import Network
from ..models.targets import linear_shapes
from ..ops.adapters import Adapters
from .classify import Classes

_Stamp = tuple[tuple[int, int, int], ...]


@dataclass(eq=False)
class Loaded:
    """An adapter on the GPU, and where it came from."""

    name: str
    adapters: Adapters
    folder: Path | None = None
    stamp: _Stamp | None = None  # of the folder's files, as they were read
    given: weakref.ref[Adapter] | None = None
    classes: Classes | None = None  # of one that classifies

    def is_from(self, source: Path | Adapter) -> bool:
        if isinstance(source, Path):
            return self.folder == source and self.stamp == _stamp(source)
        return self.given is not None and self.given() is source


class LoadedAdapters:
    """Uploads an adapter once, however often it is attached."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._loaded: dict[str, Loaded] = {}
        self.attached: Loaded | None = None

    @property
    def names(self) -> list[str]:
        return list(self._loaded)

    @property
    def nbytes(self) -> int:
        return sum(each.adapters.nbytes for each in self._loaded.values())

    def attach(self, adapter: str | Path | Adapter, name: str | None = None) -> bool:
        """Attach one that is loaded, by its name, or load it first; whether anything changed."""
        found = self._named(adapter) if isinstance(adapter, str) and name is None else None
        found = found or self._loaded_from(source_of(adapter, self.names), name)
        changed, self.attached = found is not self.attached, found
        return changed

    def _named(self, name: str) -> Loaded | None:
        """What is loaded by this name; unless that is also the folder it came from, which has another adapter now."""
        held = self._loaded.get(name)
        if held is not None and held.folder == _absolute(name) and _stamp(held.folder) not in (None, held.stamp):
            return None
        return held

    def _loaded_from(self, source: Path | Adapter, name: str | None) -> Loaded:
        for held in self._loaded.values():
            if held.is_from(source) and name in (None, held.name):
                return held
        name = name if name is not None else self._name_for(source)
        before = self._loaded.get(name)
        if before is not None and (before.folder is None or before.folder != source):
            where = before.folder or "another object"
            raise WgptError(
                f"an adapter named {name!r} is loaded already, from {where}: give this one another name, or unload "
                f"{name!r} first"
            )
        found = self._upload(source, name)
        if before is not None:  # its folder has changed since
            before.adapters.release()
        self._loaded[name] = found
        return found

    def _name_for(self, source: Path | Adapter) -> str:
        if isinstance(source, Path):
            return source.name
        return next(name for i in range(1, len(self._loaded) + 2) if (name := f"adapter-{i}") not in self._loaded)

    def _upload(self, source: Path | Adapter, name: str) -> Loaded:
        stamp = _stamp(source) if isinstance(source, Path) else None
        adapter = read_adapter(source) if isinstance(source, Path) else source
        adapter.check(linear_shapes(self._network.config), place(source))
        classes = Classes.of(adapter, self._network.config.hidden, place(source))
        try:
            adapters = Adapters(self._network.device, adapter.targets)
        except AllocationError as e:
            raise AllocationError(f"the adapter {name!r} does not fit: {e} ({self._way_out()})") from e
        if isinstance(source, Path):
            return Loaded(name, adapters, folder=source, stamp=stamp, classes=classes)
        return Loaded(name, adapters, given=weakref.ref(source), classes=classes)

    def _way_out(self) -> str:
        return f"unload one of {_list(self.names)}" if self._loaded else "load the model with a shorter context"

    def unload(self, name: str) -> bool:
        """Free an adapter's memory; whether it was the attached one, which then is none."""
        if name not in self._loaded:
            raise WgptError(f"no adapter {name!r} is loaded: loaded are {_list(self.names)}")
        gone = self._loaded.pop(name)
        gone.adapters.release()
        if gone is not self.attached:
            return False
        self.attached = None
        return True

    def release(self) -> None:
        self.attached = None
        for each in self._loaded.values():
            each.adapters.release()
        self._loaded = {}


def source_of(adapter: str | Path | Adapter, names: Sequence[str] = ()) -> Path | Adapter:
    """The folder (absolute) or the object that is meant."""
    if isinstance(adapter, Adapter):
        return adapter
    if not isinstance(adapter, str | os.PathLike):
        raise WgptError(
            f"an adapter is the folder of a PEFT adapter, the name of one that is loaded, or what "
            f"formats.peft.read_adapter gives, not {type(adapter).__name__}"
        )
    if isinstance(adapter, str) and not os.path.exists(os.path.expanduser(adapter)):
        loaded = f"; loaded are {_list(names)}" if names else ""
        raise WgptError(f"there is no adapter {adapter!r}: no such folder{loaded}")
    return _absolute(adapter)


def place(source: Path | Adapter) -> str:
    """For messages."""
    return str(source) if isinstance(source, Path) else "the adapter"


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "none"


def _absolute(path: str | Path) -> Path:
    return Path(os.path.realpath(os.path.expanduser(path)))


def _stamp(folder: Path) -> _Stamp | None:
    """What changes when the adapter's files are written anew; None where they are gone."""
    try:
        found = [os.stat(folder / name) for name in (CONFIG, WEIGHTS)]
    except OSError:
        return None
    with contextlib.suppress(OSError):
        found.append(os.stat(folder / LABELS))
    return tuple((s.st_mtime_ns, s.st_size, s.st_ino) for s in found)
