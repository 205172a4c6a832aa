"""Compiled kernels as files: WGSL and JSON that run without Triton and record into Programs like any kernel.

>>> softmax = Artifact.load("kernels/softmax_kernel.json")                              # doctest: +SKIP
>>> with Recorder(device) as recorder:
...     softmax.record(recorder, x=x, out=y, columns=781, grid=(183,))
"""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..core.errors import PreconditionError, WgptError
from ..gpu import Bound, GpuDevice, Launch, Recorder, Tensor
from ..kernels.grid import ceil_div, linear
from .launch import needs_folding, packer
from .options import Options
from .shader import Binding, Field, Shader, compile_ttir

VERSION = 1
PORTABLE_THREADS = 256  # guaranteed by every WebGPU device
PORTABLE_BYTES = 16384
# Tensor types of wgpt that may be passed for a pointer; elements narrower than a word are packed in words.
_TENSORS = {"f32": ("f32",), "i32": ("i32", "u32"), "f16": ("f16", "u32"), "bf16": ("bf16", "u32")}


def shader_to_dict(shader: Shader) -> dict[str, Any]:
    return {k: v for k, v in asdict(shader).items() if k != "wgsl"}


def shader_from_dict(facts: Mapping[str, Any], wgsl: str) -> Shader:
    return Shader(
        name=facts["name"],
        wgsl=wgsl,
        threads=facts["threads"],
        bindings=tuple(Binding(b["name"], b["access"], tuple(b["args"]), b["kind"]) for b in facts["bindings"]),
        fields=tuple(Field(f["name"], f["elem"], f["arg"]) for f in facts["fields"]),
        elems=tuple(facts["elems"]),
        folded=facts["folded"],
        shared_bytes=facts.get("shared_bytes", 0),
        notes=tuple(facts.get("notes", ())),
    )


