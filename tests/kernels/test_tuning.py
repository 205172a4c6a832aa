"""Tuning results: those that come with wgpt name problems and variants that exist; a damaged file is ignored, with a
warning, and nothing it says can break a command."""

from __future__ import annotations

import json
import warnings

import pytest
from tests.contracts.made_up import ADAPTERS_OF_DAWN

from wgpt.gpu.dry import DryDevice
from wgpt.kernels import registry, tuning
from wgpt.kernels.products.gemv_fused import problem_of
from wgpt.ops import gpu_min_size

FILES = sorted(tuning._SHIPPED.glob("*.json"))
ENTRIES = [
    (file, kernel, key)
    for file in FILES
    for kernel, keys in json.loads(file.read_text())["variants"].items()
    for key in keys
]


def test_there_is_one_for_the_h200():
    assert tuning.shipped("NVIDIA H200")["variants"]
    assert not tuning.shipped("NVIDIA GeForce RTX 4090")


@pytest.mark.parametrize("file, name, key", ENTRIES, ids=lambda x: getattr(x, "stem", x))
def test_it_is_a_choice_that_is_still_there(file, name, key):
    kernel = registry.get(name)
    variant = json.loads(file.read_text())["variants"][name][key]
    problems = [c.problem for c in kernel.bench_cases if kernel.tune_key(c.problem) == key]
    assert problems, "no bench case has this key any more: tune again"
    assert any(variant in kernel.usable(ADAPTERS_OF_DAWN["nvidia"], problem) for problem in problems), "tune again"


def test_what_was_tuned_without_slices_serves_with_them(monkeypatch):
    """Where x is staged as integers, in as many bytes as the problem asks for; a shape for slices comes first."""
    device, kernel = DryDevice(), registry.get("gemv_fused")
    entry = {"reduce": "subgroup", "digits": 2, "threads": 640}
    entries = {
        "q4_1 2^10 x 2^10 add none": entry,
        "f16 2^10 x 2^10 add none": entry,
        "q4_k 2^10 x 2^10 add none": entry,
        "q4_k 2^10 x 2^10 add splits none": {**entry, "threads": 320},
    }
    monkeypatch.setattr(tuning, "lookup", lambda device, name, key: entries.get(key))

    def tuned(weight, **more):
        problem = problem_of(weight, 576, 576 if weight != "q4_k" else 768, add=True, splits=2, head_dim=64, **more)
        return kernel.tuned(device, problem)

    assert tuned("q4_1", short=True) == entry and tuned("q4_1") == {**entry, "digits": 3}
    assert tuned("f16") is None and tuned("q4_k", short=True) == {**entry, "threads": 320}


@pytest.fixture
def tuning_file(device, tmp_path, monkeypatch):
    monkeypatch.setenv("WGPT_HOME", str(tmp_path))
    file = tuning.path(device)
    file.parent.mkdir(parents=True)
    tuning.forget()
    yield file
    tuning.forget()


@pytest.mark.gpu
@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"null",
        b"3",
        b"{",
        b"",
        b"\xff",
        b"[" * 100_000,
        b'{"variants": []}',
        b'{"variants": {"gemv": []}}',
        b'{"variants": {"gemv": {"key": 1}}}',
        b'{"gpu_min_size": "many"}',
        b'{"gpu_min_size": null}',
    ],
    ids=lambda content: content[:40].decode(errors="replace"),
)
def test_a_damaged_file_is_ignored_with_a_warning(device, tuning_file, content: bytes):
    tuning_file.write_bytes(content)
    with pytest.warns(UserWarning, match="is damaged and is ignored; `wgpt tune` measures"):
        assert tuning.table(device) == {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        assert tuning.lookup(device, "gemv", "key") == tuning.shipped(device.info.name).get("gemv", {}).get("key")
        gpu_min_size()


@pytest.mark.gpu
def test_what_was_saved_is_read(device, tuning_file):
    tuning.save(device, {"gpu_min_size": 7, "variants": {"gemv": {"key": {"threads": 1}}}})
    tuning.forget()
    assert tuning.lookup(device, "gemv", "key") == {"threads": 1} and tuning.table(device)["gpu_min_size"] == 7
    assert [file.name for file in tuning_file.parent.iterdir()] == [tuning_file.name]
