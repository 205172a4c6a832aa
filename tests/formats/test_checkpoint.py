"""Models of every family and type, opened from either kind of file: names, shapes, configs, every row; no GPU."""

from __future__ import annotations

import weakref

import gguf
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wgpt.formats import Checkpoint, FormatError, Stored, open_checkpoint
from wgpt.gpu.dtypes import from_bf16

from ..models import golden
from . import made

MASKS = (".attn.bias", ".attention.bias", ".masked_bias")  # causal masks, which older folders have
COMMON = {
    "model_type": "llama",
    "vocab_size": 40,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "tie_word_embeddings": True,
    "rms_norm_eps": 1e-5,
    "hidden_act": "silu",
    "attention_bias": False,
    "attention_output_bias": False,
    "mlp_bias": False,
    "sliding_window": None,
    "layer_types": None,
    "rope_theta": 5e4,
    "rope_scaling": None,
    "bos_token_id": 1,
    "eos_token_id": [2],
}
CONFIGS = {
    "llama": COMMON,
    "mistral": COMMON | {"sliding_window": 16},
    "qwen2": COMMON | {"model_type": "qwen2", "attention_bias": True},
    "qwen3": COMMON | {"model_type": "qwen3", "head_dim": 24},
    "gpt2": {
        "model_type": "gpt2",
        "vocab_size": 40,
        "hidden_size": 32,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "head_dim": 8,
        "max_position_embeddings": 24,
        "tie_word_embeddings": True,
        "layer_norm_epsilon": 1e-5,
        "hidden_act": "gelu_new",
        "attention_bias": True,
        "attention_output_bias": True,
        "mlp_bias": True,
        "bos_token_id": 1,
        "eos_token_id": [2],
    },
}


def same_config(config: dict, expected: dict) -> None:
    """GGUF keeps its numbers as f32."""
    assert config.keys() == expected.keys()
    for key, value in expected.items():
        assert config[key] == (pytest.approx(value, rel=1e-7) if isinstance(value, float) else value), key


def same_tensors(checkpoint: Checkpoint, expected: made.State) -> None:
    assert checkpoint.tensors.keys() == expected.keys()
    for name, values in expected.items():
        stored = checkpoint.tensors[name]
        assert (stored.name, stored.shape, stored.type, stored.nbytes) == (name, values.shape, "f32", values.nbytes)
        np.testing.assert_array_equal(stored.rows(0, len(values)), values, strict=True)


@pytest.mark.parametrize("family", made.FAMILIES)
def test_gguf_of_every_family(family, tmp_path):
    model = made.config(family)
    weights = made.state(model)
    more = {"llama.attention.sliding_window": 16} if family == "mistral" else {}
    path = made.write_gguf(tmp_path / "m.gguf", model, weights, **more)
    with open_checkpoint(path) as checkpoint:
        assert (checkpoint.path, checkpoint.format) == (path, "gguf")
        same_config(checkpoint.config, CONFIGS[family])
        same_tensors(checkpoint, weights)
        assert checkpoint.nbytes == sum(v.nbytes for v in weights.values())


@pytest.mark.parametrize("family", made.FAMILIES)
@pytest.mark.parametrize("shards", [1, 3])
def test_hf_folder_of_every_family(family, shards, tmp_path):
    model = made.config(family)
    weights = made.state(model)
    folder = made.write_hf(tmp_path / "m", model, weights, shards)
    with open_checkpoint(str(folder)) as checkpoint:
        assert (checkpoint.path, checkpoint.format, checkpoint.tokenizer) == (folder, "hf", folder)
        assert checkpoint.config == CONFIGS[family]
        same_tensors(checkpoint, weights)


@pytest.mark.parametrize("family, prefix", [("llama", ""), ("qwen3", ""), ("gpt2", "transformer.")])
def test_names_with_and_without_prefix(family, prefix, tmp_path):
    model = made.config(family)
    weights = made.state(model)
    folder = made.write_hf(tmp_path / "m", model, weights, prefix=prefix)
    with open_checkpoint(folder) as checkpoint:
        same_tensors(checkpoint, weights)


def test_a_safetensors_file_beside_its_config(tmp_path):
    model = made.config("qwen2")
    weights = made.state(model)
    folder = made.write_hf(tmp_path / "m", model, weights)
    with open_checkpoint(folder / "model.safetensors") as checkpoint:
        assert checkpoint.path == folder / "model.safetensors"
        assert checkpoint.tokenizer == folder
        same_tensors(checkpoint, weights)


