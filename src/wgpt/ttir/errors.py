"""The one exception of the lowering: what cannot be compiled, where it stands, and why."""

from __future__ import annotations

from ..gpu import WgptError


class Refused(WgptError):
    """A kernel uses something that this backend does not compile. Nothing ran."""

    def __init__(self, reason: str, kernel: str = "", line: str = "") -> None:
        self.reason, self.kernel, self.line = reason, kernel, line
        where = f"{kernel or 'kernel'}{f' ({line})' if line else ''}"
        super().__init__(f"{where}: {reason}")
