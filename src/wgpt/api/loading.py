"""`wgpt.load()`: a model from its files to the GPU; and an engine for it, with its LoRA adapters."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..core.arguments import check_progress, check_type, flag, one_of, usable_path, whole_number, wrong_type
from ..core.errors import PreconditionError, WgptError
from ..core.naming import argument
from ..core.progress import Progress
from ..engine.chunk_sizes import session_bytes
from ..engine.draft import DraftModel
from ..engine.engine import MAX_BATCH
from ..formats import open_checkpoint
from ..formats.lora import LoraAdapter
from ..formats.peft import read_lora
from ..formats.sources import DEFAULT, available_locally, resolve
from ..formats.tokenizer import load_tokenizer
from ..gpu import GpuDevice, default_device
from ..gpu.gpus import several
from ..gpu.implementations import IMPLEMENTATIONS
from ..models.config import Config
from ..models.network import AnyNetwork, Network
from ..models.residency import Resident, parse_resident
from ..models.split_network import SplitNetwork, check_resident
from ..models.targets import linear_shapes
from ..models.weight_recipe import canonical
from ..ops.backend import PRECISIONS, backends
from ..ops.cache import DTYPES as CACHES
from ..ops.cache import check_cache
from .engine import Engine
from .loaded_loras import place, source_of
from .model import Model


def load(
    model: str | Path | None = None,
    *,
    gpu: int | str | Sequence[int | str] | None = None,
    webgpu: str | None = None,
    dtype: str | None = None,
    cache: str = "f16",
    cache_bytes: int | None = None,
    context: int | None = None,
    max_batch: int = MAX_BATCH,
    deterministic: bool = False,
    tokenizer: str | Path | None = None,
    lora: str | Path | LoraAdapter | None = None,
    draft: str | Path | None = None,
    kernels: str = "wgsl",
    precision: str = "fast",
    resident: Resident = "auto",
    allow_control_tokens: bool = False,
    progress: Progress | None = None,
    device: GpuDevice | Sequence[GpuDevice] | None = None,
) -> Model:
    """Load a model onto a GPU.

    model: a name (`smollm2-135m`, the default, or `gpt2`; all are in formats.sources.KNOWN), a .gguf file, a Hugging
        Face folder, or a hub id (ORG/NAME).
    dtype: convert the matrices: to one type (f16, q8_0, q4_1, ...), a named mix (q4_k_m, q5_k_m, 8/8/4, 8/4/4), or a
        type for each part ("embed=q8_0,head=q8_0,attn=q8_0,ffn=q4_1", or "q4_k_m,embed=q8_0"). Parts that are not
        named keep their type. nf4 and nf4_dq, for QLoRA, leave embedding and head unchanged. Converted weights are
        cached on disk (`wgpt cache`): the next load with the same dtype reads them.
    cache: type of the KV cache: f16, f32 for full precision, or q8_0 for about half of f16's memory. q8_0 changes the
        log-probability of a token by 0.03 on average (SmolLM2-135M); it needs heads of a multiple of 32 dimensions.
    cache_bytes: GPU memory for the KV cache of all sequences; by default enough for the context or for many short ones,
        and at most half of the memory that is free.
    deterministic: a prompt gets the same tokens whatever else is generated at the same time; this is slower.
    context: the maximum context length; the model's own by default. A model with longrope (Phi-3) rotates otherwise if
        it is at most the length before its extension: choose it for short texts.
    max_batch: sequences that are generated at once; others wait. With one, the KV cache has the size of one context.
    lora: a PEFT adapter folder to attach; `model` defaults to the base model it names, if that is available locally.
    draft: a smaller model with the same vocabulary, named as `model` is, that guesses the next tokens (see Engine).
    gpu: its number in `wgpt info`, or part of its name. A list, such as [0, 1], splits the model's layers over several
        GPUs by memory, for one that is larger than each of them; it then generates, scores and embeds texts, without
        draft models, Triton kernels or fine-tuning.
    webgpu: auto (Dawn where the GPU has matrix units that pass a self-check, else wgpu-native), dawn or wgpu.
    kernels: wgsl (hand-written kernels) or triton (kernels written in Triton, precompiled: Triton is not needed);
        `model.fallbacks` lists the operations without a Triton kernel.
    precision: of what is generated: fast rounds activations, to f16 on matrix units (Dawn), and to 16 bits per 16 or 32
        of them where quantised weights are multiplied as integers; exact is as exact as f32, on matrix units in two to
        three times the time. What is scored or embedded is always exact.
    resident: the layers that stay on the GPU: auto (as many as fit), all, a number of layers, or a limit for the
        weights such as "2GiB". The others stay in host memory and are copied to the GPU in every forward pass.
    allow_control_tokens: let messages of a chat spell control tokens such as <|im_end|>. By default they come from the
        chat template alone, and a message that spells one is read as text.

    >>> model = wgpt.load()
    >>> model.generate("The capital of France is", max_tokens=2).text
    ' Paris.'
    >>> model.close()
    """
    one_of("cache", cache, CACHES)
    one_of("kernels", kernels, backends())
    one_of("precision", precision, PRECISIONS)
    check_type("model", model, "a name, a path or a hub id", str, os.PathLike)
    check_type("dtype", dtype, 'a weight type such as "q8_0"', str)
    check_type("draft", draft, "a name, a path or a hub id", str, os.PathLike)
    check_type("tokenizer", tokenizer, "a path", str, os.PathLike)
    if tokenizer is not None:
        usable_path("tokenizer", tokenizer)
    check_progress(progress)
    wanted = _wanted(gpu, device)
    if len(wanted) > 1:
        _check_several(resident, {"draft": draft, "kernels": None if kernels == "wgsl" else kernels})
    if webgpu is not None:
        one_of("webgpu", webgpu, IMPLEMENTATIONS)
        if device is not None:
            raise PreconditionError("webgpu and device exclude each other: a device has its WebGPU already")
    if context is not None:
        context = whole_number("context", context)  # of NumPy's small integers, arithmetic would overflow
    if cache_bytes is not None:
        cache_bytes = whole_number("cache_bytes", cache_bytes, least=1)
    max_batch = whole_number("max_batch", max_batch, 1, MAX_BATCH)
    allow_control_tokens = flag("allow_control_tokens", allow_control_tokens)
    if flag("deterministic", deterministic) and draft is not None:
        raise WgptError("draft and deterministic exclude each other: guesses change how sums are rounded")
    request = parse_resident(resident)
    dtype = canonical(dtype)
    source = None if lora is None else source_of(lora)
    adapter = read_lora(source) if isinstance(source, Path) else source
    if model is None and adapter is not None:
        model = available_locally(adapter.base)
    path = resolve(model, progress)
    devices = [each if isinstance(each, GpuDevice) else _opened(each, webgpu) for each in wanted]
    chosen = devices[0]
    with open_checkpoint(path) as checkpoint:
        if checkpoint.aside:
            warnings.warn(f"{path}: {checkpoint.aside}", stacklevel=2)
        if source is not None and adapter is not None:  # refuse a mismatch before the weights are read
            adapter.check(linear_shapes(Config.of(checkpoint.config)), place(source))
        sentences = checkpoint.sentences
        _check_encoder(checkpoint.config, cache, cache_bytes, deterministic, draft)
        words = load_tokenizer(tokenizer if tokenizer is not None else checkpoint.tokenizer)
        words.allow_control_tokens = allow_control_tokens
        check_cache(cache, Config.of(checkpoint.config).cache_layers)
        reserve = session_bytes(Config.of(checkpoint.config), chosen, context, cache)
        options: dict[str, Any] = {"resident": resident, "reserve": reserve, "context": context}
        network: AnyNetwork
        if len(devices) > 1:
            network = SplitNetwork.load_split(devices, checkpoint, dtype, progress, **options)
        else:
            network = Network.load(chosen, checkpoint, dtype, progress, **options)
        if dtype is None and any(t.repacked and not t.quantised for t in checkpoint.tensors.values()):
            warnings.warn(
                f"{checkpoint.quantisation}: that takes more GPU memory than the file; "
                f"{argument('dtype', 'q8_0')} takes about as much",
                stacklevel=2,
            )
    if request.kind == "auto" and network.uploads:
        warnings.warn(f"the model is larger than the GPU's memory: {network.residency}", stacklevel=2)
    name = str(model or DEFAULT)
    loaded = Model(
        network,
        words,
        name,
        cache,
        context,
        path=path,
        kernels=kernels,
        precision=precision,
        dtype=dtype,
        cache_bytes=cache_bytes,
        max_batch=max_batch,
        deterministic=deterministic,
        sentences=sentences,
    )
    try:
        if lora is not None:
            loaded.attach(lora)
        if draft is not None:
            loaded.draft = load(draft, kernels=kernels, precision=precision, progress=progress, device=chosen)
            DraftModel(loaded.draft.network.whole("a draft model"), loaded.draft.tokenizer, loaded.draft.name).check(
                network, words
            )
    except BaseException:
        loaded.close()
        raise
    return loaded


def open_engine(
    model: str | Path | Model | None,
    *,
    loras: Mapping[str, str | Path],
    engine: Mapping[str, Any],
    generates: bool = False,
    lora_failed: Callable[[str, str | Path, WgptError], None] | None = None,
    **loading: Any,
) -> Engine:
    """An engine for a model that is loaded, or for one that is loaded here with these keywords of `load`.

    loras: folders of LoRA adapters by name. engine: options of Engine; the model's draft model is added. generates:
    refuse an encoder. lora_failed: called with the name, the folder and the error of an adapter that cannot be loaded,
    while that is handled; unless it raises, the others are loaded. By default the error is raised.
    """
    opened = model if isinstance(model, Model) else load(model, **loading)
    try:
        if generates:
            opened.network.check_generates()
        for name, folder in loras.items():
            try:
                opened.load_lora(folder, name)
            except WgptError as e:
                if lora_failed is None:
                    raise
                lora_failed(name, folder, e)
        return Engine(opened, draft=opened.draft, **engine)
    except BaseException:
        if opened is not model:
            opened.close()
        raise


def _wanted(gpu: object, device: object) -> Sequence[GpuDevice | int | str | None]:
    """The GPUs to load a model on; None: the default one."""
    gpus = several(gpu)
    if device is not None:
        if gpus is not None:
            raise PreconditionError("gpu and device exclude each other: a device is on its GPU already")
        given = device if isinstance(device, list | tuple) else [device]
        devices = [each for each in given if isinstance(each, GpuDevice)]
        if not devices or len(devices) < len(given):
            raise wrong_type("device", device, "a GpuDevice, or a list of them")
        return devices
    if gpus is not None:
        return gpus
    one = gpu[0] if isinstance(gpu, list | tuple) else gpu
    if one is None or (isinstance(one, int | str) and not isinstance(one, bool)):
        return [one]
    raise wrong_type("gpu", gpu, "the number of a GPU, part of its name, or a list of those")


def _opened(gpu: int | str | None, webgpu: str | None) -> GpuDevice:
    return default_device() if gpu is None and webgpu is None else GpuDevice.open(gpu, webgpu=webgpu)


def _check_several(resident: Resident, unsupported: Mapping[str, object]) -> None:
    """Refuse what a model on several GPUs cannot do."""
    for name, value in unsupported.items():
        if value is not None:
            raise PreconditionError(f"{argument(name)} and several GPUs exclude each other: choose one GPU")
    check_resident(resident)


def _check_encoder(config: Mapping[str, Any], cache: str, cache_bytes: int | None, fixed: bool, draft: object) -> None:
    """Refuse options that an encoder has no use for."""
    if config.get("causal", True):
        return
    wrong = {"cache": cache != "f16", "cache_bytes": cache_bytes is not None, "draft": draft is not None}
    for name, given in (wrong | {"deterministic": fixed}).items():
        if given:
            raise PreconditionError(f"{name}: the model is an encoder, which has no KV cache and generates no text")
