"""Kernel: everything about one kernel, said once. Tests, verify, bench, tune and explain all read it."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import Bound, GpuDevice, Launch, PreconditionError, ShaderCode, Tensor, Traits
from ..gpu.bindings import access_modes
from ..gpu.dtypes import NUMPY
from . import tuning
from .grid import Grid
from .template import render

Problem = Mapping[str, Any]  # what is to be computed: sizes, constants, weight type
Variant = Mapping[str, Any]  # how: tile sizes, subgroups or not; numbers, booleans and strings
Arrays = dict[str, NDArray[Any]]

_PACK = {"u32": "I", "i32": "i", "f32": "f"}


@dataclass(frozen=True)
class Binding:
    """A storage binding. `elem` is its WGSL element type, a template that sees problem and variant."""

    name: str
    access: str
    elem: str = "f32"


def reads(name: str, elem: str = "f32") -> Binding:
    return Binding(name, "read", elem)


def writes(name: str, elem: str = "f32") -> Binding:
    return Binding(name, "read_write", elem)


def vec4_if(key: str) -> str:
    """An element type that is vec4<f32> where the variant's `key` says "vec4", and f32 elsewhere."""
    return "{{ 'vec4<f32>' if " + key + " == 'vec4' else 'f32' }}"


@dataclass(frozen=True)
class Out:
    """Shape and type of an output tensor."""

    shape: tuple[int, ...]
    dtype: str = "f32"


@dataclass(frozen=True)
class Case:
    """A problem that tries to break the kernel. `why` says how."""

    problem: Problem
    why: str
    seed: int = 0

    @property
    def label(self) -> str:
        return " ".join(f"{k}={v}" for k, v in self.problem.items())


def case(why: str, /, **problem: Any) -> Case:
    return Case(problem, why)


@dataclass(frozen=True)
class BenchCase:
    """A problem worth timing. `note` names where it occurs."""

    problem: Problem
    note: str = ""
    software: bool | None = None  # None: on every GPU; True or False: only on that kind


