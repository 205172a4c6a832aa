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
)
