"""Into how many slices a decode step's context is cut: by length, rows, heads, the weights' types, and LoRA."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from wgpt.engine.context_slices import slices_at, slices_by_length
from wgpt.gpu import GpuDevice
from wgpt.gpu.dry import DryDevice
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.presets import PRESETS
from wgpt.models.random_source import random_kinds

LENGTHS = (1, 256, 257, 1024, 1025, 2048, 2049, 8192, 8193, 1 << 20)


@dataclass
class _Chosen:
    dtype: str = "q4_1"
    heads: int = 9

    def network(self, device: GpuDevice) -> Network:
        small: Config = replace(PRESETS["smollm2-135m"], layers=1, heads=self.heads, kv_heads=self.heads)
        return Network.empty(device, small, random_kinds(small, self.dtype))[0]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (_Chosen("q4_1", 9), [2, 2, 4, 4, 8, 8, 8, 8, 24, 24]),
        (_Chosen("q4_1", 18), [2, 2, 4, 4, 4, 4, 8, 8, 8, 8]),
        (_Chosen("f16", 9), [1, 1, 4, 4, 8, 8, 8, 8, 24, 24]),
        (_Chosen("f16", 18), [1, 1, 4, 4, 8, 8, 8, 8, 8, 8]),
    ],
)
def test_one_row(chosen: _Chosen, expected: list[int]) -> None:
    network = chosen.network(DryDevice())
    assert [slices_at(network, 1, length)[1] for length in LENGTHS] == expected


def test_rows_and_adapters() -> None:
    """Several rows need a dispatch to join slices, and LoRA's first product needs them joined."""
    network = _Chosen().network(DryDevice())
    assert slices_by_length(network, 1, adapted=True) == slices_by_length(network, 4)
    assert [slices_at(network, rows, 1024)[1] for rows in (1, 2, 4, 5, 16, 17, 128)] == [4, 4, 4, 1, 1, 1, 1]
    assert [slices_at(network, rows, 256)[1] for rows in (1, 2)] == [2, 1]


def test_a_program_for_each_number_of_slices() -> None:
    """Sessions keep a Program by its slices, so no number occurs twice in a table."""
    for chosen in (_Chosen(), _Chosen("f16"), _Chosen(heads=18), _Chosen("f16", 18)):
        network = chosen.network(DryDevice())
        for rows in (1, 4, 16, 64):
            table = slices_by_length(network, rows)
            assert len({splits for _, splits in table}) == len(table)
            assert [most for most, _ in table] == sorted(most for most, _ in table)
            assert table[-1][0] == 1 << 30
