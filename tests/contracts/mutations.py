"""Ways to break a kernel: plausible mistakes, as text substitutions in its rendered WGSL."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Changes = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Mutation:
    """`changes` are (regular expression, replacement); every shader of the cases `where` takes at least one."""

    kernel: str
    defect: str
    changes: Changes
    only: str = ""  # the obligation that must fail; by default any of the kernel's
    where: Mapping[str, Any] = field(default_factory=dict)

    def applied(self, wgsl: str) -> str:
        for pattern, replacement in self.changes:
            wgsl = re.sub(pattern, replacement, wgsl)
        return wgsl

    def __str__(self) -> str:
        return f"{self.kernel}: {self.defect}"


def breaks(kernel: str, defect: str, *changes: tuple[str, str], only: str = "", **where: Any) -> Mutation:
    return Mutation(kernel, defect, changes, only, where)


_GRID = (r"wid\.x \+ wid\.y \* nwg\.x", "wid.x")
_REDUCTIONS = (
    (r"s > 0u; s >>= 1u", "s > 1u; s >>= 1u"),
    (r"for \(var i = 1u; i < sgs; i\+\+\)", "for (var i = 1u; i + 1u < sgs; i++)"),
    (r"(\w+)_part \+= \1_block", r"\1_part = \1_block"),
)
_NIBBLES = (r"unpack4xU8\((\w+(?:\.\w)?) & 0x0f0f0f0fu\)", r"unpack4xU8((\1 >> 4u) & 0x0f0f0f0fu)")
_FIRST_SLICE = ((r"if \(n >= \d+u\) \{ place", "if (n > 99999u) { place"),)
_ONE_QUAD = ((r"j < place\.z; j \+= step", "j < 0u; j += step"),)

MUTATIONS = (
    breaks(
        "gemv",
        "drops the K tail, or strays from its chunks where there is none",
        (r"for \(; c < (p\.units|\d+u);", r"for (; c + 1u < \1;"),
        (r"let live = (lane \+ \d+u) < ", r"let live = \1 + 1u < "),
        (r"let cu = lane \+ ", "let cu = lane / 2u + "),
        only="gemv_bf16",
        weight="bf16",
    ),
    breaks("gemv", "forgets the second grid dimension", _GRID, only="gemv_q4_1", n=131077),
    breaks(
        "gemv",
        "leaves out the last row",
        (r"if \((row\d+) < (p\.n|\d+u)\)", r"if (\1 + 1u < \2)"),
        only="gemv_q8_0",
        weight="q8_0",
    ),
    breaks(
        "gemv",
        "forgets one of four partial sums",
        (r"\(sum(\d+)\.z \+ sum\1\.w\)", r"sum\1.z"),
        only="gemv_f32",
        weight="f32",
    ),
    breaks(
        "gemv",
        "reads one scale too far",
        (r"unpack2x16float\(s\[i >> 1u\]\)", "unpack2x16float(s[(i >> 1u) + 1u])"),
        only="gemv_q4_0",
        weight="q4_0",
    ),
    breaks("gemv", "reads the high nibble twice", _NIBBLES, only="gemv_nf4", weight="nf4"),
    breaks(
        "gemv",
        "takes the next block's offset",
        (r"bitcast<f32>\(s\[i \| 1u\]\)", "bitcast<f32>(s[(i | 1u) + 2u])"),
        only="gemv_affine4",
        weight="affine4",
    ),
    breaks(
        "gemv",
        "takes the offset of 64 weights",
        (r"bitcast<f32>\(s\[2u \* i \+ 1u\]\)", "bitcast<f32>(s[2u * (i & 0xfffffffeu) + 1u])"),
        only="gemv_affine4_32",
        weight="affine4_32",
    ),
    breaks(
        "gemm",
        "changes the scale every 16 bytes",
        (r"let b = i >> 1u;", "let b = i;"),
        only="gemm_affine8_32",
        weight="affine8_32",
    ),
    breaks(
        "gemm",
        "changes the scale every 32 bytes",
        (r"let b = i >> 2u;", "let b = i >> 1u;"),
        only="gemm_affine8",
        weight="affine8",
    ),
    breaks(
        "gemv",
        "takes the first group's scale for all",
        (r"bitcast<f32>\(s\[at\]\)", "bitcast<f32>(s[0])"),
        only="gemv_nf4_dq",
        weight="nf4_dq",
        n=578,
    ),
    breaks(
        "gemm",
        "forgets the mean of the scales",
        (r" \+ bitcast<f32>\(s\[at \+ 1u\]\)", ""),
        only="gemm_nf4_dq",
        weight="nf4_dq",
    ),
    breaks(
        "gemv",
        "forgets the offset of a block",
        (r"return unpack2x16float\(s\[i\]\);", "return vec2(unpack2x16float(s[i]).x, 0.0);"),
        only="gemv_q4_1",
        weight="q4_1",
    ),
    breaks(
        "gemm",
        "drops the K tail",
        (r"k0 < p\.k; k0 \+= (\d+)u", r"k0 + \1u <= p.k; k0 += \1u"),
        (r"q \* 4u < p\.k;", "q * 4u + 4u < p.k;"),
        only="gemm_f32",
        weight="f32",
        compute="f32",
    ),
    breaks(
        "gemm",
        "leaves out the last row",
        (r"if \(m < p\.m && n < p\.n\)", "if (m + 1u < p.m && n < p.n)"),
        (r"if \(m >= p\.m\) \{ return; \}", "if (m + 1u >= p.m) { return; }"),
        only="gemm_bf16",
        weight="bf16",
        compute="f32",
    ),
    breaks(
        "gemm",
        "takes a block's scale for two",
        (r"let b = i >> 1u;", "let b = i >> 2u;"),
        only="gemm_q8_0",
        weight="q8_0",
        compute="f32",
    ),
    breaks(
        "matmul",
        "takes every second row of B twice",
        (r"b\[row \* \(p\.n / 4u\) \+ q\]", "b[(row / 2u * 2u) * (p.n / 4u) + q]"),
        (r"b\[row \* p\.n \+ column\]", "b[(row / 2u * 2u) * p.n + column]"),
        only="FALSIFY-WGPU-TRAIN-013",
    ),
    breaks(
        "gemm_backward_a",
        "does not transpose B",
        (r"b\[row \* \(p\.k / 4u\) \+ q\]", "b[(4u * q * p.n + row) / 4u]"),
        (r"b\[row \* p\.k \+ column\]", "b[column * p.n + row]"),
        only="FALSIFY-WGPU-TRAIN-002",
    ),
    breaks(
        "gemm_backward_b",
        "drops the last row of the batch",
        (r"row >= p\.k", "row + 1u >= p.k"),
        (r"row < p\.k", "row + 1u < p.k"),
        only="FALSIFY-WGPU-TRAIN-003",
    ),
    breaks("rmsnorm", "forgets eps", (r" \+ p\.eps", "")),
    breaks("rmsnorm", "forgets partial sums", *_REDUCTIONS),
    breaks("rmsnorm", "forgets the second grid dimension", _GRID, rows=65543),
    breaks("layernorm", "divides by n - 1", (r"squares / f32\(p\.cols\)", "squares / f32(p.cols - 1u)")),
    breaks("layernorm", "forgets partial sums", *_REDUCTIONS),
    breaks(
        "softmax",
        "does not subtract the maximum",
        (r"exp\(v - top\)", "exp(v)"),
        (r"exps_part \*= exp\(top - most\);", ""),
        (r" \* exp\(top - row_peak\)", ""),
        (r" - row_peak\) \* share", ") * share"),
    ),
    breaks("softmax", "forgets partial sums", *_REDUCTIONS, (r"exps_part \*= exp\(top - most\);", "")),
    breaks("gemv_fused", "forgets the root of the norm", (r" \* root", ""), norm=True),
    breaks("gemv_fused", "takes the gate for the up", (r"\* v(\d+);", r"* v0;"), act="swiglu"),
    breaks("sum_blocks", "forgets the first block", (r"var sum = part\[(i|at)\];", r"var sum = part[\1] * 0.0;")),
    breaks("sum_blocks", "takes the gate for the up", (r"\+ p\.width\]", "]"), act="swiglu"),
    breaks("gemv_fused", "reads the first row's x for all rows", (r"x_from = wid\.x \* [^;]+;", "x_from = 0u;"), m=3),
    breaks("gemv_fused", "adds the first row's residual", (r"\br\[y_from \+ ", "r["), m=2, add=True),
    breaks("gemv_fused", "stores rows side by side", (r"y_from = wid\.x \* \d+u", "y_from = wid.x * 21u"), m=5, n=21),
    breaks("gemv_fused", "counts an empty slice", (r"log(\d+)\.y > 0\.0", r"log\1.y >= 0.0"), splits=5),
    breaks("gemv_fused", "forgets the residual", (r"(?:r\[(?:p\.at|y_from) \+ row\d+\]|rest\d+) \+ ", ""), add=True),
    breaks(
        "gemv_fused",
        "forgets the norm's gain in the first LoRA product",
        (r" \* g\[k >> 2u\]\[k & 3u\]; \}", "; }"),
        (r" \* g\[k\]; \}", "; }"),
        only="gemv_fused_lora",
        inner=True,
        norm=True,
    ),
    breaks("gemv_fused", "adds the first part of A twice", (r"\n +at_k \+= \d+u;", ""), inner=True),
    breaks("gemv_fused", "uses the first slice's B", *_FIRST_SLICE, ranks=[(16, 0, 7), (1, 16), (3, 16, 64)]),
    breaks("gemv_fused", "drops quads beyond the lanes", *_ONE_QUAD, ranks=[(200,)]),
    breaks("gemm_fused", "uses the first slice's B", *_FIRST_SLICE, low_quads=[12, 17, 21]),
    breaks("lora_rows", "looks up the same adapter for all", (r"loras\[i / p\.width\]", "loras[0]"), m=37),
    breaks("lora_down", "uses the first row's adapter", (r"rows\[m(\d+)", "rows[0u * m\\1"), m=[5, 16, 40]),
    breaks("lora_down", "forgets the gain", (r" \* g\[k\]", ""), gain=True),
    breaks("lora_down", "counts an empty slice", (r"\] > 0\.0;", "] >= 0.0;"), splits=5),
    breaks("lora_down", "takes one adapter for another in the header", (r"entry\.y / 4096u", "0u")),
    breaks("lora_down", "drops the tail", (r"t \+ \d+u < 203u\)", "false)"), (r"k < 203u; k", "k < 202u; k"), k=203),
    breaks("lora_up", "uses the first slice's B", *_FIRST_SLICE, m=[37, 1, 9]),
    breaks("lora_up", "overwrites what is there", (r"\+= low_rank", "= low_rank")),
    breaks("lora_up", "stops after the first quad", *_ONE_QUAD, m=[37, 16]),
    breaks(
        "gemm_fused",
        "adds the bias of a neighbour",
        (r"b\[n / 4u\]", "b[n / 4u].yzwx"),
        (r"b\[n \+ 3u\]", "b[n]"),
        (r"b\[min\(n(\d+), ", r"b[min(n\1 + 1u, "),
        bias=True,
    ),
    breaks("gemm_fused", "forgets the residual", (r" \+ r\[i[^\]]*\]", ""), (r" \+ rest\d+;", ";"), add=True),
    breaks("sum_rows", "forgets the last row", (r"row < span\.x \+ span\.y", "row + 1u < span.x + span.y")),
    breaks("sum_rows", "takes the same span for all", (r"spans\[i / p\.width\]", "spans[0]"), spans=[13, 7]),
    breaks("random_words", "forgets the seed", (r"hash\(i \+ p\.seed\)", "hash(i)")),
    breaks("repeat_words", "does not repeat", (r"x\[(i % p\.period|0)\]", "x[min(i, p.period - 1u)]")),
    breaks("find_nonfinite", "takes the sign for an overflow", (r"0x7f800000u", "0xff800000u"), kind="f32"),
    breaks("find_nonfinite", "forgets the high half", (r"0x80008000u", "0x8000u"), kind=["f16", "bf16"]),
    breaks("find_nonfinite", "takes what lies behind the end", (r"select\(vec4\(0u\), v, [^;]*;", "v;"), period=1),
    breaks("find_nonfinite", "takes other words for numbers", (r"\* p\.period \+ p\.first", "* p.period"), period=21),
    breaks("find_nonfinite", "sets its neighbour's flag", (r"&flags\[plane\]", "&flags[plane + 1u]")),
    breaks("find_nonfinite", "takes the first plane for all", (r"spans\[plane\]", "spans[p.at]"), planes=3),
    breaks("swiglu", "takes the next row's ups", (r"2u \* p\.width", "p.width")),
    breaks(
        "rope",
        "turns the wrong way",
        (r"x1 \* cosine - x2 \* sine", "x1 * cosine + x2 * sine"),
        (r"x2 \* cosine \+ x1 \* sine", "x2 * cosine - x1 * sine"),
        (r"vec4\(-1\.0, 1\.0, -1\.0, 1\.0\)", "vec4(1.0, -1.0, 1.0, -1.0)"),
    ),
    breaks("rope", "forgets where the sequence starts", (r"p\.start \+ row % p\.seq", "row % p.seq")),
    breaks(
        "rope_backward",
        "pairs neighbours instead of halves",
        (r"let i2 = i1 \+ p\.per_head;", "let i2 = i1 + 1u;"),
        only="rope_adjoint_half",
        layout="half",
    ),
    breaks("rope_backward", "is the forward again", (r"let sine = -select\(", "let sine = select(")),
    breaks("silu", "takes exp of what is positive", (r"exp\(-abs\(x\)\)", "exp(-x)")),
    breaks("swish", "forgets beta", (r"p\.beta \* x\[i\]", "x[i]")),
    breaks("silu_mul", "forgets the other projection", (r" \* up\[i\]", "")),
    breaks("gelu", "mistypes a constant", (r"0\.044715", "0.044175"), (r"0\.70710678", "0.7071")),
    breaks("add", "leaves the tail out", (r"if \(4u \* i \+ 2u < p\.n\) \{ y\[i\]\.z = value\.z; \}", "")),
    breaks("mul", "writes past the end", (r"\(p\.n \+ 3u\) / 4u", "(p.n + 7u) / 4u")),
    breaks("scale", "forgets the second grid dimension", _GRID, n=16776965),
    breaks(
        "cast",
        "truncates instead of rounding",
        (r" \+ 0x7fffu \+ \(\(bits >> vec4\(16u\)\) & vec4\(1u\)\)", ""),
        (r" \+ 0xfffu \+ \(\(size >> vec4\(13u\)\) & vec4\(1u\)\)", ""),
        src="f32",
        dst=["f16", "bf16"],
    ),
    breaks("cast", "rounds ties away from zero", (r"0x7fffu \+ [^;]*;", "0x8000u;"), src="f32", dst="bf16"),
    breaks("silu_backward", "takes the wrong logistic", (r"logistic\(-x\)", "logistic(x)")),
    breaks("rmsnorm_backward", "forgets a factor 1/rms", (r"r \* r \* \(products", "r * (products")),
    breaks("rmsnorm_backward", "forgets partial sums", *_REDUCTIONS),
    breaks("rmsnorm_backward_weight", "loses the last row of a block", (r"row < end;", "row + 1u < end;")),
    breaks("column_sum", "starts a row late", (r"p\.block \+ lane;", "p.block + lane + 1u;")),
    breaks(
        "adamw_step",
        "skips the bias correction",
        (r"mean \* p\.unbias1", "mean"),
        (r"square \* p\.unbias2", "square"),
    ),
    breaks("adamw_step", "forgets the decay", (r" \+ p\.decay \* old", "")),
    breaks(
        "adamw_step",
        "adds eps under the root",
        (r"sqrt\(square \* p\.unbias2\) \+ p\.eps", "sqrt(square * p.unbias2 + p.eps)"),
    ),
    breaks(
        "cross_entropy_forward", "forgets ignore_index", (r"targets\[row\] != p\.ignore_index && ", ""), ignore_index=0
    ),
    breaks(
        "cross_entropy_forward", "forgets the peak", (r"log_of_sum \+ \(row_peak - picked\)", "log_of_sum - picked")
    ),
    breaks(
        "cross_entropy_backward",
        "forgets ignore_index",
        (r"targets\[row\] != p\.ignore_index", "targets[row] != p.ignore_index - 1"),
    ),
    breaks("cross_entropy_mean", "divides by all rows", (r"max\(used, 1\.0\)", "f32(p.cols)")),
    breaks(
        "nf4_dequant",
        "swaps the nibbles",
        (r"vec4\(even\.x, odd\.x, even\.y, odd\.y\)", "vec4(odd.x, even.x, odd.y, even.y)"),
        only="nf4_vector*",
    ),
    breaks(
        "nf4_dequant",
        "reads one scale too far",
        (r"min\(k, p\.n - 1u\) / p\.block", "min(k, p.n - 1u) / p.block + 1u"),
    ),
    breaks("embed", "forgets the second grid dimension", _GRID, only="embed_f16", rows=65541),
    breaks("take_rows", "takes the rows in order", (r"ids\[(i / p\.width)\]", r"(\1)"), of=[9, 41]),
    breaks("embed", "leaves padding as it was", (r"id == 0xffffffffu", "id == 0xfffffffeu"), add=False),
    breaks(
        "embed",
        "forgets where a part of the table begins",
        (r"w4\(id - p\.first, q\)", "w4(min(id, p.n - 1u), q)"),
        only="embed_q4_1",
        weight="q4_1",
    ),
    breaks(
        "embed",
        "writes what it should add",
        (r"= y\[at\] \+ v", "= v"),
        (r"\+= v", "= v"),
        only="embed_added",
        add=True,
    ),
    breaks("embed", "takes the first id of a pair", (r" \+ p\.offset", ""), only="embed_added", add=True),
    breaks("embed", "drops the fifth bit", (r"\(high << 4u\) & 0x10101010u", "0u"), only="embed_q5_1", weight="q5_1"),
    breaks(
        "embed",
        "takes a scale of 16 weights for 32",
        (r"select\(sc\.x, sc\.y, \(q & 4u\) != 0u\)", "sc.x"),
        only="embed_q6_k",
        weight="q6_k",
    ),
    breaks(
        "embed",
        "drops the upper bits of scales",
        (r"& vec2\(0x30u\)", "& vec2(0u)"),
        only="embed_q4_k",
        weight="q4_k",
    ),
    breaks(
        "gemv",
        "takes one scale for both halves of a chunk",
        (r"fma\(sc\.y, (d1?), sum", r"fma(sc.x, \1, sum"),
        only="gemv_q6_k",
        weight="q6_k",
    ),
    breaks("gemv", "adds the minimum", (r"-steps\.y", "steps.y"), only="gemv_q4_k", weight="q4_k"),
    breaks(
        "gemv",
        "takes another code for zero",
        (r"vec4\(-16\.0\)", "vec4(-15.0)"),
        (r"8388624\.0, 32784\.0", "8388623.0, 32783.0"),
        only="gemv_q5_0",
        weight="q5_0",
    ),
    breaks(
        "gemm",
        "swaps scale and minimum",
        (r"return unpack2x16float\(s\[2u \* i \+ 1u\]\);", "return unpack2x16float(s[2u * i + 1u]).yx;"),
        only="gemm_q5_1",
        weight="q5_1",
    ),
    breaks(
        "gemm",
        "reads the fifth bits of a neighbour",
        (r"4u \+ \(i & 7u\)", "4u + ((i + 1u) & 7u)"),
        only="gemm_q5_k",
        weight="q5_k",
    ),
    breaks(
        "rope_cache",
        "writes past the cache's end",
        (r"exists && position < p\.capacity;", "exists;"),
        cache="f16",
        stored=[None],
    ),
    breaks("rope_cache", "takes the page of another slot", (r"slot \* \(\(p\.capacity", "0u * ((p.capacity"), pages=12),
    breaks("rope_cache", "mixes heads up", (r"start\.y\) \* 64u", "start.y) * 32u"), pages=12),
    breaks("rope_cache", "rotates v too", (r"if \(!is_v\)", "if (true)"), rope=True),
    breaks("rope_cache", "takes a neighbour's magnitudes", (r"local / 8u \* 8u", "local / 16u * 16u"), cache="q8_0"),
    breaks("rope_cache", "truncates codes", (r"vec4<i32>\(round\(clamp", "vec4<i32>((clamp"), cache="q8_0"),
    breaks("rope_cache", "swaps two scales", (r"h\.x \| \(h\.y << 16u\)", "h.y | (h.x << 16u)"), cache="q8_0"),
    breaks("rope_cache", "divides by zero", (r"select\(0\.0, (1\.0 / scale), [^)]*\)", r"\1"), values="blank"),
    breaks("rope_cache", "lets a scale overflow", (r"min\((sizes / 127\.0), .*?\)\)", r"\1"), values="enormous"),
    breaks("rope_cache", "takes q's gain for k", (r"select\(0u, \d+u, is_k\)", "0u"), qk_norm=True),
    breaks("attention_prefill", "sees a key of the future", (r"< keys(\d+)\.y;", r"<= keys\1.y;")),
    breaks("attention_prefill", "forgets to rescale", (r"let fix = exp\(top0 - next\);", "let fix = 1.0;")),
    breaks("attention_prefill", "forgets the window", (r"key\d+ >= keys\d+\.x && ", ""), window=[37, 9]),
    breaks("attention_prefill", "takes its neighbour's key head", (r"head / (\d+)u\)", r"head % \1u)"), cache="f16"),
    breaks("attention_prefill", "takes the first block's scale", (r">> \(\(\w+ & 4u\) \* 4u\)", ">> 0u"), head_dim=96),
    breaks("attention_prefill", "takes codes for unsigned", (r"word \^ 0x80808080u", "word"), cache="q8_0"),
    breaks("attention_prefill", "stays in the first page", (r"position / 64u", "0u"), pages=25),
    breaks("attention_prefill", "forgets the place in a page", (r"position % 64u", "0u"), pages=25),
    breaks("attention_stats", "sees a key of the future", (r"(let seen\w+ = .*) <= (at|mine\d+)", r"\1 <= \2 + 1u")),
    breaks("attention_stats", "forgets to rescale", (r"\*= exp\(top\d - next\)", "*= 1.0")),
    breaks("attention_backward_q", "forgets out . dout", (r"\(dp(\w+) - stat\d*\.y\)", r"dp\1")),
    breaks("attention_backward_q", "drops the last key", (r"< last;", "+ 1u < last;")),
    breaks("attention_backward_q", "takes another key head", (r"head / (\d+)u\)", r"head % \1u)"), kv_heads=[3, 2]),
    breaks("attention_backward_kv", "leaves a key's own row out", (r"(let seen\w+ = (?:at|mine\d+)) <= ", r"\1 < ")),
    breaks("attention_backward_kv", "forgets the window", (r" && [^;&]* < p\.window", ""), window=[19, 2, 9]),
    breaks("rope_cache_backward", "rotates forward", (r"g1 \* cosine \+ g2", "g1 * cosine - g2"), rope=True),
    breaks("rope_cache_backward", "takes one head of its group", (r"h < \d+u; h\+\+", "h < 1u; h++"), rope=True),
    breaks("rope_cache_backward", "forgets that the norm depends on x", (r"- along \* ", "- 0.0 * "), qk_norm=True),
    # The product of the few rows of a batch.
    breaks("gemm_fused", "forgets the root of the norm", (r" \* root", ""), norm=True),
    breaks(
        "gemm_fused",
        "starts every block at the first",
        (r"(let (?:quad|unit) = )wid\.z \* \d+u \+ ", r"\1"),
        (r"var (k0|q) = wid\.z \* p\.block", r"var \1 = 0u * p.block"),
        blocks=[2, 3, 4, 5],
    ),
    breaks("gemm_fused", "forgets eps", (r"(inverseSqrt\([^;]*) \+ [\d.e-]+\);", r"\1);"), values="small"),
    breaks(
        "gemm_fused",
        "forgets the gains",
        (r"let a = (\w+) \* \w+;", r"let a = \1;"),
        (r"let v(\d) = x\1 \* gain\d+;", r"let v\1 = x\1;"),
        norm=True,
    ),
    breaks("gemm_fused", "takes the gate for the up", (r"let up = [^;]*;", "let up = gate;"), act="swiglu"),
    breaks(
        "gemm_fused",
        "forgets a group of threads",
        (r"let s0 = sums\[at \+ 0u\]", "let s0 = 0.0"),
        (r"let sum = slab\[item \+ 0u\]", "let sum = vec4<f32>()"),
        norm=True,
    ),
)
