"""A model's sessions: one for the caller to step, and one for logits and hidden states."""

from __future__ import annotations

from ..gpu import AllocationError
from ..infer.loaded_loras import LoadedLoras
from ..infer.session import Session
from ..models.network import Network
from ..ops.fallbacks import Fallbacks

_LEAST_CAPACITY = 1024  # positions: conversations grow, and a larger cache means reading the whole prompt again


class Sessions:
    """Each session is kept while it is large enough; all use the attached LoRA adapter."""

    def __init__(
        self,
        network: Network,
        loras: LoadedLoras,
        context: int,
        cache: str,
        kernels: str,
        fallbacks: Fallbacks,
    ) -> None:
        self._network, self._loras, self._context, self._cache = network, loras, context, cache
        self._kernels, self._fallbacks = kernels, fallbacks
        self._lora = loras.state  # what the sessions use
        self._writing: Session | None = None
        self._scoring: Session | None = None

    @property
    def nbytes(self) -> int:
        return sum(session.nbytes for session in self._all())

    def for_writing(self, capacity: int, slots: int) -> Session:
        """The current session if it is large enough, else a new one that replaces it."""
        session = self._writing
        if session is None or session.released or session.slots != slots or session.capacity < capacity:
            capacity = min(self._context, max(capacity, _LEAST_CAPACITY))
            roomy = capacity
            if session is not None:
                if slots == session.slots and not session.released:
                    roomy = min(self._context, max(capacity, 2 * session.capacity))
                session.release()
            self._writing = None
            try:
                session = self._new(roomy, slots, self._cache)
            except AllocationError:
                if roomy == capacity:
                    raise
                session = self._new(capacity, slots, self._cache)
            self._writing = session
        return session

    def for_scoring(self, capacity: int) -> Session:
        """Its cache is f32: see Loaded._reading_engine."""
        session = self._scoring
        if session is None or session.released or session.capacity < capacity:
            if session is not None:
                session.release()
            self._scoring = None
            session = self._scoring = self._new(capacity, 1, "f32")
        return session

    def _new(self, capacity: int, slots: int, cache: str) -> Session:
        session = Session(self._network, capacity, slots, cache, kernels=self._kernels, fallbacks=self._fallbacks)
        if self._loras.attached is not None:
            session.attach(self._loras.placed)
        return session

    def _all(self) -> list[Session]:
        return [session for session in (self._writing, self._scoring) if session is not None]

    def follow_lora(self) -> None:
        """Use the LoRA adapter that is attached now; caches of another one are cleared."""
        if self._lora != self._loras.state:
            self.forget()

    def forget(self) -> None:
        """Clear the caches."""
        self._lora = self._loras.state
        for session in self._all():
            session.attach(self._loras.placed)

    def release(self) -> None:
        for session in self._all():
            session.release()
        self._writing = self._scoring = None
