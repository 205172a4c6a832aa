"""Kernel: the one description of a kernel that tests, verify, bench, tune and explain all use."""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..gpu import Bound, GpuDevice, Launch, ShaderCode, Tensor, Traits
from ..gpu.bindings import access_modes
from ..gpu.dtypes import NUMPY
from . import tuning
from .grid import Grid
from .template import render

Problem = Mapping[str, Any]  # what to compute: sizes, constants, weight type
Variant = Mapping[str, Any]  # how to compute it: tile sizes, subgroups; numbers, booleans and strings
Arrays = dict[str, NDArray[Any]]

MOST_BINDINGS = 8  # storage buffers of a shader, in WebGPU
_PACK = {"u32": "I", "i32": "i", "f32": "f"}


@dataclass(frozen=True)
class Binding:
    """A storage binding. `elem` is its WGSL element type, a template with access to problem and variant."""

    name: str
    access: str
    elem: str = "f32"
    # Of a tensor that is read: numbers and keys of the problem, "rows 2*hidden". "": the problem does not tell.
    sizes: str | None = None


def reads(name: str, elem: str = "f32", sizes: str | None = None) -> Binding:
    return Binding(name, "read", elem, sizes)


def writes(name: str, elem: str = "f32") -> Binding:
    return Binding(name, "read_write", elem)


def vec4_if(key: str) -> str:
    """An element type: vec4<f32> if the variant's `key` is "vec4", otherwise f32."""
    return "{{ 'vec4<f32>' if " + key + " == 'vec4' else 'f32' }}"


@dataclass(frozen=True)
class Out:
    """Shape and type of a tensor."""

    shape: tuple[int, ...]
    dtype: str = "f32"


@dataclass(frozen=True)
class Case:
    """A problem that is likely to expose errors. `why` says which."""

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
    """A problem to time. `note` says where it occurs."""

    problem: Problem
    note: str = ""
    software: bool | None = None  # None: on every GPU; True: only on software drivers; False: only on real GPUs


