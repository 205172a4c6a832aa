"""ForwardPass with a flat list of LoRA factors of q and v: families that have them apart, and those that join them."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from tests.models import golden
from tests.models.compare import TOLERANCE, error
from wgpt import ForwardPass, WgptError
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.presets import PRESETS
from wgpt.models.qv_lora import qv_adapter

ALPHA = 6.0


def pairs_of(config: Config, q_rank: int = 3, v_rank: int = 5) -> list[tuple[np.ndarray, np.ndarray]]:
    """[q0, v0, q1, v1, ...] with ranks of their own."""
    rng = np.random.default_rng(1)
    pairs = []
    for _ in range(config.layers):
        for rank, rows in ((q_rank, config.q_rows), (v_rank, config.kv_rows)):
            a = rng.standard_normal((rank, config.hidden)).astype(np.float32)
            pairs.append((a, 0.1 * rng.standard_normal((rows, rank)).astype(np.float32)))
    return pairs


# Where each family has q and v of a layer: the tensor, whether it is [in, out], and the rows of q and v in it.
def _apart(c: Config, i: int) -> list[tuple[str, bool, np.ndarray]]:
    begin = f"model.layers.{i}.self_attn."
    return [(f"{begin}q_proj", False, np.arange(c.q_rows)), (f"{begin}v_proj", False, np.arange(c.kv_rows))]


def _one_after_the_other(name: str, transposed: bool, c: Config, i: int) -> list[tuple[str, bool, np.ndarray]]:
    v = c.q_rows + c.kv_rows
    return [(name.format(i), transposed, np.arange(at, at + n)) for at, n in ((0, c.q_rows), (v, c.kv_rows))]


def _by_head(c: Config, i: int) -> list[tuple[str, bool, np.ndarray]]:
    name = f"gpt_neox.layers.{i}.attention.query_key_value"
    heads = [
        [3 * c.head_dim * h + at + j for h in range(c.heads) for j in range(c.head_dim)] for at in (0, 2 * c.head_dim)
    ]
    return [(name, False, np.array(rows)) for rows in heads]


PLACES = {
    "qwen3": _apart,
    "gpt2": lambda c, i: _one_after_the_other("transformer.h.{}.attn.c_attn", True, c, i),
    "phi3": lambda c, i: _one_after_the_other("model.layers.{}.self_attn.qkv_proj", False, c, i),
    "gptneox": _by_head,
}


@pytest.mark.gpu
@pytest.mark.parametrize("name", PLACES)
def test_as_if_it_were_merged(name: str, device: GpuDevice) -> None:
    truth = golden.load(name)
    forward = ForwardPass(device=device)
    with open_checkpoint(truth.folder) as checkpoint:
        config = Config.of(checkpoint.config).limited(truth.context)
        network = Network.load(device, checkpoint, context=truth.context)
    forward.with_resident_weights(network)
    pairs, merged = pairs_of(config), copy.deepcopy(dict(truth.weights))
    for i in range(config.layers):
        for (tensor, transposed, rows), (a, b) in zip(PLACES[name](config, i), pairs[2 * i :], strict=False):
            w = merged[f"{tensor}.weight"].astype(np.float64)
            (w.T if transposed else w)[rows] += ALPHA / len(a) * (b.astype(np.float64) @ a)
            merged[f"{tensor}.weight"] = w
    run = truth.runs[1]
    expected = reference.hidden(truth.config, merged, run.ids)
    assert error(run.hidden, expected) > 0.05  # the factors matter
    assert error(forward.forward_hidden_batch([run.ids], pairs, alpha=ALPHA)[0], expected) < TOLERANCE
    forward.release()
    network.release()


def refused(message: str, config: Config, pairs: list[tuple[np.ndarray, np.ndarray]]) -> None:
    with pytest.raises(WgptError, match=message):
        qv_adapter(config, pairs, ALPHA)


def test_what_does_not_fit_says_what_is_expected() -> None:
    gpt2 = PRESETS["gpt2"]
    pairs = pairs_of(gpt2)
    (a, b), rest = pairs[0], pairs[1:]
    refused(
        r"layer 0, q: .* A \[3, 767\] and B \[768, 3\] make a \[768, 767\] matrix, but the model's is \[768, 768\]",
        gpt2,
        [(a[:, 1:].copy(), b), *rest],
    )
    refused(
        r"layer 1, v: .* \[2304, 768\] matrix, but the model's is \[768, 768\]",
        gpt2,
        [*pairs[:3], (pairs[3][0], np.tile(pairs[3][1], (3, 1))), *pairs[4:]],
    )
    refused(
        r"\[q0, v0, q1, v1, ...\]: at most 24 for the 12 layers of this gpt2 model, not 26", gpt2, pairs + pairs[:2]
    )


def test_a_shorter_list_changes_the_first_layers() -> None:
    assert list(qv_adapter(PRESETS["gpt2"], pairs_of(PRESETS["gpt2"])[:4], ALPHA).targets) == [
        "h.0.attn.c_attn",
        "h.1.attn.c_attn",
    ]


def test_layers_without_q_or_v() -> None:
    """The first layer of an LFM2 is a convolution."""
    tiny = Config.of(open_checkpoint(golden.FOLDER / "states" / "lfm2").config)
    refused(
        "layer 0 of this lfm2 model has no q of its own.*: pass a LoraAdapter, by name; this layer has model",
        tiny,
        pairs_of(tiny),
    )
