"""Checks that adapters written by wgpt, and models merged by it, have the same logits in torch with peft.

    golden-venv/bin/python -m tests.golden.check_peft [MODEL ADAPTER]

Without arguments: every golden adapter is read and written again by wgpt, loaded by peft, and must give the golden
logits; without it the logits must differ. The same model and adapter, merged by wgpt (also from a GGUF file), must
give them through transformers alone. With arguments: peft attaches ADAPTER to MODEL, and says what it found.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.golden.make_training import CASES, base_model
from tests.models import golden as models
from tests.models.gguf_maker import write_gguf
from tests.train import golden
from wgpt.formats import open_checkpoint
from wgpt.formats.merge import merge
from wgpt.formats.peft import read_lora, write_lora


@torch.no_grad()
def check(name: str) -> None:
    training = golden.load(name)
    base = base_model(CASES[name].model).double()
    ids = [torch.tensor([example.ids]) for example in training.examples]
    truth = [torch.from_numpy(logits) for logits in training.logits]
    bare = [base(x, use_cache=False).logits[0, -len(t) :] for x, t in zip(ids, truth, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        write_lora(read_lora(training.adapter), folder)
        model = PeftModel.from_pretrained(base, folder).double().eval()
    adapted = [model(x, use_cache=False).logits[0, -len(t) :] for x, t in zip(ids, truth, strict=True)]
    difference = max(float((f - t).abs().max()) for f, t in zip(adapted, truth, strict=True))
    matters = min(float((b - t).abs().max()) for b, t in zip(bare, truth, strict=True))
    print(f"{name}: logits within {difference:.1e} of the golden ones; without the adapter they are {matters:.2f} away")
    assert difference < 1e-5 < 0.1 < matters


@torch.no_grad()
def check_merged(name: str, from_gguf: bool) -> None:
    training = golden.load(name)
    with tempfile.TemporaryDirectory() as place:
        source, folder = training.model, Path(place) / "merged"
        if from_gguf:
            base = models.load(training.model.name)
            source = Path(place) / "model.gguf"
            write_gguf(source, base.config, base.weights, "f32")
        with open_checkpoint(source) as checkpoint:
            merge(checkpoint, read_lora(training.adapter), folder, "f32")
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).double().eval()
        words = [AutoTokenizer.from_pretrained(path) for path in (folder, training.model)]
    difference = 0.0
    for example, truth in zip(training.examples, training.logits, strict=True):
        logits = model(torch.tensor([example.ids]), use_cache=False).logits[0, -len(truth) :]
        difference = max(difference, float((logits - torch.from_numpy(truth)).abs().max()))
    text = "the other one<|im_end|> and\n more"
    ours, theirs = (each(text).input_ids for each in words)
    assert ours == theirs and words[0].eos_token == words[1].eos_token, (ours, theirs)
    assert words[0].chat_template == words[1].chat_template
    print(f"{name}, merged{' from GGUF' if from_gguf else ''}: logits within {difference:.1e}")
    assert difference < 2e-5


def attach(model: str, adapter: str) -> None:
    base = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    loaded = PeftModel.from_pretrained(base, adapter)
    expected = {target for target in read_lora(adapter).targets}
    adapted = {name for name, module in base.named_modules() if hasattr(module, "lora_A")}
    assert {name.removeprefix("transformer.") for name in adapted} == expected, (adapted, expected)
    size = sum(p.numel() for name, p in loaded.named_parameters() if "lora_" in name)
    print(f"peft attached {len(adapted)} layers, {size} numbers")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        attach(*sys.argv[1:])
    else:
        for each in CASES:
            check(each)
            if each != "nf4":
                check_merged(each, from_gguf=False)
            if each in ("llama-gqa-seven", "qwen2", "qwen3", "gpt2"):
                check_merged(each, from_gguf=True)
            attach(str(golden.load(each).model), str(Path(golden.load(each).adapter)))
