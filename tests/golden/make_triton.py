"""Make tests/golden/triton again: TTIR and artifacts of triton_kernels.py. Needs Triton (wgpt[triton]); no GPU.

python -m tests.golden.make_triton
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.archives import pack

FOLDER = Path(__file__).parent / "triton"


def main() -> None:
    from tests.golden.triton_kernels import KERNELS, SHIPPED
    from wgpt.triton_backend import ahead
    from wgpt.ttir.artifact import Artifact

    index = {}
    for name, (kernel, signature, constants) in KERNELS.items():
        _, text = ahead.ttir_of(kernel, signature, constants)
        (FOLDER / f"{name}.ttir").write_text(text)
        index[name] = {"signature": signature, "constants": constants}
        if name in SHIPPED:
            options = {"grid": SHIPPED[name], "name": name, "made_by": ahead.MADE_BY}
            Artifact.of_ttir(text, tuple(signature), constants, **options).save(FOLDER / "artifacts")
        print(name, len(text))
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n")
    pack(FOLDER)


if __name__ == "__main__":
    main()
