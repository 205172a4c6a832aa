"""Ways to break the kernels of a fine-tuning step."""

from .mutations import _GRID, _REDUCTIONS, breaks

FINETUNE = (
    breaks("gemm_input_grad", "forgets the residual", (r" \+ r\[i[^\]]*\]", ""), add=True),
    breaks("gemm_input_grad", "overwrites what is there", (r" \+ dx\[i[^\]]*\];", ";"), onto=True),
    breaks(
        "gemm_input_grad",
        "takes the first columns for the slice",
        (r"p\.width \+ p\.at", "p.width"),
        width=120,
    ),
    breaks("swiglu_backward", "takes the wrong logistic", (r"logistic\(-gate\)", "logistic(gate)")),
    breaks("swiglu_backward", "forgets the gate in the up's", (r"dy\[i\] \* gate \* share", "dy[i] * share")),
    breaks("geglu_backward", "takes the wrong slope", (r"\* slope\(gate\)", "* logistic(gate)")),
    breaks("geglu_backward", "forgets the up value", (r"dgate = dy\[i\] \* x\[[^\]]*\]", "dgate = dy[i]")),
    breaks("norm_slice_backward", "takes the first slice", (r" \+ p\.at;", ";")),
    breaks("norm_slice_backward", "forgets that the norm depends on x", (r" - x\[first \+ c\] \* along", "")),
    breaks("softcap_backward", "forgets the cap", (r"x\[i\] / p\.cap", "x[i]")),
    breaks("softcap_backward", "forgets the square", (r"- tanh_of\(([^)]*)\) \* tanh_of\(\1\)", r"- abs(tanh_of(\1))")),
    breaks(
        "attention_stats",
        "forgets the cap",
        (r"= capped\((s\w+ \* p\.scale)\)", r"= \1"),
        cap=3.0,
    ),
    breaks("attention_backward_q", "forgets the slope of the cap", (r" \* cap_slope\([^)]*\)", ""), cap=3.0),
    breaks("attention_backward_kv", "forgets the slope of the cap", (r" \* cap_slope\([^)]*\)", ""), cap=3.0),
    breaks("attention_matrix_stats", "drops a thread's part", (r"var i = 1u; i < \d+u", "var i = 2u; i < 4u")),
    breaks(
        "attention_matrix_stats", "takes the first thread's sizes", (r"half > 0u; half /= 2u", "half > 1u; half /= 2u")
    ),
    breaks("attention_matrix_stats", "takes q for k", (r"abs\(k\[c\]\)", "abs(q[c])")),
    breaks(
        "gelu_backward", "forgets the density", (r"\+ x \* logistic\(-u\)", "+ logistic(-u)"), (r"0\.39894228", "0.25")
    ),
    breaks("lora_product", "forgets the factor", (r"p\.factor \* ", ""), factor=[0.37, 2.5, -1.7]),
    breaks(
        "lora_product", "overwrites what is there", (r"= y\[i[^\]]*\] \+ ", "= "), (r"= held\d+ \+ ", "= "), onto=True
    ),
    breaks("lora_product", "reads the slice from 0 on", (r" \+ p\.a_at", ""), a_at=[52, 9, 40, 7]),
    breaks("lora_product", "starts every block at 0", (r"= wid\.z \* p\.block", "= 0u"), blocks=[3, 4, 5, 7]),
    breaks(
        "lora_product",
        "loses a part of the sum",
        (r"lane < (\d+)u; lane\+\+", r"lane + 1u < \1u; lane++"),  # inner
        (r"fma\(vec4\(\w+\.w\), b, (c\d+)\)", r"\1"),  # outer
        (r"\(a\.z \* (\w+) \+ a\.w \* \w+\)", r"(a.z * \1)"),  # register
        (r"k0 < (p\.k|k_end); k0 \+= (\d+)u", r"k0 + \2u < \1; k0 += \2u"),  # shared
    ),
    breaks("lora_product", "ends no block", (r"let k_end = [^;]*;", "let k_end = p.k;"), blocks=[3, 4, 5, 7]),
    breaks("lora_slices", "forgets the factor", (r"(p\.|s_)factor \* ", "")),
    breaks(
        "lora_slices", "overwrites what is there", (r"= y\[i[^\]]*\] \+ ", "= "), (r"= held\d+ \+ ", "= "), onto=True
    ),
    breaks("lora_slices", "takes the first slice's matrix for all", (r"s_b_at = [^;]*;", "s_b_at = 0u;"), trans_b=True),
    breaks("lora_slices", "adds up the first slice again", (r"s_b_at = \d+u;", "s_b_at = 0u;"), summed=True, onto=True),
    breaks("lora_slices", "takes the block for the slice", (r"wid\.z / p\.blocks", "wid.z % p.blocks"), summed=False),
    breaks("lora_slices", "starts every block at 0", (r"= block \* p\.block", "= 0u"), blocks=3),
    breaks("lora_slices", "puts every block in the first one's place", (r"part \* p\.y_size \+ ", ""), blocks=3),
    breaks(
        "lora_slices",
        "loses a part of the sum",
        (r"lane < (\d+)u; lane\+\+", r"lane + 1u < \1u; lane++"),  # inner
        (r"fma\(vec4\(\w+\.w\), b, (c\d+)\)", r"\1"),  # outer
    ),
    breaks("adamw_flat", "forgets to clip", (r"clip\[0\] \* ", "")),
    breaks("adamw_flat", "steps by NaN", (r"clip\[2\] == 1\.0", "clip[0] > 0.0"), finite=False),
    breaks("adamw_flat", "corrects with the other moment's bias", (r"hyper\[8\]", "hyper[7]")),
    breaks("square_sum", "takes what lies behind the end", (r"select\(vec4\(0\.0\), v, [^;]*;", "v;")),
    breaks("square_sum", "loses the last piece of a block", (r"first < end;", "first + 1u < end;")),
    breaks("clip", "lengthens short gradients", (r"min\(1\.0, most / \(norm \+ 1e-6\)\)", "most / (norm + 1e-6)")),
    breaks("clip", "takes NaN for finite", (r"!= 0x7f800000u", "!= 0xff800000u"), values="nan"),
    breaks("clip", "clips to nothing without a limit", (r", most > 0\.0\)", ", true)")),
    breaks("cross_entropy_grad", "forgets the weight of the gradient", (r"gradient \*= weight;", "")),
    breaks("cross_entropy_grad", "forgets the mask", (r"if \(weight != 0\.0\)", "if (weight == 0.0)")),
    breaks("cross_entropy_grad", "forgets partial sums", *_REDUCTIONS[:2], (r"exps_part \*= exp\(top - most\);", "")),
    breaks("layernorm_backward", "forgets the mean of the gradient", (r" - up - d", " - d")),
    breaks("layernorm_backward", "forgets a factor 1/deviation", (r"r \* r \* \(products", "r * (products")),
    breaks("layernorm_backward", "forgets partial sums", *_REDUCTIONS),
    breaks("layernorm_backward_weight", "forgets the mean", (r"x\[i\] - stats\[row\]\.x", "x[i]")),
    breaks("layernorm_backward_weight", "loses the last row of a block", (r"row < end;", "row + 1u < end;")),
    breaks("dropout", "draws the same mask at every step", (r"seed\[2\]", "0u")),
    breaks("dropout", "draws the same mask everywhere", (r"p\.stream, ", "0u, ")),
    breaks("dropout", "forgets to scale", (r"p\.factor \* ", "")),
    breaks(
        "embed_backward",
        "loses the last row of an id",
        (r"j < min\(piece \+ 64u, end\)", "j + 1u < min(piece + 64u, end)"),
    ),
    breaks("embed_backward", "overwrites what is there", (r"\] \+= sum", "] = sum")),
    breaks("embed_backward", "forgets the second grid dimension", _GRID, rows=65541),
)