class Kernel(ABC):
    """Subclass it, and put an instance named KERNEL (or several in KERNELS) into a module of kernels/."""

    name: str
    math: str  # the equation, for display
    bindings: tuple[Binding, ...]
    params: tuple[tuple[str, str], ...]  # uniforms: (name, "u32" | "i32" | "f32")
    static: tuple[str, ...] = ()  # problem keys that become constants in the WGSL
    cases: Sequence[Case] = ()
    bench_cases: tuple[BenchCase, ...] = ()

    # What it computes -------------------------------------------------------------------------------------

    @abstractmethod
    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Random host arrays for all bindings that the kernel reads."""

    @abstractmethod
    def outputs(self, problem: Problem) -> dict[str, Out]:
        """The bindings that hold results."""

    def operands(self, problem: Problem) -> dict[str, Out]:
        """The tensors that the kernel reads, and that are not among its outputs.

        By default, from the `sizes` of its bindings. Where what is read depends on the contents of another tensor, the
        shape is the least that is read for certain.
        """
        read = [b for b in self.bound(problem) if b.access == "read"]
        return {b.name: Out(_shape(self.name, b, problem), _dtype(b)) for b in read}

    @abstractmethod
    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        """The results, computed in float64 NumPy."""

    def flops(self, problem: Problem) -> int:
        return 0

    @abstractmethod
    def bytes(self, problem: Problem) -> int:
        """Minimum memory traffic: each input read once, each output written once."""

    # How it runs ------------------------------------------------------------------------------------------

    @abstractmethod
    def grid(self, problem: Problem, variant: Variant) -> Grid:
        """Number of workgroups in x, y and z."""

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """All variants for this GPU and problem; the first is the default."""
        return ({},)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        """Why this variant does not support the problem; None if it does."""
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        """Values of `params`: by default, the problem's values of the same names."""
        return {name: problem[name] for name, _ in self.params}

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        """The bindings that this problem needs. Every binding costs CPU time at each replay."""
        return self.bindings

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        """Further constants in the WGSL. Use them sparingly: each value needs a separate pipeline."""
        return {}

    def tune_key(self, problem: Problem) -> str:
        """Problems with the same key share a tuning result."""
        return " ".join(f"{k}={problem[k]}" for k in self.static)

    def template(self, variant: Variant) -> str:
        """The template file of a variant."""
        return f"{self.name}.wgsl"

    def choose(self, device: GpuDevice, problem: Problem) -> Variant:
        """The tuned variant for this GPU, or the default."""
        usable = self.usable(device.traits, problem)
        tuned = self.tuned(device, problem)
        if tuned is not None and tuned in usable:
            return tuned
        if device.traits.native_halves and (native := {**usable[0], "half": "native"}) in usable:
            return native
        return usable[0]

    def tuned(self, device: GpuDevice, problem: Problem) -> Variant | None:
        """The variant that `wgpt tune` found, which may not support this problem."""
        return tuning.lookup(device, self.name, self.tune_key(problem))

    def case_like(self, case: Case, problem: Problem) -> Case:
        """The case with what decides how a problem is computed, but not what: as it is in `problem`."""
        return case

    def usable(self, traits: Traits, problem: Problem) -> list[Variant]:
        """Variants that support the problem and fit into a workgroup of this GPU."""
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
        """The shader that a launch of this variant compiles."""
        return ShaderCode(
            self.source(problem, variant),
            access_modes(self.parameters(variant), (b.access for b in self.bound(problem))),
            f"{self.name}[{variant_label(variant)}]",
            _trusted(variant),
        )

    def launch(
        self, device: GpuDevice, tensors: Mapping[str, Tensor], problem: Problem, variant: Variant | None = None
    ) -> Launch:
        """A dispatch of this kernel. If a precondition fails, it raises before anything is recorded."""
        chosen = self.choose(device, problem) if variant is None else variant
        reason = self.refuses(problem, chosen)
        if reason is not None:
            raise PreconditionError(f"{self.name}[{variant_label(chosen)}] refuses {dict(problem)}: {reason}")
        bindings = self.bound(problem)
        missing = [b.name for b in bindings if b.name not in tensors]
        if missing:
            raise PreconditionError(f"{self.name}: no tensor given for {', '.join(missing)}")
        self.check(tensors, problem)
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
            problem=problem,
        )

    def check(self, tensors: Mapping[str, Tensor], problem: Problem) -> None:
        """Refuse tensors that are smaller than the kernel takes them to be, or laid out otherwise.

        Shaders check no bounds: such a tensor would give wrong numbers without an error.
        """
        for name, out in {**self.operands(problem), **self.outputs(problem)}.items():
            tensor = tensors[name]
            rows = len(out.shape) == len(tensor.shape) > 1
            if (
                tensor.dtype != out.dtype
                or tensor.size < math.prod(out.shape)
                or (rows and tensor.shape[-1] != out.shape[-1])
            ):
                takes = "x".join(map(str, out.shape))
                raise PreconditionError(
                    f"{self.name}: {name} is {tensor}, but {dict(problem)} takes it to be {takes} {out.dtype}"
                )


def _shape(kernel: str, binding: Binding, problem: Problem) -> tuple[int, ...]:
    if binding.sizes is None:
        raise PreconditionError(f"{kernel}: sizes of {binding.name} are missing: reads(name, elem, sizes)")
    return tuple(math.prod(_number(factor, problem) for factor in size.split("*")) for size in binding.sizes.split())


def _number(factor: str, problem: Problem) -> int:
    return int(factor) if factor.isdecimal() else int(problem[factor])


def _dtype(binding: Binding) -> str:
    """Of a tensor whose elements, alone or in vectors, the shader takes to be of this type."""
    return next(name for name in ("u32", "i32", "f32") if name in binding.elem)


def _trusted(variant: Variant) -> bool:
    return bool(variant.get("trusted", True))


def variant_label(variant: Variant) -> str:
    return " ".join(k if v is True else f"no-{k}" if v is False else f"{k}={v}" for k, v in variant.items())


def distinct(variants: Iterable[Variant]) -> list[Variant]:
    """The variants without duplicates, in the same order."""
    unique: list[Variant] = []
    for variant in variants:
        if variant not in unique:
            unique.append(variant)
    return unique


def in_fours(*sizes: int) -> str:
    """Sizes rounded to powers of four, for `tune_key`: problems of similar size share a result."""
    return " x ".join(f"4^{int(size).bit_length() // 2}" for size in sizes)


def in_twos(*sizes: int) -> str:
    """Sizes rounded to powers of two, for `tune_key`."""
    return " x ".join(f"2^{int(size).bit_length()}" for size in sizes)


def nbytes_of(outs: Mapping[str, Out]) -> int:
    """Total size of outputs in bytes."""
    return sum(int(np.prod(o.shape)) * NUMPY[o.dtype].itemsize for o in outs.values())
