"""The exceptions of the lowering: what cannot be compiled, where, and why."""

from __future__ import annotations

from ..core.errors import WgptError


class Refused(WgptError):
    """The kernel uses an unsupported feature. Nothing ran."""

    def __init__(self, reason: str, kernel: str = "", line: str = "") -> None:
        self.reason, self.kernel, self.line = reason, kernel, line
        where = f"{kernel or 'kernel'}{f' ({line})' if line else ''}"
        Exception.__init__(self, f"{where}: {reason}")  # not super(): another base class may be in between

    def placed(self, kernel: str, line: str) -> Refused:
        """The same exception with a location."""
        return Refused(self.reason, kernel, line)


class TooLarge(Refused):
    """Not enough of `resource`; smaller blocks may fit."""

    def __init__(
        self, reason: str, kernel: str = "", line: str = "", *, resource: str = "", needed: int = 0, limit: int = 0
    ) -> None:
        super().__init__(reason, kernel, line)
        self.resource, self.needed, self.limit = resource, needed, limit

    def placed(self, kernel: str, line: str) -> TooLarge:
        return TooLarge(self.reason, kernel, line, resource=self.resource, needed=self.needed, limit=self.limit)
