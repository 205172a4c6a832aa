"""What kernels read: declared as it is, and nothing smaller or laid out otherwise is launched."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Recorder, Tensor
from wgpt.gpu.dtypes import NUMPY
from wgpt.kernels import weighted
from wgpt.kernels.kernel import Kernel, Problem
from wgpt.kernels.registry import get, kernels
from wgpt.ops.backend import GpuBackend
from wgpt.ops.some_rows import some_rows
from wgpt.quant.weights import TYPES, pack

# How much they read of these depends on what is in them.
BY_CONTENTS = {("begin_step", "control"), ("find_nonfinite", "x")}


def padded(nbytes: int) -> int:
    return -(-nbytes // 4) * 4


@pytest.mark.parametrize("kernel", kernels().values(), ids=lambda k: k.name)
def test_operands_are_what_inputs_makes(kernel: Kernel) -> None:
    """Of the first case of each weight type, and of all cases without weights."""
    types: set[str] = set()
    for case in kernel.cases:
        problem = case.problem
        operands, outputs = kernel.operands(problem), kernel.outputs(problem)
        read = {b.name for b in kernel.bound(problem) if b.access == "read"}
        assert set(operands) == read - set(outputs), case.label
        weight = problem.get("weight", case.label)
        if weight in types or kernel.bytes(problem) > 1 << 22:
            continue
        types.add(weight)
        for name, array in kernel.inputs(np.random.default_rng(0), problem).items():
            out = operands.get(name)
            if out is None or out.shape == ():
                continue
            need = padded(math.prod(out.shape) * NUMPY[out.dtype].itemsize)
            same = need <= array.nbytes if (kernel.name.removeprefix("triton_"), name) in BY_CONTENTS else None
            assert same or need == padded(array.nbytes), (name, out, array.shape, case.label)


@pytest.mark.parametrize("weight", TYPES)
def test_planes_are_as_weights_are_packed(weight: str) -> None:
    planes = weighted.planes(pack(np.random.default_rng(0).standard_normal((7, 331)), weight))
    shapes = weighted.plane_shapes({"weight": weight, "n": 7, "k": 331})
    assert {name: out.shape for name, out in shapes.items()} == {n: (a.size,) for n, a in planes.items()}


def launched(device: GpuDevice, name: str, problem: Problem, **arrays: Any) -> None:
    with Recorder(device) as recorder:
        tensors = {n: a if isinstance(a, Tensor) else recorder.upload(a) for n, a in arrays.items()}
        recorder.launch(get(name).launch(device, tensors, problem))


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros((7, 63), np.float32), "w is Tensor(7x63 f32), but"),
        (np.zeros((7, 63), np.uint32), "w is Tensor(7x63 u32), but"),
        (np.zeros((6, 64), np.uint32), "takes it to be 448 u32"),
    ],
)
def test_activations_are_not_taken_for_weights(device: GpuDevice, x: Any, message: str) -> None:
    """The fault that this guards against: rows of weights are padded, those of activations are not."""
    problem = {"weight": "f32", "rows": 2, "n": 7, "k": 63, "first": 0, "stride": 1, "offset": 0, "add": False}
    ids, y = np.zeros(2, np.uint32), np.zeros((2, 63), np.float32)
    with pytest.raises(PreconditionError) as caught:
        launched(device, "embed", problem, ids=ids, w=x, y=y)
    assert message in str(caught.value)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("arrays", "named"),
    [
        ({"x": np.zeros((5, 62), np.float32)}, "x is"),
        ({"x": np.zeros((5, 63), np.float32), "y": np.zeros((4, 63), np.float32)}, "y is"),
        ({"x": np.zeros((9, 35), np.float32)}, "x is"),  # as many elements, in other rows
        ({"g": np.zeros(62, np.float32)}, "g is"),
        ({"g": np.zeros(63, np.int32)}, "g is"),
    ],
)
def test_smaller_tensors_and_other_rows_are_refused(device: GpuDevice, arrays: Any, named: str) -> None:
    rows, gain = np.zeros((5, 63), np.float32), np.zeros(63, np.float32)
    with pytest.raises(PreconditionError, match=f"^rmsnorm: {named}"):
        launched(
            device, "rmsnorm", {"rows": 5, "hidden": 63, "eps": 1e-5}, **{"x": rows, "g": gain, "y": rows, **arrays}
        )


@pytest.mark.gpu
@pytest.mark.parametrize("width", [1, 63, 100, 102, 331])
def test_some_rows(device: GpuDevice, width: int) -> None:
    x = np.random.default_rng(width).standard_normal((11, width)).astype(np.float32)
    ids = np.array([10, 0, 3, 3, 9], np.uint32)
    recorder = Recorder(device)
    rows = some_rows(GpuBackend(recorder), recorder.upload(x), recorder.upload(ids))
    assert isinstance(rows, Tensor)
    with recorder.finish(y=rows) as program:
        assert (program.read()["y"] == x[ids]).all()
