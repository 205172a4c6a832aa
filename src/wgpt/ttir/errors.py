"""The one exception of the lowering: what cannot be compiled, where it stands, and why."""

from __future__ import annotations

from ..gpu import WgptError


class Refused(WgptError):
    """A kernel uses something that this backend does not compile. Nothing ran."""

    def __init__(self, reason: str, kernel: str = "", line: str = "") -> None:
        self.reason, self.kernel, self.line = reason, kernel, line
        where = f"{kernel or 'kernel'}{f' ({line})' if line else ''}"
        Exception.__init__(self, f"{where}: {reason}")  # not super(): another base may stand between

    def placed(self, kernel: str, line: str) -> Refused:
        """The same, with where it was found."""
        return Refused(self.reason, kernel, line)


class TooLarge(Refused):
    """Refused for want of room: smaller blocks may fit. `resource` is what there is too little of."""

    def __init__(
        self, reason: str, kernel: str = "", line: str = "", *, resource: str = "", needed: int = 0, limit: int = 0
    ) -> None:
        super().__init__(reason, kernel, line)
        self.resource, self.needed, self.limit = resource, needed, limit

    def placed(self, kernel: str, line: str) -> TooLarge:
        return TooLarge(self.reason, kernel, line, resource=self.resource, needed=self.needed, limit=self.limit)
