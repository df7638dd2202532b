"""A reading of tiles that is in doubt as a whole, though each of its tiles may be sure: a person must vouch for it.

Something lies there that was not read, or may; or nobody can tell which places the tiles lie in. No tile stands for
that, so the table is asked about the tray itself, and what it says (`TrayConfirmed`) is an event of its own.
"""

from __future__ import annotations

from collections.abc import Collection
from math import dist

from pi.rules.commands import ConfirmTray
from pi.rules.events import Tray, TrayConfirmed
from pi.rules.ruleset import Reason, Refused

COUNT, LAYOUT, SET, UNSEEN, BESIDE, OTHER = "count", "layout", "set", "unseen", "beside", "other"
WHY = {
    COUNT: "Something lies there that was not read, or a piece lies on another.",
    LAYOUT: "It is not clear in which rows and places the tiles lie.",
    SET: "The tiles that were read cannot all be of one set.",
    UNSEEN: "Something may lie where nobody can see it: in a glare, or in the dark.",
    BESIDE: "What lies beside the tiles was not read surely.",
    OTHER: "The eye is not sure, but cannot say of what.",
}
"""What is in doubt, as people are told."""
QUESTION = "The eye is not sure of the tray as a whole: the table says whether it lies as it was read."
SAME_MM = 12.0
"""A mark this near to one of another look is of the same thing."""


def in_question(tray: Tray | None, *, confirmed: bool, told: Collection[str] = ()) -> bool:
    """Tell whether somebody must say that the tray lies as it was read.

    confirmed: whether somebody did. told: doubts that the rules settle by what they know.
    """
    return tray is not None and any(doubt not in told for doubt in tray.doubt) and not confirmed


def same_doubt(old: Tray, new: Tray) -> bool:
    """Tell whether two readings are in doubt for the same things in the same places."""
    if set(old.doubt) != set(new.doubt) or len(old.marks) != len(new.marks):
        return False
    return all(any(dist(mark, before) <= SAME_MM for before in old.marks) for mark in new.marks)


def still_confirmed(before: Tray | None, now: Tray, *, confirmed: bool) -> bool:
    """Tell whether somebody's word outlives a new reading of a tray on which more is laid turn by turn.

    Nothing of the game lies where they were shown a crumb or a print: while only that is marked nobody is asked anew.
    """
    marked = bool(now.marks) and set(now.doubt) <= {COUNT, LAYOUT}
    return confirmed and before is not None and marked and same_doubt(before, now)


def reasons(tray: Tray) -> list[str]:
    """Return what is in doubt of a tray as a whole, as people are told."""
    return [WHY.get(doubt, WHY[OTHER]) for doubt in tray.doubt]


def confirming(tray: Tray | None, command: ConfirmTray, *, asked: bool) -> TrayConfirmed | Refused:
    """Return the event of somebody's word for the latest reading, or why it is none. asked: whether one is awaited."""
    if tray is None or command.frame not in ("", tray.frame):
        return Refused(Reason.MOVED_ON, "That is not the latest reading any more; look again.")
    if not asked:
        return Refused(Reason.NOTHING_NEW, "Nobody asks whether the tray lies as it was read.")
    return TrayConfirmed(command.round, command.by, tray.frame)
