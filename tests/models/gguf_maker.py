"""Writes a model as the GGUF file that llama.cpp's converter would make of it, in any quantisation.

    truth = write_gguf(path, config, weights, "q4_0", token_embd="q8_0")
    expected = reference.logits(config, truth, ids)

It returns the weights as the file holds them, dequantised by the gguf package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import gguf
import numpy as np

from wgpt.formats.family import model_types
from wgpt.models.reference import Array, Config, Weights, frequencies, head_dim, rope_of

from .vocabulary import BOS, CHAT_TEMPLATE, EOS, MERGES, SPECIAL, tokens

KINDS = ("f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "q4_k", "q5_k", "q6_k")
VL = {"qwen2_5_vl_text": "qwen2vl", "qwen3_vl_text": "qwen3vl"}  # architectures of text parts that are other families'
GRIDS = ("iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s")
LESS_USUAL = ("iq4_nl", "iq4_xs", "mxfp4", "q2_k", "q3_k", *GRIDS)
# The gguf package reads these but does not make them: (bytes before d, has dmin, mean of an element's code).
RANDOM_BLOCKS = {"q4_k": (0, True, 7.5), "q5_k": (0, True, 15.5), "q6_k": (208, False, 0.0)}
RANDOM_BLOCKS |= {"iq4_nl": (0, False, 0.0), "iq4_xs": (0, False, 0.0)}
RANDOM_BLOCKS |= {"q2_k": (80, True, 1.5), "q3_k": (108, False, 0.0)} | dict.fromkeys(GRIDS, (0, False, 0.0))


def write_gguf(
    path: Path,
    config: Config,
    weights: Weights,
    kind: str = "f32",
    metadata: Mapping[str, float] | None = None,
    **others: str,
) -> Weights:
    """Matrices in `kind`, but those whose GGUF name contains a keyword in its kind; vectors and positions in f32.

    A family that llama.cpp does not know has llama's names; `metadata` are keys of its own, without its name.
    A K-quant takes blocks of random bits in place of the weights, which only give it its scale.
    """
    config, weights = _converted(config, weights)
    own = VL.get(config["model_type"]) or model_types()[config["model_type"]].gguf
    arch = own.upper().replace("-", "_")
    arch = arch if arch in gguf.MODEL_ARCH.__members__ else "LLAMA"
    layers = config["n_layer"] if arch == "GPT2" else config["num_hidden_layers"]
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[arch], layers)
    writer = gguf.GGUFWriter(path, own)
    writer.add_name(path.stem)
    {"GPT2": _add_gpt2, "GEMMA4": _add_gemma4}.get(arch, _add_llama)(writer, config)
    OWN.get(arch, lambda writer, config: None)(writer, config)
    for key, value in (metadata or {}).items():
        add = writer.add_uint32 if isinstance(value, int) else writer.add_float32
        add(f"{own}.{key}", value)
    suffix = {"f32": "ALL_F32", "q4_k": "MOSTLY_Q4_K_M", "q5_k": "MOSTLY_Q5_K_M"}
    suffix |= {"mxfp4": "MOSTLY_MXFP4_MOE", "q3_k": "MOSTLY_Q3_K_M"}
    writer.add_file_type(gguf.LlamaFileType[suffix.get(kind, f"MOSTLY_{kind.upper()}")])
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    _add_tokenizer(writer)
    truth: Weights = {}
    for hf_name, values in weights.items():
        if hf_name.endswith((".attn.bias", ".attention.bias", ".masked_bias")):  # the causal mask of older folders
            continue
        name = names.get_name(hf_name, try_suffixes=(".weight", ".bias")) or _scale_name(hf_name)
        assert name is not None, hf_name
        chosen = next((value for part, value in others.items() if part in name), kind)
        if values.ndim == 1 or name.startswith("position_embd"):
            chosen = "f32"
        stored = _as_stored(config, hf_name, values.astype(np.float32))
        blocks = _quantised(stored, chosen, seed=len(truth))
        qtype = gguf.GGMLQuantizationType[chosen.upper()]
        writer.add_tensor(name, blocks, raw_dtype=qtype)
        held = gguf.quants.dequantize(blocks, qtype).reshape(stored.shape)
        truth[hf_name] = _as_stored(config, hf_name, held, back=True)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return truth


def _scale_name(hf_name: str) -> str | None:
    """Vectors of a router that the gguf package has no names for."""
    for end, gguf_end in (("router.scale", "ffn_gate_inp.scale"), ("router.per_expert_scale", "ffn_down_exps.scale")):
        if hf_name.endswith(end):
            return f"blk.{hf_name.split('.')[2]}.{gguf_end}"
    return None


def _converted(config: Config, weights: Weights) -> tuple[Config, Weights]:
    """Granite 4 without Mamba layers becomes a Granite, with gate and up apart."""
    if config["model_type"] != "granitemoehybrid":
        return config, weights
    split: Weights = {}
    for name, values in weights.items():
        if "shared_mlp.input_linear" in name:
            gate, up = np.split(values, 2)
            split[name.replace("shared_mlp.input_linear", "mlp.gate_proj")] = gate
            split[name.replace("shared_mlp.input_linear", "mlp.up_proj")] = up
        else:
            split[name.replace("shared_mlp.output_linear", "mlp.down_proj")] = values
    return config | {"model_type": "granite", "intermediate_size": config["shared_intermediate_size"]}, split


def _as_stored(config: Config, name: str, values: Array, back: bool = False) -> Array:
    """The rows of q and k as interleaved RoPE wants them (llama and its like); GPT-2's [in, out] matrices as
    [out, in]; Gemma's norms relative to 0."""
    if config["model_type"] in ("gemma", "gemma2", "gemma3_text", "gemma_embedding") and name.endswith("norm.weight"):
        return values - 1 if back else values + 1
    if config["model_type"] == "gpt2" and ".c_" in name and values.ndim == 2:
        return np.ascontiguousarray(values.T)
    if "query_key_value" in name:  # each head's q, k and v; all q, all k, all v
        heads = config["num_attention_heads"]
        split = (3, heads, -1) if back else (heads, 3, -1)
        return values.reshape(*split, *values.shape[1:]).swapaxes(0, 1).reshape(values.shape)
    if model_types()[config["model_type"]].interleaved and ("q_proj" in name or "k_proj" in name):
        half = head_dim(config) // 2
        split = (-1, half, 2) if back else (-1, 2, half)
        return values.reshape(*split, *values.shape[1:]).swapaxes(1, 2).reshape(values.shape)
    return values


