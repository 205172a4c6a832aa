"""The pages of the KV cache: free ones, those in use, and those kept because a later prompt may begin the same way.

A full page is known by its chain: the page before it, its tokens, and the LoRA adapter. Nothing here touches the GPU:
work is submitted in order, so a page that is given back may be handed out at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..kernels.attention.attending import PAGE

_TRASH = 0  # page 0 belongs to nobody: rows beyond a sequence's pages write there
_Key = tuple[int, bytes]


@dataclass(eq=False)
class Link:
    """A full page that can be shared. `id` names the chain up to it; the page's number may be used again later."""

    id: int
    page: int
    key: _Key


class Pages:
    """`count` pages, of which one is never handed out.

    >>> pages = Pages(4)
    >>> pages.take(2), pages.free
    ([1, 2], 1)
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._unused = list(range(count - 1, _TRASH, -1))
        self._users: dict[int, int] = {}  # by page in use
        self._links: dict[_Key, Link] = {}  # full pages, in use or not
        self._link_of: dict[int, Link] = {}  # by page
        self._idle: OrderedDict[int, None] = OrderedDict()  # linked pages that nobody uses, least recently used first
        self._next_id = 1
        self.queries = self.hits = 0  # tokens looked for in the cache, and tokens found

    @property
    def free(self) -> int:
        """Pages that can be taken: unused ones, and those that are only kept."""
        return len(self._unused) + len(self._idle)

    @property
    def usable(self) -> int:
        return self.count - 1

    @property
    def used(self) -> int:
        return len(self._users)

    def take(self, count: int) -> list[int] | None:
        """New pages, or None if there are not enough. Kept pages are forgotten as needed, the oldest first."""
        if count > self.free:
            return None
        pages = []
        for _ in range(count):
            page = self._unused.pop() if self._unused else self._forget_oldest()
            self._users[page] = 1
            pages.append(page)
        return pages

    def match(self, tokens: Sequence[int], lora: int) -> tuple[list[int], int]:
        """(pages that hold the beginning of these tokens, the chain's id); the caller uses them from now on."""
        links = self._chain(tokens, lora)
        pages, chain = [link.page for link in links], links[-1].id if links else root(lora)
        for page in pages:
            self._users[page] = self._users.get(page, 0) + 1
            self._idle.pop(page, None)
        self.queries += len(tokens)
        self.hits += PAGE * len(pages)
        return pages, chain

    def count_cached(self, tokens: Sequence[int], lora: int) -> int:
        """How many pages `match` would find."""
        return len(self._chain(tokens, lora))

    def _chain(self, tokens: Sequence[int], lora: int) -> list[Link]:
        chain, links = root(lora), list[Link]()
        for at in range(0, len(tokens) - PAGE + 1, PAGE):
            link = self._links.get((chain, tokens_key(tokens[at : at + PAGE])))
            if link is None:
                break
            chain = link.id
            links.append(link)
        return links

    def link(self, page: int, chain: int, tokens: Sequence[int]) -> int:
        """Make a full page known as the one that continues a chain; returns the id of the longer chain."""
        key = (chain, tokens_key(tokens))
        link = self._links.get(key)
        if link is None:
            link = self._links[key] = self._link_of[page] = Link(self._next_id, page, key)
            self._next_id += 1
        return link.id

    def give_back(self, pages: Sequence[int]) -> None:
        """A sequence no longer uses its pages. The ends of chains become the oldest: their beginnings serve more."""
        for page in reversed(pages):
            self._users[page] -= 1
            if not self._users[page]:
                del self._users[page]
                if page in self._link_of:
                    self._idle[page] = None
                else:
                    self._unused.append(page)

    def forget(self) -> None:
        """Forget all that is kept, for example because the weights have changed."""
        self._links.clear()
        self._link_of.clear()
        self._unused += reversed(self._idle)
        self._idle.clear()

    def _forget_oldest(self) -> int:
        page, _ = self._idle.popitem(last=False)
        del self._links[self._link_of.pop(page).key]
        return page


def root(lora: int) -> int:
    """The empty chain of a LoRA adapter: negative, so that it is no link's id."""
    return -1 - lora


def tokens_key(tokens: Sequence[int]) -> bytes:
    return np.asarray(tokens, np.uint32).tobytes()
