"""Objects that hold GPU memory or threads, and so belong to one process."""

from __future__ import annotations

from typing import ClassVar, NoReturn, SupportsIndex

from .errors import ProcessBoundError


class ProcessBound:
    """Cannot be pickled or copied: both copies would release the same memory."""

    _way_out: ClassVar[str] = "create another one in the process that needs it"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise ProcessBoundError(
            f"a {type(self).__name__} cannot be pickled or copied: it belongs to a GPU of this process; {self._way_out}"
        )
