"""Writes tests/golden/dense_training: LoRA gradients of the models of make_dense, as make_training does.

golden-venv/bin/python -m tests.golden.make_dense_training [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden.make_training import SEVEN, Case, main

FOLDER = Path(__file__).parent / "dense_training"
QKVO = ("q_proj", "k_proj", "v_proj", "o_proj")
CASES = {
    "ministral3": Case("ministral3", SEVEN),
    "granite4": Case("granite4", (*QKVO, "input_linear", "output_linear")),
    "exaone4": Case("exaone4", SEVEN),
    "glm4": Case("glm4", (*QKVO, "gate_up_proj", "down_proj")),
    "cohere": Case("cohere", SEVEN),
    "cohere2": Case("cohere2"),
    "stablelm": Case("stablelm", SEVEN),
    "stablelm-parallel": Case("stablelm-parallel"),
    "starcoder2": Case("starcoder2", (*QKVO, "c_fc", "c_proj")),
    "gptneox": Case("gptneox", ("query_key_value", "dense", "dense_h_to_4h", "dense_4h_to_h")),
    "gptneox-20-of-80": Case("gptneox-20-of-80", ("query_key_value",)),
    "phi": Case("phi", ("q_proj", "k_proj", "v_proj", "dense", "fc1", "fc2")),
}

if __name__ == "__main__":
    main(sys.argv[1:], CASES, FOLDER)
