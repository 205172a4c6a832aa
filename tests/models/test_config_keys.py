"""Every key of config.json means what it means in transformers, or is refused; no GPU.

tests/golden/configs has the keys of each model_type's class in transformers, and configs with keys dropped and changed.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.models.config_cases import KINDS, MISSING, SHAPES, WITHOUT_EFFECT, Case, cases, computed, recorded
from wgpt.formats import FormatError
from wgpt.formats import config as formats_config
from wgpt.formats.config_reader import ConfigReader
from wgpt.formats.family import families, model_types

# Keys without effect in single classes, which have them and do not use them; or only by what is refused or not there.
UNUSED = {
    "gpt_neox": {"is_decoder"},
    "granitemoehybrid": {"num_experts_per_tok"},  # without experts
    "modernbert": {"classifier_activation"},  # without a classifier
}
# Keys that are not transformers': wgpt puts them there, they choose the class, or the model's own code reads them.
# A tied head and tokens are read of all models, whether or not their class has them.
OWN = {"model_type", "architectures", "quantization_config", "dense_features", "tie_word_embeddings"}
OWN |= {"bos_token_id", "eos_token_id"}
OWN_CODE = {
    "qwen3_5_moe_text": {"intermediate_size"},  # whatever it is, that of the experts stands in
    "nomic_bert": {
        *("n_embd", "n_layer", "n_head", "n_inner", "n_positions", "activation_function", "rotary_emb_base", "causal"),
        *("rotary_emb_fraction", "rotary_emb_interleaved", "max_trained_positions", "qkv_proj_bias", "mlp_fc1_bias"),
        *("mlp_fc2_bias", "prenorm", "parallel_block", "use_rms_norm", "num_experts"),
    },
}


class Results(NamedTuple):
    computed: list[tuple[Case, Any]]  # of a case that is refused: None
    asked: set[str]  # the keys that are read in any case, as config.json names them


@cache
def results(kind: str) -> Results:
    asked: set[str] = set()

    class Noted(ConfigReader):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, asked=asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats_config, "ConfigReader", Noted)
        found = [(case, _computed(case)) for case in cases(kind)]
    own = model_types()[kind].config_names
    return Results(found, {name for name, usual in own.items() if usual in asked} | (asked - {*own.values()}))


def _computed(case: Case) -> Any:
    try:
        return computed(case.config)
    except FormatError as error:
        assert "\n" not in str(error)
        return None


def test_every_model_type_is_recorded() -> None:
    wrappers = {kind for family in families() for kind in family.wrappers}
    variants = {kind for family in families() if family.variant_of for kind in family.model_types}
    assert set(KINDS) == set(model_types()) - wrappers - variants


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_decided_about(kind: str) -> None:
    """It is read, and then used or refused; or it is known to be without effect."""
    asked = results(kind).asked | WITHOUT_EFFECT | UNUSED.get(kind, set())
    assert sorted(recorded(kind)["keys"].keys() - asked) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_that_is_read_was_tried(kind: str) -> None:
    """With transformers, so that a key which only GGUF files have means nothing in config.json."""
    tried = {key for case in cases(kind) for key in case.changes}
    assert sorted(results(kind).asked - tried - OWN - OWN_CODE.get(kind, set())) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_transformers_computes_differently(kind: str) -> None:
    """Configs with other logits are not taken for the same, and those with the same logits not for different ones."""
    by_result: dict[Any, Case] = {}
    by_number: dict[int, tuple[Any, Case]] = {}
    wrong = []
    for case, result in results(kind).computed:
        if result is None or case.number is None:
            continue
        other = by_result.setdefault(result, case)
        if other.number != case.number:
            wrong.append(f"{case.changes} is computed as {other.changes}, unlike in transformers")
        same, first = by_number.setdefault(case.number, (result, case))
        if same != result:
            wrong.append(f"{case.changes} is not computed as {first.changes}, as in transformers")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_missing_has_the_default_of_transformers(kind: str) -> None:
    base, defaults = Case(kind, {}, 0), recorded(kind)["keys"]
    wrong = []
    for key in base.config.keys() & defaults.keys() - {*SHAPES}:
        dropped, said = (_computed(Case(kind, {key: value}, None)) for value in (MISSING, defaults[key]))
        if dropped is not None and defaults[key] is not None and dropped != said:
            wrong.append(key)
    assert sorted(wrong) == []


@pytest.mark.parametrize("kind", KINDS)
def test_keys_of_nobody_mean_nothing(kind: str) -> None:
    """What configs on the hub have besides, and transformers leaves aside."""
    base = Case(kind, {}, 0)
    more = {"_name_or_path": "x", "torch_dtype": "bfloat16", "auto_map": {"AutoModel": "m.X"}, "unsloth_version": "1"}
    more |= {"use_mrope": False, "task_specific_params": {}, "a_key_of_nobody": [1]}
    assert computed(base.config) == computed(base.config | more)