def test_buffers_are_left_out(tmp_path):
    model = made.config("gpt2")
    weights = made.state(model)
    folder = made.write_hf(tmp_path / "m", model, weights)
    extra = {"h.0.attn.bias": np.tril(np.ones((1, 1, 24, 24), np.uint8)), "h.0.attn.masked_bias": np.float32([-1e4])}
    extra |= {"rotary_emb.inv_freq": np.ones(4, np.float64), "position_ids": np.arange(24)}
    save_file(load_file(folder / "model.safetensors") | extra, folder / "model.safetensors")
    with open_checkpoint(folder) as checkpoint:
        same_tensors(checkpoint, weights)


@pytest.mark.parametrize("family", made.FAMILIES)
def test_layers_that_the_config_does_not_count(family, tmp_path):
    """A model cut to its first layers would be another model."""
    key = "n_layer" if family == "gpt2" else "num_hidden_layers"
    weights, fewer = made.state(made.config(family)), made.config(family) | {key: 1}
    layers = "h" if family == "gpt2" else "model.layers"
    message = rf"of 1 layers and hidden size \d+: unexpected '{layers}\.1\.\S+'; .*and \d+ more"
    for shards in (1, 2):
        with pytest.raises(FormatError, match=message):
            open_checkpoint(made.write_hf(tmp_path / f"hf{shards}", fewer, weights, shards=shards))
    arch = "llama" if family == "mistral" else family
    path = made.write_gguf(tmp_path / "m.gguf", made.config(family), weights, **{f"{arch}.block_count": 1})
    with pytest.raises(FormatError, match=r"of 1 layers and hidden size \d+: unexpected 'blk\.1\.\S+'"):
        open_checkpoint(path)


@pytest.mark.parametrize(
    "name",
    ["score.weight", "model.layers.0.self_attn.q_proj.bias", "model.layers.0.self_attn.q_norm.weight", "nothing"],
)
def test_tensors_that_the_family_does_not_use(name, tmp_path):
    weights = made.state(made.config("llama"))
    with pytest.raises(FormatError, match=f"unexpected '{name}'"):
        open_checkpoint(made.write_hf(tmp_path, made.config("llama"), weights | {name: np.ones(4, np.float32)}))


def test_a_tensor_under_both_of_its_names(tmp_path):
    weights = made.state(made.config("llama"))
    twice = weights | {"norm.weight": weights["model.norm.weight"] + 1}
    with pytest.raises(FormatError, match=r"unexpected 'norm\.weight'"):
        open_checkpoint(made.write_hf(tmp_path, made.config("llama"), twice))


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_a_head_that_is_tied_may_be_there(family, shards, tmp_path):
    model = made.config(family) | {"tie_word_embeddings": True}
    weights = made.state(model)
    table = weights["wte.weight" if family == "gpt2" else "model.embed_tokens.weight"]
    with open_checkpoint(made.write_hf(tmp_path / "same", model, weights | {"lm_head.weight": table}, shards)) as same:
        assert same.config["tie_word_embeddings"] and "lm_head.weight" not in same.tensors
    other = table.copy()
    other[-1, -1] += 1
    folder = made.write_hf(tmp_path / "other", model, weights | {"lm_head.weight": other}, shards)
    message = r"tie_word_embeddings is true, but lm_head\.weight is not the same as (wte|model\.embed_tokens)\.weight"
    with pytest.raises(FormatError, match=message):
        open_checkpoint(folder)
    untied = model | {"tie_word_embeddings": False}
    with open_checkpoint(made.write_hf(folder, untied, weights | {"lm_head.weight": other}, shards)) as two:
        assert "lm_head.weight" in two.tensors


def test_a_head_where_the_config_does_not_say(tmp_path):
    """A family that is tied by default takes the head that its file has, if it is another one."""
    model = made.config("gpt2")
    weights = made.state(model)
    model.pop("tie_word_embeddings", None)
    for name, head in (("same", weights["wte.weight"]), ("other", weights["wte.weight"] + 1)):
        with open_checkpoint(made.write_hf(tmp_path / name, model, weights | {"lm_head.weight": head})) as checkpoint:
            assert checkpoint.config["tie_word_embeddings"] == (name == "same")


