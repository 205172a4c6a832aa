"""Writes tests/golden/encoders: tiny encoders of every family, and what transformers computes from them.

Run by hand, and again only when a model here changes (needs no GPU; some seconds):

    golden-venv/bin/python -m tests.golden.make_encoders [NAME ...]        # the venv of make_models.py

The weights come from a seed; transformers takes them, writes the folder, reads it again and runs it in float64, all
texts of a model in one padded batch.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification, PreTrainedModel

from tests.golden.archives import pack
from tests.models import made_up, vocabulary
from tests.models.encoder_vocabulary import PAD, SIZE, write_tokenizer

FOLDER = Path(__file__).parent / "encoders"
LENGTHS = (17, 1, 41, 23)
BERT = {
    "model_type": "bert",
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    "vocab_size": SIZE,
    "layer_norm_eps": 1e-12,
    "pad_token_id": PAD,
}
# The first position is the row after that of the padding token, here 3.
ROBERTA = BERT | {"model_type": "roberta", "max_position_embeddings": 67, "pad_token_id": 2, "type_vocab_size": 1}
MODERNBERT = {
    **{key: value for key, value in BERT.items() if key not in ("layer_norm_eps", "num_hidden_layers")},
    "model_type": "modernbert",
    "num_hidden_layers": 4,
    "local_attention": 10,
    "cls_token_id": 2,
    "sep_token_id": 3,
    "bos_token_id": 2,
    "eos_token_id": 3,
}
GEMMA = {
    **{"model_type": "gemma3_text", "use_bidirectional_attention": True, "sliding_window": 10, "hidden_size": 32},
    **{"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16},
    **{"intermediate_size": 48, "max_position_embeddings": 64, "vocab_size": vocabulary.SIZE, "pad_token_id": PAD},
    **{"query_pre_attn_scalar": 16, "layer_types": ["sliding_attention", "full_attention"]},
    "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 1000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
    },
}
POOLING = {
    "cls": {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
    "mean": {"word_embedding_dimension": 32, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
}
MODULES = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True)
class Tiny:
    """A model to write. `labels`: of a cross-encoder; `pooling`: sentence-transformers' files say so."""

    config: dict[str, Any]
    seed: int
    labels: int = 0
    pooling: str = ""
    prompts: dict[str, str] = field(default_factory=dict)
    dtype: torch.dtype = torch.float16
    norm: float = 1.0  # gains are around it
    dense: int = 0  # width between two dense layers after pooling; with a BPE tokenizer


MODELS = {
    "bert": Tiny(BERT, 1, pooling="cls", dtype=torch.float32),
    "bert-tanh": Tiny(
        BERT | {"hidden_act": "gelu_new"}, 2, pooling="mean", prompts={"query": "query: ", "passage": ""}
    ),
    "bert-cross": Tiny(BERT, 3, labels=1),
    "roberta": Tiny(ROBERTA, 4),
    "xlm-roberta-cross": Tiny(ROBERTA | {"model_type": "xlm-roberta"}, 5, labels=1),
    "nomic": Tiny(BERT | {"model_type": "nomic_bert", "hidden_act": "silu"}, 6, pooling="mean"),
    # A window of 5 on each side in layers 1 and 2.
    "modernbert": Tiny(MODERNBERT, 7, pooling="cls"),
    "modernbert-cross": Tiny(MODERNBERT | {"classifier_pooling": "mean", "num_hidden_layers": 2}, 8, labels=1),
    # A window of 5 on each side in layer 0, and two dense layers after pooling.
    "embeddinggemma": Tiny(GEMMA, 10, pooling="mean", dtype=torch.bfloat16, norm=0.0, dense=56),
    "modernbert-biased": Tiny(MODERNBERT | {"norm_bias": True, "attention_bias": True, "mlp_bias": True}, 9),
}


