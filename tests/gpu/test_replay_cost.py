"""Replay through direct C calls costs at most half of wgpu-py's own API."""

from __future__ import annotations

import json

import pytest

from .processes import python

pytestmark = pytest.mark.gpu


def test_a_replay_costs_at_most_half_of_wgpu_pys_api():
    """In a process of its own: allocations get dearer, for both ways, in one that has compiled a thousand shaders."""
    done = python("-m", "tests.gpu.replay_cost")
    assert done.returncode == 0, done.stderr[-2000:]
    cost = json.loads(done.stdout)
    assert cost["native"], "this wgpu-py has changed inside: the direct calls are off"
    print(f"us per dispatch: {cost['direct']:.2f} direct, {cost['public']:.2f} through wgpu-py")
    assert cost["direct"] <= 0.5 * cost["public"], cost
