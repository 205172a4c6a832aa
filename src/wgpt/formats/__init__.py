"""Files: GGUF, safetensors, tokenizers, chat templates, and where they come from."""

from .checkpoint import Checkpoint, open_checkpoint
from .errors import FormatError
from .stored import Stored

__all__ = ["Checkpoint", "FormatError", "Stored", "open_checkpoint"]
