"""Writes tests/golden/training: adapters as peft saves them, and what torch computes when it trains them.

Run by hand, after make_models and again only when a case here changes (needs no GPU; about two minutes):

    golden-venv/bin/pip install torch==2.13.0 transformers peft safetensors -e .
    golden-venv/bin/python -m tests.golden.make_training [NAME ...]

All arithmetic is float64, except where transformers' own code insists on float32 (RMSNorm and RoPE's angles).
Sequences are run one by one, so nothing here is padded; a loss is the mean over the target tokens of a whole step.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedModel, get_cosine_schedule_with_warmup

from tests.golden.archives import pack
from tests.golden.make_dense import MODELS as DENSE
from tests.golden.make_models import MODELS
from tests.models import golden, made_up
from tests.models.vocabulary import SIZE, write_tokenizer
from wgpt.quant import nf4

FOLDER = Path(__file__).parent
LENGTHS = (6, 17, 35)  # the last reaches beyond mistral's window of 16
ROWS = 8  # logits are kept of so many last tokens of each sequence
STEPS, WARMUP, RATE, DECAY, CLIP = 50, 5, 1e-2, 0.01, 1.0
MICRO_BATCHES = 6  # the curve goes round and round these
IGNORED = -100

QV = ("q_proj", "v_proj")
SEVEN = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
NF4_MODEL = made_up.llama_like("llama", hidden=64, layers=2, heads=4, kv_heads=2, ffn=128)

Example = tuple[list[int], list[int]]  # ids, and labels: the same ids, or IGNORED


@dataclass(frozen=True)
class Case:
    model: str  # a folder of tests/golden/models, or "nf4", which is written here
    targets: tuple[str, ...] = QV
    rslora: bool = False
    curves: tuple[str, ...] = ()  # of CURVES
    lengths: tuple[int, ...] = LENGTHS


CASES = {
    "llama-gqa": Case("llama-gqa", curves=("losses", "losses_accumulated")),
    "llama-gqa-seven": Case("llama-gqa", SEVEN),
    "llama3-rope": Case("llama3-rope"),
    "mistral": Case("mistral"),
    "qwen2": Case("qwen2"),
    "qwen2-rslora": Case("qwen2", ("q_proj", "k_proj", "o_proj", "up_proj"), rslora=True),
    "qwen3": Case("qwen3", curves=("losses", "losses_accumulated")),
    "gpt2": Case("gpt2", ("c_attn", "c_proj", "c_fc"), curves=("losses", "losses_accumulated")),
    "nf4": Case("nf4", SEVEN, curves=("losses", "losses_accumulated", "losses_table")),
    "gemma": Case("gemma", SEVEN),
    "gemma2": Case("gemma2", SEVEN),
    "gemma3": Case("gemma3", SEVEN),
    "phi3": Case("phi3", ("qkv_proj", "o_proj", "gate_up_proj", "down_proj")),
    "ministral": Case("ministral"),
    "smollm3": Case("smollm3"),
    "granite": Case("granite", SEVEN),
    "phi4-mini": Case("phi4-mini", ("qkv_proj", "o_proj", "gate_up_proj"), lengths=(17, 20, 35)),
    "olmo2": Case("olmo2", SEVEN),
    "olmo3": Case("olmo3"),
}


def write_nf4_model() -> None:
    """A model whose matrices are whole blocks of 64. It is stored as it is; NF4 is for the reader to make."""
    folder = FOLDER / "training" / "nf4" / "model"
    folder.mkdir(parents=True)
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(**NF4_MODEL))
    weights = {key: torch.from_numpy(value) for key, value in made_up.random_weights(NF4_MODEL, 21).items()}
    missing, unknown = model.load_state_dict(weights, strict=False)
    assert not unknown and set(missing) <= {"lm_head.weight"}, (missing, unknown)
    model.tie_weights()
    model.to(torch.float16).save_pretrained(folder)
    write_tokenizer(folder)


def base_model(name: str, table: bool = False) -> PreTrainedModel:
    """Of "nf4", the layers' matrices are rounded through NF4's blocks of 64; with `table`, the embedding's too."""
    folder = FOLDER / "training" / "nf4" / "model" if name == "nf4" else golden.folder_of(name)
    attention = "sdpa" if name == "nf4" else (MODELS | DENSE)[name].attention
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation=attention).eval()
    if name == "nf4":
        for key, parameter in model.named_parameters():
            if parameter.ndim == 2 and (table or ".layers." in key):
                codes, absmax = nf4.quantize(parameter.detach().numpy())
                values = nf4.CODEBOOK[codes].reshape(-1, 64) * absmax[:, None]
                parameter.data = torch.from_numpy(values.reshape(parameter.shape))
    return model


def attached(case: Case, seed: int) -> PeftModel:
    """The model with an adapter whose A and B are both random: at B = 0, as peft begins, half the gradients are 0."""
    base = base_model(case.model)
    task = {"r": 4, "lora_alpha": 8, "lora_dropout": 0.0, "task_type": "CAUSAL_LM"}
    gpt2 = case.model == "gpt2"
    config = LoraConfig(target_modules=list(case.targets), use_rslora=case.rslora, fan_in_fan_out=gpt2, **task)
    model = get_peft_model(base, config)
    config.base_model_name_or_path = case.model  # not the path on this machine
    rng = np.random.default_rng(seed)
    for key, parameter in model.named_parameters():
        if "lora_" in key:
            scale = 0.5 / parameter.shape[1] ** 0.5 if "lora_A" in key else 0.1
            parameter.data = torch.from_numpy((scale * rng.standard_normal(parameter.shape)).astype(np.float32))
    return model


