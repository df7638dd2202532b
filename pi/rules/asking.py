"""Readings of counters, pawns and dice on their way to moves: taken down, asked about, told by the table. Pure.

The games rule on a reading by themselves; what is the same for all of them is here: which events a reading
becomes, and what the table may say of its pieces afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pi.rules.events import Event
from pi.rules.ruleset import Reason, Refused
from pi.rules.seen import About, EyeRead, PieceTold, Reading, TellPiece, may_show, piece_of, with_piece


@dataclass(frozen=True, slots=True)
class Latest:
    """The reading that counts now, as the table has told it."""

    reading: Reading
    asked: tuple[About, ...] = ()
    """Pieces the table must tell; () once moves followed."""
    why: str = ""
    """The question about them, in one sentence."""
    moves: int = 0
    """How many events followed from it, the last ones of the match."""


def taken_in(latest: Latest | None, reading: Reading, ruling: Sequence[Event] | Refused) -> Sequence[Event] | Refused:
    """Return the events of a settled reading on which a game has ruled."""
    open_question = latest is not None and bool(latest.asked)
    if not isinstance(ruling, Refused):
        return (EyeRead(reading, frame=reading.frame), *ruling) if ruling else ()
    if ruling.about:
        if latest is not None and _claims(latest.reading, latest.asked) == _claims(reading, ruling.about):
            return ruling
        return (EyeRead(reading, ruling.about, ruling.sentence, reading.frame, automatic=True),)
    if ruling.reason is Reason.NOTHING_NEW and open_question:
        return (EyeRead(None, automatic=True),)
    return ruling


def _claims(reading: Reading, about: Sequence[About]) -> list[object]:
    return [piece_of(reading, kind, number) for kind, number in about]


def telling_problem(latest: Latest | None, command: TellPiece) -> Refused | None:
    """Return why the table cannot say that of the latest reading; None when it can."""
    if latest is None or command.frame not in ("", latest.reading.frame):
        return Refused(Reason.MOVED_ON, "That reading is not the latest any more: undo what followed, then say it.")
    piece = piece_of(latest.reading, command.kind, command.number)
    if piece is None:
        return Refused(Reason.BAD_CELL, f"The reading has no {command.kind} {command.number}.")
    if command.shows not in may_show(latest.reading, command.kind):
        return Refused(Reason.BAD_SYMBOL, f"{command.shows!r} is not what a {command.kind} of this game shows.")
    if piece.sure and piece.shows == command.shows:
        return Refused(Reason.NOTHING_NEW, f"That counts as {piece.shows} already.")
    return None


def told(latest: Latest, command: TellPiece, ruling: Sequence[Event] | Refused) -> Sequence[Event] | Refused:
    """Return the events of what the table says of a piece.

    ruling: the game's on the reading with the piece as told, before the moves that followed from it.
    """
    piece = piece_of(latest.reading, command.kind, command.number)
    assert piece is not None
    fix = PieceTold(
        command.kind,
        command.number,
        command.shows,
        piece.shows,
        command.by,
        latest.reading.frame,
        latest.moves,
    )
    if not isinstance(ruling, Refused):
        return (fix, *ruling)
    if ruling.about:
        return (replace(fix, asked=ruling.about, why=ruling.sentence),)
    # Nothing lies there after all: what was made of it is taken back, and nothing else follows.
    return (fix,) if ruling.reason is Reason.NOTHING_NEW else ruling


def after_read(event: EyeRead) -> Latest | None:
    """Return what counts after a reading was taken in; None when nothing is asked any more."""
    return None if event.reading is None else Latest(event.reading, event.asked, event.why)


def after_told(latest: Latest | None, event: PieceTold) -> Latest | None:
    """Return what counts after the table told a piece."""
    if latest is None:
        return None
    return Latest(with_piece(latest.reading, event.kind, event.number, event.shows), event.asked, event.why)


def after_move(latest: Latest | None, event: Event) -> Latest | None:
    """Return what counts after an event of the game: it follows from the reading when it rests on its picture."""
    frame = getattr(event, "frame", "")
    if latest is None or not frame or frame != latest.reading.frame:
        return None
    return Latest(latest.reading, moves=latest.moves + 1)
