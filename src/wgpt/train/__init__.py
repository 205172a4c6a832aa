"""Training: LoRA, QLoRA and full fine-tuning on the forward that inference uses."""
