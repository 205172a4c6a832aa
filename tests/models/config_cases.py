"""tests/golden/configs: config.json files with keys dropped and changed, and what transformers makes of them.

Cases of a model_type that have the same number have the same logits in transformers; see golden/make_configs.py.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wgpt.formats.config import normalised
from wgpt.formats.wanted import wanted
from wgpt.models.config import Config
from wgpt.models.rope import amplitude, frequencies

FOLDER = Path(__file__).parents[1] / "golden" / "configs"
KINDS = sorted(path.stem for path in FOLDER.glob("*.json"))
MISSING = "(missing)"
LENGTH = 23  # tokens of each case: a window of as many or more has no effect on them
# Keys of transformers' classes that change no logits: what a family does not read must be here.
WITHOUT_EFFECT = {
    # About the file, and what else transformers returns.
    *("architectures", "transformers_version", "dtype", "return_dict", "output_hidden_states", "output_router_logits"),
    # How it is computed, with the same result.
    *("use_cache", "chunk_size_feed_forward", "pretraining_tp", "reorder_and_upcast_attn", "deterministic_flash_attn"),
    # Training.
    *("initializer_range", "initializer_cutoff_factor", "router_aux_loss_coef", "router_jitter_noise"),
    *("attention_dropout", "attention_probs_dropout_prob", "attn_pdrop", "embd_pdrop", "embedding_dropout"),
    *("hidden_dropout", "hidden_dropout_prob", "mlp_dropout", "resid_pdrop", "residual_dropout", "sparse_prediction"),
    *("sparse_pred_ignore_index",),
    # Heads of other tasks: a classifier's labels are read where there is one.
    *("classifier_dropout", "decoder_bias", "id2label", "label2id", "problem_type", "summary_activation"),
    *("summary_first_dropout", "summary_proj_to_labels", "summary_type", "summary_use_proj"),
    # Other parts than this one: an encoder before it, further tokens, Mamba layers (which are refused).
    *("is_encoder_decoder", "num_mtp_layers"),
    *("mamba_n_heads", "mamba_n_groups", "mamba_d_state", "mamba_d_head", "mamba_d_conv", "mamba_expand"),
    *("mamba_chunk_size", "mamba_conv_bias", "mamba_proj_bias", "time_step_limit"),
    # Tokens: the tokenizer's files have them, and padding is not read.
    *("pad_token_id", "cls_token_id", "sep_token_id"),
}
# Where these are missing, the sizes of other settings stand in, and tensors of other shapes are refused.
SHAPES = ("num_key_value_heads", "intermediate_size", "head_dim", "tie_word_embeddings")
# What has no effect on the logits of a text of this length, or is in what is compared already.
_ASIDE = {"context": 0, "bos": None, "eos": (), "per_layer": ()}
_ASIDE |= {"theta": 0.0, "rope_scaling": None, "attention_scale": 0.0}


class Case(NamedTuple):
    kind: str
    changes: dict[str, Any]
    number: int | None  # None: transformers refuses it, or the model was too large to run

    @property
    def config(self) -> dict[str, Any]:
        """config.json."""
        config = recorded(self.kind)["base"] | self.changes
        if "tie_word_embeddings" not in recorded(self.kind)["keys"]:  # a part of a model, without a head
            config = config | {"tie_word_embeddings": False}
        return {"model_type": self.kind, **{key: value for key, value in config.items() if value != MISSING}}


@cache
def recorded(kind: str) -> dict[str, Any]:
    """`keys`: those of the configuration class, with their defaults; `names`: other names of them; `base`; `cases`."""
    record: dict[str, Any] = json.loads((FOLDER / f"{kind}.json").read_text())
    return record


def cases(kind: str) -> list[Case]:
    return [Case(kind, changes, number) for changes, number in recorded(kind)["cases"]]


def computed(config: dict[str, Any]) -> Hashable:
    """All that determines the logits of a model with this config.json: equal if two of them compute the same."""
    read = normalised(config, "config.json")
    whole = Config.of(read)
    tensors = frozenset((tensor.name, tensor.shape) for tensor in wanted(read))
    return tensors, *(_computed(whole.layer(i)) for i in range(whole.layers))


def _computed(layer: Config) -> Hashable:
    turns = layer.rope and layer.state is None
    scale = layer.attention_scale or layer.head_dim**-0.5
    angles = tuple(np.round(frequencies(layer), 9).tolist()) if turns else ()
    window = layer.window if layer.window < LENGTH else 0
    encoder = layer.encoder
    if encoder is not None and not encoder.labels:  # there is no classifier
        encoder = replace(encoder, dense_bias=False, pooling="")
    moe = layer.mixture is not None and not layer.mixture.beside
    settings = replace(layer, **_ASIDE, window=window, rotary=0, encoder=encoder, ffn=0 if moe else layer.ffn)
    settings = replace(settings, tied=layer.tied and encoder is None)
    values = tuple(repr(getattr(settings, field.name)) for field in fields(settings))
    return values, angles, round(amplitude(layer) if turns else 1.0, 9), round(scale, 9)
