"""The public API of wgpt: names, async twins, docstrings; no GPU."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import wgpt
from wgpt import ops, public

TWINS = sorted(name for name in ops.__all__ if f"{name}_async" in ops.__all__)
# Names that the API must have.
FORWARD = ["add", "mul", "scale", "silu", "swish", "gelu", "silu_mul", "softmax", "rmsnorm", "layernorm"]
FORWARD += ["rope", "cast", "matmul", "linear"]
TRAINING = ["silu_backward", "gemm_backward_a", "gemm_backward_b", "rmsnorm_backward", "rope_backward"]
TRAINING += ["cross_entropy_forward", "cross_entropy_backward", "adamw_step", "nf4_dequant"]
OTHERS = {"CommandBatch", "MatmulCache", "SplitWeight", "Weight"}
OTHERS |= {"gpu_available", "gpu_min_size", "should_use_gpu", "use"}


@pytest.mark.parametrize("module", [wgpt, ops], ids=lambda m: m.__name__)
def test_all_is_what_there_is(module):
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert hasattr(module, name), name
    namespace: dict[str, object] = {}
    exec(f"from {module.__name__} import *", namespace)
    assert set(module.__all__) <= set(namespace)


@pytest.mark.parametrize("module", [public, ops], ids=lambda m: m.__name__)
def test_nothing_public_is_missing_from_all(module):
    """Every name that the package imports is in `__all__`."""
    tree = ast.parse(Path(module.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert {a.asname or a.name for node in imports for a in node.names} == set(module.__all__)


def test_every_operation_that_was_asked_for_is_there():
    assert set(TWINS) == {*FORWARD, *TRAINING}
    assert {*ops.__all__} == {*TWINS, *(f"{name}_async" for name in TWINS), *OTHERS}


@pytest.mark.parametrize("name", TWINS)
def test_twins_are_alike(name):
    run, run_async = getattr(ops, name), getattr(ops, f"{name}_async")
    assert (run.__name__, run_async.__name__) == (name, f"{name}_async")
    assert inspect.iscoroutinefunction(run_async) and not inspect.iscoroutinefunction(run)
    signature = inspect.signature(run)
    assert signature == inspect.signature(run_async)
    assert "Work" not in str(signature)  # the implementation's type is not exposed
    assert all(p.annotation is not p.empty for p in signature.parameters.values())
    assert not any(p.name.startswith("_") for p in signature.parameters.values())


@pytest.mark.parametrize("name", [name for name in TRAINING if "backward" in name])
def test_inputs_come_before_the_gradient(name):
    """The same order everywhere: swapped arguments of the same shape would give wrong numbers silently."""
    parameters = inspect.signature(getattr(ops, name)).parameters.values()
    arrays = [p.name for p in parameters if p.default is p.empty and p.annotation != "int"]
    assert arrays == {
        "silu_backward": ["x", "dy"],
        "gemm_backward_a": ["b", "dc"],
        "gemm_backward_b": ["a", "dc"],
        "rmsnorm_backward": ["x", "g", "dy"],
        "rope_backward": ["dy"],
        "cross_entropy_backward": ["logits", "targets"],
    }[name]
    assert [p.name for p in parameters][: len(arrays)] == arrays


@pytest.mark.parametrize("name", [f"wgpt.{n}" for n in wgpt.__all__] + [f"wgpt.ops.{n}" for n in ops.__all__])
def test_there_is_a_docstring(name):
    module, _, attribute = name.rpartition(".")
    public_object = getattr({"wgpt": wgpt, "wgpt.ops": ops}[module], attribute)
    assert inspect.getdoc(public_object)


def test_the_version_is_the_packages():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert wgpt.__version__ == project["version"]


def test_importing_opens_no_device():
    """A library must not open a GPU, nor need one, before it is used."""
    code = (
        "import wgpt, wgpt.gpu.device as d, wgpu\n"
        "wgpu.gpu.enumerate_adapters_sync = lambda: 1 / 0\n"
        "assert d._default is None\n"
        "import numpy as np\n"
        "with wgpt.use('cpu'): wgpt.ops.silu(np.ones(3, np.float32))\n"
        "assert d._default is None\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_package_offers_its_public_names_and_no_others():
    assert set(public.__all__) <= set(dir(wgpt))
    assert wgpt.load is public.load
    with pytest.raises(AttributeError, match="module 'wgpt' has no attribute 'nosuch'"):
        _ = wgpt.nosuch
    with pytest.raises(ImportError):
        exec("from wgpt import nosuch")
