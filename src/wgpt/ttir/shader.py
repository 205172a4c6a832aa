"""A lowered kernel: a WGSL shader and the information that is needed to launch it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..gpu.bindings import declarations
from .elements import memory_bytes, wgsl_type
from .errors import Refused, TooLarge
from .handlers import Lowering, Options, run_blocks
from .ir import Module
from .lower_debug import NOTES
from .parse import parse
from .passes import SCALAR

_MOST_REGISTERS = 256  # per tensor and thread; with more, shaders take minutes to compile
_FIELD = {"i64": "vec2<u32>", "f16": "f32", "bf16": "f32", "f32": "f32"}


@dataclass(frozen=True)
class Binding:
    """A storage binding, with the positions of the kernel arguments that use it."""

    name: str
    access: str
    args: tuple[int, ...]
    kind: str


@dataclass(frozen=True)
class Field:
    """A member of the uniform block: a scalar argument, or the start of a pointer argument in its buffer."""

    name: str
    elem: str  # Triton's type; "offset" for a pointer's start, in elements; "grid" for a size of the grid
    arg: int


@dataclass(frozen=True)
class Shader:
    """WGSL and how to launch it. Plain data."""

    name: str
    wgsl: str
    threads: int
    bindings: tuple[Binding, ...]
    fields: tuple[Field, ...]
    elems: tuple[str, ...]  # types of all arguments; "*f32" for pointers
    folded: bool = False
    shared_bytes: int = 0  # of workgroup memory
    notes: tuple[str, ...] = ()  # messages that the kernel may print or assert


def threads_for(module: Module, num_warps: int, most: int) -> int:
    """Threads per program: 32 per warp, fewer if tensors are small, more if they are large."""
    ops = [op for function in module.functions.values() for op in function.walk()]
    sizes = [v.type.size for op in ops for v in (*op.results, *op.operands) if v.type.shape]
    largest = max(sizes, default=1)
    most = 1 << (most.bit_length() - 1)
    threads = min(32 * num_warps, largest, most)
    while threads < most and largest // threads > (32 if threads < 256 else 64):
        threads *= 2
    if largest // threads > _MOST_REGISTERS:
        room = threads * _MOST_REGISTERS
        reason = f"a tensor of {largest} elements: {threads} threads hold at most {room}"
        raise TooLarge(reason, resource="registers", needed=largest, limit=room)
    return threads


def compile_ttir(text: str, options: Options, num_warps: int = 4, most_threads: int = 256) -> Shader:
    """Compile a kernel in MLIR's generic form to WGSL. Unsupported features raise Refused, with the line."""
    module = parse(text)
    lowering: Lowering | None = None
    try:
        options = replace(options, threads=threads_for(module, num_warps, most_threads))
        lowering = Lowering(module, options)
        return _assembled(lowering)
    except Refused as e:
        if e.kernel:
            raise
        raise e.placed(module.entry, e.line or (lowering.line if lowering else "")) from None


def _assembled(c: Lowering) -> Shader:
    module = c.module
    block = module.kernel.regions[0].block
    fields: list[Field] = []
    position = 0
    for arg in block.args:
        name = f"a{arg.index}_{re.sub(r'[^0-9A-Za-z]', '_', arg.name)}"
        if arg.type.is_ptr:
            if arg.type.block:
                raise Refused("a pointer to a block as a kernel argument")
            memory_bytes(arg.type.pointee)
            if c.options.offsets:
                fields.append(Field(f"o{arg.index}", "offset", arg.index))
                c.define(arg, SCALAR, [f"p.o{arg.index}"])
            else:
                c.define(arg, SCALAR, ["0i"])
            position += 1
        else:
            wgsl_type(arg.type)
            fields.append(Field(name, arg.type.elem, arg.index))
            read = f"(p.{name} != 0i)" if arg.type.elem == "i1" else f"p.{name}"
            c.define(arg, SCALAR, [c.e.let(read)])
    run_blocks(c, block, [])
    folded = c.options.folded
    if folded:
        fields += [Field(f"grid_{d}", "grid", i) for i, d in enumerate("xyz")]
    fields.sort(key=lambda f: f.elem != "i64")  # eight-byte members first, so that no padding is needed
    elems = tuple(f"*{a.type.pointee}" if a.type.is_ptr else a.type.elem for a in block.args)
    used = [b for b in c.buffers.all if b.is_read or b.is_written]
    bindings = tuple(Binding(b.name, b.access, tuple(b.args), b.kind) for b in used)
    if c.notes:
        bindings = (*bindings, Binding(NOTES, "read_write", (), "atomic<u32>"))
    source = _source(c, fields, bindings)
    return Shader(
        module.entry, source, c.threads, bindings, tuple(fields), elems, folded, 4 * c.pool.used, tuple(c.notes)
    )


def _source(c: Lowering, fields: Sequence[Field], bindings: Sequence[Binding]) -> str:
    params = [(f.name, _FIELD.get(f.elem, "i32")) for f in fields]
    head = declarations(params, [(b.name, b.access, b.kind) for b in bindings])
    if c.pool.used:
        head.append(f"var<workgroup> pool: array<u32, {c.pool.used}>;")
    head += c.globals.values()
    head.append(c.e.source_of_helpers())
    builtins = ["@builtin(local_invocation_index) tid: u32", "@builtin(workgroup_id) wid: vec3<u32>"]
    if c.uses_num_programs or c.options.folded:
        builtins.append("@builtin(num_workgroups) nwg: vec3<u32>")
    start = ["    let lane = i32(tid);"]
    if c.options.folded:
        start.append("    let folded = i32(wid.x + wid.y * nwg.x);")
        start.append("    if (folded >= p.grid_x * p.grid_y * p.grid_z) { return; }")
        start.append("    let pid_x = folded % p.grid_x;")
        start.append("    let pid_y = (folded / p.grid_x) % p.grid_y;")
        start.append("    let pid_z = folded / (p.grid_x * p.grid_y);")
    elif c.uses_program_id:
        start += [f"    let pid_{d} = i32(wid.{d});" for d in "xyz"]
    if c.uses_num_programs:
        start += [f"    let npid_{d} = {f'p.grid_{d}' if c.options.folded else f'i32(nwg.{d})'};" for d in "xyz"]
    body = "\n".join([*start, *c.prologue_lines, *c.e.lines])
    main = f"@compute @workgroup_size({c.threads})\nfn main({', '.join(builtins)}) {{\n{body}\n}}\n"
    text = "\n".join(head) + "\n" + main
    return f"enable f16;\n{text}" if re.search(r"\bf16\(|<f16>", text) else text
