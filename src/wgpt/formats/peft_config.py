"""adapter_config.json: every key that peft has written since 0.3, and whether its value can be kept here.

Unsupported settings that change the result are refused by name, and so are unknown keys: peft
gains one with nearly every release, and most of them change what an adapter means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

from .errors import FormatError, shown
from .lora import scale_of

MAX_RANK = 1 << 12
MAX_ALPHA = 1e9  # real values go up to some thousand
SCORE = "score"  # the classification head's name in transformers' *ForSequenceClassification
_TASKS = ("CAUSAL_LM", "SEQ_CLS")
# Keys that must be missing, or as empty as peft writes them.
_REFUSED = (
    *("use_dora", "use_qalora", "use_bdlora", "lora_bias", "layer_replication", "trainable_token_indices"),
    *("target_parameters", "alora_invocation_tokens", "arrow_config", "kasa_config", "monteclora_config"),
    *("velora_config", "megatron_config", "enable_lora"),
)
# Initialisations that leave the base's weights unchanged: the file's factors replace the initial values.
# Other ones (pissa, olora, corda, loftq, lora_ga, ...) subtract something from the base's weights.
_HARMLESS_INITS = (None, True, False, "gaussian", "eva", "orthogonal", "mica")
# Keys about training or the base model's origin, or options of checked settings.
_WITHOUT_EFFECT = (
    *("auto_mapping", "revision", "inference_mode", "peft_version", "fan_in_fan_out", "merge_weights", "megatron_core"),
    *("loftq_config", "eva_config", "corda_config", "lora_ga_config", "qalora_group_size", "runtime_config"),
    "ensure_weight_tying",
)
_CHECKED = (
    *("peft_type", "task_type", "base_model_name_or_path", "r", "lora_alpha", "lora_dropout", "use_rslora", "bias"),
    *("modules_to_save", "rank_pattern", "alpha_pattern", "init_lora_weights", "target_modules", "exclude_modules"),
    *("layers_to_transform", "layers_pattern"),
)
_KNOWN = frozenset((*_REFUSED, *_WITHOUT_EFFECT, *_CHECKED))
# Regular expressions without repetition: names with dots, escaped or not, and anchors.
_SIMPLE = re.compile(r"\^?(?:\w|\\?\.)+\$?")
_MAX_PATTERN = 512
_MAX_MATCHES = 1 << 21  # patterns times targets; 126 layers with a pattern each make 0.8 million


class PeftConfig:
    """adapter_config.json, checked."""

    def __init__(self, raw: dict[str, Any], where: str) -> None:
        self.raw, self.where = raw, where
        if raw.get("peft_type") != "LORA":
            self._refuse(f"peft_type is {shown(raw.get('peft_type'))}; supported: LORA")
        for key in _REFUSED:
            if raw.get(key):
                self._refuse(f"unsupported {key} {shown(raw[key])}")
        for key in raw:
            if key not in _KNOWN and raw[key]:
                self._refuse(f"unknown setting {shown(key)} with the value {shown(raw[key])}")
        if raw.get("bias", "none") != "none":
            self._refuse(f"bias is {shown(raw['bias'])}; supported: none")
        self._check_init()
        self.rank = self._rank(raw.get("r"), "r")
        self.alpha = self._number("lora_alpha", 8)
        self.rslora = self._flag("use_rslora")
        self.dropout = self._number("lora_dropout", 0.0)
        if not 0 <= self.dropout < 1:
            self._refuse(f"lora_dropout is {self.dropout:g}, not from 0 up to 1")
        base, task = raw.get("base_model_name_or_path"), raw.get("task_type") or "CAUSAL_LM"
        if base is not None and not isinstance(base, str):
            self._refuse(f"base_model_name_or_path is {shown(base)}, not a string")
        self.base: str | None = base
        if task not in _TASKS:
            self._refuse(f"unsupported task_type {shown(task)}; supported: {', '.join(_TASKS)}")
        self.task: str = task
        saved = raw.get("modules_to_save") or []
        if not _is_names(saved) or set(saved) - ({SCORE, "classifier"} if task == "SEQ_CLS" else set()):
            self._refuse(f"modules_to_save is {shown(saved)}; fully trained layers are unsupported")
        ranks, alphas = self._patterns("rank_pattern"), self._patterns("alpha_pattern")
        self.ranks = [(pattern, self._rank(rank, "rank_pattern")) for _, pattern, rank in ranks]
        for name, _, alpha in alphas:
            if not _is_number(alpha):
                self._refuse(f"alpha_pattern has {shown(alpha)} for {shown(name)}, not a number up to {MAX_ALPHA:g}")
        self.alphas = [(pattern, float(alpha)) for _, pattern, alpha in alphas]
        self._names = {key: self._module_names(key) for key in ("target_modules", "exclude_modules")}
        self._layers = self._layer_numbers()

    def of(self, module: str) -> tuple[int, float]:
        """The rank and the scale of a module, by its name in the file and in peft."""
        rank = _matched(self.ranks, module, self.rank)
        return rank, scale_of(_matched(self.alphas, module, self.alpha), rank, self.rslora)

    def check_modules(self, modules: list[str]) -> None:
        """Refuse factors that peft would leave out, because its own keys do not name their modules."""
        if len(modules) * (len(self.ranks) + len(self.alphas)) > _MAX_MATCHES:
            patterns = len(self.ranks) + len(self.alphas)
            self._refuse(f"has {patterns} patterns for {len(modules)} modules: the file is damaged")
        for module in modules:
            targets, excluded = self._names["target_modules"], self._names["exclude_modules"]
            if targets is not None and targets.isdisjoint(_ends(module)):
                self._refuse(f"target_modules does not name {shown(module)}, whose factors are in the file")
            if excluded is not None and not excluded.isdisjoint(_ends(module)):
                self._refuse(f"exclude_modules names {shown(module)}, whose factors are in the file")
            number = re.search(r"\.(\d{1,9})\.", f".{module}")
            if self._layers is not None and (number is None or int(number[1]) not in self._layers):
                self._refuse(f"layers_to_transform leaves out {shown(module)}, whose factors are in the file")

    def _refuse(self, message: str) -> NoReturn:
        raise FormatError(f"{self.where}: {message}")

    def _check_init(self) -> None:
        init = self.raw.get("init_lora_weights")
        if not any(init is known or (isinstance(init, str) and init == known) for known in _HARMLESS_INITS):
            self._refuse(
                f"init_lora_weights is {shown(init)}, which changes the base model's weights: have peft convert it "
                "to a plain LoRA (save_pretrained with path_initial_model_for_weight_conversion)"
            )

    def _rank(self, value: Any, key: str) -> int:
        if type(value) is not int or not 1 <= value <= MAX_RANK:
            self._refuse(f"{key} is {shown(value)}, not a rank from 1 to {MAX_RANK}")
        return int(value)

    def _number(self, key: str, default: float) -> float:
        value = self.raw.get(key, default)
        if not _is_number(value):
            self._refuse(f"{key} is {shown(value)}, not a number up to {MAX_ALPHA:g}")
        return float(value)

    def _flag(self, key: str) -> bool:
        value = self.raw.get(key) or False
        if not isinstance(value, bool):
            self._refuse(f"{key} is {shown(value)}, not true or false")
        return bool(value)

    def _patterns(self, key: str) -> list[tuple[str, re.Pattern[str], Any]]:
        """(the pattern as written, as peft matches it, its value)"""
        patterns = self.raw.get(key) or {}
        if not isinstance(patterns, dict):
            self._refuse(f"{key} is {shown(patterns)}, not an object")
        for name in patterns:
            if not _SIMPLE.fullmatch(name) or len(name) > _MAX_PATTERN:
                self._refuse(f"{key} has the pattern {shown(name)}; supported: names of layers, or their ends")
        return [(name, re.compile(rf"(.*\.)?({name})$"), value) for name, value in patterns.items()]

    def _module_names(self, key: str) -> frozenset[str] | None:
        """The listed module names; None if there are none, or a regular expression, which only selects what to
        train."""
        names = self.raw.get(key)
        if names is None or isinstance(names, str) or names == []:
            return None
        if not _is_names(names):
            self._refuse(f"{key} is {shown(names)}, not a list of names")
        return frozenset(names)

    def _layer_numbers(self) -> frozenset[int] | None:
        numbers = self.raw.get("layers_to_transform")
        if numbers is None or numbers == []:
            return None
        numbers = numbers if isinstance(numbers, list) else [numbers]
        if not all(type(number) is int for number in numbers):
            self._refuse(f"layers_to_transform is {shown(numbers)}, not the numbers of layers")
        return frozenset(numbers)


def _matched(patterns: list[tuple[re.Pattern[str], Any]], module: str, default: Any) -> Any:
    """As peft's get_pattern_key: the first pattern that matches the whole name, or its end after a dot."""
    return next((value for pattern, value in patterns if pattern.match(module)), default)


def _ends(module: str) -> Iterator[str]:
    """The name and each of its suffixes after a dot."""
    while module:
        yield module
        module = module.partition(".")[2]


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and -MAX_ALPHA <= value <= MAX_ALPHA


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