@dataclass(frozen=True)
class Artifact:
    """One kernel, compiled for its constants. `shaders` has "plain", and "f16" if that differs."""

    name: str
    arguments: tuple[str, ...]
    constants: Mapping[str, Any]
    shaders: Mapping[str, Shader]
    grid: tuple[str, ...] = ()  # expressions of arguments and constants, e.g. "cdiv(n, BLOCK)"
    made_by: str = ""
    trusted: bool = False  # compiled without bounds checks: for verified kernels that mask every access

    @classmethod
    def of_ttir(
        cls,
        text: str,
        arguments: Sequence[str],
        constants: Mapping[str, Any],
        num_warps: int = 4,
        grid: Sequence[str] = (),
        name: str | None = None,
        made_by: str = "",
        trusted: bool = False,
    ) -> Artifact:
        """Compile for every GPU, with a separate shader for GPUs with f16 in buffers if that one differs."""
        shaders = {
            variant: compile_ttir(
                text, Options(f16=variant == "f16", shared_bytes=PORTABLE_BYTES), num_warps, PORTABLE_THREADS
            )
            for variant in ("plain", "f16")
        }
        if shaders["plain"].wgsl == shaders["f16"].wgsl:
            del shaders["f16"]
        return cls(
            name or shaders["plain"].name, tuple(arguments), dict(constants), shaders, tuple(grid), made_by, trusted
        )

    # Files ------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> Path:
        """Write NAME.json, NAME.plain.wgsl and, if there is one, NAME.f16.wgsl; return the path of the JSON file."""
        folder.mkdir(parents=True, exist_ok=True)
        for variant, shader in self.shaders.items():
            (folder / f"{self.name}.{variant}.wgsl").write_text(shader.wgsl)
        contents = {
            "version": VERSION,
            "name": self.name,
            "made_by": self.made_by,
            "trusted": self.trusted,
            "arguments": list(self.arguments),
            "constants": dict(self.constants),
            "grid": list(self.grid),
            "shaders": {variant: shader_to_dict(s) for variant, s in self.shaders.items()},
        }
        path = folder / f"{self.name}.json"
        path.write_text(json.dumps(contents, indent=1) + "\n")
        return path

    @classmethod
    def load(cls, path: str | Path) -> Artifact:
        path = Path(path)
        try:
            contents = json.loads(path.read_text())
            if contents.get("version") != VERSION:
                raise WgptError(f"{path} has version {contents.get('version')}; supported: {VERSION}: compile it again")
            shaders = {
                variant: shader_from_dict(facts, (path.parent / f"{contents['name']}.{variant}.wgsl").read_text())
                for variant, facts in contents["shaders"].items()
            }
        except (OSError, KeyError, ValueError) as e:
            raise WgptError(f"{path} is not an artifact of `wgpt triton compile`: {e}") from e
        return cls(
            contents["name"],
            tuple(contents["arguments"]),
            contents["constants"],
            shaders,
            tuple(contents["grid"]),
            contents["made_by"],
            bool(contents.get("trusted", False)),
        )

    # Running ----------------------------------------------------------------------------------------------

    def shader(self, device: GpuDevice) -> Shader:
        """The shader for a GPU."""
        return self.shaders["f16"] if device.traits.f16 and "f16" in self.shaders else self.shaders["plain"]

    def launch(self, device: GpuDevice, arguments: Mapping[str, Any], grid: Sequence[int] | None = None) -> Launch:
        """A dispatch with tensors and numbers by name; raises if one has the wrong type."""
        shader = self.shader(device)
        wrong = [n for n in self.arguments if n not in arguments] or [n for n in arguments if n not in self.arguments]
        if wrong:
            raise PreconditionError(f"{self.name} takes {', '.join(self.arguments)}: check {', '.join(wrong)}")
        values = [arguments[name] for name in self.arguments]
        for name, value, elem in zip(self.arguments, values, shader.elems, strict=True):
            _check(self.name, name, value, elem)
        size = self._grid(arguments) if grid is None else (*grid, 1, 1)[:3]
        blocks = (int(size[0]), int(size[1]), int(size[2]))
        if needs_folding(blocks) and not shader.folded:
            raise PreconditionError(f"{self.name}: a grid of {blocks} exceeds 65535 in one dimension")
        return Launch(
            kernel=self.name,
            variant="triton",
            wgsl=shader.wgsl,
            params=packer(shader)(values, [0] * len(values), blocks) if shader.fields else b"",
            bindings=tuple(Bound(self.arguments[b.args[0]], b.access, values[b.args[0]]) for b in shader.bindings),
            grid=linear(blocks[0] * blocks[1] * blocks[2]) if shader.folded else blocks,
            shape=" ".join(f"{n}={v}" for n, v in arguments.items() if not isinstance(v, Tensor)),
            trusted=self.trusted,
        )

    def record(self, recorder: Recorder, *, grid: Sequence[int] | None = None, **arguments: Any) -> None:
        """Record one launch into a Program."""
        recorder.launch(self.launch(recorder.device, arguments, grid))

    def _grid(self, arguments: Mapping[str, Any]) -> tuple[int, ...]:
        if not self.grid:
            raise PreconditionError(f"{self.name} was compiled without a grid: pass grid=(x, y, z)")
        values = {**self.constants, **{k: v for k, v in arguments.items() if not isinstance(v, Tensor)}}
        return (*(evaluate(text, values) for text in self.grid), 1, 1)[:3]


def _check(kernel: str, name: str, value: Any, elem: str) -> None:
    if elem.startswith("*"):
        allowed = _TENSORS.get(elem[1:], ("u32",))
        if not isinstance(value, Tensor) or value.dtype not in allowed:
            raise PreconditionError(f"{kernel}: {name} must be a tensor of {elem[1:]}, not {value}")
    elif isinstance(value, Tensor) or not isinstance(value, int | float):
        raise PreconditionError(f"{kernel}: {name} must be a number ({elem}), not {value}")


_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"cdiv": ceil_div, "min": min, "max": max}


def evaluate(text: str, values: Mapping[str, Any]) -> int:
    """The value of an integer expression of `values` with + - * // % and cdiv, min, max."""

    def value(node: ast.AST) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return int(values[node.id])
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return int(_OPERATORS[type(node.op)](value(node.left), value(node.right)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            return int(_FUNCTIONS[node.func.id](*map(value, node.args)))
        raise PreconditionError(f"grid {text!r}: only integers, {', '.join(values)}, + - * // %, cdiv, min and max")

    try:
        return value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ZeroDivisionError) as e:
        raise PreconditionError(f"grid {text!r}: {e}") from e
