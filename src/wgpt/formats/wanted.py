"""The tensors that each family needs: their names in either kind of file, and their shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .errors import FormatError
from .stored import TYPES, Entry, Stored, readable_types

_NAMED_PROBLEMS = 4


@dataclass(frozen=True)
class Wanted:
    """A tensor that a model cannot do without."""

    name: str  # Hugging Face's
    gguf: str
    shape: tuple[int, ...]
    conv1d: bool = False  # Hugging Face's files have it as [in, out]
    rope_heads: int = 0  # llama's GGUF files have the rows of these heads in interleaved order


def wanted(config: Mapping[str, Any]) -> Iterator[Wanted]:
    yield from _gpt2(config) if config["model_type"] == "gpt2" else _llama(config)
    if not config["tie_word_embeddings"]:
        yield Wanted("lm_head.weight", "output.weight", (config["vocab_size"], config["hidden_size"]))


def _llama(config: Mapping[str, Any]) -> Iterator[Wanted]:
    """llama, qwen2 and qwen3."""
    hidden, inner, head_dim = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    bias, out_bias, mlp_bias = config["attention_bias"], config["attention_output_bias"], config["mlp_bias"]
    rope_heads, rope_kv_heads = (heads, kv_heads) if config["model_type"] == "llama" else (0, 0)
    yield Wanted("model.embed_tokens.weight", "token_embd.weight", (config["vocab_size"], hidden))
    yield Wanted("model.norm.weight", "output_norm.weight", (hidden,))
    for i in range(config["num_hidden_layers"]):
        layer, block = f"model.layers.{i}.", f"blk.{i}."
        attention, mlp = layer + "self_attn.", layer + "mlp."
        yield Wanted(layer + "input_layernorm.weight", block + "attn_norm.weight", (hidden,))
        yield Wanted(layer + "post_attention_layernorm.weight", block + "ffn_norm.weight", (hidden,))
        if config["model_type"] == "qwen3":
            yield Wanted(attention + "q_norm.weight", block + "attn_q_norm.weight", (head_dim,))
            yield Wanted(attention + "k_norm.weight", block + "attn_k_norm.weight", (head_dim,))
        q = Wanted(attention + "q_proj", block + "attn_q", (heads * head_dim, hidden), rope_heads=rope_heads)
        k = Wanted(attention + "k_proj", block + "attn_k", (kv_heads * head_dim, hidden), rope_heads=rope_kv_heads)
        yield from _linear(q, bias)
        yield from _linear(k, bias)
        yield from _linear(Wanted(attention + "v_proj", block + "attn_v", k.shape), bias)
        yield from _linear(Wanted(attention + "o_proj", block + "attn_output", (hidden, heads * head_dim)), out_bias)
        yield from _linear(Wanted(mlp + "gate_proj", block + "ffn_gate", (inner, hidden)), mlp_bias)
        yield from _linear(Wanted(mlp + "up_proj", block + "ffn_up", (inner, hidden)), mlp_bias)
        yield from _linear(Wanted(mlp + "down_proj", block + "ffn_down", (hidden, inner)), mlp_bias)


def _gpt2(config: Mapping[str, Any]) -> Iterator[Wanted]:
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    yield Wanted("wte.weight", "token_embd.weight", (config["vocab_size"], hidden))
    yield Wanted("wpe.weight", "position_embd.weight", (config["max_position_embeddings"], hidden))
    yield from _layernorm("ln_f", "output_norm", hidden)
    for i in range(config["num_hidden_layers"]):
        layer, block = f"h.{i}.", f"blk.{i}."
        yield from _layernorm(layer + "ln_1", block + "attn_norm", hidden)
        yield from _layernorm(layer + "ln_2", block + "ffn_norm", hidden)
        for name, gguf_name, shape in (
            ("attn.c_attn", "attn_qkv", (3 * hidden, hidden)),
            ("attn.c_proj", "attn_output", (hidden, hidden)),
            ("mlp.c_fc", "ffn_up", (inner, hidden)),
            ("mlp.c_proj", "ffn_down", (hidden, inner)),
        ):
            yield from _linear(Wanted(layer + name, block + gguf_name, shape, conv1d=True), True)


def _linear(matrix: Wanted, bias: bool) -> Iterator[Wanted]:
    yield replace(matrix, name=matrix.name + ".weight", gguf=matrix.gguf + ".weight")
    if bias:
        vector = replace(matrix, shape=matrix.shape[:1], conv1d=False)
        yield replace(vector, name=matrix.name + ".bias", gguf=matrix.gguf + ".bias")


def _layernorm(name: str, gguf_name: str, hidden: int) -> Iterator[Wanted]:
    yield Wanted(name + ".weight", gguf_name + ".weight", (hidden,))
    yield Wanted(name + ".bias", gguf_name + ".bias", (hidden,))


def hf_names(name: str, model_type: str) -> tuple[str, str]:
    """How a tensor may be called in Hugging Face's files: a bare model is saved without its prefix."""
    return (name, "transformer." + name) if model_type == "gpt2" else (name, name.removeprefix("model."))


def gather(config: Mapping[str, Any], entries: Mapping[str, Entry], where: str, is_gguf: bool) -> dict[str, Stored]:
    """Exactly the tensors that the model needs, each of the shape that the config implies."""
    tensors, problems = {}, []
    for want in wanted(config):
        names = (want.gguf,) if is_gguf else hf_names(want.name, config["model_type"])
        entry = next((entries[n] for n in names if n in entries), None)
        transposed = want.conv1d and not is_gguf
        if problem := _problem(want, entry, transposed, names[0]):
            problems.append(problem)
        elif entry:
            rope_heads = want.rope_heads if is_gguf else 0
            place = (entry.type, entry.nbytes, entry.source, entry.offset)
            tensors[want.name] = Stored(want.name, want.shape, *place, rope_heads, transposed)
    if problems:
        more = f"; and {len(problems) - _NAMED_PROBLEMS} more" if len(problems) > _NAMED_PROBLEMS else ""
        raise FormatError(
            f"{where}: the tensors are not those of a {config['model_type']} of {config['num_hidden_layers']} layers "
            f"and hidden size {config['hidden_size']}: {'; '.join(problems[:_NAMED_PROBLEMS])}{more}: "
            "the model is incomplete, or its config is another model's"
        )
    return tensors


def _problem(want: Wanted, entry: Entry | None, transposed: bool, name: str) -> str | None:
    if entry is None:
        return f"{name} is missing"
    shape = want.shape[::-1] if transposed else want.shape
    if entry.shape != shape:
        return f"{name} is {list(entry.shape)}, not {list(shape)}"
    if entry.type not in TYPES:
        return f"{name} has the type {entry.type}; {readable_types()}"
    if len(shape) == 1 and TYPES[entry.type][0] > 1:
        return f"{name} is a vector in {entry.type}; vectors are read in f32, f16 and bf16"
    return None
