"""The loop over the dispatches of a pass in machine code: one call from Python instead of three for each dispatch.

A call through cffi takes longer than what it calls, and releases the GIL each time. wgpt has nothing to compile, so the
loop is here as its instructions. In C it would be:

    for (; item != end; item++) {
        if (item->pipeline) set_pipeline(pass, item->pipeline);
        set_bind_group(pass, 0, item->bind_group, 0, NULL);
        dispatch(pass, item->x, item->y, item->z);
    }

with `loop(pass, item, end, set_pipeline, set_bind_group, dispatch)` and at least one item.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import platform
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

# the fields of a dispatch that the loop reads
ITEM = np.dtype([("pipeline", "u8"), ("bind_group", "u8"), ("x", "u4"), ("y", "u4"), ("z", "u4"), ("unused", "u4")])

# The assembled bytes by machine, for Linux's calling conventions.
LISTINGS = {
    "x86_64": """
f3 0f 1e fa     endbr64
55              push rbp
48 89 e5        mov rbp, rsp
53              push rbx
41 54           push r12
41 55           push r13
41 56           push r14
41 57           push r15
48 83 ec 08     sub rsp, 8
4c 89 0c 24     mov [rsp], r9
49 89 fc        mov r12, rdi
48 89 f3        mov rbx, rsi
49 89 d5        mov r13, rdx
49 89 ce        mov r14, rcx
4d 89 c7        mov r15, r8
            next:
48 8b 33        mov rsi, [rbx]
48 85 f6        test rsi, rsi
74 06           je same
4c 89 e7        mov rdi, r12
41 ff d6        call r14
            same:
4c 89 e7        mov rdi, r12
31 f6           xor esi, esi
48 8b 53 08     mov rdx, [rbx + 8]
31 c9           xor ecx, ecx
45 31 c0        xor r8d, r8d
41 ff d7        call r15
4c 89 e7        mov rdi, r12
8b 73 10        mov esi, [rbx + 16]
8b 53 14        mov edx, [rbx + 20]
8b 4b 18        mov ecx, [rbx + 24]
ff 14 24        call [rsp]
48 83 c3 20     add rbx, 32
4c 39 eb        cmp rbx, r13
75 c9           jne next
48 83 c4 08     add rsp, 8
41 5f           pop r15
41 5e           pop r14
41 5d           pop r13
41 5c           pop r12
5b              pop rbx
5d              pop rbp
c3              ret
""",
    "aarch64": """
fd 7b bc a9     stp x29, x30, [sp, #-64]!
fd 03 00 91     mov x29, sp
f3 53 01 a9     stp x19, x20, [sp, #16]
f5 5b 02 a9     stp x21, x22, [sp, #32]
f7 63 03 a9     stp x23, x24, [sp, #48]
f3 03 00 aa     mov x19, x0
f4 03 01 aa     mov x20, x1
f5 03 02 aa     mov x21, x2
f6 03 03 aa     mov x22, x3
f7 03 04 aa     mov x23, x4
f8 03 05 aa     mov x24, x5
            next:
81 02 40 f9     ldr x1, [x20]
61 00 00 b4     cbz x1, same
e0 03 13 aa     mov x0, x19
c0 02 3f d6     blr x22
            same:
e0 03 13 aa     mov x0, x19
e1 03 1f 2a     mov w1, wzr
82 06 40 f9     ldr x2, [x20, #8]
e3 03 1f aa     mov x3, xzr
e4 03 1f aa     mov x4, xzr
e0 02 3f d6     blr x23
e0 03 13 aa     mov x0, x19
81 0a 42 29     ldp w1, w2, [x20, #16]
83 1a 40 b9     ldr w3, [x20, #24]
00 03 3f d6     blr x24
94 82 00 91     add x20, x20, #32
9f 02 15 eb     cmp x20, x21
01 fe ff 54     b.ne next
f3 53 41 a9     ldp x19, x20, [sp, #16]
f5 5b 42 a9     ldp x21, x22, [sp, #32]
f7 63 43 a9     ldp x23, x24, [sp, #48]
fd 7b c4 a8     ldp x29, x30, [sp], #64
c0 03 5f d6     ret
""",
}
_MARGIN = 12  # the byte columns of a listing


def code(machine: str) -> bytes:
    """The instructions for a machine, as `platform.machine` names it."""
    return bytes.fromhex("".join(line[:_MARGIN] for line in LISTINGS[machine].splitlines()))


@functools.cache
def loop() -> Callable[..., Any] | None:
    """The loop; None on other systems, or if the system does not allow executable memory."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in LISTINGS or sys.maxsize < 1 << 32 or not hasattr(os, "memfd_create"):
        return None
    try:
        address = _executable(code(machine))
    except OSError:
        return None
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 6)(address)


_mapped: list[mmap.mmap] = []  # never freed: used as long as the process lives


def _executable(instructions: bytes) -> int:
    """Copy code to executable memory, never writable at the same time; returns its address."""
    file = os.memfd_create("wgpt")
    try:
        os.write(file, instructions)
        memory = mmap.mmap(file, len(instructions), mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
    finally:
        os.close(file)
    _mapped.append(memory)
    return int(np.frombuffer(memory, np.uint8).ctypes.data)
