"""How byte-level vocabularies cut text into words before BPE: GGUF files only name it (`tokenizer.ggml.pre`).

Each entry is what the models' own tokenizer.json files say, so that a GGUF file and the Hugging Face folder it
was made from give the same ids. A name that is not here is refused: with another model's splitting most text
still comes out right, and some of it silently wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokenizers import Regex, normalizers, pre_tokenizers

from ..gpu.naming import argument
from .errors import FormatError, shown

_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK_CODER = (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}")


@dataclass(frozen=True)
class Splitting:
    """The steps before BPE, and two habits of the models that use them."""

    regexes: tuple[str, ...] = ()  # applied one after the other
    digits: bool = False  # each digit alone, before all else
    gpt2: bool = False  # then GPT-2's own regex
    nfc: bool = False
    ignore_merges: bool = False  # a word that is a token is that token, whatever the merges say
    add_bos: bool = False  # where the file does not say

    def normalizer(self) -> Any:
        return normalizers.NFC() if self.nfc else None

    def pre_tokenizer(self) -> Any:
        steps: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if self.digits else []
        steps += [pre_tokenizers.Split(Regex(regex), behavior="isolated") for regex in self.regexes]
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=self.gpt2))
        return pre_tokenizers.Sequence(steps) if len(steps) > 1 else steps[0]


_LLAMA3_SPLITTING = Splitting((_LLAMA3,), ignore_merges=True, add_bos=True)

SPLITTINGS = {
    "gpt-2": Splitting(gpt2=True),
    "default": Splitting(gpt2=True),
    "smollm": Splitting(digits=True, gpt2=True),
    "llama-bpe": _LLAMA3_SPLITTING,
    "llama3": _LLAMA3_SPLITTING,
    "llama-v3": _LLAMA3_SPLITTING,
    "qwen2": Splitting((_QWEN2,), nfc=True),
    "deepseek-r1-qwen": Splitting((_QWEN2,), nfc=True),
    "tekken": Splitting((_TEKKEN,), ignore_merges=True, add_bos=True),
    "deepseek-coder": Splitting(_DEEPSEEK_CODER),
}


def splitting(name: Any) -> Splitting:
    """The splitting that a GGUF file names."""
    if isinstance(name, str) and name in SPLITTINGS:
        return SPLITTINGS[name]
    problem = "is missing" if name is None else f"is {shown(name)}"
    raise FormatError(
        f"tokenizer.ggml.pre {problem}, so how this vocabulary splits text is not known "
        f"(known: {', '.join(SPLITTINGS)}); give the original model's tokenizer.json folder with "
        f"{argument('tokenizer', 'DIR')}"
    )
