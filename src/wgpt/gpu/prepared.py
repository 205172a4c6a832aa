"""Commands that are recorded and closed before they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from .core import Core
from .readback import Pending
from .upload import Arrays, Upload
from .webgpu.failures import translated


class Prepared:
    """The commands of a replay, by piece, with the copies of its outputs to `pending`, if there are any.

    They are recorded here. With `close` they are also closed here, otherwise by the submitting thread. `upload`: input
    contents that they copy first.
    """

    def __init__(
        self, device: Core, pieces: Sequence[Any], pending: Pending, upload: Upload | None, close: bool
    ) -> None:
        self._device, self._webgpu, self._closed = device, device.webgpu, list[Any]()
        self.pending, self.upload, self._is_mapped, self.submits = pending, upload, upload is None, len(pieces)
        last, recorded = len(pieces) - 1, []
        for i, piece in enumerate(pieces):
            before = upload.copies() if upload is not None and i == 0 else ()
            recorded.append(device.webgpu.record(piece, pending.copies() if i == last else (), before))

        def close_all() -> None:
            with translated("preparing a Program"):
                self._closed += [self._webgpu.close(each) for each in recorded]

        self._closing: Future[None] | None = None
        if close:
            close_all()
        else:
            self._closing = device.submitter.hand_over(close_all, submits=False)

    @property
    def closed_meanwhile(self) -> bool:
        """Whether the submitting thread has closed them: submitting then takes less time than waking that thread."""
        return self._closing is not None and self._closing.done()

    def poll(self) -> None:
        """Let the device map the upload's buffer, so that `submit` need not wait for it."""
        if self._is_mapped:
            return
        with self._device.lock, translated("preparing a Program"):
            self._device.check_alive()
            self._is_mapped = self.upload is None or self.upload.poll()

    def submit(self, arrays: Arrays) -> None:
        """Write these inputs, submit the commands and start reading the outputs. On the submitting thread, they were
        closed before."""
        if self._closing is not None:
            self._closing.result()
        try:
            for tensor, data in arrays:
                if self.upload is None or tensor not in self.upload:
                    self._webgpu.write_buffer(tensor.buffer.handle, tensor.offset, data)
            if self.upload is not None:
                self.upload.fill(arrays)
                self.pending.use(self.upload.buffer)
            while self._closed:
                self._webgpu.submit_closed(self._closed.pop(0))
        except BaseException:
            self.discard()
            raise
        self.pending.start()

    def discard(self) -> None:
        """Free the commands unsubmitted. wgpu-native 29.0.1.1 still leaks 1.2 kB per dispatch: prepare few Programs."""
        if self._closing is not None:
            self._closing.exception()  # waits
        while self._closed:
            self._webgpu.discard_closed(self._closed.pop())
