"""Proves with torch and peft that the adapters written here are loaded by peft with the same logits.

    golden-venv/bin/python -m tests.golden.check_peft [MODEL ADAPTER]

Without arguments: every golden adapter is read and written again by wgpt, loaded by peft, and must give the golden
logits; without it the logits must differ. With arguments: peft attaches ADAPTER to MODEL, and says what it found.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

from tests.golden.make_training import CASES, base_model
from tests.train import golden
from wgpt.formats.peft import read_adapter, write_adapter


@torch.no_grad()
def check(name: str) -> None:
    training = golden.load(name)
    base = base_model(CASES[name].model).double()
    ids = [torch.tensor([example.ids]) for example in training.examples]
    truth = [torch.from_numpy(logits) for logits in training.logits]
    bare = [base(x, use_cache=False).logits[0, -len(t) :] for x, t in zip(ids, truth, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        write_adapter(read_adapter(training.adapter), folder)
        model = PeftModel.from_pretrained(base, folder).double().eval()
    found = [model(x, use_cache=False).logits[0, -len(t) :] for x, t in zip(ids, truth, strict=True)]
    off = max(float((f - t).abs().max()) for f, t in zip(found, truth, strict=True))
    matters = min(float((b - t).abs().max()) for b, t in zip(bare, truth, strict=True))
    print(f"{name}: logits within {off:.1e} of the golden ones; without the adapter they are {matters:.2f} away")
    assert off < 1e-5 < 0.1 < matters


def attach(model: str, adapter: str) -> None:
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    loaded = PeftModel.from_pretrained(base, adapter)
    expected = {target for target in read_adapter(adapter).targets}
    found = {name for name, module in base.named_modules() if hasattr(module, "lora_A")}
    assert {name.removeprefix("transformer.") for name in found} == expected, (found, expected)
    size = sum(p.numel() for name, p in loaded.named_parameters() if "lora_" in name)
    print(f"peft attached {len(found)} layers, {size} numbers")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        attach(*sys.argv[1:])
    else:
        for each in CASES:
            check(each)
            attach(str(golden.load(each).model), str(Path(golden.load(each).adapter)))
