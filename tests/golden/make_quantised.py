"""Writes tests/golden/quantised: a tiny model as MLX, bitsandbytes and compressed-tensors save it.

Run by hand (seconds, no GPU), again only when something here changes:

    golden-venv/bin/pip install torch==2.13.0 transformers==5.22.2 accelerate bitsandbytes==0.50.2 \
        compressed-tensors==0.20.0 "mlx[cpu]==0.32.4" -e .
    golden-venv/bin/python -m tests.golden.make_quantised

Each folder has the files of a model, and expected.npz: some rows of every matrix as the package itself dequantises
them, and the logits of transformers with all of those values, in float64.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import torch
from compressed_tensors.compressors import ModelCompressor
from compressed_tensors.quantization import (
    QuantizationArgs,
    QuantizationConfig,
    QuantizationScheme,
    QuantizationStatus,
    apply_quantization_config,
)
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

from .archives import pack

OUTPUT = Path(__file__).parent / "quantised"
IDS = [1, 5, 9, 33, 2, 60, 41, 17]
CONFIG = LlamaConfig(
    vocab_size=64,
    hidden_size=64,
    intermediate_size=128,
    num_hidden_layers=1,
    num_attention_heads=2,
    num_key_value_heads=1,
    max_position_embeddings=32,
    tie_word_embeddings=False,
    bos_token_id=1,
    eos_token_id=2,
)


def base(dtype: torch.dtype = torch.bfloat16) -> LlamaForCausalLM:
    torch.manual_seed(3)
    model = LlamaForCausalLM(CONFIG)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    return model.to(dtype).eval()


def main() -> None:
    shutil.rmtree(OUTPUT, ignore_errors=True)
    mlx("mlx4", 4, torch.bfloat16, {})
    others = {"down": {"group_size": 128, "bits": 4}, "up": {"group_size": 32, "bits": 4}, "gate": {"group_size": 32}}
    modules = {f"model.layers.0.mlp.{name}_proj": {"bits": 8, **own} for name, own in others.items()}
    mlx("mlx8", 8, torch.float16, {**modules, "lm_head": False})
    bitsandbytes("nf4", False)
    bitsandbytes("nf4-double", True)
    fp8("fp8")
    compressed("compressed", symmetric=True, strategy="group", group_size=64)
    compressed("compressed-zeros", symmetric=False, strategy="channel", group_size=None)


def expected(folder: Path, matrices: dict[str, Any], model: LlamaForCausalLM) -> None:
    """`matrices` by module; all else is the model's own."""
    reference = LlamaForCausalLM(CONFIG).double().eval()
    state = {name: value.double() for name, value in model.state_dict().items() if name in reference.state_dict()}
    state |= {f"{name}.weight": torch.from_numpy(values).double() for name, values in matrices.items()}
    reference.load_state_dict(state)
    with torch.no_grad():
        logits = reference(torch.tensor([IDS])).logits[0].numpy()
    rows = {f"{name}.weight": values[[0, 5, len(values) - 1]] for name, values in matrices.items()}
    np.savez_compressed(folder / "expected.npz", ids=np.array(IDS), logits=logits, **rows)


def mlx(name: str, bits: int, dtype: torch.dtype, modules: dict[str, Any]) -> None:
    """As mlx-lm saves a model: every Linear and Embedding, settings under both keys."""
    model, kind = base(dtype), mx.bfloat16 if dtype == torch.bfloat16 else mx.float16
    tensors, matrices = {}, {}
    for key, value in model.state_dict().items():
        array, module = mx.array(value.float().numpy()).astype(kind), key.removesuffix(".weight")
        if value.ndim == 1 or modules.get(module) is False:
            tensors[key] = array
            continue
        own = modules.get(module) or {"group_size": 64, "bits": bits}
        words, scales, biases = mx.quantize(array, **own)
        tensors |= {key: words, f"{module}.scales": scales, f"{module}.biases": biases}
        wide = (part.astype(mx.float32) for part in (scales, biases))
        matrices[module] = np.array(mx.dequantize(words, *wide, **own))
    folder = OUTPUT / name
    folder.mkdir(parents=True)
    mx.save_safetensors(str(folder / "model.safetensors"), tensors, metadata={"format": "mlx"})
    settings = {"group_size": 64, "bits": bits, "mode": "affine", **modules}
    write_config(folder, json.loads(model.config.to_json_string()), quantization=settings, quantization_config=settings)
    expected(folder, matrices, model)


