"""What holds a GPU's memory is neither pickled nor copied: one error, and nothing else on stderr."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.train import golden
from wgpt import CommandBatch, Engine, ForwardPass, MatmulCache, Model, WgptError
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def objects(device: GpuDevice, shared: Model) -> Iterator[dict[str, Any]]:
    batch, cache, forward = CommandBatch(device), MatmulCache(device), ForwardPass(device=device)
    x = batch.upload(np.ones(63, np.float32), "x")
    y = batch.scale(x, 2.0)
    weight = cache.put("up", np.ones((3, 64), np.float32))
    stream = shared.stream([5, 6, 7], max_tokens=2)
    with batch.finish(y=y) as program, Engine(shared) as engine:
        request, pending = engine.submit([5, 6, 7], max_tokens=2), program.submit()
        yield {
            "Model": shared,
            "Engine": engine,
            "Request": request,
            "Stream": stream,
            "ReadRequest": engine.score("A"),
            "GpuDevice": device,
            "Program": program,
            "Pending": pending,
            "Tensor": x,
            "Buffer": x.buffer,
            "CommandBatch": batch,
            "MatmulCache": cache,
            "Weight": weight,
            "ForwardPass": forward,
        }
        stream.close()
        request.result()
        pending.result()
    cache.clear()


@pytest.mark.parametrize("way", [pickle.dumps, copy.deepcopy, copy.copy])
def test_one_error_that_names_it(
    objects: dict[str, Any], way: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_destructors: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", in_destructors.append)
    for name, each in objects.items():
        with pytest.raises(WgptError, match=rf"^a {name} cannot be pickled or copied: it belongs to a GPU of this pro"):
            way(each)
        with pytest.raises(TypeError, match="cannot be pickled or copied"):  # as pickle has it
            way(each)
    if way is not copy.copy:
        with pytest.raises(WgptError, match="cannot be pickled or copied"):
            way(objects["Model"].network)
    gc.collect()
    assert not in_destructors


def test_the_way_out_of_a_model(shared: Model) -> None:
    with pytest.raises(WgptError, match=r"load the model in each process that needs it \(wgpt\.load\)"):
        pickle.dumps(shared)


def test_a_lora_adapter_may_go_anywhere() -> None:
    adapter = read_lora(golden.load("llama-gqa-seven").adapter)
    for other in (pickle.loads(pickle.dumps(adapter)), copy.deepcopy(adapter)):
        assert other.digest() == adapter.digest()


@pytest.mark.parametrize("data", [None, 5, {}, b"x"])
def test_data_that_is_none(shared: Model, data: Any) -> None:
    with pytest.raises(WgptError, match="data must be the path of a JSONL file, or a list of dicts, not "):
        shared.finetune(data, steps=1)
