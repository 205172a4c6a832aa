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
)
