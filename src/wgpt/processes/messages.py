"""The messages between two of our processes: pickled tuples behind their length.

Both ends are ours, and the socket belongs to them alone. A message is (kind, ...):

to the child    (CALL, number, ...)  (CANCEL, number)  (STOP,)
from the child  (READY, info)  (FAILED, message)  (DONE, number, result)  (REFUSED, number, reason)  (TOLD, ...)
"""

from __future__ import annotations

import pickle
import struct
from typing import Any

CALL, CANCEL, STOP = range(3)
READY, FAILED, DONE, REFUSED, TOLD = range(10, 15)
_LENGTH = struct.Struct("<Q")


def encoded(message: tuple[Any, ...]) -> bytes:
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


class Decoder:
    """Messages out of a stream of bytes.

    >>> data, decoder = encoded((STOP,)) + encoded((CANCEL, 7)), Decoder()
    >>> decoder.add(data[:20]) + decoder.add(data[20:]) == [(STOP,), (CANCEL, 7)]
    True
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, data: bytes) -> list[tuple[Any, ...]]:
        buffer, at, messages = self._buffer, 0, []
        buffer += data
        while len(buffer) - at >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(buffer, at)
            end = at + _LENGTH.size + length
            if len(buffer) < end:
                break
            messages.append(pickle.loads(bytes(buffer[at + _LENGTH.size : end])))
            at = end
        del buffer[:at]
        return messages
