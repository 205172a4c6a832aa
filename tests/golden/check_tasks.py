"""Checks that classifiers and fully trained models of `wgpt finetune` give the same results in torch with peft.

    golden-venv/bin/python -m tests.golden.check_tasks        (needs a GPU, a software one will do)

Small models learn to tell texts apart, or sentences with all of their weights. peft loads the classifier's folder over
AutoModelForSequenceClassification, transformers loads the new model's: scores and logits must be those of wgpt. The
golden classifiers, read and written again by wgpt, must give their golden scores through peft.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

from tests.golden.make_classify import base_model
from tests.models import golden as models
from tests.models.gguf_maker import write_gguf
from tests.train import golden_classify
from wgpt import load
from wgpt.formats.peft import read_lora, write_lora
from wgpt.train.tokens import ids_to_classify

WORDS = {"weather": ["wind", "cloud", "rain"], "house": ["door", "lamp", "chair"]}
TEXTS = [
    {"text": f"the {one} and {other}", "label": label}
    for label, words in WORDS.items()
    for one in words
    for other in words
]
LINES = [{"text": line["text"]} for line in TEXTS]


@torch.no_grad()
def check_golden(name: str) -> None:
    run = golden_classify.load(name)
    with tempfile.TemporaryDirectory() as folder:
        write_lora(read_lora(run.adapter), folder)
        model = PeftModel.from_pretrained(base_model(name), folder).double().eval()
    scores = [model(torch.tensor([ids]), use_cache=False).logits[0].numpy() for ids in run.texts]
    difference = float(np.abs(np.stack(scores) - run.scores).max())
    print(f"{name}: written again, scores within {difference:.1e} of the golden ones")
    assert difference < 1e-5


@torch.no_grad()
def check_classifier(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, load(models.load(name).folder, cache="f32") as model:
        model.finetune(TEXTS, classify=True, steps=30, lr=1e-2, rank=4, batch=4, out=folder, hold_out=0)
        model.attach(folder)
        ours = [model.classify(line["text"]) for line in TEXTS]
        base = AutoModelForSequenceClassification.from_pretrained(
            models.load(name).folder, num_labels=2, dtype=torch.float32
        )
        loaded = PeftModel.from_pretrained(base, folder).double().eval()
        difference = 0.0
        for line, result in zip(TEXTS, ours, strict=True):
            ids = torch.tensor([ids_to_classify(model.tokenizer, line["text"])])
            logs = loaded(ids, use_cache=False).logits[0].log_softmax(-1).tolist()
            for label, log in zip(model.classes, logs, strict=True):
                difference = max(difference, abs(log - math.log(result.probabilities[label])))
    right = sum(result.label == line["label"] for line, result in zip(TEXTS, ours, strict=True))
    print(f"{name}: {right} of {len(TEXTS)} texts right; peft's log-probabilities within {difference:.1e}")
    assert right == len(TEXTS) and difference < 1e-4


@torch.no_grad()
def check_full(name: str, from_gguf: bool = False, dtype: str = "f32") -> None:
    base = models.load(name)
    with tempfile.TemporaryDirectory() as place:
        source = base.folder
        if from_gguf:
            source = Path(place) / "model.gguf"
            write_gguf(source, base.config, base.weights, "f32")
        with load(source, dtype="f32", cache="f32") as model:
            ids = model.ids(LINES[0]["text"])
            before = model.logits(ids)
            quick = {"steps": 10, "lr": 1e-3, "batch": 4, "hold_out": 0}
            new = model.finetune(LINES, full=True, out=Path(place) / "out", save_dtype=dtype, **quick)
            ours = model.logits(ids)
        theirs = AutoModelForCausalLM.from_pretrained(new, dtype=torch.float32).double().eval()
        words = [AutoTokenizer.from_pretrained(folder) for folder in (new, base.folder)]
        their_logits = theirs(torch.tensor([ids]), use_cache=False).logits[0].numpy()
        assert words[0](LINES[0]["text"]).input_ids == words[1](LINES[0]["text"]).input_ids
    difference, moved = float(np.abs(their_logits - ours).max()), float(np.abs(their_logits - before).max())
    print(
        f"{name}{' from GGUF' if from_gguf else ''}, all weights, as {dtype}: "
        f"transformers' logits within {difference:.1e}; training moved them by {moved:.2f}"
    )
    assert difference < (1e-4 if dtype == "f32" else 0.2) < moved


if __name__ == "__main__":
    for each in golden_classify.NAMES:
        check_golden(each)
        check_classifier(each)
    for each in ("llama-gqa", "qwen2", "qwen3", "mistral", "gpt2"):
        check_full(each)
    check_full("llama-gqa", from_gguf=True)
    check_full("gpt2", from_gguf=True, dtype="bf16")
