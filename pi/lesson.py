"""A lesson in a folder: the pictures taken, what lies on them, and what came of it.

`lesson.json` lists the pictures with what lies there. `python -m pi.lesson FOLDER` learns from them in a process of
its own, because that takes seconds in which the watcher must go on; it leaves `result.json`, each picture with what
was read drawn over it (or what is doubted, where the lesson is refused for that alone), and, if everything reads right,
the set itself as `draft.npz`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from pi.bare_felt import kept_felt
from pi.children import die_with_parent
from pi.durable import write_json
from pi.errors import BadSource
from pi.own_set_file import OwnSetFile
from pi.pictures import load_picture
from vision.empty_tray import without_print
from vision.errors import BadOwnSet, CannotLearn, DoubtedLesson, Spot, VisionError
from vision.ground.bare_felt import BareFelt
from vision.overlay import draw_doubts
from vision.own_set import OwnSet, to_bytes
from vision.teach import learn
from vision.teaching.lessons import Checked, Learnt, Lesson, rows_of
from vision.tray.rectify import Image, tray_shown

PLAN, RESULT, DRAFT = "lesson.json", "result.json", "draft.npz"
LAYOUTS = ("rows", "wild", "dice")
"""What can be laid: 0 to 9, 1 to 9 and the wild, dice 1 to 6."""
MOST_PICTURES = 4
MOST_ROWS = 6
MOST_NAME = 20
DRAWN_WIDTH_PX = 900
RIGHT, WRONG = (90, 200, 90), (60, 60, 235)
"""Blue green red of the outlines."""


@dataclass(frozen=True, slots=True)
class Planned:
    """One picture of the lesson."""

    layout: str
    """One of LAYOUTS."""
    colours: tuple[str, ...]
    """Names of the rows, top to bottom; empty names are left to the eye."""
    tray: tuple[tuple[float, float], ...] | None = None
    """Four corners of the tray in the picture, where people had to show them; None: the picture shows it."""
    as_said: bool = False
    """Its owner has looked again and insists: what it looks like counts no longer."""

    def as_json(self) -> dict[str, Any]:
        """Return it as kept."""
        return {"layout": self.layout, "colours": list(self.colours), "tray": self.tray, "as_said": self.as_said}

    @classmethod
    def of(cls, data: Any) -> Planned | None:
        """Return what a request or a kept plan says; None for what is none."""
        if not isinstance(data, dict) or data.get("layout") not in LAYOUTS:
            return None
        colours = data.get("colours")
        if not isinstance(colours, list) or not 1 <= len(colours) <= MOST_ROWS:
            return None
        if not all(isinstance(c, str) and len(c) <= MOST_NAME and c.isprintable() for c in colours):
            return None
        names, as_said = tuple(c.strip() for c in colours), data.get("as_said") is True
        return cls(str(data["layout"]), names, _corners(data.get("tray")), as_said)


def _corners(data: Any) -> tuple[tuple[float, float], ...] | None:
    """Return four corners as kept; None where the picture is to show the tray."""
    try:
        found = tuple((float(x), float(y)) for x, y in data)
    except (TypeError, ValueError):
        return None
    return found if len(found) == 4 else None


def picture_path(folder: Path, number: int) -> Path:
    """Return where the lesson's picture lies, numbered from 1."""
    return folder / f"picture-{number}.jpg"


def drawn_path(folder: Path, number: int) -> Path:
    """Return where the same picture lies with the reading drawn over it."""
    return folder / f"read-{number}.jpg"


def doubted_path(folder: Path, number: int) -> Path:
    """Return where it lies with what is doubted marked, as long as the lesson is refused for that."""
    return folder / f"doubted-{number}.jpg"


def forget_doubted(folder: Path) -> None:
    """Take away the pictures of an earlier refusal."""
    for number in range(1, MOST_PICTURES + 1):
        doubted_path(folder, number).unlink(missing_ok=True)


def read_plan(folder: Path) -> list[Planned]:
    """Return the lesson's pictures so far; an unreadable plan is an empty one."""
    try:
        data = json.loads((folder / PLAN).read_text("utf-8"))
    except (OSError, ValueError):
        return []
    found = [Planned.of(item) for item in data] if isinstance(data, list) else []
    return [p for p in found if p is not None]


def hold(
    folder: Path,
    *,
    before: OwnSet | None,
    made: str,
    progress: Callable[[float], None],
    felt: BareFelt | None = None,
) -> dict[str, Any]:
    """Learn from the lesson's pictures; return what came of it, as written to `result.json`.

    before: the set in force, of which what these pictures do not show is kept. made: the day. What the pictures before
    the last one taught stays as the draft where that one is refused. felt: of the table, with nothing on it; None where
    none is known.
    """
    plan = read_plan(folder)
    if len(plan) < 2:
        (folder / DRAFT).unlink(missing_ok=True)
    try:
        lessons = [_lesson(folder, k, planned, felt) for k, planned in enumerate(plan, start=1)]
        learnt = learn(lessons, made=made, before=before, progress=progress)
    except VisionError as no:
        if isinstance(no, DoubtedLesson):
            for k in no.pictures:
                doubted_path(folder, k).write_bytes(_jpeg(drawn_doubts(lessons[k - 1].picture_bgr, no.where, k)))
        return {"state": "refused", "words": [f"{_capital(str(no))}."], "pictures": len(plan)} | _doubted(no)
    for k, (lesson, checked) in enumerate(zip(lessons, learnt.checked, strict=True), start=1):
        drawn_path(folder, k).write_bytes(_jpeg(drawn(lesson.picture_bgr, checked)))
    if learnt.holds:
        draft = folder / f"{DRAFT}.part"
        draft.write_bytes(to_bytes(learnt.own))
        draft.replace(folder / DRAFT)
    return {"pictures": len(plan), **told(learnt)}


