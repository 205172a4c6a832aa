"""Writes tests/golden/classify: SEQ_CLS adapters as peft saves them, and what torch computes when it trains them.

Run by hand, after make_models and in make_training's environment (needs no GPU; seconds):

    golden-venv/bin/python -m tests.golden.make_classify

A text's class is told by the scores of its last token; all arithmetic is float64, with make_training's reservations.
"""

from __future__ import annotations

import shutil

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForSequenceClassification, PreTrainedModel

from tests.golden.archives import pack
from tests.golden.make_training import FOLDER, LENGTHS, gradients
from tests.models.vocabulary import SIZE

CASES = {"llama-gqa": ("q_proj", "v_proj"), "qwen3": ("k_proj", "down_proj"), "gpt2": ("c_attn", "c_fc")}
CLASSES = 3


def base_model(name: str) -> PreTrainedModel:
    return AutoModelForSequenceClassification.from_pretrained(
        FOLDER / "models" / name, num_labels=CLASSES, dtype=torch.float32, attn_implementation="sdpa"
    ).eval()


def attached(name: str, seed: int) -> PeftModel:
    """With an adapter and a head that are both random."""
    task = {"r": 4, "lora_alpha": 8, "lora_dropout": 0.0, "task_type": "SEQ_CLS", "fan_in_fan_out": name == "gpt2"}
    config = LoraConfig(target_modules=list(CASES[name]), **task)
    model = get_peft_model(base_model(name), config)
    config.base_model_name_or_path = name  # not the path on this machine
    rng = np.random.default_rng(seed)
    for key, parameter in model.named_parameters():
        if parameter.requires_grad:
            scale = 0.1 if "lora_B" in key else 0.5 / parameter.shape[1] ** 0.5
            parameter.data = torch.from_numpy((scale * rng.standard_normal(parameter.shape)).astype(np.float32))
    return model


def write(name: str, seed: int) -> None:
    folder = FOLDER / "classify" / name
    shutil.rmtree(folder, ignore_errors=True)
    model = attached(name, seed)
    model.save_pretrained(folder)
    (folder / "README.md").unlink()
    rng = np.random.default_rng(seed + 1)
    texts = [rng.integers(3, SIZE, length).tolist() for length in LENGTHS]
    labels = rng.permutation(CLASSES)
    model.double()
    scores = torch.cat([model(input_ids=torch.tensor([ids]), use_cache=False).logits for ids in texts])
    loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(labels))
    loss.backward()
    arrays = {f"ids_{i}": np.array(ids, np.int32) for i, ids in enumerate(texts)}
    arrays |= {"labels": labels.astype(np.int32), "scores": scores.detach().numpy(), "loss": loss.detach().numpy()}
    for key, gradient in gradients(model):
        arrays[f"grad.{key.replace('.modules_to_save.default.weight', '')}"] = gradient.astype(np.float32)
    np.savez_compressed(folder / "golden.npz", **arrays)
    print(f"{name}: loss {loss.item():.4f}, gradients of {sum(key.startswith('grad.') for key in arrays)}")


if __name__ == "__main__":
    for number, case in enumerate(CASES):
        write(case, 1000 + 100 * number)
    pack(FOLDER / "classify")
