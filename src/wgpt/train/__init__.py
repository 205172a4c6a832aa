"""Training: LoRA, QLoRA and full fine-tuning, with the same forward pass as inference."""