def _quantised(values: Array, kind: str, seed: int) -> Array:
    """As the writer wants it: floats, or bytes [rows, bytes of a row]."""
    qtype = gguf.GGMLQuantizationType[kind.upper()]
    if kind not in RANDOM_BLOCKS:
        return gguf.quants.quantize(values, qtype)
    per_block, nbytes = gguf.GGML_QUANT_SIZES[qtype]
    assert values.shape[1] % per_block == 0, f"rows of {values.shape[1]} are no whole {kind} blocks"
    start, has_min, middle = RANDOM_BLOCKS[kind]
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 256, (values.size // per_block, nbytes), np.uint8)
    scales = rng.uniform(0.5, 1.5, (len(blocks), 1))
    if has_min:
        scales = np.hstack([scales, middle * scales])  # so that the mean is about zero
    scaled = blocks[:, start : start + 2 * scales.shape[1]]
    scaled[:] = scales.astype(np.float16).view(np.uint8)
    now = gguf.quants.dequantize(blocks.reshape(len(values), -1), qtype).std()
    scaled[:] = (scales * values.std() / now).astype(np.float16).view(np.uint8)
    return blocks.reshape(len(values), -1)


def _add_llama(writer: gguf.GGUFWriter, config: Config) -> None:
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config.get("num_key_value_heads") or config["num_attention_heads"])
    eps = next((config[key] for key in ("layer_norm_eps", "norm_epsilon") if key in config), None)
    if eps is not None:
        writer.add_layer_norm_eps(eps)
    else:
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    if "logit_scale" in config:
        writer.add_logit_scale(config["logit_scale"])
    rope = rope_of({"rope_theta": config.get("rotary_emb_base"), **config})
    rope = {"rope_type": "default", **rope.get("full_attention", rope)}
    writer.add_rope_freq_base(rope["rope_theta"])
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope["factor"])
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        for name in ("beta_fast", "beta_slow"):
            writer.add_float32(f"{writer.arch}.rope.scaling.yarn_{name}", rope[name])
    if rope["rope_type"] == "llama3":
        # Not as metadata: a tensor says by how much each pair is slowed.
        unscaled = frequencies(config | {"rope_parameters": rope | {"rope_type": "default"}})
        writer.add_tensor("rope_freqs.weight", (unscaled / frequencies(config)).astype(np.float32))
    if config.get("head_dim"):
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
    if config["model_type"] == "llama":
        writer.add_vocab_size(config["vocab_size"])
        writer.add_rope_dimension_count(head_dim(config))