def write(name: str, tiny: Tiny) -> PreTrainedModel:
    """The folder of one model, and the model as transformers reads it back from there, in float64."""
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    auto = AutoModelForSequenceClassification if tiny.labels else AutoModel
    more = {"num_labels": tiny.labels} if tiny.labels else {}
    model = auto.from_config(AutoConfig.for_model(**tiny.config, **more))
    shapes = {key: tuple(t.shape) for key, t in model.state_dict().items()}
    arrays = made_up.weights_like(shapes, tiny.seed, tiny.norm, 1.0)
    model.load_state_dict({key: torch.from_numpy(value) for key, value in arrays.items()})
    model.to(tiny.dtype).save_pretrained(folder)
    if tiny.dense:
        vocabulary.write_tokenizer(folder)
    else:
        write_tokenizer(folder, pair_types=tiny.config["model_type"] == "bert")
    if tiny.pooling:
        write_modules(folder, tiny)
    return auto.from_pretrained(folder, dtype=torch.float32).double().eval()


def write_modules(folder: Path, tiny: Tiny) -> None:
    """As sentence-transformers does."""
    kinds = [*MODULES[:2], *["Dense"] * (2 if tiny.dense else 0), MODULES[2]]
    modules = [
        {"idx": i, "name": str(i), "path": f"{i}_{kind}" if i else "", "type": f"sentence_transformers.models.{kind}"}
        for i, kind in enumerate(kinds)
    ]
    rng, hidden = np.random.default_rng(tiny.seed), tiny.config["hidden_size"]
    for module, (n, k) in zip(modules[2:-1], ((tiny.dense, hidden), (hidden, tiny.dense)), strict=False):
        inner = folder / str(module["path"])
        inner.mkdir()
        act = "torch.nn.modules.linear.Identity"
        facts = {"in_features": k, "out_features": n, "bias": False, "activation_function": act}
        (inner / "config.json").write_text(json.dumps(facts))
        matrix = (rng.standard_normal((n, k)) / k**0.5).astype(np.float32)
        save_file({"linear.weight": torch.from_numpy(matrix)}, inner / "model.safetensors")
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(POOLING[tiny.pooling]))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 48, "do_lower_case": False}))
    prompts = {"prompts": tiny.prompts, "default_prompt_name": None}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))


@torch.no_grad()
def truth(model: PreTrainedModel, tiny: Tiny) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(tiny.seed)
    texts = [rng.integers(5, SIZE, n) for n in LENGTHS]
    types = [np.arange(n) >= n // 2 for n in LENGTHS]
    longest, saved = max(LENGTHS), dict[str, np.ndarray]()
    ids, mask, second = (np.zeros((len(texts), longest), np.int64) for _ in range(3))
    ids[:] = tiny.config["pad_token_id"]
    for i, text in enumerate(texts):
        ids[i, : len(text)], mask[i, : len(text)] = text, 1
        if tiny.config["model_type"] == "bert" and tiny.labels:
            second[i, : len(text)] = types[i]
    inputs = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
    if tiny.config["model_type"] not in ("modernbert", "gemma3_text"):
        inputs["token_type_ids"] = torch.tensor(second)
    output = model(**inputs, output_hidden_states=True)
    if tiny.labels:
        saved["scores"] = output.logits.numpy()
    hidden = (output.hidden_states[-1] if tiny.labels else output.last_hidden_state).numpy()
    for i, text in enumerate(texts):
        saved |= {f"ids_{i}": text, f"types_{i}": second[i, : len(text)]}
        saved[f"hidden_{i}"] = hidden[i, : len(text)].astype(np.float32)
    saved["mean"] = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    saved["cls"] = hidden[:, 0]
    return saved


def main() -> None:
    for name in sys.argv[1:] or MODELS:
        saved = truth(write(name, MODELS[name]), MODELS[name])
        np.savez_compressed(FOLDER / name / "golden.npz", **saved)
    pack(FOLDER)


if __name__ == "__main__":
    main()
