"""Types that are looked up are those that cffi would have parsed."""

from __future__ import annotations

import pytest
from cffi import FFI

from wgpt.gpu.webgpu.ffi_types import look_up_first

SOURCE = """
typedef struct Chain { struct Chain const * next; int kind; } Chain;
typedef struct { const Chain * chain; double sizes[3]; } Unnamed;
typedef struct Hidden* Handle;
typedef unsigned long long Flags;
typedef void (*Callback)(int status, void * data);
typedef enum Mode { One = 1, Two = 2 } Mode;
"""
NAMES = ["Chain", "Chain *", "Chain[]", "Chain*", "Unnamed *", "Handle", "Handle *", "Handle[]", "Flags *", "Callback"]
NAMES += ["Mode", "Mode *", "int", "int *", "uint8_t[]", "void *", "char *", "struct Chain *", "Chain * *", "Flags[4]"]
NAMES += ["char []", "uint8_t *", "uintptr_t", "Chain const *", "void", "const Chain *", "Chain const", "unsigned int"]
NAMES += [
    "void(Handle const *, Mode, Chain, void *, void *)",
    "void(int)",
    "void(void)",
    "int(Chain *)",
    "void(Chain[])",
]


def fresh() -> FFI:
    ffi = FFI()
    ffi.cdef(SOURCE)
    return ffi


@pytest.mark.parametrize("name", NAMES)
def test_the_same_type(name):
    ffi = fresh()
    parsed = ffi._typeof(name, consider_function_as_funcptr=True)  # as ffi.callback asks
    ffi._parsed_types.clear()
    assert look_up_first(ffi)
    assert ffi._typeof(name, consider_function_as_funcptr=True) is parsed


def test_it_does_not_parse():
    ffi = fresh()
    ffi._parser._parse = None  # the C parser
    look_up_first(ffi)
    assert ffi.new("Chain *").kind == 0
    with pytest.raises(TypeError):
        ffi.typeof("struct Chain *")


def test_an_unknown_name_is_refused_as_before():
    ffi = fresh()
    look_up_first(ffi)
    with pytest.raises(Exception, match="Nothing"):
        ffi.typeof("Nothing *")
