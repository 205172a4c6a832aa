"""A few hundred fuzzed bodies; `python -m tests.serve.fuzzed_bodies 10000` sends more."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fuzzed_bodies import TINY, run
from .running import serving

pytestmark = [pytest.mark.gpu, pytest.mark.full]


def test_fuzzed_bodies(tmp_path: Path):
    with serving(tmp_path, TINY, "--no-warm-up") as server:
        statuses = run(server.address, 200)
        assert "Traceback" not in server.log()
    assert statuses[200] > 10 and statuses[400] > 50
