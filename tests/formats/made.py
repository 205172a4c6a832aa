"""Tiny models of every family, written as the established tools write them.

The names in GGUF files come from the gguf package's own table and the metadata from its own methods, so that
our reader is compared with them and not with itself.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import safetensors.numpy

State = dict[str, np.ndarray]
QUANTS = ("q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "q4_k", "q5_k", "q6_k")
PLAIN = ("f32", "f16", "bf16")
FAMILIES = ("llama", "mistral", "qwen2", "qwen3", "gpt2")
TOKENS = 40


def config(family: str, **changes: Any) -> dict[str, Any]:
    """As transformers would write it."""
    ends = {"bos_token_id": 1, "eos_token_id": 2, "vocab_size": TOKENS, "model_type": family}
    if family == "gpt2":
        sizes = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 24, "n_inner": None}
        return ends | sizes | {"layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"} | changes
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
    rest = {"num_key_value_heads": 2, "rms_norm_eps": 1e-5, "rope_theta": 5e4, "max_position_embeddings": 64}
    own = {"head_dim": 24} if family == "qwen3" else {}
    window = {"sliding_window": 16} if family == "mistral" else {}
    return ends | sizes | rest | own | window | {"hidden_act": "silu", "tie_word_embeddings": True} | changes


def state(model: dict[str, Any], seed: int = 5) -> State:
    """Random f32 weights under Hugging Face's names, matrices as [out, in]."""
    rng = np.random.default_rng(seed)
    tensors: State = {}

    def add(name: str, *shape: int) -> None:
        tensors[name] = rng.standard_normal(shape).astype(np.float32)

    if model["model_type"] == "gpt2":
        hidden = model["n_embd"]
        inner = model["n_inner"] or 4 * hidden
        add("wte.weight", model["vocab_size"], hidden)
        add("wpe.weight", model["n_positions"], hidden)
        vectors = {"ln_f.weight": hidden, "ln_f.bias": hidden}
        matrices = {}
        for i in range(model["n_layer"]):
            layer = {"attn.c_attn": (3 * hidden, hidden), "attn.c_proj": (hidden, hidden)}
            layer |= {"mlp.c_fc": (inner, hidden), "mlp.c_proj": (hidden, inner)}
            matrices |= {f"h.{i}.{name}.weight": shape for name, shape in layer.items()}
            vectors |= {f"h.{i}.{name}.bias": shape[0] for name, shape in layer.items()}
            vectors |= {f"h.{i}.ln_{j}.{kind}": hidden for j in (1, 2) for kind in ("weight", "bias")}
    else:
        hidden, inner, heads = model["hidden_size"], model["intermediate_size"], model["num_attention_heads"]
        head_dim = model.get("head_dim") or hidden // heads
        q, kv = heads * head_dim, model["num_key_value_heads"] * head_dim
        add("model.embed_tokens.weight", model["vocab_size"], hidden)
        if not model["tie_word_embeddings"]:
            add("lm_head.weight", model["vocab_size"], hidden)
        vectors = {"model.norm.weight": hidden}
        matrices = {}
        for i in range(model["num_hidden_layers"]):
            attention = {"q_proj": (q, hidden), "k_proj": (kv, hidden), "v_proj": (kv, hidden), "o_proj": (hidden, q)}
            mlp = {"gate_proj": (inner, hidden), "up_proj": (inner, hidden), "down_proj": (hidden, inner)}
            layer = f"model.layers.{i}."
            matrices |= {f"{layer}self_attn.{name}.weight": shape for name, shape in attention.items()}
            matrices |= {f"{layer}mlp.{name}.weight": shape for name, shape in mlp.items()}
            vectors |= {layer + "input_layernorm.weight": hidden, layer + "post_attention_layernorm.weight": hidden}
            if model["model_type"] == "qwen3":
                vectors |= {f"{layer}self_attn.{name}.weight": head_dim for name in ("q_norm", "k_norm")}
            biased = [name for name in attention if model["model_type"] == "qwen2" and name != "o_proj"]
            biased = list(attention) if model.get("attention_bias") else biased
            vectors |= {f"{layer}self_attn.{name}.bias": attention[name][0] for name in biased}
            if model.get("mlp_bias"):
                vectors |= {f"{layer}mlp.{name}.bias": shape[0] for name, shape in mlp.items()}
    for name, shape in matrices.items():
        add(name, *shape)
    for name, length in vectors.items():
        add(name, length)
    return tensors


def save(weights: State, file: Path) -> None:
    """uint16 stands for bf16, which NumPy lacks: the library writes uint16, and the header is changed to bf16."""
    raw = safetensors.numpy.save(weights)
    start = 8 + int.from_bytes(raw[:8], "little")
    header = raw[8:start].replace(b'"U16"', b'"BF16"')
    file.write_bytes(len(header).to_bytes(8, "little") + header + raw[start:])


def write_hf(folder: Path, model: dict[str, Any], weights: State, shards: int = 1, prefix: str | None = None) -> Path:
    """A folder; GPT-2's matrices go in as Conv1D's [in, out]. `prefix`: how the bare model's names begin."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(model))
    if model["model_type"] == "gpt2":
        conv = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
        weights = {k: np.ascontiguousarray(v.T) if k.endswith(conv) else v for k, v in weights.items()}
        weights = {(prefix or "") + k: v for k, v in weights.items()}
    elif prefix is not None:
        weights = {prefix + k.removeprefix("model."): v for k, v in weights.items()}
    if shards == 1:
        save(weights, folder / "model.safetensors")
        return folder
    weight_map = {}
    for i in range(shards):
        name = f"model-{i + 1:05}-of-{shards:05}.safetensors"
        part = {k: weights[k] for k in list(weights)[i::shards]}
        save(part, folder / name)
        weight_map |= dict.fromkeys(part, name)
    index = {"metadata": {"total_size": sum(v.nbytes for v in weights.values())}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder


def permuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """llama.cpp's conversion of q and k: from half-split to interleaved rows."""
    halves = weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(weights.shape)


