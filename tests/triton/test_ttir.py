"""Reading TTIR, layouts and passes, without a GPU and without Triton."""

from __future__ import annotations

import pytest

from wgpt.ttir import Options, Refused, compile_ttir
from wgpt.ttir.induction import scalar_induction
from wgpt.ttir.layout import REG, Layout, along, flat, tile
from wgpt.ttir.lower import Lowering
from wgpt.ttir.parse import number, parse
from wgpt.ttir.passes import index_values, pointer_provenance

from .golden import INDEX, text_of


def function(arguments: str, body: str) -> str:
    types = ", ".join(a.split(": ")[1] for a in arguments.split(", "))
    return f"""#loc = loc("mine.py":1:1)
#loc1 = loc("mine.py":42:7)
"builtin.module"() ({{
  "tt.func"() <{{function_type = ({types}) -> (), sym_name = "mine", sym_visibility = "generic"}}> ({{
  ^bb0({arguments}):
{body}
    "tt.return"() : () -> () loc(#loc)
  }}) {{noinline = false}} : () -> () loc(#loc)
}}) : () -> () loc(#loc)
"""


@pytest.mark.parametrize("name", INDEX)
def test_every_kept_file_is_read(name):
    module = parse(text_of(name))
    arguments = module.kernel.regions[0].block.args
    assert [a.name for a in arguments] == list(INDEX[name]["signature"])
    assert all(op.line or op.name == "arith.constant" for op in module.kernel.walk())


def test_types_shapes_and_attributes():
    text = function(
        "%x: !tt.ptr<f32>",
        '    %0 = "arith.constant"() <{value = dense<0xFF800000> : tensor<4x8xf32>}> : '
        "() -> tensor<4x8xf32> loc(#loc1)\n"
        '    %1:2 = "tt.reduce"(%0, %0) <{axis = 1 : i32}> ({\n'
        "    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):\n"
        '      "tt.reduce.return"(%a, %b) : (f32, f32) -> () loc(#loc1)\n'
        "    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) loc(#loc1)\n"
        '    %2 = "tt.splat"(%x) : (!tt.ptr<f32>) -> tensor<4x!tt.ptr<f32>> loc(#loc1)',
    )
    ops = parse(text).kernel.regions[0].block.ops
    assert ops[0].attrs["value"] == -float("inf")
    assert ops[0].result.type.shape == (4, 8)
    assert [r.type.shape for r in ops[1].results] == [(4,), (4,)]
    assert ops[2].result.type.is_ptr and ops[2].result.type.pointee == "f32"
    assert ops[0].line == "mine.py:42"


def test_floats_written_as_bits():
    assert number("0x7C00", "f16") == float("inf")
    assert number("0x3F80", "bf16") == 1.0
    assert number("1.500000e+00", "f32") == 1.5
    assert number("-3", "i32") == -3


@pytest.mark.parametrize(
    ("arguments", "body", "reason"),
    [
        (
            "%x: f64",
            '    %0 = "arith.addf"(%x, %x) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64 loc(#loc1)\n'
            '    %1 = "arith.addf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64 loc(#loc1)',
            "f64",
        ),
        (
            "%x: i64, %y: f32",
            '    %0 = "tt.int_to_ptr"(%x) : (i64) -> !tt.ptr<f32> loc(#loc1)\n'
            '    "tt.store"(%0, %y) : (!tt.ptr<f32>, f32) -> () loc(#loc1)',
            "pointer",
        ),
        ("%x: i32", '    %0 = "tt.unheard_of"(%x) : (i32) -> i32 loc(#loc1)', "tt.unheard_of"),
    ],
)
def test_refusals_name_kernel_and_reason(arguments, body, reason):
    with pytest.raises(Refused, match=reason) as caught:
        compile_ttir(function(arguments, body), Options())
    assert caught.value.kernel == "mine"
    assert "mine" in str(caught.value)


def test_a_refusal_names_the_line():
    body = '    %0 = "tt.unheard_of"(%x) : (i32) -> i32 loc(#loc1)'
    with pytest.raises(Refused, match=r"mine \(mine.py:42\)"):
        compile_ttir(function("%x: i32", body), Options())


def test_a_pointer_of_two_arguments_is_refused():
    body = (
        '    %0 = "arith.select"(%c, %x, %y) : (i1, !tt.ptr<f32>, !tt.ptr<f32>) -> !tt.ptr<f32> loc(#loc1)\n'
        '    "tt.store"(%0, %v) : (!tt.ptr<f32>, f32) -> () loc(#loc1)'
    )
    with pytest.raises(Refused, match="two arguments"):
        compile_ttir(function("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %c: i1, %v: f32", body), Options())


def test_pointers_that_a_loop_shifts_become_scalars():
    """Scalar induction: the matmul's two tiles of pointers are lazy expressions of a counter."""
    module = parse(text_of("matmul"))
    loop = next(op for op in module.kernel.walk() if op.name == "scf.for")
    assert sum(a.type.is_ptr for a in loop.regions[0].block.args) == 2
    scalar_induction(module.kernel)
    assert not any(a.type.is_ptr for a in loop.regions[0].block.args)
    lazy = index_values(module)
    loads = [op for op in loop.walk() if op.name == "tt.load"]
    assert len(loads) == 2 and all(id(op.operands[0]) in lazy for op in loads)
    base = pointer_provenance(module)
    assert [base.of(op.operands[0]).name for op in loads] == ["a", "b"]


def every_element(layout: Layout, threads: int) -> list[int]:
    elements = []
    for thread in range(threads):
        own = sum((thread >> b & 1) << k for k, b in enumerate(layout.bits) if b != REG)
        elements += [own + offset for offset in layout.offsets]
    return elements


@pytest.mark.parametrize("threads", [1, 32, 128])
@pytest.mark.parametrize("shape", [(1, 1), (4, 8), (64, 64), (2, 16, 32), (512, 16)])
def test_layouts_hold_every_element_equally_often(shape, threads):
    size = 1
    for n in shape:
        size *= n
    for layout in (flat(size, threads), tile(shape, threads), along(shape, 0, threads), along(shape, 1, threads)):
        held = every_element(layout, threads)
        copies = max(1, threads // size)
        assert sorted(held) == sorted(list(range(size)) * copies)
        assert layout.registers == max(1, size // threads)


def test_a_dots_result_is_a_square_of_registers():
    layout = tile((64, 64), 256)
    columns = sum(1 for b in layout.bits[:6] if b == REG)
    rows = sum(1 for b in layout.bits[6:] if b == REG)
    assert (rows, columns) == (2, 2)
    assert layout.bits[0] == 0  # neighbouring threads have neighbouring columns


def test_the_dots_layout_spreads_to_what_meets_it():
    module = parse(text_of("matmul"))
    lowering = Lowering(module, Options(threads=128))
    store = next(op for op in module.kernel.walk() if op.name == "tt.store")
    assert lowering.layouts.of(store.operands[1]) == tile((32, 32), 128)


@pytest.mark.parametrize("name", INDEX)
def test_shaders_are_the_same_every_time(name):
    """Shaders do not depend on the order of a set or on an address."""
    assert len({compile_ttir(text_of(name), Options(f16=True)).wgsl for _ in range(3)}) == 1
