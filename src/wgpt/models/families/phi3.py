"""Phi-3, 3.5 and 4: Llama with q, k and v in one matrix, gate and up in another, and longrope."""

from __future__ import annotations

from typing import Any

from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.rope_scaling import read_rope
from .. import reference
from ..decoder import Decoder, table
from ..decoder_config import TINY, layer_settings, read_decoder, read_window, write_decoder, write_window
from ..family import ModelFamily

SHORT, LONG = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2.0], [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0]


def read_config(read: ConfigReader) -> dict[str, Any]:
    rope = read_rope(read, read_sizes(read)["head_dim"], also_longrope=("su", "yarn"))
    return read_decoder(read, rope=rope, **read_window(read))


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "phi3") | write_window(config)
    own.pop("head_dim")  # hidden_size / num_attention_heads
    if own["rope_scaling"] is not None:
        own["original_max_position_embeddings"] = own["rope_scaling"]["original_max_position_embeddings"]
    return own


FAMILY = register(
    ModelFamily(
        name="phi3",
        model_types={"phi3": "Phi3ForCausalLM"},
        gguf="phi3",
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {"fused": True, **layer_settings(config)},
        table=table,
        build=Decoder,
        reference=reference.decoder,
        tiny={
            "model_type": "phi3",
            **TINY,
            "head_dim": None,
            "hidden_size": 64,
            "rope_scaling": {"type": "longrope", "short_factor": SHORT, "long_factor": LONG},
            "original_max_position_embeddings": 64,
        },
    )
)
