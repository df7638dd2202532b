"""The tray's corners as people show them on the live picture (`static/corners.js`), for the watcher."""

from __future__ import annotations

import secrets
from typing import Any

from web.forms import BadInput, Form

DO = ("show", "forget")


def wish(form: Form) -> dict[str, Any]:
    """Return what a form says of the tray's corners, as the watcher takes it; raises BadInput.

    Field "at": four points "x,y" parted by spaces, the tray's top left first, then clockwise, each a share (0 to 1) of
    the picture's width and height.
    """
    do = form.get("do", "")
    if do not in DO:
        raise BadInput(f"{do[:20]!r} cannot be done with corners (expected show or forget), in the field 'do'")
    found: dict[str, Any] = {"id": secrets.token_hex(4), "do": do}
    return found if do == "forget" else found | {"at": _points(form.get("at", ""))}


def _points(text: str) -> list[list[float]]:
    try:
        points = [[float(value) for value in point.split(",")] for point in text.split()]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 or not all(0 <= v <= 1 for v in point) for point in points):
        raise BadInput(f"{text[:60]!r} is not four corners (expected x,y x,y x,y x,y from 0 to 1), in the field 'at'")
    return points
