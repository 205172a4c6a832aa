"""One kernel in place of sum_blocks and row_halves: the same sums to the last bit, and the same halves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.made_up import NVIDIA, PHONE

from wgpt.core.errors import PreconditionError
from wgpt.gpu import GpuDevice, Recorder
from wgpt.kernels import registry
from wgpt.kernels.products import row_halves
from wgpt.kernels.products.kept_rows import keeps
from wgpt.kernels.products.sum_halves import KERNEL, problem_of
from wgpt.ops.backend import GpuBackend


def outputs(device: GpuDevice, problem: dict[str, Any], *, apart: bool) -> dict[str, np.ndarray]:
    arrays = KERNEL.inputs(np.random.default_rng(5), problem)
    rows, hidden = problem["rows"], problem["hidden"]
    with Recorder(device) as recorder:
        backend = GpuBackend(recorder)
        tensors = {name: backend.array(array) for name, array in arrays.items()}
        if not apart:
            made = backend.apply("sum_halves", problem, **tensors)
        else:
            around = {name: tensors[name] for name in "br"}
            sums = {"m": rows, "n": hidden, "act": "none", **{key: problem[key] for key in ("blocks", "bias", "add")}}
            made = backend.apply("sum_blocks", sums, part=tensors["sums"], **around)
            norm = row_halves.problem_of(rows, hidden, act="norm", eps=problem["eps"])
            made |= backend.apply("row_halves", norm, x=made["y"], g=tensors["g"])
        with recorder.finish(**made) as program:
            return program.read()


@pytest.mark.gpu
@pytest.mark.parametrize("hidden", [36, 640])
def test_as_two_kernels(device: GpuDevice, hidden: int) -> None:
    problem = problem_of(5, hidden, 5, bias=True, add=True)
    one, two = (outputs(device, problem, apart=apart) for apart in (False, True))
    np.testing.assert_array_equal(one["y"], two["y"])
    np.testing.assert_array_equal(one["scale"], two["scale"])
    # The squares are added in another order, so that a few values are rounded to the other side: by one of 2^11.
    np.testing.assert_allclose(one["h"].astype(np.float32), two["h"].astype(np.float32), rtol=2**-10, atol=0)


def test_rows_that_do_not_fit() -> None:
    assert keeps(NVIDIA, 32_768) and not keeps(NVIDIA, 32_776)
    assert keeps(PHONE, 8192) and not keeps(PHONE, 8200)
    assert keeps(NVIDIA, 68) and not keeps(NVIDIA, 67)
    for hidden, reason in ((8200, "256 threads keep up to 8192 columns"), (67, "and have 67 columns")):
        with pytest.raises(PreconditionError, match=reason):
            registry.get("sum_halves").usable(PHONE, problem_of(4, hidden, 2))
