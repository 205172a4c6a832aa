"""A family is named only in its own file, and everything derived from its table agrees; no GPU."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import wgpt
from wgpt.core.errors import PreconditionError
from wgpt.formats import FormatError, family
from wgpt.formats.config import normalised
from wgpt.formats.wanted import _unused, layer_kinds, wanted
from wgpt.models import families as package
from wgpt.models.config import Config
from wgpt.models.family import family_of, model_family
from wgpt.models.matrix_names import GROUP_OF, matrices
from wgpt.models.presets import PRESETS
from wgpt.models.targets import check_trainable, chosen, linear_shapes
from wgpt.models.tiny_models import CONFIGS
from wgpt.ops.cache import KVShape

ROOT = Path(wgpt.__file__).parent
FAMILIES = [model_family(each) for each in family.families()]
NAMES = sorted({name for each in FAMILIES for name in (each.name, each.gguf, *each.model_types)} - {""})
# Names that only happen to be those of families.
ELSEWHERE = {
    # Kinds of tokenizers, as tokenizer.ggml.model has them.
    "formats/gguf_tokenizer.py": {"bert", "gemma4", "gpt2", "llama"},
    "formats/gguf_encoder_tokenizer.py": {"bert"},  # the same
    "formats/gguf_vocabulary.py": {"gpt2", "llama"},  # the same, written
    # Ways to split text, as tokenizer.ggml.pre has them.
    "formats/splitting.py": {"command-r", "exaone4", "glm4", "lfm2", "modern-bert", "qwen2", "qwen35"},
    "formats/hf_tokenizer.py": {"qwen2"},  # the same
    "formats/sources.py": {"gpt2"},  # a model on the hub
    "api/loading.py": {"gpt2"},  # the same, in an example
    "cli/pull.py": {"gpt2"},  # the same
    "kernels/elementwise/activations.py": {"phi"},  # the density of the normal distribution
}


def mentioned(source: str) -> Iterator[tuple[int, str]]:
    """(line, name) of every family in a text of the source, docstrings and pieces of f-strings included."""
    # llama.cpp, llama-cli and llama3 are other things.
    name = re.compile(rf"(?<![\w.-])({'|'.join(NAMES)})(?![\w-]|\.\w)")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, match[1]) for match in name.finditer(node.value))


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_names_stand_in_their_own_files(path: Path) -> None:
    if path.parent == Path(package.__path__[0]):
        own = [each for each in FAMILIES if each.name == path.stem]
        allowed = {name for each in own for name in (each.name, each.gguf, *each.model_types, *each.wrappers)}
    else:
        allowed = ELSEWHERE.get(path.relative_to(ROOT).as_posix(), set())
    wrong = [f"line {line}: {name}" for line, name in mentioned(path.read_text()) if name not in allowed]
    assert not wrong, f"a family is named outside its file: {wrong}"


def test_every_exception_is_needed() -> None:
    for place, names in ELSEWHERE.items():
        assert {name for _, name in mentioned((ROOT / place).read_text())} == names, place


def test_the_reader_sees_names() -> None:
    source = 'a = ["llama", f"x {b} qwen2 y"]\n"""GPT-2, gpt2."""\nc = "llama.cpp, llama-cli, llama3, gpt2-xl"\n'
    assert sorted(name for _, name in mentioned(source)) == ["gpt2", "llama", "qwen2"]


@pytest.mark.parametrize("each", FAMILIES, ids=lambda each: each.name)
def test_one_table(each) -> None:
    """The loader's tensors, the targets of adapters and the matrices of recipes are the table's rows."""
    raw = CONFIGS[each.name]
    normal = normalised(raw, "here")
    config = Config.of(normal)
    rows = list(each.table(config))
    weights = {row.name: row for row in rows}
    assert len(weights) == len(rows)
    assert {tensor.row.name for tensor in wanted(normal)} == set(weights)
    assert {tensor.name for tensor in wanted(normal)} >= {row.tensor for row in rows}
    assert {tensor.name for tensor in wanted(normal)} >= {f"{row.name}.bias" for row in rows if row.bias}
    assert matrices(config).keys() == {row.name for row in rows if row.is_matrix}
    assert {part for part, _ in matrices(config).values()} <= GROUP_OF.keys()
    in_layers = {row.name: row.shape for row in rows if row.is_matrix and row.layer is not None and row.lora}
    assert linear_shapes(config) == in_layers
    assert each.embedding in weights and not each.layer_and_kind(each.embedding)
    for name in in_layers:
        place = each.layer_and_kind(name)
        assert place is not None and place[1] in layer_kinds(each)
        assert {each.target(file_name) for file_name in each.file_names(name)} == {name}
        assert each.module(name) in each.file_names(name)
        assert weights[name].gguf.startswith(f"blk.{place[0]}.")


@pytest.mark.parametrize("each", FAMILIES, ids=lambda each: each.name)
def test_a_config_goes_out_and_comes_back(each) -> None:
    normal = normalised(CONFIGS[each.name], "here")
    back = each.write_config(normal) | {key: normal[key] for key in ("vocab_size", "tie_word_embeddings")}
    assert normalised(back, "here") == normal


def test_presets_are_of_their_family() -> None:
    for each in FAMILIES:
        assert all(family_of(config) is each for config in each.presets.values())
    assert PRESETS.keys() == {name for each in FAMILIES for name in each.presets}


def test_layers_have_settings_of_their_own() -> None:
    config = replace(PRESETS["smollm2-135m"], layers=2, per_layer=({"window": 8}, {"theta": 5.0, "heads": 18}))
    assert [config.layer(i).window for i in range(2)] == [8, 0]
    assert [config.layer(i).theta for i in range(2)] == [1e5, 5.0]
    assert linear_shapes(config)["model.layers.0.self_attn.q_proj"] == (9 * 64, 576)
    assert linear_shapes(config)["model.layers.1.self_attn.q_proj"] == (18 * 64, 576)


def test_caches_have_the_shape_of_their_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(family.named("llama"), settings=lambda config: {"per_layer": ({}, {"kv_heads": 1})})
    monkeypatch.setattr(family, "_families", {"llama": changed})
    config = Config.of(normalised(CONFIGS["llama"], "here"))
    assert config.cache_layers == (KVShape(2, 16), KVShape(1, 16))
    with pytest.raises(PreconditionError, match="fine-tuning of llama models is unsupported: gradients of their att"):
        check_trainable(config)


@pytest.mark.parametrize("each", FAMILIES, ids=lambda each: each.name)
def test_a_tensor_without_a_name_has_no_place(each) -> None:
    normal = normalised(CONFIGS[each.name], "here")
    for is_gguf in (False, True):
        names = ["", *(tensor.gguf if is_gguf else tensor.name for tensor in wanted(normal))]
        assert _unused(each, normal, names, set(names[1:]), is_gguf) == ["''"]


def test_a_part_is_a_target() -> None:
    """By its own name, whatever the family calls the layer."""
    assert chosen(PRESETS["gpt2"], ["down"]).keys() == chosen(PRESETS["gpt2"], ["mlp.c_proj"]).keys()
    assert chosen(PRESETS["qwen3-4b"], ["q"]).keys() == chosen(PRESETS["qwen3-4b"], ["q_proj"]).keys()


def test_gpt2s_preset_is_the_124m_model() -> None:
    """As OpenAI published it: 124,439,808 parameters, the head being the embedding table."""
    config = PRESETS["gpt2"]
    rows = {row.name: row for row in family_of(config).table(config)}
    assert rows["wte"].shape == (50257, 768) and rows["wpe"].shape == (1024, 768) and config.tied
    assert rows["h.11.attn.c_attn"].shape == (2304, 768) and rows["h.11.mlp.c_fc"].shape == (3072, 768)
    assert sum(math.prod(row.shape) + row.bias * row.shape[0] for row in rows.values()) == 124_439_808


def test_unknown_families_are_refused_with_those_there_are() -> None:
    with pytest.raises(
        FormatError, match=r"unsupported family 'pebbles'; supported: .*gemma, .*gpt2, .*llama, .*qwen2, qwen3"
    ):
        linear_shapes(replace(PRESETS["gpt2"], family="pebbles"))
