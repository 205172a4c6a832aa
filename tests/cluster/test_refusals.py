"""What is refused before a cluster is asked for; no cluster."""

from __future__ import annotations

import importlib

import pytest

import wgpt
from wgpt.cluster import connection
from wgpt.core.errors import WgptError

from ..train import golden

EXAMPLES = [{"prompt": "Who?", "completion": " Me."}] * 4


@pytest.fixture
def without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def missing(name: str) -> object:
        if name == "ray":
            raise ImportError("No module named 'ray'")
        return real(name)

    monkeypatch.setattr(connection.importlib, "import_module", missing)


def test_without_ray_one_line_says_what_to_install(without_ray):
    with pytest.raises(WgptError, match=r"pip install 'wgpt\[ray\]'"):
        connection.ray_module()


@pytest.mark.gpu
def test_a_run_without_ray_is_refused(without_ray, device):
    with (
        wgpt.load(golden.load("llama-gqa").model, device=device) as model,
        pytest.raises(WgptError, match=r"pip install 'wgpt\[ray\]'"),
    ):
        model.finetune(EXAMPLES, workers=2, steps=1, hold_out=0)


@pytest.mark.gpu
def test_more_workers_than_micro_batches_are_refused(device):
    with (
        wgpt.load(golden.load("llama-gqa").model, device=device) as model,
        pytest.raises(WgptError, match="3 workers share the 2 micro-batches of a step"),
    ):
        model.finetune(EXAMPLES, workers=3, accumulate=2, steps=1, hold_out=0)
