"""The first and last kernels of a forward pass: the step's rows, embedding, and the likeliest token."""

from __future__ import annotations

import triton
import triton.language as tl

from .rows import _program
from .values import weight_at


@triton.jit
def begin_step(
    control, state, ids, rows, loras, count, most_rows, words,
    RECORD: tl.constexpr, TOKEN: tl.constexpr, POSITION: tl.constexpr, LORA: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Apply the changes of a new control to the state, and gather the rows of the step. One program."""
    epoch = tl.load(control)
    changes = tl.where(epoch != tl.load(state + words - 1), tl.load(control + 1), 0).to(tl.int32)
    for start in range(0, changes, BLOCK):
        i = start + tl.arange(0, BLOCK)
        pair = control + 2 + most_rows + 2 * i
        address = tl.load(pair, mask=i < changes, other=0xFFFFFFFF)
        value = tl.load(pair + 1, mask=i < changes, other=0)
        tl.store(state + address, value, mask=address < words - 1)
    tl.store(state + words - 1, epoch)
    tl.debug_barrier()
    for start in range(0, count, BLOCK):
        row = start + tl.arange(0, BLOCK)
        inside = row < count
        slot = tl.load(control + 2 + row, mask=inside, other=0xFFFFFFFF)
        exists = slot < (words - 1) // RECORD
        slot = tl.where(exists, slot, 0)
        position = tl.load(state + slot * RECORD + POSITION, mask=exists, other=0xFFFFFFFF)
        used = position != 0xFFFFFFFF
        tl.store(ids + row, tl.load(state + slot * RECORD + TOKEN, mask=used, other=0), mask=inside)
        tl.store(loras + row, tl.load(state + slot * RECORD + LORA, mask=used, other=0), mask=inside)
        tl.store(rows + 2 * row, slot, mask=inside)
        tl.store(rows + 2 * row + 1, position, mask=inside)


@triton.jit
def embed(
    ids, w, s, y, rows, n, k, line, first, stride, offset, parts,
    WEIGHT: tl.constexpr, ADD: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Look up rows of a table, or of a part of it that begins at row `first`; an id of -1 is padding."""
    program = tl.minimum(_program(), rows * parts - 1)
    row = program // parts
    column = program % parts * BLOCK + tl.arange(0, BLOCK)
    token = tl.load(ids + row * stride + offset)
    here = (token >= first) & (token < first + n)
    inside = column < k
    value = weight_at(w, s, tl.where(here, token - first, 0), tl.minimum(column, k - 1), line, WEIGHT)
    at = y + row * k + column
    if ADD:
        tl.store(at, tl.load(at, mask=inside & here, other=0.0) + value, mask=inside & here)
    else:
        tl.store(at, tl.where(here, value, 0.0), mask=inside & (here | ((first == 0) & (token == -1))))


@triton.jit
def argmax_parts(logits, parts, rows, vocab, count, span, BLOCK: tl.constexpr):
    """(Key of the largest logit, its lowest index) for each of `count` parts of a row, of `span` logits each."""
    program = tl.minimum(_program(), rows * count - 1)
    row, part = program // count, program % count
    end = tl.minimum((part + 1) * span, vocab)
    best = tl.zeros((BLOCK,), tl.uint32)
    where = tl.full((BLOCK,), 0xFFFFFFFF, tl.uint32)
    for start in range(part * span, end, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < end
        bits = tl.load(logits + row * vocab + at, mask=inside, other=0)
        bits = tl.where(bits == 0x80000000, 0, bits)  # -0 equals 0
        key = tl.where(bits >= 0x80000000, ~bits, bits | 0x80000000)
        key = tl.where((bits & 0x7FFFFFFF) > 0x7F800000, 0, key)  # a NaN is below everything
        better = inside & ((key > best) | ((key == best) & (at.to(tl.uint32) < where)))
        best = tl.where(better, key, best)
        where = tl.where(better, at.to(tl.uint32), where)
    top = tl.max(best, 0)
    tl.store(parts + 2 * program, top)
    tl.store(parts + 2 * program + 1, tl.min(tl.where(best == top, where, 0xFFFFFFFF), 0))


@triton.jit
def argmax_pick(
    parts, rows, slots, tokens, count, parts_of_row, slot_count,
    RECORD: tl.constexpr, TOKEN: tl.constexpr, POSITION: tl.constexpr, COUNTER: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Pick the token of each row from its parts, and advance its slot's record; an idle row has token 0."""
    row = _program()
    best = tl.zeros((BLOCK,), tl.uint32)
    where = tl.full((BLOCK,), 0xFFFFFFFF, tl.uint32)
    line = tl.minimum(row, count - 1)
    for start in range(0, parts_of_row, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < parts_of_row
        key = tl.load(parts + 2 * (line * parts_of_row + at), mask=inside, other=0)
        index = tl.load(parts + 2 * (line * parts_of_row + at) + 1, mask=inside, other=0xFFFFFFFF)
        better = (key > best) | ((key == best) & (index < where))
        best = tl.where(better, key, best)
        where = tl.where(better, index, where)
    top = tl.max(best, 0)
    token = tl.min(tl.where(best == top, where, 0xFFFFFFFF), 0)
    slot = tl.load(rows + 2 * line)
    used = (row < count) & (tl.load(rows + 2 * line + 1) != 0xFFFFFFFF) & (slot < slot_count)
    record = slots + tl.where(used, slot, 0) * RECORD
    chosen = top > 0x007FFFFF  # above -inf
    tl.store(tokens + line, tl.where(used, tl.where(chosen, token, 0xFFFFFFFF), 0), mask=row < count)
    tl.store(record + TOKEN, tl.where(chosen, token, 0), mask=used)
    tl.store(record + POSITION, tl.load(record + POSITION) + 1, mask=used)
    tl.store(record + COUNTER, tl.load(record + COUNTER) + 1, mask=used)
