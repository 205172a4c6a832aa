"""Arguments of everything that `import wgpt` offers: found by inspection, with values of every kind.

All but one or two arguments are valid. A call may return, or raise a WgptError, TypeError, ValueError or KeyError
that a `raise` of wgpt's own made and whose message is one line that names the argument.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import shutil
import types
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import wgpt
from tests.models.golden import FOLDER
from wgpt import public
from wgpt.core.arguments import brief
from wgpt.core.errors import WgptError
from wgpt.engine.options import Options
from wgpt.gpu.errors import AllocationError
from wgpt.quant.weights import pack
from wgpt.train.data import Reading
from wgpt.train.recipe import Recipe

from .cases import ACCEPTED, EITHER, REFUSED, Case, Rng, area, pick
from .junk_values import annotation_of, junk_array, junk_value, must_refuse, shown_value
from .worker import MAX_MESSAGE

_SOURCE = Path(wgpt.__file__).parent
_ADAPTER = FOLDER / "classify" / "llama-gqa"
_TEXT = "one two three " * 40
_ROWS = [{"text": "one two three"}] * 4
# Classes that only other functions create, and methods that leave the shared objects unusable.
_RESULTS = (
    *("Classification", "Completion", "Embedding", "ReadRequest", "Request", "Score", "Program", "Tensor", "GpuDevice"),
    *("Model", "Weight", "SplitWeight", "Comparison"),
)
_ENDINGS = ("GpuDevice.close", "GpuDevice.after_fork", "Model.close", "Engine.close")
# What `**options` takes.
_OPTIONS = {"generate": (Options,), "stream": (Options,), "chat": (Options,), "stream_chat": (Options,)} | {
    **{"submit": (Options,), "submit_all": (Options,)},
    "finetune": (Recipe, Reading),
}


# Which files are read and written: another name would read the default model, or write where the runner is.
_FIXED = {"convert": ("model", "out"), "quantize": ("model", "out"), "imatrix": ("out",)}
_SPREAD = ("names", "shape", "tensors", "outputs")  # `*names` and the like: an empty list of them is none


@dataclass(frozen=True)
class Target:
    """A function or a method that users call."""

    name: str  # as in "ops.add" or "Model.generate"
    owner: str  # the class of a method, or ""
    parameters: dict[str, str]  # annotations by name


@cache
def targets() -> dict[str, Target]:
    all_targets: dict[str, Target] = {}
    for name in public.__all__:
        _collect(all_targets, name, getattr(public, name))
    return {name: target for name, target in all_targets.items() if target.parameters and name not in _ENDINGS}


def _collect(collected: dict[str, Target], name: str, public_object: Any) -> None:
    if isinstance(public_object, types.ModuleType):
        for inner in public_object.__all__:
            if not hasattr(public, inner):
                _collect(collected, f"{name}.{inner}", getattr(public_object, inner))
    elif inspect.isclass(public_object):
        if public_object.__name__ not in _RESULTS and not issubclass(public_object, BaseException):
            collected[name] = Target(name, "", _parameters(public_object))
        for method in [m for m in dir(public_object) if not m.startswith("_")]:
            if callable(getattr(public_object, method)) and not issubclass(public_object, BaseException):
                parameters = _parameters(getattr(public_object, method))
                collected[f"{name}.{method}"] = Target(f"{name}.{method}", name, parameters)
    else:
        collected[name] = Target(name, "", _parameters(public_object))


def _parameters(function: Any) -> dict[str, str]:
    parameters = inspect.signature(function).parameters
    annotations = {name: annotation_of(p) for name, p in parameters.items() if name != "self"}
    if annotations.pop("options", None) is not None:
        for options in _OPTIONS[function.__name__]:
            annotations |= {field.name: str(field.type) for field in fields(options)}
    return annotations


# What is called ---------------------------------------------------------------------------------------------------


@cache
def _model() -> wgpt.Model:
    return wgpt.load(FOLDER / "models" / "llama-gqa", device=wgpt.default_device())


@cache
def _reranker() -> wgpt.Model:
    return wgpt.load(FOLDER / "encoders" / "bert-cross", device=wgpt.default_device())


@cache
def _forward_pass() -> wgpt.ForwardPass:
    return wgpt.ForwardPass(device=wgpt.default_device()).with_resident_weights(_model())


@cache
def _engine() -> wgpt.Engine:
    return wgpt.Engine(_model())


@cache
def _comparison() -> wgpt.Comparison:
    return wgpt.compare(_model(), _model(), _TEXT)


def _owner(name: str) -> Any:
    """The object whose method is called; new each time if a call may damage it."""
    device = wgpt.default_device()
    if name in ("GpuDevice", "Model", "ForwardPass"):
        return {"GpuDevice": wgpt.default_device, "Model": _model, "ForwardPass": _forward_pass}[name]()
    if name == "Engine":
        return _engine()
    if name == "Comparison":
        return _comparison()
    if name in ("Request", "ReadRequest"):
        return _engine().submit([5, 6, 7], max_tokens=3) if name == "Request" else _engine().score([5, 6, 7])
    if name == "Grammar":
        return wgpt.Grammar.regex("a+")
    if name == "MatmulCache":
        weights = wgpt.MatmulCache(device)
        weights.put("w", _f32(4, 3))
        return weights
    if name == "ops.Weight":
        return wgpt.ops.Weight.upload(device, pack(_f32(4, 3), "f32"))
    batch = wgpt.CommandBatch(device)
    if name == "CommandBatch":
        return batch
    x = batch.upload(_f32(2, 4), "x")
    return {"Tensor": lambda: x, "Program": lambda: batch.finish(y=batch.silu(x))}[name]()


def _function(target: Target, owner: Any) -> Callable[..., Any]:
    if target.owner:
        function = getattr(owner, target.name.rpartition(".")[2])
    else:
        function = public
        for part in target.name.split("."):
            function = getattr(function, part)
    return function  # type: ignore[no-any-return]


# Sound arguments --------------------------------------------------------------------------------------------------


def _f32(*shape: int) -> Any:
    return np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def _stop(moment: Any) -> None:
    """Ends a training run after its first step."""
    raise _Enough


class _Enough(Exception):
    pass


def _sound(target: Target, owner: Any, folder: Path) -> dict[str, Any]:
    """Arguments that a call accepts: those that have no default, and some that keep it short."""
    device = wgpt.default_device()
    function = target.name.rpartition(".")[2].removesuffix("_async")
    if target.owner == "CommandBatch":
        return _sound_of_batch(function, owner)
    arrays: dict[str, dict[str, Any]] = {
        "adamw_step": {n: np.abs(_f32(6)) for n in ("params", "grads", "m", "v")} | {"step": 1},
        "cast": {"x": _f32(6), "dst": "f16"},
        "cross_entropy_forward": {"logits": _f32(2, 5), "targets": np.zeros(2, np.int32), "rows": 2, "vocab": 5},
        "cross_entropy_backward": {"logits": _f32(2, 5), "targets": np.zeros(2, np.int32), "rows": 2, "vocab": 5},
        "gemm_backward_a": {"b": _f32(3, 4), "dc": _f32(2, 4), "m": 2, "k": 3, "n": 4},
        "gemm_backward_b": {"a": _f32(2, 3), "dc": _f32(2, 4), "m": 2, "k": 3, "n": 4},
        "layernorm": {"x": _f32(2, 4), "gamma": _f32(4), "beta": _f32(4)},
        "linear": {"x": _f32(2, 4), "w": _f32(3, 4)},
        "nf4_dequant": {"packed": np.zeros(16, np.uint32), "scales": _f32(2), "n": 128},
        "rmsnorm": {"x": _f32(2, 4), "g": _f32(4)},
        "rmsnorm_backward": {"x": _f32(2, 4), "g": _f32(4), "dy": _f32(2, 4), "rows": 2, "hidden": 4},
        "rope": {"x": _f32(3, 2, 4), "heads": 2, "head_dim": 4, "seq": 3},
        "rope_backward": {"dy": _f32(3, 2, 4), "heads": 2, "head_dim": 4, "seq": 3},
    }
    if target.name in ("ops.matmul", "ops.matmul_async"):
        return {"a": _f32(2, 3), "b": _f32(3, 4)}
    if function in arrays and not target.owner:
        return arrays[function]
    tensor = device.tensor(_f32(2, 4))
    single: dict[str, Any] = {
        "model": _model().path if target.name in ("load", "model_info", "convert", "quantize") else _model(),
        "a": _model(),
        "b": _model(),
        "out": folder / "new.gguf",
        "to": "q8_0",
        "query": "two",
        "texts": ["one", "two"],
        "bins": 2,
        "device": device,
        "prompt": [5, 6, 7],
        "prompts": [[5, 6, 7], [8]],
        "messages": "Hello",
        "text": {"classify": "Hello there", "compare": _TEXT, "imatrix": _TEXT}.get(function, [5, 6, 7]),
        "token_ids": [[5, 6], [7]] if function.endswith("batch") else [5, 6],
        "data": _ROWS,
        "gpu": None,
        "kind": "regex",
        "source": "a+",
        "pattern": "a+",
        "grammar": 'start: "a"',
        "schema": {"type": "object"},
        "tokenizer": _model().tokenizer,
        "name": {"matmul": "w", "put": "w", "remove": "w", "write": "x"}.get(function, "none"),
        "matrix": _f32(4, 3),
        "x": _f32(2, 3) if target.owner == "MatmulCache" else _f32(2, 4),
        "alpha": 2.0,
        "where": "cpu",
        "size": 64,
        "wanted": 1 << 20,
        "capacity": 16,
        "shape": (2, 4),
        "tensor": tensor,
        "array": _f32(2, 4),
        "packed": pack(_f32(4, 3), "f32"),
        "buffers": [],
        "buffer": tensor.buffer,
        "at": 0,
        "m": 2,
    }
    if target.owner != "Grammar" and target.name != "Grammar":
        for name in ("kind", "source", "pattern", "grammar", "schema", "tokenizer"):
            del single[name]
    needed = [n for n in target.parameters if (n in single and n not in ("gpu", "alpha", "text")) or n == "text"]
    sound = {name: single[name] for name in needed if name in single}
    if target.name.startswith("ops.") and not target.owner:
        sound = {name: _f32(2, 4) if note == "F32" else single.get(name) for name, note in target.parameters.items()}
        sound = {name: value for name, value in sound.items() if value is not None}
    if function in ("generate", "stream", "chat", "stream_chat") or target.name == "Engine.submit":
        sound["max_tokens"] = 2
    if target.name == "Model.embed":
        del sound["prompt"]  # a text that goes before the others
    if target.name in ("Program.load", "Program.load_all"):
        sound["exported"] = owner.export()
    if function == "imatrix":
        sound["context"] = 64
    if function == "finetune":
        sound |= {"steps": 1, "max_tokens": 8, "rank": 2, "progress": _stop, "hold_out": 0.0}
    if function in ("attach", "load_lora", "unload"):
        sound["name"] = "a"
    if function in ("attach", "load_lora"):
        sound["lora"] = _ADAPTER
    return sound


def _sound_of_batch(function: str, batch: wgpt.CommandBatch) -> dict[str, Any]:
    x, row = batch.upload(_f32(2, 4)), batch.upload(_f32(4))
    arguments: dict[str, dict[str, Any]] = {
        "matmul": {"x": x, "w": batch.upload(_f32(4, 3))},
        "rmsnorm": {"x": x, "g": row},
        "layernorm": {"x": x, "gamma": row, "beta": row},
        "scale": {"x": x, "alpha": 2.0},
        "silu_mul": {"gate": x, "up": x},
        "add": {"a": x, "b": x},
        "mul": {"a": x, "b": x},
        "upload": {"array": _f32(2, 4)},
        "upload_weight": {"packed": pack(_f32(4, 3), "f32")},
        "import_buffer": {"tensor": x},
        "apply": {"kernel": "silu", "problem": {"n": 8}, "tensors": {"x": x}},
        "finish": {"outputs": {"y": x}},
        "read": {"tensor": x},
    }
    if function == "read":
        batch.silu(x)
        batch.execute()
    return arguments.get(function, {"x": x})


# Calls ------------------------------------------------------------------------------------------------------------


@area("api")
def api_call(rng: Rng, folder: Path) -> Case:
    target = targets()[pick(rng, sorted(targets()))]
    owner = _owner(target.owner) if target.owner else None
    if target.name == "Model.rerank":
        owner = _reranker()
    if target.name in ("Model.classify", "Model.unload"):
        owner.attach(_ADAPTER, "a")
    arguments = _sound(target, owner, folder)
    if rng.random() < 0.06:
        description = f"{target.name} with sound arguments"
        return Case(description, ACCEPTED, lambda: _call(target, owner, arguments, [], folder))
    free = sorted(target.parameters.keys() - _FIXED.get(target.name, ()))
    changed = [pick(rng, free) for _ in range(int(rng.choice([1, 1, 1, 2])))]
    for name in changed:
        wants_array = "F32" in target.parameters[name] or "NDArray" in target.parameters[name]
        arguments[name] = junk_array(rng) if wants_array and rng.random() < 0.6 else junk_value(rng)
    refused = any(must_refuse(target.parameters[name], arguments[name]) for name in changed if name not in _SPREAD)
    values = ", ".join(f"{name}={shown_value(arguments[name])}" for name in changed)
    expect = REFUSED if refused else EITHER
    return Case(f"{target.name}({values})", expect, lambda: _call(target, owner, arguments, changed, folder))


def _call(target: Target, owner: Any, arguments: dict[str, Any], changed: list[str], folder: Path) -> None:
    function = _function(target, owner)
    try:
        _finish(_bound(function, arguments))
    except _Enough:
        pass
    except (TypeError, ValueError, KeyError, WgptError) as e:
        raise _refusal(e, {name: arguments[name] for name in changed}) from e
    finally:
        _restore(folder)


def _bound(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """A call; what stands for `*names` and `**tensors` is spread out where it can be."""
    parameters = inspect.signature(function).parameters
    positional: list[Any] = []
    named = dict(arguments)
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL and name in named:
            value = named.pop(name)
            first = [named.pop(n) for n, p in parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD and n in named]
            positional = [*first, *(value if isinstance(value, list | tuple) else [value])]
        if parameter.kind is parameter.VAR_KEYWORD and name in named:
            value = named.pop(name)
            named |= value if isinstance(value, dict) and all(isinstance(k, str) for k in value) else {"y": value}
    return function(*positional, **named)


def _finish(result: Any) -> None:
    """Run coroutines, read streams, enter contexts, and release the results."""
    if inspect.iscoroutine(result):
        result = asyncio.run(result)
    if isinstance(result, types.GeneratorType) or type(result).__name__ == "Stream":
        for _ in result:
            pass
    elif hasattr(result, "__enter__"):
        with result:
            pass
    elif isinstance(result, wgpt.GpuDevice) and result is not wgpt.default_device():
        result.close()
    elif isinstance(result, wgpt.ForwardPass) and result is not _forward_pass():
        result.release()


def _restore(folder: Path) -> None:
    _model().detach()
    _forward_pass().with_resident_weights(_model())
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _refusal(error: Exception, changed: dict[str, Any]) -> Exception:
    """A WgptError if the error is acceptable, otherwise an exception that counts as a failure."""
    if callable(changed.get("progress")) and isinstance(error, TypeError):
        return WgptError("the caller's own function does not take what it is told")
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    lines, first = inspect.getsourcelines(code)
    line = lines[trace.tb_lineno - max(first, 1)].strip() if lines else ""
    if _SOURCE not in Path(code.co_filename).parents or not line.startswith("raise"):
        return AssertionError(f"an error that is not wgpt's own: {type(error).__name__}: {error}")
    message = str(error.args[0]) if isinstance(error, KeyError) else str(error)  # of a KeyError, str() is the repr
    if isinstance(error, AllocationError):  # names the bytes that were asked for
        return error
    keys = [key for value in changed.values() if isinstance(value, dict) for key in value if isinstance(key, str)]
    also = {"token_ids": "tokens", "messages": "prompt"}
    names = [*changed, "y", *keys, *(also[name] for name in changed if name in also)]
    patterns = [rf"\b{re.escape(name.rstrip('s')).replace('_', '.')}s?\b" for name in names]
    named = any(re.search(pattern, message, re.I) for pattern in patterns)
    values = [brief(value) for value in changed.values() if not isinstance(value, np.ndarray)]
    values += [str(value) for value in changed.values() if isinstance(value, np.str_)]
    arrays = [value for value in changed.values() if isinstance(value, np.ndarray | np.generic)]
    values += [text for a in arrays for text in (str(a.dtype), str(a.shape))]
    if not named and not any(value in message for value in values):
        return AssertionError(f"names none of {list(changed)}, and none of their values: {message[:MAX_MESSAGE]}")
    return error if isinstance(error, WgptError) else WgptError(message)
