"""`wgpt triton`: Triton kernels compiled ahead of time, and what they become."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Annotated, Any

import typer

from ..gpu import WgptError
from .common import Json, print_json

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Triton kernels: compile them ahead of time, see what they become.",
)

Where = Annotated[
    str, typer.Argument(metavar="FILE:KERNEL", help="A Python file and the name of a @triton.jit function.")
]
Signature = Annotated[
    str,
    typer.Option("--signature", "-s", metavar="ARGS", help='Types by name: "x=*fp32, n=i32". Pointers have a star.'),
]
Constant = Annotated[
    list[str] | None,
    typer.Option("--constant", "-c", metavar="NAME=VALUE", help="A constexpr; may be given often.", show_default=False),
]
Warps = Annotated[int, typer.Option("--num-warps", min=1, max=32, help="32 threads each, within the adapter's limits.")]


def _pairs(text: str) -> dict[str, str]:
    """ "x=*fp32, n=i32" by name."""
    found = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign or not value.strip():
            raise typer.BadParameter(f"{part!r}: say NAME=TYPE, for example x=*fp32")
        found[name.strip()] = value.strip()
    return found


def _constants(given: list[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in given or []:
        name, sign, value = part.partition("=")
        if not sign:
            raise typer.BadParameter(f"{part!r}: say NAME=VALUE, for example BLOCK=128")
        try:
            found[name.strip()] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            found[name.strip()] = value.strip()
    return found


def _ahead() -> Any:
    try:
        from ..triton_backend import ahead
    except ImportError as e:
        raise WgptError("this needs Triton: pip install 'wgpt[triton]' (its wheels are for Linux)") from e
    return ahead


@app.command("compile")
def compile_command(
    where: Where,
    signature: Signature,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the artifact goes.")],
    constant: Constant = None,
    num_warps: Warps = 4,
    grid: Annotated[
        str | None,
        typer.Option(metavar="EXPR", help='Programs, from arguments and constants: "cdiv(n, BLOCK)", up to three by ;'),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the artifact. Default: the kernel's.")] = None,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Without bounds checks: for a kernel that masks whatever it must.")
    ] = False,
    json: Json = False,
) -> None:
    """Compile a Triton kernel to an artifact: WGSL and JSON that run without Triton, on every adapter.

    \b
    Examples:
      wgpt triton compile examples/triton/vector_add.py:add_kernel -o kernels \\
          -s "x=*fp32, y=*fp32, out=*fp32, n=i32" -c BLOCK=256 --grid "cdiv(n, BLOCK)"

    \b
    Then, in Python:
      artifact = wgpt.ttir.artifact.Artifact.load("kernels/add_kernel.json")
      artifact.record(recorder, x=x, y=y, out=out, n=1000)
    """
    types, constants = _pairs(signature), _constants(constant)
    parts = [p.strip() for p in grid.split(";")] if grid else []
    ahead = _ahead()
    made = ahead.compile_kernel(ahead.load_kernel(where), types, constants, num_warps, parts, name, trusted)
    path = made.save(out)
    if json:
        print_json({"path": str(path), "shaders": {k: s.threads for k, s in made.shaders.items()}})
    else:
        sizes = ", ".join(
            f"{k}: {len(s.wgsl.splitlines())} lines, {s.threads} threads" for k, s in made.shaders.items()
        )
        typer.echo(f"{path} ({sizes})")


@app.command("explain")
def explain_command(
    where: Where, signature: Signature, constant: Constant = None, num_warps: Warps = 4, json: Json = False
) -> None:
    """Print a Triton kernel's TTIR and the WGSL it becomes.

    \b
    Example:
      wgpt triton explain examples/triton/softmax.py:softmax_kernel \\
          -s "x=*fp32, out=*fp32, columns=i32" -c BLOCK=1024
    """
    types, constants = _pairs(signature), _constants(constant)
    ahead = _ahead()
    kernel = ahead.load_kernel(where)
    shown, text = ahead.ttir_of(kernel, types, constants, num_warps)
    made = ahead.artifact_of(text, types, constants, num_warps)
    if json:
        print_json({"ttir": shown, "wgsl": {k: s.wgsl for k, s in made.shaders.items()}})
        return
    typer.echo(f"// TTIR of {kernel.__name__}\n{shown}")
    for variant, shader in made.shaders.items():
        typer.echo(f"// WGSL, {variant}: {shader.threads} threads per program\n{shader.wgsl}")
