"""Forms -> commands on the wire. Bad input is refused with one sentence; what it means is the referee's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pi.errors import BadBoard
from pi.rules.games import RULESETS
from pi.rules.ruleset import HouseRule
from pi.rules.values import Board, Layout
from web.forms import BadInput, Form, Request, number, short_text
from web.playing import whole_numbers
from web.views import shown

MOST_TOTALS = 24
"""Totals that can be made of one tray with wild tiles, at most: what a form may name."""
MOST_SEATS = 6
"""Seats the new-match form has at most; each game says how many of them may play."""


def _start(form: Form) -> Request:
    game = form.get("game", "")
    if game not in shown():
        raise BadInput(f"there is no game {game[:20]!r} (expected one of {', '.join(sorted(shown()))})")
    names = {seat: form.get(f"name.{seat}", "").strip() for seat in range(1, MOST_SEATS + 1)}
    return {
        "command": "start-match",
        "game": game,
        "players": [{"seat": seat, "name": name} for seat, name in names.items() if name],
        "house": [[rule.name, _switch(rule, form)] for rule in RULESETS[game].house_rules],
    }


def _switch(rule: HouseRule, form: Form) -> bool | int | str:
    field = f"house.{rule.name}"
    if isinstance(rule.default, bool):
        return field in form  # a browser leaves an empty checkbox out
    if isinstance(rule.default, int):
        return number(form, field) if field in form else rule.default
    return form.get(field, rule.default)


def _correct(form: Form) -> Request:
    place = {name: number(form, name) for name in ("round", "row", "column")}
    return {"command": "correct-tile", **place, "symbol": form.get("symbol", "")[:4]}


def _confirm(form: Form) -> Request:
    return {"command": "confirm-tray", "round": number(form, "round"), "frame": form.get("frame", "")[:64]}


def _tell(form: Form) -> Request:
    kind = form.get("kind", "")
    if kind not in ("die", "place"):
        raise BadInput("the field 'kind' is die or place")
    frame = form.get("frame", "")[:64]
    return {
        "command": "tell-piece",
        "kind": kind,
        "number": number(form, "number"),
        "shows": form.get("shows", "")[:8],
        "frame": frame,
    }


def _typed_tray(form: Form) -> Request:
    try:
        layout = Layout(form.get("layout", "rows"))
    except ValueError:
        raise BadInput("the field 'layout' is rows, rect or diamond") from None
    board = typed_board(form.get("tray", ""), layout=layout)
    tiles = [{"row": r, "column": c, "symbol": s} for (r, c), s in board.cells().items()]
    return {"command": "read-tray", "tray": {"tiles": tiles, "source": "table"}}


def typed_board(text: str, *, layout: Layout) -> Board:
    """Return the board that somebody typed: a line a row, with or without spaces between the symbols."""
    lines = [line.split() if " " in line.strip() else list(line.strip()) for line in text.splitlines()]
    try:
        return Board.of(layout, [line for line in lines if line])
    except BadBoard as no:
        raise BadInput(f"the typed tray does not hold: {no}") from None


def _rule_total(form: Form) -> Request:
    total, *others = whole_numbers(form, "total", most=MOST_TOTALS)
    return {"command": "rule-total", "round": number(form, "round"), "total": total, "others": others}


def _adjust(form: Form) -> Request:
    return {
        "command": "adjust-points",
        "seat": number(form, "seat"),
        "points": number(form, "points"),
        "why": short_text(form, "why"),
    }


def _steps(command: str) -> Callable[[Form], Request]:
    return lambda form: {"command": command, "steps": number(form, "steps") if "steps" in form else 1}


def expecting(form: Form) -> Request:
    """Return what a form says of the match it was shown for; the referee declines it when that has moved on.

    Forms that say the same whatever has happened since (this tile is a 7) carry no such fields.
    """
    if "seq" not in form:
        return {}
    match = {"expect_match": form["match"][:64]} if form.get("match") else {}
    return {"expect_seq": number(form, "seq")} | match


def _plain(command: str) -> Callable[[Form], Request]:
    return lambda form: {"command": command}


ASKS: dict[str, Callable[[Form], Request]] = {
    "start-match": _start,
    "next": _plain("next"),
    "reveal": _plain("reveal"),
    "resume": _plain("resume"),
    "redo": _steps("redo"),
    "undo": _steps("undo"),
    "hold": lambda form: {"command": "hold", "why": short_text(form, "why")},
    "end-match": lambda form: {"command": "end-match", "why": short_text(form, "why")},
    "reread": lambda form: {"command": "reread", "round": number(form, "round")},
    "withdraw-lock-in": lambda form: {"command": "withdraw-lock-in", "seat": number(form, "seat")},
    "rule-total": _rule_total,
    "rename-player": lambda form: {
        "command": "rename-player",
        "seat": number(form, "seat"),
        "name": form.get("name", ""),
    },
    "correct-tile": _correct,
    "confirm-tray": _confirm,
    "tell-piece": _tell,
    "type-tray": _typed_tray,
    "adjust-points": _adjust,
}
"""What the table page may ask, by the last part of its address."""


def press(form: Form) -> list[Request]:
    """Return the presses of a simulated pad for one click: down and up, or the position of a well's disk."""
    key = form.get("key", "")
    if key not in ("1", "2", "4", "lock"):
        raise BadInput("the field 'key' is 1, 2, 4 or lock")
    seat = number(form, "seat")
    wanted = form.get("closed", "tap")
    if wanted not in ("tap", "yes", "no"):
        raise BadInput("the field 'closed' is yes, no or tap")
    moves = [True, False] if wanted == "tap" else [wanted == "yes"]
    return [{"press": {"seat": seat, "key": key, "closed": closed}} for closed in moves]


def prediction(form: Any) -> int:
    """Return the sum of a phone's disks: the fields named 'disk', each 1, 2 or 4, none twice."""
    disks = form.getlist("disk")
    if len(set(disks)) != len(disks) or not set(disks) <= {"1", "2", "4"}:
        raise BadInput("the fields 'disk' are 1, 2 or 4, each at most once")
    return sum(int(disk) for disk in disks)
