"""QLoRA: adapters over a base in NF4, against torch and peft over the same rounded weights."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.models.random_source import RandomSource
from wgpt.ops.resident import Linear
from wgpt.quant.weights import pack, unpack, weight_type

from ..models.packed_values import values_of
from . import golden, test_step
from .test_step import Bench, follow

pytestmark = pytest.mark.gpu


@pytest.fixture
def bench(device: GpuDevice):
    bench = Bench(device, "nf4", dtype="nf4")
    yield bench
    bench.close()


def test_only_the_layers_matrices_are_nf4(bench: Bench) -> None:
    """As in bitsandbytes: the embedding, the head and the norms keep their types."""
    family = bench.network.family
    assert {part.weight.type.name for part in (*family.embedding.parts, *family.head.parts)} == {"f16"}
    for layer in family.layers:
        linears = (layer.qkv, layer.out, layer.ffn.gate_up, layer.ffn.down)
        assert {part.weight.type.name for linear in linears for part in linear.parts} == {"nf4"}
        assert layer.attention_norm.dtype == layer.ffn_norm.dtype == "f32"


@pytest.mark.full
def test_nf4_loss_and_every_gradient(bench: Bench) -> None:
    test_step.test_loss_and_every_gradient(bench)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["losses", "losses_accumulated"])
def test_nf4_fifty_steps(bench: Bench, kind: str) -> None:
    follow(bench, kind)


@pytest.mark.full
def test_fifty_steps_with_a_table_of_nf4(device: GpuDevice) -> None:
    bench = Bench(device, "nf4", dtype="nf4", table="nf4")
    assert bench.run.curves["losses_table"].table
    assert bench.network.family.head.parts[0].weight.type.name == "nf4"
    follow(bench, "losses_table")
    bench.close()


@pytest.mark.full
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


def linears(network: Network) -> list[Linear]:
    layers = network.family.layers
    return [linear for layer in layers for linear in (layer.qkv, layer.out, layer.ffn.gate_up, layer.ffn.down)]


def test_double_quantised_weights_train_as_their_values_do(device: GpuDevice) -> None:
    """Beside f32 weights of the same values: the loss, and every gradient."""
    twice, plain = Bench(device, "nf4", dtype="nf4_dq"), Bench(device, "nf4", dtype="f32")
    for ours, theirs in zip(linears(twice.network), linears(plain.network), strict=True):
        assert {part.weight.type.name for part in ours.parts} == {"nf4_dq"}
        values = np.concatenate([values_of(device, part.weight) for part in ours.parts]).astype(np.float32)
        (other,) = theirs.parts  # q, k and v are one matrix, and so are gate and up
        assert (
            np.abs(values - device.read(other.weight.planes["w"]).view(np.float32).reshape(values.shape)).max() > 0.01
        )
        device.write(other.weight.planes["w"], values.reshape(-1).view(np.uint32))
    results = []
    for bench in (twice, plain):
        loss = bench.step.gradients(bench.batch(bench.run.examples)).result()["loss"].sum(dtype=np.float64)
        results.append((loss, bench.adapters.read(device.read(bench.step.gradient[0]))))
        bench.close()
    (loss, gradients), (expected, slopes) = results
    assert loss == pytest.approx(expected, rel=1e-5)
    assert loss == pytest.approx(golden.load("nf4").loss, rel=5e-3)  # a second rounding, of the scales alone
    for name, pair in slopes.items():
        for gradient, slope in zip(gradients[name], pair, strict=True):
            assert np.abs(gradient - slope).max() <= 1e-4 * np.abs(slope).max(), name


def test_each_matrix_has_its_own_groups_of_scales(device: GpuDevice) -> None:
    """As in bitsandbytes, which knows nothing of q, k and v, or gate and up, as one matrix."""
    with open_checkpoint(golden.load("nf4").model) as checkpoint:
        network = Network.load(device, checkpoint, "nf4_dq")
        for linear in linears(network):
            values = np.concatenate([values_of(device, part.weight) for part in linear.parts])
            for name, at, n in linear.slices:
                rows = checkpoint.tensors[f"{name}.weight"].rows(0, n).astype(np.float32)
                np.testing.assert_array_equal(values[at : at + n], unpack(pack(rows, "nf4_dq")), err_msg=name)
    network.release()


@pytest.mark.parametrize(("rows", "parts"), [((256, 512, 39), [807]), ((256, 39, 512), [295, 512])])
def test_matrices_that_end_with_a_group_stay_one_part(device: GpuDevice, rows, parts) -> None:
    source = RandomSource(device, lambda name: weight_type("nf4_dq"))
    linear = source.linear(192, *((f"layer {i}", n) for i, n in enumerate(rows)))
    source.arena.release()
    assert [part.weight.n for part in linear.parts] == parts


def test_slabs_end_with_whole_groups(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """A matrix that is read in slabs of rows has the values of the whole one."""
    monkeypatch.setattr("wgpt.models.source._SLAB", 1)
    with open_checkpoint(golden.load("nf4").model) as checkpoint:
        rows = checkpoint.tensors["model.embed_tokens.weight"].rows(0, 320).astype(np.float32)
        network = Network.load(device, checkpoint, "nf4", table="nf4_dq")
    values = values_of(device, network.family.embedding.parts[0].weight)
    network.release()
    np.testing.assert_allclose(values, unpack(pack(rows, "nf4_dq")), rtol=2e-6)
    slabs = [unpack(pack(slab, "nf4_dq")) for slab in np.split(rows, [256])]
    assert np.abs(values - np.concatenate(slabs)).max() > 1e-5 * np.abs(values).max(), "which have other means"


def test_random_weights_of_whole_groups(device: GpuDevice) -> None:
    """The scales of 256 rows, again and again: 300 rows of three blocks begin their fourth group inside a pattern."""
    source = RandomSource(device, lambda name: weight_type("nf4_dq"))
    weight = source.linear(192, ("layer", 300)).parts[0].weight
    values = values_of(device, weight)
    source.arena.release()
    assert np.isfinite(values).all() and 0.005 < values.std() < 0.05
    blocks = np.abs(values.reshape(-1, 64)).max(axis=1)
    assert blocks.min() > 0 and blocks.max() < 5 * blocks.min()