def example(rng: np.random.Generator, length: int) -> Example:
    """Random tokens, the last half or so of which are an answer."""
    ids = rng.integers(3, SIZE, length).tolist()
    first = int(rng.integers(1, length - 1))
    return ids, [IGNORED] * first + ids[first:]


def batches(seed: int) -> list[list[Example]]:
    """Micro-batches of two or three examples of different lengths: the curve's data."""
    rng = np.random.default_rng(seed)
    return [
        [example(rng, int(rng.integers(4, 30))) for _ in range(int(rng.integers(2, 4)))] for _ in range(MICRO_BATCHES)
    ]


def targets_of(labels: list[int]) -> int:
    return sum(label != IGNORED for label in labels[1:])


def loss_of(model: torch.nn.Module, examples: list[Example]) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """The mean over all target tokens of all examples, and the logits of each."""
    total, count, all_logits = torch.zeros((), dtype=torch.float64), 0, []
    for ids, labels in examples:
        logits = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]
        total = total + torch.nn.functional.cross_entropy(
            logits[:-1], torch.tensor(labels[1:]), ignore_index=IGNORED, reduction="sum"
        )
        count += targets_of(labels)
        all_logits.append(logits)
    return total / count, all_logits


def target_name(key: str) -> str:
    """base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight -> model.layers.0.self_attn.q_proj.A"""
    name = key.removeprefix("base_model.model.").removeprefix("transformer.")
    return name.replace(".lora_A.default.weight", ".A").replace(".lora_B.default.weight", ".B")


def gradients(model: torch.nn.Module) -> Iterator[tuple[str, np.ndarray]]:
    for key, parameter in model.named_parameters():
        if parameter.grad is not None:
            yield target_name(key), parameter.grad.numpy()


def curve(model: torch.nn.Module, data: list[list[Example]], accumulate: int) -> dict[str, np.ndarray]:
    """Fifty steps of AdamW: the loss, the gradient's norm before it is clipped, and the learning rate of each."""
    trained = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=DECAY)
    schedule = get_cosine_schedule_with_warmup(optimiser, WARMUP, STEPS)
    losses, norms, rates = [], [], []
    for step in range(STEPS):
        micro = [data[(step * accumulate + i) % len(data)] for i in range(accumulate)]
        loss, _ = loss_of(model, [e for examples in micro for e in examples])
        optimiser.zero_grad()
        loss.backward()
        norms.append(float(torch.nn.utils.clip_grad_norm_(trained, CLIP)))
        losses.append(loss.item())
        rates.append(schedule.get_last_lr()[0])
        optimiser.step()
        schedule.step()
    return {"losses": np.array(losses), "norms": np.array(norms), "rates": np.array(rates)}


def trained_base(case: Case, folder: Path, name: str) -> PeftModel:
    return PeftModel.from_pretrained(base_model(case.model, table=name == "losses_table"), folder, is_trainable=True)


def write(name: str, case: Case, seed: int, parent: Path) -> None:
    folder = parent / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if case.model == "nf4":
        write_nf4_model()
    model = attached(case, seed)
    model.save_pretrained(folder)
    (folder / "README.md").unlink()
    rng = np.random.default_rng(seed + 1)
    examples = [example(rng, length) for length in case.lengths]
    model.double()
    loss, logits = loss_of(model, examples)
    loss.backward()
    arrays: dict[str, np.ndarray] = {"loss": loss.detach().numpy()}
    for i, ((ids, labels), values) in enumerate(zip(examples, logits, strict=True)):
        arrays |= {f"ids_{i}": np.array(ids, np.int32), f"labels_{i}": np.array(labels, np.int32)}
        arrays[f"logits_{i}"] = values.detach().numpy()[-ROWS:].astype(np.float32)
    arrays |= {f"grad.{key}": gradient.astype(np.float32) for key, gradient in gradients(model)}
    data = batches(seed + 2)
    for b, micro in enumerate(data if case.curves else []):
        for i, (ids, labels) in enumerate(micro):
            arrays[f"curve_ids_{b}_{i}"] = np.array(ids, np.int32)
            arrays[f"curve_labels_{b}_{i}"] = np.array(labels, np.int32)
    for kind in case.curves:
        accumulate = 2 if kind == "losses_accumulated" else 1
        exact = curve(trained_base(case, folder, kind).double(), data, accumulate)
        single = curve(trained_base(case, folder, kind), data, accumulate)
        apart = float(np.abs(single["losses"] - exact["losses"]).max())
        print(
            f"{name}: {kind} {exact['losses'][0]:.4f} -> {exact['losses'][-1]:.4f}, torch's own f32 is {apart:.1e} off"
        )
        arrays |= {kind: exact["losses"], f"{kind}.norms": exact["norms"], f"{kind}.rates": exact["rates"]}
    np.savez_compressed(folder / "golden.npz", **arrays)
    print(f"{name}: loss {loss.item():.4f}, {sum(f.stat().st_size for f in folder.rglob('*') if f.is_file())} bytes")


def main(names: list[str], cases: Mapping[str, Case] = CASES, folder: Path = FOLDER / "training") -> None:
    for seed, (name, case) in enumerate(cases.items()):
        if not names or name in names:
            write(name, case, 100 * seed, folder)
    pack(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
