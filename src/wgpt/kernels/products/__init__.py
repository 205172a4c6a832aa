"""Matrix products: quantised weights with one row (gemv) or many (gemm), LoRA products, and plain matrices."""
