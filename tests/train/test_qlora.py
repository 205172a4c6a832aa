"""QLoRA: adapters over a base in NF4, against torch and peft over the same rounded weights."""

from __future__ import annotations

import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network

from . import golden, test_step
from .test_step import Bench, follow

pytestmark = pytest.mark.gpu


@pytest.fixture
def bench(device: GpuDevice):
    made = Bench(device, "nf4", dtype="nf4")
    yield made
    made.close()


def test_only_the_layers_matrices_are_nf4(bench: Bench) -> None:
    """As bitsandbytes has it: the embedding, the head and the norms stay as they came."""
    family = bench.network.family
    assert {part.weight.type.name for part in (*family.embedding.parts, *family.head.parts)} == {"f16"}
    for layer in family.layers:
        linears = (layer.qkv, layer.out, layer.gate_up, layer.down)
        assert {part.weight.type.name for linear in linears for part in linear.parts} == {"nf4"}
        assert layer.attention_norm.dtype == layer.ffn_norm.dtype == "f32"


def test_nf4_loss_and_every_gradient(bench: Bench) -> None:
    test_step.test_loss_and_every_gradient(bench)


@pytest.mark.parametrize("kind", ["losses", "losses_accumulated"])
def test_nf4_fifty_steps(bench: Bench, kind: str) -> None:
    follow(bench, kind)


def test_fifty_steps_with_a_table_of_nf4(device: GpuDevice) -> None:
    made = Bench(device, "nf4", dtype="nf4", table="nf4")
    assert made.run.curves["losses_table"].table
    assert made.network.family.head.parts[0].weight.type.name == "nf4"
    follow(made, "losses_table")
    made.close()


def test_a_curve_over_other_weights_is_another(bench: Bench) -> None:
    """The curves tell the two apart, so a table in the wrong type would be noticed."""
    with pytest.raises(AssertionError):
        follow(bench, "losses_table")


def test_gpt2s_tables_stay_too(device: GpuDevice) -> None:
    with open_checkpoint(golden.FOLDER / "models" / "gpt2") as checkpoint:
        own = checkpoint.tensors["wpe.weight"].type
        network = Network.load(device, checkpoint, "nf4")
    family = network.family
    assert {t.parts[0].weight.type.name for t in (family.embedding, family.positions)} == {own}
    assert family.layers[0].qkv.parts[0].weight.type.name == "nf4"
    network.release()
