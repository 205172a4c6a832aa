"""How much work fills a GPU follows from how many cores it has."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.contracts.made_up import NVIDIA

from wgpt.gpu import Traits
from wgpt.kernels.attention.attention_decode import DECODE
from wgpt.kernels.products import gemv, lora_product, panels, tiles

SMALL, TWICE = replace(NVIDIA, cores=12), replace(NVIDIA, cores=2 * NVIDIA.cores)


@pytest.mark.parametrize("count", [1, 96, 95_000])
def test_the_measured_gpu_takes_what_was_measured(count: int) -> None:
    assert NVIDIA.filling(count) == count and TWICE.filling(count) == 2 * count
    assert 1 <= SMALL.filling(count) <= count


def panel_width(traits: Traits) -> int:
    return int(panels.offered(traits, {"weight": "f16", "m": 16, "n": 960, "k": 576})[0]["bn"])


def tile_size(traits: Traits) -> int:
    tile = tiles.styles(traits, 512, 1536)[0]
    return int(tile["bm"] * tile["bn"])


def test_a_small_gpu_is_filled_by_larger_tiles_and_fewer_blocks() -> None:
    assert panel_width(SMALL) > panel_width(NVIDIA)
    assert tile_size(SMALL) > tile_size(NVIDIA)
    assert tiles.blocks_of(SMALL, 512, 576, 8960) < tiles.blocks_of(NVIDIA, 512, 576, 8960)
    assert lora_product.blocks_of(SMALL, 576, 16, 4096) < lora_product.blocks_of(NVIDIA, 576, 16, 4096)


def test_a_small_gpu_has_more_rows_to_a_team_and_heads_to_a_key() -> None:
    product = {"weight": "f16", "n": 1536, "k": 576}
    small, large = (gemv.KERNEL.usable(traits, product)[0] for traits in (SMALL, NVIDIA))
    assert small["lanes"] / small["rows"] < large["lanes"] / large["rows"]
    shape = {"heads": 32, "kv_heads": 8, "head_dim": 64, "cache": "f16", "rope": True, "qk_norm": False, "eps": 1e-6}
    step = {**shape, "rows": 1, "slots": 1, "capacity": 1024, "window": 0, "splits": 4}
    assert DECODE.usable(SMALL, step)[0]["each"] > DECODE.usable(TWICE, step)[0]["each"]
