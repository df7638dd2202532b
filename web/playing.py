"""What the views of all games of turns share: whose turn it is, who may tap, and fields of their forms."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from pi.rules.events import Tray
from pi.rules.numerals import is_whole
from pi.rules.ruleset import Context
from pi.rules.values import Seat
from pi.rules.vouching import reasons
from web.audience import Audience, Place
from web.forms import BadInput, Form, number

View = dict[str, Any]


def turn(context: Context, movers: Sequence[Seat], audience: Audience) -> View:
    """Return the part of a view that says whose turn it is and whether this looker may tap.

    At the table's page people tap for everybody, on a seat's phone for that seat alone.
    """
    at_seat = audience.place is Place.SEAT and audience.seat in movers
    return {
        "movers": list(movers),
        "seat": audience.seat if at_seat else movers[0] if movers else None,
        "may": bool(movers) and (audience.place is Place.TABLE or at_seat),
        "names": {str(seat): context.name(seat) for seat in context.seats()},
    }


def mover(context: Context, movers: Sequence[Seat]) -> str:
    """Return the name of whose turn it is; empty when it is nobody's."""
    return context.name(movers[0]) if movers else ""


def question(tray: Tray | None, *, asked: bool, read: Sequence[str] = ()) -> View | None:
    """Return what the table is asked about a tray as a whole; None when it is not. read: what is new, in words."""
    if tray is None or not asked:
        return None
    return {"why": reasons(tray), "frame": tray.frame, "read": list(read)}


def whole_numbers(form: Form, name: str, *, most: int) -> list[int]:
    """Return the whole numbers of a field, parted by spaces or commas; several digits without them are dice."""
    text = form.get(name, "").replace(",", " ").strip()
    words = text.split()
    if not words or len(words) > most or not all(is_whole(word, most=6) for word in words):
        raise BadInput(f"{text[:20]!r} is not a list of whole numbers (expected up to {most}), in the field {name!r}")
    return [int(word) for word in words]


def cell(form: Form, name: str = "cell") -> tuple[int, int]:
    """Return the place that a tapped square names: 'row-column', from 0."""
    row, _, column = form.get(name, "").partition("-")
    if not (is_whole(row, most=3) and is_whole(column, most=3)):
        raise BadInput(f"the field {name!r} is row-column, counted from 0")
    return int(row), int(column)


def thrown(dice: int) -> list[int]:
    """Return dice rolled by the server, for tables without dice; what they show goes into the journal."""
    return [1 + secrets.randbelow(6) for _ in range(dice)]


def seat(form: Form) -> int:
    """Return for whom a form was sent."""
    return number(form, "seat")
