"""Importance matrices: the mean squares of what each matrix is multiplied with, as NumPy has them."""

from __future__ import annotations

from typing import ClassVar

import gguf
import numpy as np
import pytest

import wgpt
from tests.models import golden
from wgpt.formats import FormatError
from wgpt.formats.family import model_types
from wgpt.formats.imatrix import read_imatrix
from wgpt.models.family import family_of

TEXT = "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 4


class Watched(np.ndarray):
    """A weight that notes what it is multiplied with."""

    seen: ClassVar[dict[int, np.ndarray]] = {}

    def __array_ufunc__(self, ufunc, method, *args, **more):
        if ufunc is np.matmul and isinstance(args[1], Watched):
            self.seen[place(args[1])] = np.asarray(args[0])
        return getattr(ufunc, method)(*(np.asarray(each) for each in args), **more)


def place(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def inputs_of_matrices(base: golden.Golden, ids: list[int]) -> dict[str, np.ndarray]:
    """By a weight's name: what the reference in NumPy multiplies it with."""
    Watched.seen.clear()
    watched = {name: np.array(value, np.float64).view(Watched) for name, value in base.weights.items()}
    model_types()[base.config["model_type"]].reference(base.config, watched, np.array(ids), 256)
    names = {place(value): name for name, value in watched.items()}
    return {names[at]: x for at, x in Watched.seen.items() if at in names}


@pytest.mark.parametrize("name", ["llama-gqa", "gemma3", "gpt2", "phi3"])
def test_the_mean_squares_are_those_of_numpy(name, tmp_path):
    base = golden.load(name)
    with wgpt.load(base.folder, context=base.context) as model:
        count = wgpt.imatrix(model, TEXT, tmp_path / "i.gguf", context=64)
        ids = model.ids(TEXT)
        names = {f"{row.gguf}.weight": f"{row.name}.weight" for row in family_of(model.config).table(model.config)}
    pieces = [ids[i : i + 64] for i in range(0, len(ids) - 63, 64)]
    means = read_imatrix(tmp_path / "i.gguf")
    layers = base.config.get("num_hidden_layers") or base.config["n_layer"]
    assert len(pieces) >= 2 and len(means) == count and count % layers == 0 and count // layers in (4, 7)
    seen = [inputs_of_matrices(base, piece) for piece in pieces]
    for key, mean in means.items():
        inputs = [next(x for name, x in each.items() if name.endswith(names[key])) for each in seen]
        truth = np.square(np.concatenate(inputs)).mean(axis=0)
        assert np.allclose(mean, truth, rtol=2e-3, atol=1e-5 * truth.max()), key


def test_the_file_is_llama_cpps(tmp_path):
    with wgpt.load(golden.FOLDER / "models" / "llama-gqa") as model:
        wgpt.imatrix(model, TEXT, tmp_path / "i.gguf", context=64)
        with pytest.raises(FormatError, match=r"already exists"):
            wgpt.imatrix(model, TEXT, tmp_path / "i.gguf", context=64)
        with pytest.raises(wgpt.WgptError, match="must be a multiple of 64, not 65"):
            wgpt.imatrix(model, TEXT, tmp_path / "j.gguf", context=65)
        with pytest.raises(wgpt.WgptError, match="the text has 1 tokens, fewer than a piece of 64"):
            wgpt.imatrix(model, "a", tmp_path / "j.gguf", context=64)
    reader = gguf.GGUFReader(tmp_path / "i.gguf")
    assert reader.fields["general.type"].contents() == "imatrix"
    assert reader.fields["imatrix.chunk_size"].contents() == 64
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    sums, counts = (tensors[f"blk.0.ffn_down.weight.{part}"] for part in ("in_sum2", "counts"))
    assert sums.shape.tolist()[1] == 1 and counts.data.tolist() == [
        [64.0 * reader.fields["imatrix.chunk_count"].contents()]
    ]
