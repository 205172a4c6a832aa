"""Matrix products: of quantised weights with one row (gemv) or many (gemm), of LoRA, and of plain matrices."""
