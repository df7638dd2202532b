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
"""key: what was said; kind: which sound goes with it ('open', 'lock', 'in', 'doubt', 'result', 'over'); text."""


def calls(view: Mapping[str, Any]) -> list[Call]:
    """Return what there is to say of a match as it stands, in order."""
    shown = view.get("round")
    if not shown:
        return []
    about = f"{view['match']}/{shown['number']}"
    said = [_call(f"{about}/open", "open", say("Round {number}.", number=shown["number"]))]
    said += [_lock(about, entry) for entry in shown["queue"]]
    if shown["revealed"]:
        said.append(_result(about, view, shown))
        if view["over"]:
            said.append(_call(f"{about}/over/{view['why']}", "over", echo(str(view["why"]))))
    elif not shown["waiting"] and shown["tray"]["state"] == "doubts":
        said.append(_call(f"{about}/doubt", "doubt", say("The eye asks the table about a tile.")))
    elif not shown["waiting"]:
        said.append(_call(f"{about}/in", "in", say("All locked in.")))
    return said


def _lock(about: str, entry: Mapping[str, Any]) -> Call:
    text = say("{name}, {place}.", name=entry["name"], place=ordinal(entry["place"]))
    return _call(f"{about}/lock/{entry['seat']}/{entry['seconds']}", "lock", text)


def _result(about: str, view: Mapping[str, Any], shown: Mapping[str, Any]) -> Call:
    truth, claims = shown["truth"], shown["claims"]
    points = ",".join(f"{c['seat']}:{c['points']}" for c in claims)
    totals = "-".join(str(t) for t in truth["totals"]) if truth else "?"
    scores = ",".join(str(p["score"]) for p in view["players"])
    return _call(f"{about}/result/{totals}/{points}/{scores}", "result", f"{words.revealed(shown)} {spoken(claims)}")


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


def _call(key: str, kind: str, text: str) -> Call:
    return {"key": key, "kind": kind, "text": text}