class Kernel(ABC):
    """Subclass, fill in the facts, and put an instance named KERNEL (or several in KERNELS) in a module of kernels/."""

    name: str
    math: str  # the equation, for people
    bindings: tuple[Binding, ...]
    params: tuple[tuple[str, str], ...]  # uniforms: (name, "u32" | "i32" | "f32")
    static: tuple[str, ...] = ()  # problem keys that the template bakes in
    cases: Sequence[Case] = ()
    bench_cases: tuple[BenchCase, ...] = ()

    # What it computes -------------------------------------------------------------------------------------

    @abstractmethod
    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Random host arrays for every binding that is read before it is written."""

    @abstractmethod
    def outputs(self, problem: Problem) -> dict[str, Out]:
        """The bindings that hold results."""

    @abstractmethod
    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        """The same in float64 NumPy."""

    def flops(self, problem: Problem) -> int:
        return 0

    @abstractmethod
    def bytes(self, problem: Problem) -> int:
        """The least that must move: each input read once, each output written once."""

    # How it runs ------------------------------------------------------------------------------------------

    @abstractmethod
    def grid(self, problem: Problem, variant: Variant) -> Grid:
        """Workgroups."""

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """All ways this GPU can run the problem; the first is the default."""
        return ({},)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        """Why this variant must not run this problem, or None."""
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        """Values of `params`; from the problem by name unless overridden."""
        return {name: problem[name] for name, _ in self.params}

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        """The bindings this problem needs: each one costs CPU time at every replay."""
        return self.bindings

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        """What else the template bakes in; only where it pays, for each value is a pipeline of its own."""
        return {}

    def tune_key(self, problem: Problem) -> str:
        """Problems that share a tuning result."""
        return " ".join(f"{k}={problem[k]}" for k in self.static)

    def template(self, variant: Variant) -> str:
        """The file that a variant is rendered from."""
        return f"{self.name}.wgsl"

    def choose(self, device: GpuDevice, problem: Problem) -> Variant:
        """The tuned variant of this GPU, else the default."""
        usable = self.usable(device.traits, problem)
        tuned = tuning.lookup(device, self.name, self.tune_key(problem))
        return tuned if tuned is not None and tuned in usable else usable[0]

    def usable(self, traits: Traits, problem: Problem) -> list[Variant]:
        """Variants that do not refuse the problem, of no more threads than a workgroup may have."""
        fitting = [v for v in self.variants(traits, problem) if v.get("threads", 0) <= traits.max_invocations]
        usable = [v for v in fitting if self.refuses(problem, v) is None]
        if not usable:
            reasons = {self.refuses(problem, v) for v in fitting}
            raise PreconditionError(f"{self.name} cannot compute {dict(problem)}: {'; '.join(map(str, reasons))}")
        return usable

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        """The uniforms that a variant reads."""
        return self.params

    def source(self, problem: Problem, variant: Variant, dialect: str = "naga") -> str:
        """The WGSL of one variant."""
        context = {**{k: problem[k] for k in self.static}, **variant, **self.baked(problem, variant)}
        bindings = [(b.name, b.access, b.elem) for b in self.bound(problem)]
        return render(self.template(variant), self.parameters(variant), bindings, context, dialect)

    def code(self, problem: Problem, variant: Variant) -> ShaderCode:
        """What a launch of this variant will have compiled."""
        return ShaderCode(
            self.source(problem, variant),
            access_modes(self.parameters(variant), (b.access for b in self.bound(problem))),
            f"{self.name}[{variant_label(variant)}]",
            _trusted(variant),
        )

    def launch(
        self, device: GpuDevice, tensors: Mapping[str, Tensor], problem: Problem, variant: Variant | None = None
    ) -> Launch:
        """A dispatch of this kernel; refused here, before anything is recorded, if a precondition fails."""
        chosen = self.choose(device, problem) if variant is None else variant
        reason = self.refuses(problem, chosen)
        if reason is not None:
            raise PreconditionError(f"{self.name}[{variant_label(chosen)}] refuses {dict(problem)}: {reason}")
        bindings = self.bound(problem)
        missing = [b.name for b in bindings if b.name not in tensors]
        if missing:
            raise PreconditionError(f"{self.name}: no tensor given for {', '.join(missing)}")
        values = self.uniforms(problem, chosen)
        packed = b"".join(struct.pack("<" + _PACK[kind], values[name]) for name, kind in self.parameters(chosen))
        return Launch(
            kernel=self.name,
            variant=variant_label(chosen),
            wgsl=self.source(problem, chosen),
            params=packed + bytes(-len(packed) % 16),
            bindings=tuple(Bound(b.name, b.access, tensors[b.name]) for b in bindings),
            grid=self.grid(problem, chosen),
            shape=" ".join(f"{k}={v}" for k, v in problem.items()),
            flops=self.flops(problem),
            bytes=self.bytes(problem),
            trusted=_trusted(chosen),
        )


def _trusted(variant: Variant) -> bool:
    return bool(variant.get("trusted", True))


def variant_label(variant: Variant) -> str:
    return " ".join(k if v is True else f"no-{k}" if v is False else f"{k}={v}" for k, v in variant.items())


def distinct(variants: Iterable[Variant]) -> list[Variant]:
    """Each once, in the order given."""
    unique: list[Variant] = []
    for variant in variants:
        if variant not in unique:
            unique.append(variant)
    return unique


def in_fours(*sizes: int) -> str:
    """Sizes in steps of four, for `tune_key`: those of a like size share a result."""
    return " x ".join(f"4^{int(size).bit_length() // 2}" for size in sizes)


def in_twos(*sizes: int) -> str:
    """The same in steps of two."""
    return " x ".join(f"2^{int(size).bit_length()}" for size in sizes)


def nbytes_of(outs: Mapping[str, Out]) -> int:
    """Bytes of a set of outputs."""
    return sum(int(np.prod(o.shape)) * NUMPY[o.dtype].itemsize for o in outs.values())
