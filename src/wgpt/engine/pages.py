"""The pages of the KV cache: free ones, those in use, and those kept because a later prompt may begin the same way.

A full page is known by its chain: the page before it and its tokens, from a root on that says who may share it. Nothing
here touches the GPU: work is submitted in order, so a page that is given back may be handed out at once.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.sizes import PAGE
from .snapshots import Snapshots

_TRASH = 0  # page 0 belongs to nobody: rows beyond a sequence's pages write there


class Root(NamedTuple):
    """The empty chain. Sequences share pages with others of the same root: of one LoRA adapter, one precision, and one
    salt, by which callers keep the prompts of their users apart."""

    lora: int = 0
    exact: bool = False
    salt: str | None = None


Chain = int | Root  # a link's id, or where all begin
_Key = tuple[Chain, bytes]


@dataclass(eq=False)
class Link:
    """A full page that can be shared. `id` names the chain up to it; the page's number may be used again later."""

    id: int
    page: int
    key: _Key


@dataclass(frozen=True)
class Match:
    """Pages that hold the beginning of a prompt: `shared` full ones, perhaps one that is filled in part.

    Where layers have states: `place` is that of the state behind them, and `known` how many pages are known, perhaps
    without a state at their end.
    """

    pages: list[int]
    shared: int
    chain: Chain
    tokens: int
    place: int | None = None
    known: int = 0


@dataclass(eq=False)
class Tail:
    """The part of a page after the end of a chain. It cannot be shared, but one sequence can continue it."""

    page: int
    chain: Chain
    tokens: Sequence[int]


class Pages:
    """`count` pages, of which one is never handed out. `snapshots`: of models whose layers have states.

    >>> pages = Pages(4)
    >>> pages.take(2), pages.free
    ([1, 2], 1)
    """

    def __init__(self, count: int, snapshots: Snapshots | None = None) -> None:
        self.count, self.snapshots = count, snapshots
        self._unused = list(range(count - 1, _TRASH, -1))
        self._users: dict[int, int] = {}  # by page in use
        self._links: dict[_Key, Link] = {}  # full pages, in use or not
        self._link_of: dict[int, Link] = {}  # by page
        self._idle: OrderedDict[int, None] = OrderedDict()  # linked pages that nobody uses, least recently used first
        self._tails: dict[Chain, Tail] = {}  # by chain: the beginning of a page that nobody uses
        self._tail_of: dict[int, Tail] = {}  # by page
        self._next_id = 1
        self._seen: dict[int, int] = {}  # by page: positions at its beginning that a draft model has run, too

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
            self._seen.pop(page, None)
            pages.append(page)
        return pages

    def match(self, tokens: Sequence[int], most: int, keys: Sequence[bytes], root: Root) -> Match:
        """What is known of the first `most` of these tokens; the caller uses its pages from now on.

        `keys`: of the full pages, perhaps of more than `most` tokens (`page_keys`).
        """
        links, place = self._chain(keys[: most // PAGE], root), None
        known = len(links)
        if self.snapshots is not None:
            count, place = self.snapshots.find([link.id for link in links])
            links = links[:count]
        pages, chain = [link.page for link in links], links[-1].id if links else root
        found = PAGE * len(pages)
        tail = self._tails.get(chain)
        if tail is not None and (same := _common(tail.tokens, tokens[found : min(found + PAGE, most)])):
            self._drop_tail(tail)
            self._seen[tail.page] = min(self._seen.get(tail.page, 0), same)
            pages.append(tail.page)
            found += same
        for page in pages:
            self._users[page] = self._users.get(page, 0) + 1
            self._idle.pop(page, None)
        return Match(pages, len(links), chain, found, place, known)

    def keep_tail(self, page: int, chain: Chain, tokens: Sequence[int]) -> None:
        """Keep a page that is about to be given back: its first positions hold these tokens, after a chain."""
        old = self._tails.get(chain)
        if old is not None:
            self._drop_tail(old)
            if old.page in self._idle:
                del self._idle[old.page]
                self._unused.append(old.page)
        self._tails[chain] = self._tail_of[page] = Tail(page, chain, tokens)

    def _drop_tail(self, tail: Tail) -> None:
        del self._tails[tail.chain], self._tail_of[tail.page]

    def _chain(self, keys: Sequence[bytes], root: Root) -> list[Link]:
        chain: Chain = root
        links = list[Link]()
        for key in keys:
            link = self._links.get((chain, key))
            if link is None:
                break
            chain = link.id
            links.append(link)
        return links

    def link(self, page: int, chain: Chain, tokens: Sequence[int]) -> int:
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
                if page in self._link_of or page in self._tail_of:
                    self._idle[page] = None
                else:
                    self._unused.append(page)

    def unlink(self, pages: Sequence[int]) -> None:
        """Forget what these pages hold: it is wrong. Whoever uses them keeps them."""
        for page in pages:
            self._seen.pop(page, None)
            link = self._link_of.pop(page, None)
            if link is not None:
                self._unlink(link)

    def note_seen(self, pages: Sequence[int], positions: int) -> None:
        """How many positions of the sequence with these pages a draft model has run."""
        for i, page in enumerate(pages[: -(-positions // PAGE)]):
            self._seen[page] = max(self._seen.get(page, 0), min(PAGE, positions - i * PAGE))

    def count_seen(self, pages: Sequence[int]) -> int:
        """Positions that it has run, for this sequence or for others that share its pages."""
        total = 0
        for page in pages:
            seen = self._seen.get(page, 0)
            total += seen
            if seen < PAGE:
                break
        return total

    def forget(self) -> None:
        """Forget all that is kept, for example because the weights have changed."""
        self._links.clear()
        self._link_of.clear()
        self._tails.clear()
        self._tail_of.clear()
        self._seen.clear()
        if self.snapshots is not None:
            self.snapshots.forget()
        self._unused += reversed(self._idle)
        self._idle.clear()

    def _forget_oldest(self) -> int:
        page, _ = self._idle.popitem(last=False)
        if page in self._tail_of:
            self._drop_tail(self._tail_of[page])
        else:
            self._unlink(self._link_of.pop(page))
        return page

    def _unlink(self, link: Link) -> None:
        del self._links[link.key]
        if self.snapshots is not None:
            self.snapshots.drop(link.id)


def tokens_key(tokens: Sequence[int]) -> bytes:
    return array("I", tokens).tobytes()  # of a list, in half the time that NumPy takes


def page_keys(tokens: Sequence[int], most: int) -> list[bytes]:
    """A key of each full page of the first `most` tokens."""
    data, size = tokens_key(tokens), 4 * PAGE
    return [data[at : at + size] for at in range(0, 4 * most - size + 1, size)]


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """Length of the common beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
