"""Ways to break the kernels of a fine-tuning step."""

from .mutations import breaks

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
    breaks(
        "gelu_backward", "forgets the density", (r"\+ x \* logistic\(-u\)", "+ logistic(-u)"), (r"0\.39894228", "0.25")
    ),
    breaks("lora_product", "forgets the factor", (r"p\.factor \* ", ""), factor=[0.37, 2.5, -1.7]),
    breaks("lora_product", "overwrites what is there", (r"= y\[i[^\]]*\] \+ ", "= "), onto=True),
    breaks("lora_product", "reads the slice from 0 on", (r" \+ p\.a_at", ""), a_at=[52, 9, 40, 7]),
    breaks("lora_product", "starts every block at 0", (r"= wid\.z \* p\.block", "= 0u"), blocks=[3, 4, 5, 7]),
    breaks("lora_product", "ends no block", (r"let k_end = [^;]*;", "let k_end = p.k;"), blocks=[3, 4, 5, 7]),
    breaks("adamw_flat", "forgets to clip", (r"clip\[0\] \* ", "")),
    breaks("adamw_flat", "steps by NaN", (r"clip\[2\] == 1\.0", "clip[0] > 0.0")),
    breaks("adamw_flat", "corrects with the other moment's bias", (r"hyper\[8\]", "hyper[7]")),
    breaks("square_sum", "takes what lies behind the end", (r"select\(vec4\(0\.0\), v, [^;]*;", "v;")),
    breaks("square_sum", "loses the last piece of a block", (r"first < end;", "first + 1u < end;")),
    breaks("clip", "lengthens short gradients", (r"min\(1\.0, most / \(norm \+ 1e-6\)\)", "most / (norm + 1e-6)")),
    breaks("clip", "takes NaN for finite", (r"!= 0x7f800000u", "!= 0xff800000u")),
    breaks("clip", "clips to nothing without a limit", (r", most > 0\.0\)", ", true)")),
)
