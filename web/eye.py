"""What the eye and its guard say of themselves, as people read it; and the live picture with or without it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pi.rules.corrections import Corrections
from web.speech import say

START, COMMENT = b"\xff\xd8", b"\xff\xfe"
OF_CORNERS: Mapping[str, str] = {
    "corners-wrong": "The corners that were shown span no tray: show them again, the top left one first.",
    "corners-turned": "The corners that were shown are a tray's turned by a quarter: show them again, ring 1 at the"
    " tray's top left corner, ring 2 at the other end of its upper long side.",
    "corners-lost": "The tray is not where its corners were shown: show them again, or let the eye look for it.",
    "corners-unkept": "The card takes nothing: what was shown of the corners holds only until the next start.",
    "corners-plain": "Nothing around the corners that were shown would tell of a bump: show them again whenever the"
    " tray or the camera was moved, or lay the markers.",
}
OF_FELT: Mapping[str, str] = {
    "felt-pieces": "The felt was not taken for bare: what is marked looks like a piece. Take it away, or say that it is"
    " printed.",
    "felt-unseen": "The felt was not taken for bare: no tray is seen.",
    "felt-unfit": "The felt was not taken for bare: too little of it is of one colour.",
    "felt-moves": "The felt was not taken for bare: something went on moving over it.",
    "felt-unkept": "The card takes nothing: what was shown of the felt holds only until the next start.",
    "felt-other": "What is printed on the felt is not what the table knows of it: show the tray empty again, or let its"
    " felt be forgotten.",
    "felt-plain": "Nothing is printed on the felt that would be in the way: there is nothing to know.",
}
SHOWN: Mapping[str, str] = {**OF_CORNERS, **OF_FELT}
"""What became of what people have shown."""
NOTICES = ("bumped", "tray-lost", "too-dark", "too-bright", "light-changed", "light-crept", *SHOWN)
"""What the watcher may give notice of."""
STATUSES: Mapping[str, str] = {
    "read": "reads the tray surely",
    "unsure": "is not sure of all that lies there",
    "busy": "waits: something moves over the tray",
    "no-tray": "does not find the tray: is it in the picture?",
    "empty": "sees an empty tray",
    "resting": "rests",
}
OF_LIGHT: Mapping[str, str] = {
    "dark": "sees no tray: it is too dark, give it light",
    "bright": "sees no tray: it is too bright, shade it",
}
"""What it says in place of "no-tray" where that is for the light."""
PROBLEMS = (
    "hand",
    "motion",
    "glare",
    "blur",
    "dark",
    "bright",
    "fiducial-missing",
    "no-tray",
    "bumped",
    "light-changed",
    "layout",
    "count",
    "set",
    "mirrored",
    "other-felt",
)
COLOURS = (
    "red",
    "orange",
    "yellow",
    "lime",
    "green",
    "teal",
    "sky",
    "blue",
    "purple",
    "violet",
    "pink",
    "brown",
    "black",
    "grey",
    "white",
)


def notices(told: Any) -> list[dict[str, str]]:
    """Return the watcher's notices, checked: known kinds and short texts only."""
    found = []
    for notice in told if isinstance(told, list) else []:
        if isinstance(notice, Mapping) and notice.get("what") in NOTICES:
            found.append({name: str(notice.get(name) or "")[:24] for name in ("what", "how", "at")})
    return found


def sentence(notice: Mapping[str, str]) -> str:
    """Return a notice as a person reads it."""
    what, how, at = notice["what"], notice["how"], notice["at"]
    if what == "bumped":
        return say(
            "The tray or the camera was moved at {at} (by {mm} mm); it is read where it lies now.", at=at, mm=how
        )
    if what == "tray-lost":
        return say(
            "Since {at} the tray is not where it was: put it under the camera, uncover its markers, show its corners,"
            " or calibrate.",
            at=at,
        )
    if what == "too-dark":
        return say("Since {at} it is too dark to see the tray: switch the lamp on, or give more light.", at=at)
    if what == "too-bright":
        return say("Since {at} it is too bright to see the tray: shade it, take a lamp away, or calibrate.", at=at)
    if what in SHOWN:
        return say(SHOWN[what])
    if what == "light-changed":
        return say(
            "The light changed at {at}: {how}. Colours are read afresh; calibrate if it stays so.", at=at, how=say(how)
        )
    return say("The light has crept away since it was calibrated ({how}, since {at}): calibrate.", at=at, how=say(how))


def in_brief(status: str | None, problems: Sequence[str]) -> str:
    """Return what the eye does, in half a sentence."""
    light = next((OF_LIGHT[name] for name in problems if name in OF_LIGHT), None) if status == "no-tray" else None
    return say(light or STATUSES.get(status or "", "rests"))


def words() -> str:
    """Return what the page's script says of a live picture, in the language that is spoken, as JSON."""
    told = {
        "status": {name: say(text) for name, text in STATUSES.items()},
        "light": {name: say(text) for name, text in OF_LIGHT.items()},
        "problem": {name: say(name) for name in PROBLEMS},
        "colour": {name: say(name) for name in COLOURS},
        "eye": say("Eye"),
        "place": say("Row {row} place {column}"),
        "down": say("face down"),
        "corners": [say(name) for name in ("top left", "top right", "bottom right", "bottom left")],
        "printed": say("What is printed on the felt is known, and marked with dots: {count}"),
        "told": {what: say(text) for what, text in SHOWN.items()},
        "unread": say("Look where the picture is marked: something there was not read, or is missing."),
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def live_picture(path: Path, *, thought: bool) -> bytes:
    """Return the live JPEG; without `thought`, also without what the eye thinks of it. OSError if there is none."""
    data = path.read_bytes()
    while not thought and data[:4] == START + COMMENT:
        data = START + data[4 + int.from_bytes(data[4:6], "big") :]
    return data


def corrected(lately: Corrections) -> str:
    """Say that the eye was corrected too often."""
    return say(
        "{wrong} of the last {tiles} tiles read had to be corrected: teach the eye your tiles, or calibrate again.",
        wrong=lately.corrected,
        tiles=lately.tiles,
    )


def in_words(status: Mapping[str, Any]) -> list[str]:
    """Return the watcher's notices as people read them. status: as `present` lets it through."""
    return [sentence(notice) for notice in status["eye"]["notices"]]


def noticed(status: Mapping[str, Any], lately: Corrections) -> list[str]:
    """Return what the table page says on top of the tray. status: as `present` lets it through."""
    told = in_words(status)
    return [*told, corrected(lately)] if lately.too_many else told
