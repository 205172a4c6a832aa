"""Files: GGUF, safetensors, tokenizers, chat templates, and where they come from."""