def _doubted(no: VisionError) -> dict[str, Any]:
    """Return what a refusal only doubts, and the pictures (from 1) to insist on; empty for one that is no doubt."""
    return {"doubts": list(no.doubts), "doubted": list(no.pictures)} if isinstance(no, DoubtedLesson) else {}


def told(learnt: Learnt) -> dict[str, Any]:
    """Return what was learnt as it is told to people: few words, no pictures."""
    wrong = learnt.faults()
    kinds = [t for t in (learnt.own.tiles, learnt.own.dice) if t is not None]
    return {
        "state": "ready" if learnt.holds else "wrong",
        "words": learnt.sentences() + wrong[:6],
        "pieces": sum(len(p) for p in learnt.checked),
        "certain": sum(c.right and c.sure for p in learnt.checked for c in p),
        "before": sum(learnt.before),
        "colours": list(kinds[0].names),
    } | ({"doubts": list(learnt.doubts)} if learnt.doubts else {})


def drawn(picture_bgr: Image, checked: Sequence[Checked]) -> Image:
    """Return the picture, cut to what lies there, with each piece outlined and what it reads as beside it."""
    at = np.array([c.corners for c in checked if len(c.corners) == 4]).reshape(-1, 2)
    if len(at) == 0:
        return picture_bgr
    out, low, scale = _close_up(picture_bgr, at)
    for piece in checked:
        if len(piece.corners) == 4:
            _outline(out, (np.array(piece.corners) - low) * scale, piece)
    return out


def drawn_doubts(picture_bgr: Image, where: Sequence[Spot], number: int) -> Image:
    """Return a picture cut to what lies there, with what is doubted outlined and numbered as it is told.

    where: all that is doubted, in the order in which it is told. number: the picture's, from 1; something is doubted
    there.
    """
    spots = {k: spot for k, spot in enumerate(where, start=1) if spot.picture == number}
    out, low, scale = _close_up(picture_bgr, np.concatenate([np.array(spot.among) for spot in spots.values()]))
    return draw_doubts(out, {k: (np.array(spot.outline) - low) * scale for k, spot in spots.items()})


def _close_up(picture_bgr: Image, around_px: NDArray[np.float64]) -> tuple[Image, NDArray[np.float64], float]:
    """Return what lies around (n, 2) points, DRAWN_WIDTH_PX wide, its upper left corner, and how much larger it is."""
    pad = 0.06 * float(np.ptp(around_px, axis=0).max())
    low = np.maximum(around_px.min(axis=0) - pad, 0).astype(int)
    high = np.minimum(around_px.max(axis=0) + pad, picture_bgr.shape[1::-1]).astype(int)
    scale = DRAWN_WIDTH_PX / max(1, int(high[0] - low[0]))
    cut = picture_bgr[low[1] : high[1], low[0] : high[0]]
    out = np.asarray(cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), np.uint8)
    return out, low.astype(np.float64), scale


def _outline(picture_bgr: Image, corners_px: NDArray[np.float64], piece: Checked) -> None:
    colour = RIGHT if piece.right else WRONG
    cv2.polylines(picture_bgr, [corners_px.round().astype(np.int32)], True, colour, 2, cv2.LINE_AA)
    words = piece.seen if piece.right else f"{piece.seen or '-'} ({piece.taught})"
    x, y = (int(v) for v in corners_px.max(axis=0) - (16, 6))
    cv2.putText(picture_bgr, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(picture_bgr, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (255, 255, 255), 1, cv2.LINE_AA)


def _lesson(folder: Path, number: int, planned: Planned, felt: BareFelt | None) -> Lesson:
    try:
        picture = load_picture(picture_path(folder, number))
    except BadSource as no:
        raise CannotLearn(f"picture {number} is not whole: take it again") from no
    tray = tray_shown(picture, planned.tray) if planned.tray is not None else None
    rows, named = rows_of(planned.layout, len(planned.colours)), planned.colours if all(planned.colours) else None
    dice = planned.layout == "dice"
    picture = without_print(picture, tray, felt).picture_bgr
    return Lesson(picture, rows, dice=dice, tray=tray, colours=named, as_said=planned.as_said)


def _jpeg(picture_bgr: Image) -> bytes:
    good, data = cv2.imencode(".jpg", picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not good:
        raise OSError("a picture could not be written as JPEG")
    return data.tobytes()


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the lesson's process; returns the exit status."""
    die_with_parent()
    parser = argparse.ArgumentParser(prog="python -m pi.lesson", description="Learn from the pictures in a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--state", type=Path, required=True, help="the state folder")
    parser.add_argument("--made", required=True, help="the day")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    os.nice(5)  # a round that is being played comes first
    try:
        before = OwnSetFile(args.state).load()
    except BadOwnSet:
        before = None
    result = args.folder / RESULT

    def progress(share: float) -> None:
        write_json(result, {"state": "learning", "progress": round(share, 2), "words": []})

    progress(0.0)
    try:
        write_json(
            result, hold(args.folder, before=before, made=args.made, progress=progress, felt=kept_felt(args.state))
        )
    except OSError as no:
        write_json(result, {"state": "refused", "words": [f"The lesson's files cannot be used ({no.strerror or no})."]})
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
