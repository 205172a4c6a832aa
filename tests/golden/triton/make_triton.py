"""Make the TTIR files and artifacts beside this file again. Needs Triton (`pip install 'wgpt[triton]'`); no GPU.

python tests/golden/triton/make_triton.py
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def main() -> None:
    from kernels import KERNELS, SHIPPED  # type: ignore[import-not-found]
    from wgpt.triton_backend import ahead

    index = {}
    for name, (kernel, signature, constants) in KERNELS.items():
        _, text = ahead.ttir_of(kernel, signature, constants)
        (HERE / f"{name}.ttir").write_text(text)
        index[name] = {"signature": signature, "constants": constants}
        if name in SHIPPED:
            ahead.artifact_of(text, signature, constants, grid=SHIPPED[name], name=name).save(HERE / "artifacts")
        print(name, len(text))
    (HERE / "index.json").write_text(json.dumps(index, indent=1) + "\n")


if __name__ == "__main__":
    main()
