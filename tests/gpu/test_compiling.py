"""Shaders of one Program are compiled several at a time, each once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from wgpt.gpu import Recorder, ShaderError
from wgpt.gpu import pipeline as pipelines

from .launches import AFFINE, affine

pytestmark = pytest.mark.gpu
X = np.arange(130, dtype=np.float32)


def record(device, name, count, broken=()):
    """A Program's worth of `count` shaders that no other test has; those of `broken` do not compile."""
    recorder = Recorder(device)
    last = recorder.upload(X)
    for i in range(count):
        following = recorder.tensor(X.shape)
        wgsl = f"{AFFINE}// {name} {i}\n" + ("fn wrong() { nonsense; }\n" if i in broken else "")
        recorder.launch(affine(last, following, 1.0, 1.0, wgsl=wgsl, variant=f"number {i}"))
        last = following
    return recorder, last


def test_several_at_a_time_and_each_once(device, monkeypatch):
    both, real = threading.Barrier(2), device.pipelines._compile

    def compile_with_another(code):
        both.wait(timeout=60)  # breaks unless two run at once
        return real(code)

    monkeypatch.setattr(pipelines, "_COMPILERS", 2)
    monkeypatch.setattr(device.pipelines, "_compile", compile_with_another)
    before = device.pipelines.compiled
    for turn in range(2):
        recorder, last = record(device, "several", 6)
        with recorder.finish(y=last) as program:
            assert device.pipelines.compiled == before + 6, turn
            np.testing.assert_array_equal(program.read()["y"], X + 6)


def test_one_that_is_broken_is_named_and_the_others_are_kept(device):
    before = device.pipelines.compiled
    recorder, last = record(device, "one broken", 5, broken=(3,))
    with pytest.raises(ShaderError, match=r"(?s)affine\[number 3\].*nonsense"):
        recorder.finish(y=last)
    recorder.discard()
    assert device.pipelines.compiled == before + 4
    recorder, last = record(device, "one broken", 3)
    with recorder.finish(y=last) as program:
        assert device.pipelines.compiled == before + 4
        np.testing.assert_array_equal(program.read()["y"], X + 3)
