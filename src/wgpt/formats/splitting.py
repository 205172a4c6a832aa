"""How byte-level vocabularies cut text into words before BPE: GGUF files only name it (`tokenizer.ggml.pre`).

Each entry is what the models' own tokenizer.json files say, so that a GGUF file and the Hugging Face folder it
was made from give the same ids. A name that is not here is refused: with another model's splitting most text
still comes out right, and some of it silently wrong. The names are llama.cpp's, and so is which of them split alike.
NFC is applied where transformers' own class for the model does so; llama.cpp normalises nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokenizers import Regex, normalizers, pre_tokenizers

from ..core.naming import argument
from .errors import FormatError, shown

# Contractions, words with a preceding character, numbers, punctuation, white space: the common shape.
_ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_REST}"
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
# Combining marks belong to the preceding letters.
_QWEN35 = rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_REST}"
_MINICPM5 = (r"\p{N}{1,3}", _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}+"))
_BAILING = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
_SEED_CODER = rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_REST}"
# Words of one sentence stay together. Published as (?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+, which nests repetitions; this
# matches the same: a letter, then letters, marks, and spaces that a letter follows.
_EXAONE_MOE = (
    rf"{_ENDINGS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}(?:(?! (?!\p{{L}}))[\p{{L}}\p{{M}} ])*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
)
_JAIS2 = (
    _LLAMA3.removesuffix(r"\s+(?!\S)|\s+")
    + "".join(rf"\s{{{n}}}(?!\S)|" for n in (512, 256, 128, 64, 32, 16, 8, 4, "1,2"))
    + r"\s{1}"
)
# Words end where lower case is followed by upper case.
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_WORDS = (rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+", rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*")
_TEKKEN = rf"{_WORDS[0]}|{_WORDS[1]}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_REST}"
_GPT4O = rf"{_WORDS[0]}{_ENDINGS}?|{_WORDS[1]}{_ENDINGS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_REST}"
_YOUTU = (
    "[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥\u3040-ゟ゠-ヿ]+",
    _GPT4O.replace(r"\p{N}{1,3}", r"\p{N}"),
)
# Digits in threes, counted from the right.
_TINY_AYA = (r"\d{1,3}(?=(?:\d{3})*\b)", _GPT4O)
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_DEFAULT = (r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]")  # llama.cpp's default
_FALCON = (r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]")
_BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
_CASED = (  # letters with upper and lower case
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373"
    "\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481"
    "\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b"
    "\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b"
    "\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb"
    "\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128"
    "\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4"
    "\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf"
    "\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    "\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    "\U0001e900-\U0001e943"
)
_DEEPSEEK_LLM = (
    r"[\r\n]",
    rf"\s?[{_CASED}]+",
    "\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+",
    r"\s+$",
    "[一-龥ࠀ-一가-\ud7ff]+",
    r"\p{N}+",
)
_DEEPSEEK_CODER = (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}")
_DEEPSEEK_V3 = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_REST}",
)


@dataclass(frozen=True)
class Splitting:
    """The steps before BPE, and two more settings."""

    regexes: tuple[str, ...] = ()  # expressions applied one after another
    digits: bool = False  # split off each digit first
    gpt2: bool = False  # then apply GPT-2's expression
    nfc: bool = False
    ignore_merges: bool = False  # a word that is a token becomes that token, whatever the merges give
    add_bos: bool = False  # default where the file does not say

    def normalizer(self) -> Any:
        return normalizers.NFC() if self.nfc else None

    def pre_tokenizer(self) -> Any:
        steps: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if self.digits else []
        steps += [pre_tokenizers.Split(Regex(regex), behavior="isolated") for regex in self.regexes]
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=self.gpt2))
        return pre_tokenizers.Sequence(steps) if len(steps) > 1 else steps[0]


_AS_LLAMA3 = Splitting((_LLAMA3,), ignore_merges=True, add_bos=True)
_AS_CL100K = Splitting((_LLAMA3,))  # the same words, but merges decide
_AS_QWEN2, _AS_QWEN2_NFC = Splitting((_QWEN2,)), Splitting((_QWEN2,), nfc=True)
_AS_GPT2, _AS_NEOX = Splitting(gpt2=True), Splitting(gpt2=True, nfc=True)
_AS_SMOLLM = Splitting(digits=True, gpt2=True)
_AS_GPT4O = Splitting((_GPT4O,))

_NAMES: dict[Splitting, str] = {
    _AS_GPT2: "gpt-2 phi-2 jais trillion granite-docling gigachat a.x-4.0 mellum exaone4 "
    "jina-es jina-de jina-v2-es jina-v2-de jina-v1-en jina-v2-code roberta-bpe",
    _AS_NEOX: "mpt olmo modern-bert",
    _AS_SMOLLM: "smollm starcoder refact codeshell exaone minerva-7b mellum2",
    Splitting(digits=True, gpt2=True, nfc=True): "command-r",
    _AS_LLAMA3: "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
    _AS_CL100K: "dbrx smaug-bpe glm4 chatglm-bpe",
    _AS_QWEN2_NFC: "qwen2 deepseek-r1-qwen f2llmv2",
    _AS_QWEN2: "stablelm2 hunyuan solar-open grok-2 megrez kormo",
    Splitting(("[^\\n]+|[\\n]+", _QWEN2)): "laguna",
    Splitting((_QWEN35,), nfc=True): "qwen35",
    _AS_GPT4O: "gpt-4o llama4 minimax-m2 kanana2 talkie",
    Splitting((_GPT4O,), ignore_merges=True): "granite-embed-multi-97m",
    Splitting((_TEKKEN,), ignore_merges=True, add_bos=True): "tekken",
    Splitting(_TINY_AYA): "tiny_aya cohere2moe",
    Splitting(_YOUTU, ignore_merges=True): "youtu",
    Splitting(_MINICPM5, ignore_merges=True): "minicpm5",
    Splitting((_BAILING,)): "bailingmoe bailingmoe2 llada-moe",
    Splitting((_SEED_CODER,)): "seed-coder",
    Splitting((_EXAONE_MOE,)): "exaone-moe",
    Splitting((_JAIS2,)): "jais-2",
    Splitting(_DEFAULT): "default",
    Splitting(_FALCON): "falcon",
    Splitting((_BLOOM,)): "bloom poro-chat gpt3-finnish",
    Splitting((_BLOOM, r"\p{N}")): "viking",
    Splitting(_DEEPSEEK_LLM): "deepseek-llm",
    Splitting(_DEEPSEEK_CODER): "deepseek-coder",
    Splitting(_DEEPSEEK_V3): "deepseek-v3 hunyuan-dense joyai-llm",
}
SPLITTINGS = {name: how for how, names in _NAMES.items() for name in names.split()}


def splitting(name: Any) -> Splitting:
    """The splitting that a GGUF file names."""
    if isinstance(name, str) and name in SPLITTINGS:
        return SPLITTINGS[name]
    problem = "is missing" if name is None else f"is {shown(name)}"
    raise FormatError(
        f"tokenizer.ggml.pre {problem}, so how this vocabulary splits text is not known; give the original "
        "model's tokenizer.json folder with "
        f"{argument('tokenizer', 'DIR')}"
    )