def _add_gemma(writer: gguf.GGUFWriter, config: Config) -> None:
    """Of Gemma 2 and 3. Scores are scaled by the root of head_dim unless a key says otherwise."""
    writer.add_sliding_window(config["sliding_window"])
    if config["query_pre_attn_scalar"] != head_dim(config):
        writer.add_attention_scale(config["query_pre_attn_scalar"] ** -0.5)
    if config.get("attn_logit_softcapping"):
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
    if config.get("final_logit_softcapping"):
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    if "sliding_attention" in config["rope_parameters"]:
        writer.add_float32(
            f"{writer.arch}.rope.freq_base_swa", config["rope_parameters"]["sliding_attention"]["rope_theta"]
        )


def _add_gemma4(writer: gguf.GGUFWriter, config: Config) -> None:
    kinds, full = config["layer_types"], config["global_head_dim"]
    local = [kind == "sliding_attention" for kind in kinds]
    writer.add_block_count(len(kinds))
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    own, size = len(kinds) - config["num_kv_shared_layers"], config["intermediate_size"]
    wide = config["use_double_wide_mlp"]
    writer.add_feed_forward_length([size * (1 + (i >= own)) for i in range(len(kinds))] if wide else size)
    writer.add_head_count(config["num_attention_heads"])
    heads, of_full = config["num_key_value_heads"], config.get("num_global_key_value_heads")
    writer.add_head_count_kv([heads if is_local else of_full for is_local in local] if of_full else heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_key_length(full)
    writer.add_value_length(full)
    writer.add_key_length_swa(config["head_dim"])
    writer.add_value_length_swa(config["head_dim"])
    writer.add_rope_dimension_count(full)
    writer.add_rope_dimension_count_swa(config["head_dim"])
    writer.add_sliding_window(config["sliding_window"])
    writer.add_sliding_window_pattern(local)
    writer.add_shared_kv_layers(config["num_kv_shared_layers"])
    writer.add_embedding_length_per_layer_input(config["hidden_size_per_layer_input"])
    if config["final_logit_softcapping"]:
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    if config["enable_moe_block"]:
        writer.add_expert_count(config["num_experts"])
        writer.add_expert_used_count(config["top_k_experts"])
        writer.add_expert_feed_forward_length(config["moe_intermediate_size"])
    rope = config["rope_parameters"]
    writer.add_rope_freq_base(rope["full_attention"]["rope_theta"])
    writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
    turning = int(full * rope["full_attention"]["partial_rotary_factor"] / 2)
    writer.add_tensor("rope_freqs.weight", np.array([1.0] * turning + [1e30] * (full // 2 - turning), np.float32))


def _add_gpt2(writer: gguf.GGUFWriter, config: Config) -> None:
    writer.add_block_count(config["n_layer"])
    writer.add_context_length(config["n_positions"])
    writer.add_embedding_length(config["n_embd"])
    writer.add_feed_forward_length(config.get("n_inner") or 4 * config["n_embd"])
    writer.add_head_count(config["n_head"])
    writer.add_layer_norm_eps(config["layer_norm_epsilon"])


def _add_phi3(writer: gguf.GGUFWriter, config: Config) -> None:
    rope = rope_of(config)
    original = rope.get("original_max_position_embeddings") or config["original_max_position_embeddings"]
    longer = config["max_position_embeddings"] / original
    writer.add_rope_scaling_orig_ctx_len(original)
    writer.add_rope_scaling_attn_factors(math.sqrt(1 + math.log(longer) / math.log(original)))
    writer.add_rope_dimension_count(2 * len(rope["long_factor"]))
    for kind in ("long", "short"):
        writer.add_tensor(f"rope_factors_{kind}.weight", np.array(rope[f"{kind}_factor"], np.float32))
    if config.get("sliding_window"):
        writer.add_sliding_window(config["sliding_window"])


def _add_mistral3(writer: gguf.GGUFWriter, config: Config) -> None:
    rope = rope_of(config)
    if "llama_4_scaling_beta" in rope:
        writer.add_rope_scaling_yarn_log_mul(rope["mscale_all_dim"])
        writer.add_attn_temperature_scale(rope["llama_4_scaling_beta"])


def _add_partial_rope(writer: gguf.GGUFWriter, config: Config) -> None:
    """A part of a head is rotated; of GPT-NeoX, the config may have names of its own for it."""
    names = {"rotary_pct": "partial_rotary_factor", "rotary_emb_base": "rope_theta"}
    own = {usual: config[name] for name, usual in names.items() if name in config}
    writer.add_rope_dimension_count(2 * len(frequencies(own | config)))
    if "use_parallel_residual" in config:
        writer.add_parallel_residual(config["use_parallel_residual"])


def _add_olmo2(writer: gguf.GGUFWriter, config: Config) -> None:
    """Of EXAONE 4, too."""
    if config.get("sliding_window"):
        writer.add_sliding_window(config["sliding_window"])
        writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in config["layer_types"]])


def _add_window(writer: gguf.GGUFWriter, config: Config) -> None:
    writer.add_sliding_window(config["sliding_window"])


def _add_granite(writer: gguf.GGUFWriter, config: Config) -> None:
    writer.add_embedding_scale(config["embedding_multiplier"])
    writer.add_residual_scale(config["residual_multiplier"])
    writer.add_attention_scale(config["attention_multiplier"])
    writer.add_logit_scale(config["logits_scaling"])
    if "position_embedding_type" in config:
        writer.add_rope_scaling_finetuned(config["position_embedding_type"] == "rope")


OWN: Mapping[str, Callable[[gguf.GGUFWriter, Config], None]] = {
    "GEMMA2": _add_gemma,
    "GEMMA3": _add_gemma,
    "GEMMA_EMBEDDING": _add_gemma,
    "PHI3": _add_phi3,
    "OLMO2": _add_olmo2,
    "GRANITE": _add_granite,
    "MISTRAL3": _add_mistral3,
    "EXAONE4": _add_olmo2,
    "GLM4": _add_partial_rope,
    "COHERE2": _add_olmo2,
    "STABLELM": _add_partial_rope,
    "STARCODER2": _add_window,
    "GPTNEOX": _add_partial_rope,
    "PHI2": _add_partial_rope,
}


def _add_tokenizer(writer: gguf.GGUFWriter) -> None:
    kinds = [gguf.TokenType.CONTROL if token in SPECIAL else gguf.TokenType.NORMAL for token in tokens()]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens())
    writer.add_token_types(kinds)
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(BOS)
    writer.add_eos_token_id(EOS)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)
