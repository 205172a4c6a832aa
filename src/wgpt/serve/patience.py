"""How long a step of the engine may take before it counts as hanging."""

from __future__ import annotations

from .wire import State

# A driver may compile kernels for minutes, and a step with more sequences or tokens takes longer than those before.
_COMPILING, _LONGEST = 5.0, 5.0
OPTION = "--step-timeout"


def patience(state: State, step_seconds: float) -> float:
    """Seconds after which /health fails; after twice that, the process is ended.

    >>> patience(State(), 60), patience(State(longest_step=40), 60), patience(State(compiling=True), 60)
    (60, 200.0, 300.0)
    """
    return max(step_seconds, _COMPILING * step_seconds * state.compiling, _LONGEST * state.longest_step)


def what_hangs(state: State, step_seconds: float) -> str:
    """What has not ended for how long, and why that is too long."""
    age, limit = state.step_age, patience(state, step_seconds)
    if state.compiling:
        return f"compiling kernels has not ended for {age:.0f} s (limit {limit:.0f} s: {_COMPILING:g} times {OPTION})"
    longest = f"{state.longest_step:.1f} s" if state.longest_step else "none has ended yet"
    limit_of = OPTION if limit == step_seconds else f"{_LONGEST:g} times the longest step so far"
    return f"the step has not ended for {age:.0f} s (limit {limit:.0f} s: {limit_of}; longest step so far: {longest})"
