"""Model files: GGUF, safetensors, tokenizers and chat templates, and where to get them."""

from .chat import ChatError, encode_chat, render_chat
from .checkpoint import Checkpoint, open_checkpoint
from .detokenise import Detokeniser, StopStrings
from .errors import FormatError
from .sources import SourceError
from .stored import Stored
from .tokenizer import Tokenizer, load_tokenizer

__all__ = [
    "ChatError",
    "Checkpoint",
    "Detokeniser",
    "FormatError",
    "SourceError",
    "StopStrings",
    "Stored",
    "Tokenizer",
    "encode_chat",
    "load_tokenizer",
    "open_checkpoint",
    "render_chat",
]
