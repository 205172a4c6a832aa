"""`wgpt triton`: compiles Triton kernels ahead of time and shows the generated code."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.atomic import check_folder
from ..core.errors import WgptError
from .common import Json, print_json
from .outputs import output_path

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Compile Triton kernels ahead of time, or show the generated WGSL.",
)

Where = Annotated[
    str, typer.Argument(metavar="FILE:KERNEL", help="A Python file and the name of a @triton.jit function.")
]
Signature = Annotated[
    str,
    typer.Option(
        "--signature", "-s", metavar="ARGS", help='Argument types by name: "x=*fp32, n=i32". A star marks a pointer.'
    ),
]
Constant = Annotated[
    list[str] | None,
    typer.Option(
        "--constant", "-c", metavar="NAME=VALUE", help="Value of a constexpr; may be repeated.", show_default=False
    ),
]
Warps = Annotated[
    int,
    typer.Option("--num-warps", min=1, max=32, help="Warps per program, of 32 threads each, within the GPU's limits."),
]


def _pairs(text: str) -> dict[str, str]:
    """Parse "x=*fp32, n=i32" into types by name."""
    types = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign or not value.strip():
            raise typer.BadParameter(f"{part!r}: write NAME=TYPE, for example x=*fp32")
        types[name.strip()] = value.strip()
    return types


def _constants(assignments: list[str] | None) -> dict[str, Any]:
    constants: dict[str, Any] = {}
    for part in assignments or []:
        name, sign, value = part.partition("=")
        if not sign:
            raise typer.BadParameter(f"{part!r}: write NAME=VALUE, for example BLOCK=128")
        try:
            constants[name.strip()] = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError):
            constants[name.strip()] = value.strip()
    return constants


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
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", parser=output_path, help="Folder for the artifact.")
    ],
    constant: Constant = None,
    num_warps: Warps = 4,
    grid: Annotated[
        str | None,
        typer.Option(
            metavar="EXPR", help='Grid, from arguments and constants: "cdiv(n, BLOCK)"; up to three, separated by ;'
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the artifact. Default: the name of the kernel.")] = None,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Omit bounds checks: only for a kernel that masks every access.")
    ] = False,
    json: Json = False,
) -> None:
    """Compile a Triton kernel to WGSL and JSON that run without Triton, on any GPU.

    \b
    Examples:
      wgpt triton compile examples/triton/vector_add.py:add_kernel -o kernels \\
          -s "x=*fp32, y=*fp32, out=*fp32, n=i32" -c BLOCK=256 --grid "cdiv(n, BLOCK)"

    \b
    Then, in Python:
      artifact = wgpt.ttir.artifact.Artifact.load("kernels/add_kernel.json")
      artifact.record(recorder, x=x, y=y, out=out, n=1000)
    """
    check_folder(out)
    types, constants = _pairs(signature), _constants(constant)
    grid_expressions = [p.strip() for p in grid.split(";")] if grid else []
    ahead = _ahead()
    artifact = ahead.compile_kernel(
        ahead.load_kernel(where), types, constants, num_warps, grid_expressions, name, trusted
    )
    path = artifact.save(out)
    if json:
        print_json({"path": str(path), "shaders": {k: s.threads for k, s in artifact.shaders.items()}})
    else:
        sizes = ", ".join(
            f"{k}: {len(s.wgsl.splitlines())} lines, {s.threads} threads" for k, s in artifact.shaders.items()
        )
        typer.echo(f"{path} ({sizes})")


@app.command("explain")
def explain_command(
    where: Where, signature: Signature, constant: Constant = None, num_warps: Warps = 4, json: Json = False
) -> None:
    """Print the TTIR of a Triton kernel and the WGSL generated from it.

    \b
    Example:
      wgpt triton explain examples/triton/softmax.py:softmax_kernel \\
          -s "x=*fp32, out=*fp32, columns=i32" -c BLOCK=1024
    """
    types, constants = _pairs(signature), _constants(constant)
    ahead = _ahead()
    kernel = ahead.load_kernel(where)
    readable_ttir, text = ahead.ttir_of(kernel, types, constants, num_warps)
    shaders = ahead.Artifact.of_ttir(text, tuple(types), constants, num_warps).shaders
    if json:
        print_json({"ttir": readable_ttir, "wgsl": {k: s.wgsl for k, s in shaders.items()}})
        return
    typer.echo(f"// TTIR of {kernel.__name__}\n{readable_ttir}")
    for variant, shader in shaders.items():
        typer.echo(f"// WGSL, {variant}: {shader.threads} threads per program\n{shader.wgsl}")
