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
)
