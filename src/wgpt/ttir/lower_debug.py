"""tl.device_print and tl.device_assert: in debug mode they write to a buffer, otherwise they do nothing.

Word 0 of the buffer counts prints, word 1 is the number (from 1) of a failed assertion. Records of eight words follow:
number of the print, program id x y z, element, value (two words), unused.
"""

from __future__ import annotations

from .elements import to_bits
from .emit import u32
from .ir import Op
from .lower import Lowering, handles

NOTES = "notes"
RECORD = 8
MOST_RECORDS = 4096
WORDS = 2 + RECORD * MOST_RECORDS

_LEAVE = f"""fn leave_note(which: u32, pid: vec3<u32>, element: u32, low: u32, high: u32) {{
    let at = atomicAdd(&{NOTES}[0], 1u);
    if (at < {MOST_RECORDS}u) {{
        let base = 2u + {RECORD}u * at;
        atomicStore(&{NOTES}[base], which);
        atomicStore(&{NOTES}[base + 1u], pid.x);
        atomicStore(&{NOTES}[base + 2u], pid.y);
        atomicStore(&{NOTES}[base + 3u], pid.z);
        atomicStore(&{NOTES}[base + 4u], element);
        atomicStore(&{NOTES}[base + 5u], low);
        atomicStore(&{NOTES}[base + 6u], high);
    }}
}}"""


@handles("tt.print")
def device_print(c: Lowering, op: Op) -> None:
    if not c.options.debug:
        return
    c.globals["leave_note"] = _LEAVE
    signed = list(op.attrs.get("isSigned", []))
    for k, value in enumerate(op.operands):
        elem = value.type.elem
        kind = elem if not value.type.is_int or (k < len(signed) and signed[k]) else f"u{elem[1:]}"
        layout = c.layouts.of(value)
        number = c.note(f"print|{kind}|{op.attrs.get('prefix', '')}")
        owner = c.owner(layout)
        with c.block(f"if ({owner})" if owner else ""):
            for r, x in enumerate(c.regs(value, layout)):
                low, high = (f"{x}.x", f"{x}.y") if elem == "i64" else (to_bits(c.e, elem, x), "0u")
                at = f"u32({c.element(layout, r)})"
                c.e.line(f"leave_note({u32(number)}, wid, {at}, {low}, {high});")


@handles("tt.assert")
def device_assert(c: Lowering, op: Op) -> None:
    if not c.options.debug:
        return
    number = c.note(f"assert|{op.line}|{op.attrs.get('message', '')}")
    condition = op.operands[0]
    layout = c.layouts.of(condition)
    for x in c.regs(condition, layout):
        if condition.type.elem != "i1":
            x = f"({x} != 0i)"
        c.e.line(f"if (!{x}) {{ atomicMax(&{NOTES}[1], {u32(number + 1)}); }}")
