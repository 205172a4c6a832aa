"""verify catches every broken kernel: in turns, and at once after a change of a kernel (test_quick.py)."""

from __future__ import annotations

import pytest

from wgpt.gpu import GpuDevice
from wgpt.kernels import registry

from .breaking import MATRIX, MUTATIONS, check_caught, check_changes_every_shader
from .mutations import Mutation

EACH = pytest.mark.parametrize("mutation", (*MUTATIONS, *MATRIX), ids=str)


def test_there_are_enough_of_them():
    assert len(MUTATIONS) >= 20 and len({m.kernel for m in MUTATIONS}) >= 15
    assert {m.kernel for m in (*MUTATIONS, *MATRIX)} == set(registry.kernels()), "a kernel that nobody tried to break"


@pytest.mark.slow
@EACH
def test_it_changes_every_shader_on_every_kind_of_gpu(mutation: Mutation):
    check_changes_every_shader(mutation)


@pytest.mark.gpu
@pytest.mark.slow
@EACH
def test_verify_catches_it(mutation: Mutation, device: GpuDevice, monkeypatch: pytest.MonkeyPatch):
    check_caught(mutation, device, monkeypatch)
