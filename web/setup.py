"""The setup walk after the first PIN: camera and tray, every button and lamp, and a real look at laid tiles.

What it shows is what the table says of itself (`pi.tryout`); presses are shown only while no match is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from web.forms import BadInput, Form
from web.health import Sign
from web.present import View
from web.room import Room

KEYS = ("1", "2", "4", "lock")
DO = ("lamps", "read")
"""What the page may ask of the table."""
EYES = ("Camera", "Eye", "Tray", "Light")
"""Signs that the walk's first step is about."""


def wish(form: Form) -> dict[str, Any]:
    """Return what a form asks to be tried, as the table takes it; raises BadInput."""
    if (do := form.get("do", "")) not in DO:
        raise BadInput(f"{do[:20]!r} cannot be tried (expected one of {', '.join(DO)}), in the field 'do'")
    return {"tryout": {"do": do}}


def facts(room: Room, view: View, signs: Sequence[Sign]) -> dict[str, Any]:
    """Return what the walk's page shows."""
    seen = view.get("tried", {"seen": [], "read": False})
    pads = [
        {"seat": seat, "keys": [{"key": key, "seen": f"{seat}/{key}" in seen["seen"]} for key in KEYS]}
        for seat in view["status"]["panel"]["seats"]
    ]
    done = all(key["seen"] for pad in pads for key in pad["keys"])
    return {
        "eyes": [sign for sign in signs if sign.what in EYES],
        "pads": pads,
        "next_seen": "next" in seen["seen"],
        "all_seen": bool(pads) and done,
        "reads": seen["read"],
        "idle": view["phase"] in ("none", "over"),
        "bare": not room.live.exists(),
    }
