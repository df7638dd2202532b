"""What the eye tells of a printed mat, and what a game of counters makes of it: pure.

The referee compares the mat with what must lie there: one new counter is a move, anything else is named
in a sentence and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pi.rules.ruleset import Reason, Refused
from pi.rules.seen import A_PLACE, DARK, EMPTY, LIGHT, ReadMat, SeenPlace, SeenStray

UNSEEN = "Something may lie unseen in a glare or in the dark: change the light, or go on by tapping."
ANY = "any"
"""Of a place that must hold a counter, whichever."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The one counter that is new."""

    place: int
    holds: str


Where = Callable[[int], str]
"""Place -> how people call it, e.g. 'square 3'."""


def counter_laid(seen: ReadMat, known: Sequence[str], *, mat: str, where: Where, waiting: str) -> Laid | Refused:
    """Return the one counter that was laid, or why the mat does not show just that.

    known: what must lie on each place: EMPTY, DARK, LIGHT or ANY. waiting: a sentence that says whose turn it is.
    """
    if seen.mat != mat or [p.place for p in seen.places] != list(range(len(known))):
        return Refused(Reason.BAD_TRAY, "That is not the mat of this game.")
    new = [p for p in seen.places if p.sure and known[p.place] == EMPTY and p.holds != EMPTY]
    gone = [p for p in seen.places if p.sure and known[p.place] != EMPTY and p.holds == EMPTY]
    if gone:
        return Refused(Reason.BAD_TRAY, _gone(gone, new, known, where))
    for place in seen.places:
        if place.sure and place.holds not in (EMPTY, known[place.place]) and known[place.place] in (DARK, LIGHT):
            was = known[place.place]
            sentence = f"On {where(place.place)} lay a {was} counter and now lies a {place.holds} one: put it right."
            return Refused(Reason.BAD_TRAY, sentence)
    if loose := stray_problem(seen.strays, where=where, thing="counter"):
        return Refused(Reason.BAD_TRAY, loose)
    if besides := unclear(seen):
        return Refused(Reason.BAD_TRAY, besides)
    if doubtful := [p for p in seen.places if not p.sure and known[p.place] == EMPTY]:
        about = tuple((A_PLACE, p.place) for p in doubtful)
        return Refused(Reason.BAD_TRAY, _doubt(doubtful[0], where), about)
    if len(new) > 1:
        places = " and ".join(where(p.place) for p in new)
        return Refused(Reason.UNLAWFUL, f"{len(new)} counters are new, on {places}; one is laid in a turn. {waiting}")
    if not new:
        return Refused(Reason.NOTHING_NEW, waiting)
    return Laid(new[0].place, new[0].holds)


def _gone(gone: Sequence[SeenPlace], new: Sequence[SeenPlace], known: Sequence[str], where: Where) -> str:
    if len(gone) == sum(holds != EMPTY for holds in known) > 1 and not new:
        return f"No counter lies on the mat, but {len(gone)} should: put them back, or go on by tapping."
    first = gone[0].place
    if len(gone) == len(new) == 1:
        return f"The counter of {where(first)} has moved to {where(new[0].place)}: put it back."
    if len(gone) > 1:
        places = " and ".join(where(p.place) for p in gone)
        return f"The counters of {places} have gone: put them back, or undo the turns."
    return f"The counter of {where(first)} has gone: put it back, or undo the turn."


def _doubt(place: SeenPlace, where: Where) -> str:
    """Return the question about a place that is not sure; what is known to lie there is no question."""
    names = [_called(holds) for holds, chance in place.likely if chance >= 0.01] or ["something"]
    return f"On {where(place.place)} lies {' or '.join(names)}: put it in the middle, or tap what was laid."


def _called(holds: str) -> str:
    return "nothing" if holds == EMPTY else f"a {holds} counter"


def unclear(seen: ReadMat) -> str | None:
    """Say what is in doubt of a reading besides its places and dice; None when nothing is: no move may follow then."""
    if seen.unseen:
        return UNSEEN
    if seen.strange:
        return "Something on the mat was not read: take other things away, lay pieces apart, or go on by tapping."
    return None


def stray_problem(strays: Sequence[SeenStray], *, where: Where, thing: str) -> str | None:
    """Return the sentence about the first piece that lies on no place; None when there is none."""
    if not strays:
        return None
    near = strays[0].near
    if len(near) > 1:
        return f"A {thing} lies between {where(near[0])} and {where(near[1])}: push it onto one of them."
    if near:
        return f"Something lies beside {where(near[0])}: put it on a place, or take it away."
    return "Something lies beside the places: take it away."