def blocks(matrix: np.ndarray, kind: str) -> np.ndarray:
    """A matrix in a type, as bytes [rows, bytes of a row]; K-quants get random blocks with sane scales."""
    if kind == "f32":
        return matrix.view(np.uint8)
    if kind == "f16":
        return matrix.astype(np.float16).view(np.uint8)
    if kind in ("q4_k", "q5_k", "q6_k"):
        rng = np.random.default_rng(matrix.size)
        block_bytes = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind.upper()]][1]
        packed = rng.integers(0, 256, (matrix.size // 256, block_bytes), np.uint8)
        # The half-float scales: at the end of a q6_k block, at the front of the others.
        scales = rng.uniform(-0.1, 0.1, (len(packed), 1 if kind == "q6_k" else 2)).astype(np.float16).view(np.uint8)
        packed[:, slice(-2, None) if kind == "q6_k" else slice(0, 4)] = scales
        return packed.reshape(len(matrix), -1)
    return gguf.quants.quantize(matrix, gguf.GGMLQuantizationType[kind.upper()]).view(np.uint8)


def write_gguf(
    path: Path,
    model: dict[str, Any],
    weights: State,
    kind: str = "f32",
    rope_freqs: np.ndarray | None = None,
    alignment: int | None = None,
    extra: State | None = None,
    **more: Any,
) -> Path:
    """A GGUF file as llama.cpp's converter would write it. `more`: further metadata; None takes a key out.

    `extra`: further tensors, by GGUF's names.
    """
    gpt2 = model["model_type"] == "gpt2"
    arch = "llama" if model["model_type"] == "mistral" else model["model_type"]
    writer = gguf.GGUFWriter(path, arch)
    if alignment:
        writer.add_custom_alignment(alignment)
    layers = model["n_layer" if gpt2 else "num_hidden_layers"]
    heads = model["n_head" if gpt2 else "num_attention_heads"]
    hidden = model["n_embd" if gpt2 else "hidden_size"]
    meta: dict[str, Any] = {
        f"{arch}.block_count": layers,
        f"{arch}.context_length": model["n_positions" if gpt2 else "max_position_embeddings"],
        f"{arch}.embedding_length": hidden,
        f"{arch}.feed_forward_length": 4 * hidden if gpt2 else model["intermediate_size"],
        f"{arch}.attention.head_count": heads,
    }
    if gpt2:
        meta[f"{arch}.attention.layer_norm_epsilon"] = model["layer_norm_epsilon"]
    else:
        meta[f"{arch}.attention.head_count_kv"] = model["num_key_value_heads"]
        meta[f"{arch}.attention.layer_norm_rms_epsilon"] = model["rms_norm_eps"]
        meta[f"{arch}.rope.freq_base"] = model["rope_theta"]
    if "head_dim" in model:
        meta[f"{arch}.attention.key_length"] = meta[f"{arch}.attention.value_length"] = model["head_dim"]
    meta |= {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": [f"t{i}" for i in range(TOKENS)],
        "tokenizer.ggml.token_type": [1] * TOKENS,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": "{{ messages }}",
    }
    for key, value in (meta | more).items():
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, float):
            writer.add_float32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        elif value is not None:
            writer.add_array(key, value)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[arch.upper()], layers)
    for name, values in weights.items():
        gguf_name = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert gguf_name, name
        for part, count in ((".q_proj.", heads), (".k_proj.", model.get("num_key_value_heads", 0))):
            values = permuted(values, count) if arch == "llama" and part in name else values
        if values.ndim == 1:
            writer.add_tensor(gguf_name, values)
        else:
            raw = gguf.GGMLQuantizationType[kind.upper()]
            writer.add_tensor(gguf_name, blocks(values, kind), raw_dtype=raw)
    if rope_freqs is not None:
        writer.add_tensor("rope_freqs.weight", rope_freqs.astype(np.float32))
    for name, values in (extra or {}).items():
        writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


# A GGUF header piece by piece, for invalid files.


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def pair(key: str | bytes, code: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", code) + value


def tensor(name: str | bytes, dims: list[int], code: int = 0, offset: int = 0, n_dims: int | None = None) -> bytes:
    count = len(dims) if n_dims is None else n_dims
    return text(name) + struct.pack(f"<I{len(dims)}QIQ", count, *dims, code, offset)


def raw_gguf(
    pairs: list[bytes] | None = None,
    tensors: list[bytes] | None = None,
    data: int = 0,
    magic: bytes = b"GGUF",
    version: int = 3,
    n_tensors: int | None = None,
    n_pairs: int | None = None,
) -> bytes:
    pairs = [pair("general.architecture", 8, text("llama"))] if pairs is None else pairs
    tensors = tensors or []
    counts = (len(tensors) if n_tensors is None else n_tensors, len(pairs) if n_pairs is None else n_pairs)
    head = magic + struct.pack("<IQQ", version, *counts) + b"".join(pairs) + b"".join(tensors)
    return head + bytes(-len(head) % 32) + bytes(data)
