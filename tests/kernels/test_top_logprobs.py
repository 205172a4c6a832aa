"""Log-probabilities of tokens: what the contract's cases do not say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.contracts.made_up import LAVAPIPE

from wgpt.core.errors import PreconditionError
from wgpt.kernels.registry import get
from wgpt.kernels.sampling.top_logprobs import log_softmax


def test_log_softmax_is_finite_whatever_the_logits_are() -> None:
    logprobs = log_softmax(np.array([[1.0, 2.0], [np.nan, -np.inf], [np.inf, np.nan]], np.float32))
    np.testing.assert_allclose(logprobs[0], [-1.3132617, -0.3132617], rtol=1e-6)
    np.testing.assert_allclose(logprobs[1], [-math.log(2)] * 2)
    np.testing.assert_allclose(logprobs[2], [0.0, -2e38])


def test_top_logprobs_refuses_more_than_there_are() -> None:
    with pytest.raises(PreconditionError, match="top must be from 0 to 3, and is 4"):
        get("top_logprobs").usable(LAVAPIPE, {"rows": 1, "vocab": 3, "top": 4})
    with pytest.raises(PreconditionError, match="top must be from 0 to 20, and is 21"):
        get("top_logprobs").usable(LAVAPIPE, {"rows": 1, "vocab": 300, "top": 21})
