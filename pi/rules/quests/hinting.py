"""A hint gives one tile away: the next right placement, or what must go before anything can be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pi.rules.quests.errors import GaveUp
from pi.rules.quests.laying import NOTHING, Fault, Hint, Laying, where
from pi.rules.quests.tiles import placed_wrong
from pi.rules.values import EMPTY

Check = Callable[[Laying], Sequence[Fault]]
QUICK = (300, 600)
"""Steps for each tile that may stand in the way."""


class Complete(Protocol):
    """Finds a solution that keeps what lies there; see `pi.rules.quests.search.with_restarts` for `tries`."""

    def __call__(self, start: Laying, *, seed: int = ..., tries: Sequence[int] = ...) -> Laying | None:
        """Return it, or None when there is none; raises GaveUp."""


def next_tile(laying: Laying, *, check: Check, complete: Complete) -> Hint | None:
    """Return the next step towards a solution; None when the layout is one.

    A fault comes first: its last tile goes. Then a tile for the first empty place of a completion. Where there is
    no completion, a tile that stands in the way goes. Raises GaveUp when neither is found in time.
    """
    faults = check(laying)
    if not faults:
        return None
    wrong = placed_wrong(faults, laying)
    if wrong:
        return _put_right(wrong[0], laying)
    solution = complete(laying)
    if solution is None:
        return _make_room(laying, complete)
    cell = next(cell for cell, tile in laying.cells().items() if tile.symbol == EMPTY)
    tile = solution.at(cell)
    return Hint(cell, tile, f"Lay {tile.one()} in {where(cell)}.")


def _put_right(fault: Fault, laying: Laying) -> Hint:
    cells = [cell for cell in fault.cells if laying.at(cell).symbol != EMPTY]
    if not cells:
        raise GaveUp(f"there is no next tile before this is put right: {fault.sentence}")
    return Hint(cells[-1], NOTHING, f"{fault.sentence} Take away the tile in {where(cells[-1])}.")


def _make_room(laying: Laying, complete: Complete) -> Hint:
    for cell, tile in reversed(laying.laid().items()):
        if _soon(laying.changed({cell: NOTHING}), complete):
            said = f"Nothing can be completed from here. Take away the {tile.said()} in {where(cell)}."
            return Hint(cell, NOTHING, said)
    raise GaveUp("nothing can be completed from here, and no single tile stands in the way (take several away)")


def _soon(laying: Laying, complete: Complete) -> bool:
    try:
        return complete(laying, tries=QUICK) is not None
    except GaveUp:
        return False