def test_a_gguf_files_harmless_tensors(tmp_path):
    weights = made.state(made.config("llama"))
    names = ("rope_factors_long.weight", "rope_factors_short.weight", "blk.1.attn_rot_embd.weight")
    extra = dict.fromkeys(names, np.ones(4, np.float32))
    path = made.write_gguf(tmp_path / "m.gguf", made.config("llama"), weights, extra=extra)
    with open_checkpoint(path) as checkpoint:
        same_tensors(checkpoint, weights)
    extra = {"token_types.weight": weights["model.norm.weight"]}
    path = made.write_gguf(tmp_path / "m.gguf", made.config("llama"), weights, extra=extra)
    with pytest.raises(FormatError, match=r"unexpected 'token_types\.weight'"):
        open_checkpoint(path)


def wide(**changes):
    """Rows of 256, which every block divides."""
    sizes = {"hidden_size": 256, "intermediate_size": 256, "num_hidden_layers": 1, "num_attention_heads": 4}
    return made.config("llama", **sizes, num_key_value_heads=2, **changes)


@pytest.mark.parametrize("kind", made.PLAIN + made.QUANTS)
def test_every_type_row_by_row(kind, tmp_path):
    """Blocks come out as the gguf package's own reader gives them, q and k in half-split order."""
    weights = made.state(wide())
    path = made.write_gguf(tmp_path / "m.gguf", wide(), weights, kind)
    theirs = {t.name: t for t in gguf.GGUFReader(path).tensors}
    dtype = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16}.get(kind, np.uint8)
    with open_checkpoint(path) as checkpoint:
        for name, gguf_name, heads in (
            ("model.embed_tokens", "token_embd", 0),
            ("model.layers.0.self_attn.q_proj", "blk.0.attn_q", 4),
            ("model.layers.0.self_attn.k_proj", "blk.0.attn_k", 2),
            ("model.layers.0.mlp.down_proj", "blk.0.ffn_down", 0),
        ):
            stored = checkpoint.tensors[name + ".weight"]
            data = theirs[gguf_name + ".weight"].data
            data = data.view(dtype) if kind == "bf16" else data
            n = stored.shape[0]
            assert (stored.type, stored.nbytes, stored.quantised) == (kind, data.nbytes, kind in made.QUANTS)
            if heads:
                data = data.reshape(heads, n // heads // 2, 2, -1).swapaxes(1, 2).reshape(n, -1)
            np.testing.assert_array_equal(stored.rows(0, n), data, strict=True)
            for lo, hi in ((0, 1), (n - 1, n), (3, 29), (n // 2 - 5, n // 2 + 7), (7, 7)):
                np.testing.assert_array_equal(stored.rows(lo, hi), data[lo:hi], strict=True)
            # The blocks decode to the values that were encoded.
            if kind in ("f32", "q8_0"):
                values = gguf.quants.dequantize(stored.rows(0, n), gguf.GGMLQuantizationType[kind.upper()])
                original = weights[name + ".weight"]
                np.testing.assert_allclose(values, original, atol=0 if kind == "f32" else np.abs(original).max() / 250)


@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_halves_of_hf(family, kind, tmp_path):
    model = made.config(family)
    weights = {
        k: made.blocks(v, kind).view(np.float16 if kind == "f16" else np.uint16) for k, v in made.state(model).items()
    }
    with open_checkpoint(made.write_hf(tmp_path / "m", model, weights)) as checkpoint:
        for name, values in weights.items():
            assert checkpoint.tensors[name].type == kind
            np.testing.assert_array_equal(checkpoint.tensors[name].rows(0, len(values)), values, strict=True)
            np.testing.assert_array_equal(checkpoint.tensors[name].rows(3, 8), values[3:8], strict=True)


def test_rows_are_views_where_the_order_allows(tmp_path):
    model = made.config("llama")
    with open_checkpoint(made.write_gguf(tmp_path / "m.gguf", model, made.state(model))) as checkpoint:
        rows = checkpoint.tensors["model.layers.0.mlp.up_proj.weight"].rows(4, 9)
        assert not rows.flags.owndata and not rows.flags.writeable
        assert checkpoint.tensors["model.layers.0.self_attn.q_proj.weight"].rows(4, 9).flags.owndata


@pytest.mark.parametrize("lo, hi", [(-1, 2), (0, 41), (5, 4), (41, 41)])
def test_rows_out_of_range(lo, hi, tmp_path):
    model = made.config("llama")
    with open_checkpoint(made.write_gguf(tmp_path / "m.gguf", model, made.state(model))) as checkpoint:
        with pytest.raises(ValueError, match=r"embed_tokens.weight, which has 40"):
            checkpoint.tensors["model.embed_tokens.weight"].rows(lo, hi)


def test_close_lets_go_of_the_map(tmp_path):
    model = made.config("llama")
    checkpoint = open_checkpoint(made.write_hf(tmp_path / "m", model, made.state(model), shards=2))
    maps = [weakref.ref(file.data) for file in checkpoint.files]
    stored: Stored = checkpoint.tensors["model.norm.weight"]
    rows = stored.rows(0, 32)
    checkpoint.close()
    checkpoint.close()
    with pytest.raises(FormatError, match=r"safetensors: is closed: open the checkpoint again"):
        stored.rows(0, 32)
    assert np.isfinite(rows).all()  # arrays in use stay readable
    del rows
    assert [ref() for ref in maps] == [None, None]


def test_biases_of_llama(tmp_path):
    """They are rare: biases of q and k are permuted like their matrices."""
    model = made.config("llama", attention_bias=True, mlp_bias=True, tie_word_embeddings=False)
    weights = made.state(model)
    expected = {"attention_bias": True, "attention_output_bias": True, "mlp_bias": True, "tie_word_embeddings": False}
    for path in (
        made.write_gguf(tmp_path / "m.gguf", model, weights),
        made.write_hf(tmp_path / "m", model, weights),
    ):
        with open_checkpoint(path) as checkpoint:
            same_tensors(checkpoint, weights)
            same_config(checkpoint.config, COMMON | expected)


def test_gguf_keeps_what_the_tokenizer_needs(tmp_path):
    model = made.config("qwen2")
    more = {"tokenizer.ggml.eot_token_id": 7, "tokenizer.ggml.add_bos_token": False, "general.name": "Tiny"}
    more |= {"tokenizer.ggml.scores": [0.5, -1.25], "tokenizer.ggml.merges": ["a b", "ü ß"]}
    path = made.write_gguf(tmp_path / "m.gguf", model, made.state(model), **more)
    with open_checkpoint(path) as checkpoint:
        assert checkpoint.config["eos_token_id"] == [2, 7]
        assert checkpoint.tokenizer == {
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.tokens": [f"t{i}" for i in range(40)],
            "tokenizer.ggml.token_type": [1] * 40,
            "tokenizer.ggml.bos_token_id": 1,
            "tokenizer.ggml.eos_token_id": 2,
            "tokenizer.ggml.eot_token_id": 7,
            "tokenizer.ggml.add_bos_token": False,
            "tokenizer.ggml.scores": [0.5, -1.25],
            "tokenizer.ggml.merges": ["a b", "ü ß"],
            "tokenizer.chat_template": "{{ messages }}",
        }


def test_gguf_with_an_alignment_of_its_own(tmp_path):
    model = made.config("llama")
    weights = made.state(model)
    for alignment in (8, 256):
        path = tmp_path / f"m{alignment}.gguf"
        made.write_gguf(path, model, weights, alignment=alignment)
        with open_checkpoint(path) as checkpoint:
            same_tensors(checkpoint, weights)


@pytest.mark.parametrize("name", golden.NAMES)
def test_what_transformers_wrote(name):
    """The golden folders: every tensor, with nothing left out but masks."""
    theirs = golden.load(name)
    weights = {k.removeprefix("transformer."): v for k, v in theirs.weights.items()}
    with open_checkpoint(theirs.folder) as checkpoint:
        assert checkpoint.config["vocab_size"] == theirs.config["vocab_size"]
        assert checkpoint.tensors.keys() == {k for k in weights if not k.endswith(MASKS)}
        for key, stored in checkpoint.tensors.items():
            conv = theirs.config["model_type"] == "gpt2" and "c_" in key and key.endswith("weight")
            assert stored.transposed == conv
            rows = stored.rows(0, stored.shape[0])
            rows = from_bf16(rows) if stored.type == "bf16" else rows
            np.testing.assert_array_equal(rows, weights[key].T if stored.transposed else weights[key], strict=True)