def write_config(folder: Path, config: dict[str, Any], **more: Any) -> None:
    (folder / "config.json").write_text(json.dumps(config | more, indent=1) + "\n")


def bitsandbytes(name: str, double: bool) -> None:
    folder = OUTPUT / name
    base().save_pretrained(folder / "plain")
    settings = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=double)
    model = AutoModelForCausalLM.from_pretrained(folder / "plain", quantization_config=settings, dtype=torch.bfloat16)
    shutil.rmtree(folder / "plain")
    model.save_pretrained(folder)
    import bitsandbytes.functional as bnb

    matrices = {}
    for module, linear in model.named_modules():
        if type(linear).__name__ == "Linear4bit":
            state = linear.weight.quant_state
            state.dtype = torch.float32
            matrices[module] = bnb.dequantize_4bit(linear.weight.data, state).numpy()
    assert len(matrices) == 7, list(matrices)
    expected(folder, matrices, base())


def fp8(name: str) -> None:
    """As DeepSeek publishes models. Blocks of 48 x 40: the last of a row or column is smaller."""
    model = base()
    tensors, matrices = {}, {}
    for key, value in model.state_dict().items():
        if value.ndim == 1 or "layers" not in key:
            tensors[key] = value
            continue
        n, k = value.shape
        scale = torch.zeros(-(-n // 48), -(-k // 40))
        codes = torch.zeros(n, k, dtype=torch.float8_e4m3fn)
        exact = torch.zeros(n, k, dtype=torch.bfloat16)
        for i in range(scale.shape[0]):
            for j in range(scale.shape[1]):
                place = (slice(48 * i, 48 * i + 48), slice(40 * j, 40 * j + 40))
                part = value[place].float()
                scale[i, j] = part.abs().max() / 448
                codes[place] = (part / scale[i, j]).to(torch.float8_e4m3fn)
                exact[place] = (codes[place].float() * scale[i, j]).to(torch.bfloat16)
        tensors |= {key: codes, f"{key}_scale_inv": scale}
        matrices[key.removesuffix(".weight")] = exact.float().numpy()
    folder = OUTPUT / name
    folder.mkdir(parents=True)
    save_file(tensors, folder / "model.safetensors")
    settings = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3", "weight_block_size": [48, 40]}
    write_config(folder, json.loads(model.config.to_json_string()), quantization_config=settings)
    expected(folder, matrices, model)
    table = torch.arange(256, dtype=torch.uint8).view(torch.float8_e4m3fn).float().numpy()
    np.save(folder / "e4m3.npy", table)


def compressed(name: str, **arguments: Any) -> None:
    model = base()
    args = QuantizationArgs(num_bits=4, type="int", **arguments)
    scheme = QuantizationScheme(targets=["Linear"], weights=args)
    config = QuantizationConfig(config_groups={"group_0": scheme}, ignore=["lm_head"], format="pack-quantized")
    apply_quantization_config(model, config)
    for _, linear in model.named_modules():
        if getattr(linear, "quantization_scheme", None) is None:
            continue
        weight = linear.weight.detach().float()
        groups = weight.reshape(len(weight), -1, arguments["group_size"] or weight.shape[1])
        low, high = groups.amin(-1).clamp(max=0), groups.amax(-1).clamp(min=0)
        scale = torch.maximum(-low, high) / 7.5 if arguments["symmetric"] else (high - low) / 15
        linear.weight_scale.data = scale.to(linear.weight_scale.dtype)
        if not arguments["symmetric"]:
            zero = torch.round(-8 - low / scale).clamp(-8, 7)
            linear.weight_zero_point.data = zero.to(linear.weight_zero_point.dtype)
        linear.quantization_status = QuantizationStatus.FROZEN
    compressor = ModelCompressor.from_pretrained_model(model, quantization_format="pack-quantized")
    compressor.compress_model(model)
    folder = OUTPUT / name
    model.save_pretrained(folder)
    compressor.update_config(str(folder))
    modules = [module for module, linear in model.named_modules() if hasattr(linear, "weight_packed")]
    for module in modules:  # so that it computes in f32
        linear = model.get_submodule(module)
        linear.weight_scale.data = linear.weight_scale.data.float()
    compressor.decompress_model(model)
    matrices = {module: model.get_submodule(module).weight.detach().float().numpy() for module in modules}
    assert len(matrices) == 7, modules
    expected(folder, matrices, base())


if __name__ == "__main__":
    main()
    for extra in ("generation_config.json", "README.md"):
        for path in OUTPUT.rglob(extra):
            path.unlink()
    pack(OUTPUT)
