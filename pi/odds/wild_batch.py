"""What wilds can add on many boards at once, wherever they lie: the numpy form of `pi.rules.runs` with wilds.

A run through wilds comes about if each of them is given one certain number. So every triple with a wild in it either
asks for certain numbers or can be nothing. What single wilds are asked for is counted by board, wild and number; wilds
that one triple asks together are tried together. Boards are taken together where the same wilds are so linked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pi.odds.batch import WILD_CODE, Bytes, Flags, Grid, members, totals
from pi.odds.wild_marks import joined

Sets = npt.NDArray[np.uint64]
"""Sets of whole numbers below 64, as bits."""
_Asked = tuple[npt.NDArray[np.intp], tuple[npt.NDArray[np.intp], ...]]
"""Boards, and of each wild that is asked there its rank on its board * 10 + the number it must be given."""
BLOCK = 50_000
"""Boards worked on at a time."""
_AT_ONCE = 1 << 21
"""Ways to give numbers, over all boards tried at a time."""


def wild_totals(cells: Bytes, *, on: Grid) -> tuple[Bytes, Sets]:
    """Return (runs without wilds, attainable runs more) of boards, each array of shape (boards,).

    cells: (cells, boards) uint8, wilds as WILD_CODE, at most four a board. The second array holds sets: bit g is set
    when the wilds can be given numbers that make g runs more.
    """
    more = np.ones(cells.shape[1], dtype=np.uint64)
    for start in range(0, cells.shape[1], BLOCK):
        part = cells[:, start : start + BLOCK]
        if (wild := part == WILD_CODE).any():
            more[start : start + BLOCK] = _Block(part, wild, on).gains()
    return totals(cells, on=on), more


class _Block:
    """Some boards, and what every triple asks of their wilds."""

    def __init__(self, cells: Bytes, wild: Flags, on: Grid) -> None:
        """Look at all triples that hold a wild on some board."""
        self.boards = cells.shape[1]
        rank = (np.cumsum(wild, axis=0) - 1).astype(np.intp) * 10
        self.wilds = int(wild.sum(axis=0).max())
        asked: list[list[_Asked]] = [[], [], []]
        lie = set(np.flatnonzero(wild.any(axis=1)).tolist())
        for triple in on.triples:
            if lie & set(triple):
                for boards, keys in _asked(cells[list(triple)], wild[list(triple)], rank[list(triple)]):
                    asked[len(keys) - 1].append((boards, keys))
        self.alone, *self.linked = (_together(some, n) for n, some in enumerate(asked, start=1))

    def gains(self) -> Sets:
        """Return what can be added on each board."""
        size = self.wilds * 10
        boards, (key,) = self.alone
        single = np.bincount(boards * size + key, minlength=self.boards * size).astype(np.uint8)
        single = single.reshape(self.boards, self.wilds, 10)
        found = np.ones(self.boards, dtype=np.uint64)
        links = self._links()
        for pattern in np.unique(links).tolist():
            some = np.flatnonzero(links == pattern)
            pairs = [set(pair) for bit, pair in enumerate(self._pairs()) if pattern >> bit & 1]
            for group in joined([*pairs, *({w} for w in range(self.wilds))]):
                step = max(1, _AT_ONCE // 10 ** len(group))
                for first in range(0, len(some), step):
                    few = some[first : first + step]
                    found[few] = _sums(found[few], self._tried(few, sorted(group), single))
        return found

    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.wilds), 2))

    def _links(self) -> npt.NDArray[np.int64]:
        """Return for each board which pairs of its wilds some triple asks together, as bits."""
        found = np.zeros(self.boards, dtype=np.int64)
        for boards, keys in self.linked:
            for a, b in combinations(keys, 2):
                low, high = np.minimum(a, b) // 10, np.maximum(a, b) // 10
                for bit, pair in enumerate(self._pairs()):
                    found[boards[(low == pair[0]) & (high == pair[1])]] |= 1 << bit
        return found

    def _tried(self, some: npt.NDArray[np.intp], group: Sequence[int], single: Bytes) -> Sets:
        """Return what linked wilds can add on some boards, together given any numbers."""
        added = np.zeros((len(some), *(10,) * len(group)), dtype=np.uint8)
        for axis, rank in enumerate(group):
            shape = [len(some), *(1,) * len(group)]
            shape[1 + axis] = 10
            added += single[some, rank].reshape(shape)
        if len(group) > 1:
            number = np.full(self.boards, -1)
            number[some] = np.arange(len(some))
            for boards, keys in self.linked:
                self._add(added, number[boards], keys, group)
        flat = added.reshape(len(some), -1)
        found = np.zeros(len(some), dtype=np.uint64)
        for gain in range(int(flat.max()) + 1):
            found |= (flat == gain).any(axis=1).astype(np.uint64) << np.uint64(gain)
        return found

    def _add(
        self,
        added: Bytes,
        board: npt.NDArray[np.intp],
        keys: tuple[npt.NDArray[np.intp], ...],
        group: Sequence[int],
    ) -> None:
        """Add the runs that two or three wilds of the group make together."""
        if not len(board):
            return
        axis = np.full(self.wilds, -1)
        axis[list(group)] = np.arange(len(group))
        axes = np.stack([axis[key // 10] for key in keys])
        here = np.flatnonzero((board >= 0) & (axes >= 0).all(axis=0))
        for line in np.unique(axes[:, here], axis=1).T.tolist():
            same = here[(axes[:, here] == np.array(line)[:, None]).all(axis=0)]
            named = np.moveaxis(added, [1 + a for a in line], range(1, 1 + len(line)))
            np.add.at(named, (board[same], *(key[same] % 10 for key in keys)), np.uint8(1))


def _asked(cells: Bytes, wild: Flags, rank: npt.NDArray[np.intp]) -> Iterator[_Asked]:
    """Yield what one triple asks of wilds, by which of its places hold one."""
    which = wild[0] + 2 * wild[1] + 4 * wild[2]
    which[~(wild | (cells < 10)).all(axis=0)] = 0
    for held in np.unique(which[which > 0]).tolist():
        boards = np.flatnonzero(which == held)
        at = [i for i in range(3) if held >> i & 1]
        known = [i for i in range(3) if i not in at]
        there = cells[:, boards].astype(np.intp)
        for way in (1, 9):
            # A number tells the first of the run; without any, all ten are possible.
            for first in [there[known[0]] + (10 - way) * known[0]] if known else np.arange(10)[:, None]:
                run = (first + way * np.arange(3)[:, None]) % 10
                fits = (there[known] == run[known]).all(axis=0)
                keys = [np.broadcast_to(rank[i, boards] + run[i], boards.shape)[fits] for i in at]
                yield boards[fits] if known else boards, tuple(keys)


def _together(asked: Sequence[_Asked], wilds: int) -> _Asked:
    empty = np.zeros(0, dtype=np.intp)
    boards = np.concatenate([empty, *(boards for boards, _ in asked)])
    return boards, tuple(np.concatenate([empty, *(keys[n] for _, keys in asked)]) for n in range(wilds))


def _sums(a: Sets, b: Sets) -> Sets:
    """Return the sums of a member of each set, set by set."""
    found = np.zeros_like(a)
    for more in members(int(np.bitwise_or.reduce(b)) if b.size else 0):
        found |= np.where(b >> np.uint64(more) & np.uint64(1), a << np.uint64(more), np.uint64(0))
    return found
