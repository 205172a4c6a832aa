"""The Python blocks of the guide to requests run against a server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from .running import Running

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "requests.md"


@pytest.mark.gpu
def test_the_guide(server: Running, capsys: pytest.CaptureFixture[str]):
    names: dict[str, Any] = {"__name__": "guide"}
    blocks = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    for block in blocks:
        source = block.replace("http://127.0.0.1:8000", server.address)
        exec(compile(source, str(GUIDE), "exec", dont_inherit=True), names)
    assert len(blocks) == 4 and "Paris" in capsys.readouterr().out
    assert len(names["vector"]) == 576
