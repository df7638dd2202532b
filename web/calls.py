"""What the scoreboard says aloud: each call with a key, so that a page says each thing once.

A call is made of what is on the screen anyway. Its key changes when what it says changes: after a
correction the result has a new key, and is called again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from web import words
from web.speech import count, echo, ordinal, say

Call = dict[str, str]
"""key: what was said; about: the beginning of all keys about the same thing, so that a new one is a correction;
kind: which sound goes with it ('open', 'lock', 'in', 'doubt', 'result', 'move', 'over', 'back'); text."""


def calls(view: Mapping[str, Any]) -> list[Call]:
    """Return what there is to say of a match as it stands, in order. view: as the scoreboard sees it."""
    if view["phase"] == "none":
        return []
    said = _scramble(view, view["round"]) if view.get("round") else []
    said += _turns(view) if view.get("play") else []
    if back := view.get("taken_back"):
        text = say("Taken back: {what}.", what=back["what"])
        said.append(_call(f"{view['match']}/back/", f"{back['step']}/{back['steps']}", "back", text))
    return said


def _turns(view: Mapping[str, Any]) -> list[Call]:
    """Return the latest step of a game of turns, what it brought, and who is next or has won."""
    lately, why, text = view["lately"], echo(str(view["why"])), []
    if lately["what"]:
        text.append(f"{lately['what'][:1].upper()}{lately['what'][1:]}.")
    for move in lately["moves"]:
        text.append(say("{name} now has {points}.", name=move["name"], points=_points(move["then"])))
    if not view["over"]:
        text.append(f"{str(view['headline']).rstrip('.')}.")
    about, scores = f"{view['match']}/step/{lately['step']}/", [p["score"] for p in view["players"]]
    said = [_call(about, f"{lately['what']}/{scores}", "move", " ".join(text))]
    if view["over"]:
        said.append(_call(f"{view['match']}/over/", f"{lately['step']}/{why}", "over", why))
    return said


def _points(number: int) -> str:
    return count(number, "{n} point", "{n} points")


def _scramble(view: Mapping[str, Any], shown: Mapping[str, Any]) -> list[Call]:
    about = f"{view['match']}/{shown['number']}"
    said = [_call(f"{about}/open/", "", "open", say("Round {number}.", number=shown["number"]))]
    said += [_lock(about, entry) for entry in shown["queue"]]
    if shown["revealed"]:
        said.append(_result(about, view, shown))
        if view["over"]:
            said.append(_call(f"{about}/over/", str(view["why"]), "over", echo(str(view["why"]))))
    elif not shown["waiting"] and shown["tray"]["state"] == "doubts":
        said.append(_call(f"{about}/doubt/", "", "doubt", say("The eye asks the table about a tile.")))
    elif not shown["waiting"] and shown["tray"]["state"] == "questioned":
        said.append(_call(f"{about}/doubt/", "", "doubt", say("The eye asks the table about the tray.")))
    elif not shown["waiting"]:
        said.append(_call(f"{about}/in/", "", "in", say("All locked in.")))
    return said


def _lock(about: str, entry: Mapping[str, Any]) -> Call:
    text = say("{name}, {place}.", name=entry["name"], place=ordinal(entry["place"]))
    return _call(f"{about}/lock/", f"{entry['seat']}/{entry['seconds']}", "lock", text)


def _result(about: str, view: Mapping[str, Any], shown: Mapping[str, Any]) -> Call:
    truth, claims = shown["truth"], shown["claims"]
    points = ",".join(f"{c['seat']}:{c['points']}" for c in claims)
    totals = "-".join(str(t) for t in truth["totals"]) if truth else "?"
    scores = ",".join(str(p["score"]) for p in view["players"])
    told = f"{words.revealed(shown)} {spoken(claims)}"
    return _call(f"{about}/result/", f"{totals}/{points}/{scores}", "result", told)


def spoken(claims: list[Any]) -> str:
    """Return who was right, and for how much."""
    right = [c for c in claims if c["right"]]
    if not right:
        return say("Nobody is right.")
    each = (
        say("{name} is right: {points}.", name=c["name"], points=count(c["points"], "{n} point", "{n} points"))
        for c in right
    )
    return " ".join(each)


def _call(about: str, rest: str, kind: str, text: str) -> Call:
    return {"key": about + rest, "about": about, "kind": kind, "text": text}
