"""A Triton kernel that replaces a hand-written one: only the code differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..core.errors import PreconditionError
from ..gpu import Bound, GpuDevice, Launch, Tensor, Traits
from ..kernels import registry
from ..kernels.grid import MOST, Grid
from ..kernels.kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, variant_label
from ..ttir.launch import packer
from ..ttir.shader import Shader
from . import lowered
from .specs import Spec

_HALVES = ("native", "packed")


@dataclass(frozen=True)
class Call:
    """A launch: the shipped kernel, its numbers by name, and the grid of programs."""

    spec: Spec
    numbers: Mapping[str, int | float]
    grid: Grid
    tensors: Mapping[str, str] = field(default_factory=dict)  # names of tensors that differ from those of the arguments


class TritonKernel(Kernel):
    """`call` returns the launch of a problem, or the unsupported feature that needs the hand-written kernel, such as
    `q6_k weights`.

    `ways` returns the variants, except for halves: kernels that read or write 16-bit floats have a shader for GPUs that
    support them in buffers ("native") and one for all others ("packed").
    """

    def __init__(
        self,
        of: str,
        call: Callable[[Problem, Variant], Call | str],
        ways: Callable[[Traits, Problem], Sequence[Variant]] = lambda traits, problem: ({},),
        bench_cases: tuple[BenchCase, ...] | None = None,
        more_cases: tuple[Case, ...] = (),
    ) -> None:
        self.of, self._call, self._ways = registry.hand_written()[of], call, ways
        self.name, self.math = registry.TRITON + of, self.of.math
        self.bindings, self.params = self.of.bindings, self.of.params
        self.cases = tuple(c for c in (*self.of.cases, *more_cases) if not isinstance(self._first(c.problem), str))
        cases = self.of.bench_cases if bench_cases is None else bench_cases
        self.bench_cases = tuple(c for c in cases if not isinstance(self._first(c.problem), str))

    # What it computes: as the hand-written kernel -----------------------------------------------------------

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return self.of.inputs(rng, problem)

    def operands(self, problem: Problem) -> dict[str, Out]:
        return self.of.operands(problem)

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return self.of.outputs(problem)

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return self.of.reference(inputs, problem)

    def flops(self, problem: Problem) -> int:
        return self.of.flops(problem)

    def bytes(self, problem: Problem) -> int:
        return self.of.bytes(problem)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return self.of.bound(problem)

    def tune_key(self, problem: Problem) -> str:
        return self.of.tune_key(problem)

    # How it runs --------------------------------------------------------------------------------------------

    def _first(self, problem: Problem) -> Call | str:
        """The call of the variant that runs on every GPU."""
        return self.call(problem, self._ways(_PLAINEST, problem)[0])

    def call(self, problem: Problem, variant: Variant) -> Call | str:
        call = self._call(problem, variant)
        if isinstance(call, str):
            return call
        if call.spec.name not in lowered.by_name():
            return f"{call.spec.name}, which is not among the shipped kernels"
        if max(call.grid) > MOST:
            return f"a grid of {call.grid}, beyond {MOST} in one dimension"
        return call

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        call = self.call(problem, variant)
        return call if isinstance(call, str) else None

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        variants: list[Variant] = []
        for way in self._ways(traits, problem):
            call = self.call(problem, way)
            if isinstance(call, str) or not call.spec.halves:
                variants.append(way)
            else:
                variants += [{**way, "half": half} for half in _HALVES if traits.f16 or half == "packed"]
        return variants

    def _launched(self, problem: Problem, variant: Variant) -> Call:
        call = self.call(problem, variant)
        if isinstance(call, str):
            raise PreconditionError(f"{self.name}[{variant_label(variant)}] refuses {dict(problem)}: {call}")
        return call

    def _shader(self, call: Call, variant: Variant) -> Shader:
        return lowered.shader(call.spec, native_f16=variant.get("half") == "native")

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return self._launched(problem, variant).grid

    def source(self, problem: Problem, variant: Variant, dialect: str = "naga") -> str:
        return self._shader(self._launched(problem, variant), variant).wgsl

    def launch(
        self, device: GpuDevice, tensors: Mapping[str, Tensor], problem: Problem, variant: Variant | None = None
    ) -> Launch:
        chosen = self.choose(device, problem) if variant is None else variant
        call = self._launched(problem, chosen)
        shader, arguments = self._shader(call, chosen), tuple(call.spec.signature)
        bound = {argument: tensors.get(call.tensors.get(argument, argument)) for argument in arguments}
        missing = [a for a in arguments if bound[a] is None and a not in call.numbers]
        if missing:
            raise PreconditionError(f"{self.name}: no tensor given for {', '.join(missing)}")
        self.check(tensors, problem)
        values = [call.numbers.get(argument, 0) for argument in arguments]
        bindings = []
        for binding in shader.bindings:
            argument = arguments[binding.args[0]]
            tensor = bound[argument]
            assert tensor is not None
            bindings.append(Bound(argument, binding.access, tensor))
        return Launch(
            kernel=self.name,
            variant=variant_label(chosen),
            wgsl=self.source(problem, chosen),
            params=packer(shader)(values, [0] * len(values), call.grid),
            bindings=tuple(bindings),
            grid=call.grid,
            shape=" ".join(f"{k}={v}" for k, v in problem.items()),
            flops=self.flops(problem),
            bytes=self.bytes(problem),
            trusted=True,  # every index is clamped or masked in the sources
        )


_PLAINEST = Traits(software=False, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)
