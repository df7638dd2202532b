"""The page on which an owner teaches the eye their own set: what the watcher says of the lesson, and wishes to it.

The web knows no vision: it leaves a wish with the table, the watcher carries it out and says what came of it
(`pi.teaching`). Pictures of the lesson lie in the state folder, for the table's own page only.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import abort, send_file
from flask.typing import ResponseReturnValue as Answer

from web.forms import BadInput, Form, number, short_text
from web.room import Room

STEPS = ("begin", "take", "insist", "again", "use", "forget", "recall", "stop")
"""What the page may wish for."""
LAYOUTS = ("rows", "wild", "dice")
MOST_ROWS = 6
MOST_PICTURES = 4
MOST_SAID, MOST_DOUBTS = 12, 80
"""Sentences that are shown of a lesson, and of what is doubted: there all that a lesson can hold."""
STATES = ("begun", "learning", "ready", "wrong", "refused")


def register(room: Room) -> None:
    """Hook the lesson's pictures into the room's app."""

    def picture(picture: int, drawn: str) -> Answer:
        """Return one of the lesson's pictures, with what was read, or is doubted, drawn over it."""
        if not room.access.may_act():
            abort(403, "Only the table may see that: enter its PIN on the table page.")
        try:
            return send_file((room.state / "teach" / f"{drawn}-{picture}.jpg").absolute(), mimetype="image/jpeg")
        except FileNotFoundError:
            abort(404, "There is no such picture.")

    for drawn, path in (("read", "/teach/<int:picture>.jpg"), ("doubted", "/teach/doubted-<int:picture>.jpg")):
        room.app.add_url_rule(
            path, endpoint=f"teach_{drawn}", view_func=picture, defaults={"drawn": drawn}, methods=["GET"]
        )


def wish(form: Form) -> dict[str, Any]:
    """Return what a form wishes for, as the watcher takes it; raises BadInput."""
    step = form.get("do", "")
    if step not in STEPS:
        raise BadInput(f"a lesson has no step {step[:20]!r} (expected one of {', '.join(STEPS)}), in the field 'do'")
    found: dict[str, Any] = {"do": step, "id": secrets.token_hex(4)}
    if step == "insist":
        return found | {"of": short_text(form, "of")}
    if step != "take":
        return found
    layout = form.get("layout", "rows")
    if layout not in LAYOUTS:
        raise BadInput(
            f"{layout[:20]!r} cannot be taught (expected one of {', '.join(LAYOUTS)}), in the field 'layout'"
        )
    return found | {"layout": layout, "colours": _colours(form)}


def _colours(form: Form) -> list[str]:
    """Return the rows' names, top to bottom; all empty where the eye shall name them."""
    rows = number(form, "rows") if form.get("rows") else 4
    if not 1 <= rows <= MOST_ROWS:
        raise BadInput(f"{rows} rows cannot be taught (expected 1 to {MOST_ROWS}), in the field 'rows'")
    text = short_text(form, "colours")
    names = [name.strip() for name in text.split(",")] if text else [""] * rows
    if text and (len(names) != rows or len(set(names)) < rows or not all(names)):
        raise BadInput(f"{rows} rows need {rows} different names, parted by commas, in the field 'colours'")
    return names


def taught(status: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the watcher says of teaching, checked: what is missing is empty."""
    part = status.get("taught")
    part = part if isinstance(part, Mapping) else {}
    lesson = part.get("lesson")
    lesson = lesson if isinstance(lesson, Mapping) else {}
    pictures, progress = lesson.get("pictures"), lesson.get("progress")
    return {
        "there": bool(part),
        "set": str(part.get("set") or ""),
        "trouble": str(part.get("trouble") or ""),
        "aside": part.get("aside") is True,
        "words": str(part.get("words") or ""),
        "state": lesson.get("state") if lesson.get("state") in STATES else "",
        "progress": round(100 * progress) if isinstance(progress, (int, float)) and 0 <= progress <= 1 else 0,
        "earlier": lesson.get("earlier") is True,
        "said": _sentences(lesson.get("words"), MOST_SAID),
        "doubts": _sentences(lesson.get("doubts"), MOST_DOUBTS),
        "doubted": _numbers(lesson.get("doubted")),
        "of": str(lesson.get("of") or ""),
        "against": _sentences(part.get("doubts"), MOST_DOUBTS),
        "pictures": min(max(0, pictures), MOST_PICTURES) if isinstance(pictures, int) else 0,
        "numbers": {k: int(lesson.get(k) or 0) for k in ("pieces", "certain", "before")},
        "done": str(part.get("done") or ""),
    }


def _numbers(found: object) -> list[int]:
    """Return the numbers of a lesson's pictures."""
    return [n for n in found if type(n) is int and 1 <= n <= MOST_PICTURES] if isinstance(found, list) else []


def _sentences(found: object, most: int) -> list[str]:
    return [str(sentence) for sentence in found][:most] if isinstance(found, list) else []
