"""`feltside teach --pictures`: an owner's own set, learnt from pictures in files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from pi.bare_felt import kept_felt
from pi.doors.read import drawings, save_picture, tray_at
from pi.errors import BadSource, FeltsideError
from pi.lesson import LAYOUTS, drawn, drawn_doubts
from pi.own_set_file import OwnSetFile
from pi.pictures import load_picture
from vision.empty_tray import without_print
from vision.errors import BadOwnSet, CannotLearn, DoubtedLesson, Spot, VisionError
from vision.own_set import to_bytes
from vision.teach import learn
from vision.teaching.doubts import AGAINST
from vision.teaching.lessons import Learnt, Lesson, parse_boards, rows_of

DEFAULT_ROWS = 4
REFUSED = 1
DOUBTS = "What the eye doubts"
INSIST = "or look again at each place, and if it lies as you said, say so with --as-said"
"""What an owner can do whose lesson was refused for what its pieces look like."""


class NotLearnt(FeltsideError, ValueError):
    """Raised when pictures do not teach what they should; nothing has changed then."""


def from_pictures(args: argparse.Namespace, file: OwnSetFile) -> int:
    """Learn from the pictures that are named; put in force what reads back right, else return REFUSED."""
    given = colours(args.colours)
    names = (*args.pictures, *args.check)
    lessons = _lessons(args, names, file, len(given or ()) or DEFAULT_ROWS)
    n = len(args.pictures)
    learning = partial(
        learn,
        colours=given,
        keep_out=lessons[n:],
        made=f"{datetime.now(UTC):%Y-%m-%d}",
        before=_earlier(file),
        progress=bar,
    )
    try:
        learnt, insisted = _learnt(lessons[:n], learning, as_said=args.as_said)
    except VisionError as no:
        bar_ends()
        if isinstance(no, DoubtedLesson):
            tell_doubts(DOUBTS, no.doubts, numbered=bool(args.draw))
            _draw_doubts(args, names, lessons, no.where)
            raise NotLearnt(f"nothing was learnt: {no.advice}; {INSIST}") from None
        raise NotLearnt(str(no)) from None
    bar_ends()
    tell_doubts(AGAINST, learnt.doubts, numbered=bool(args.draw))
    if args.as_said:
        print(_insisted_on(insisted, args.pictures))
    for sentence in (*learnt.sentences(), *learnt.faults()):
        print(sentence)
    if args.draw:
        places = drawings(args.draw, names)
        for name, lesson, checked in zip(names, lessons, learnt.checked, strict=True):
            save_picture(places[name], drawn(lesson.picture_bgr, checked))
        _draw_doubts(args, names, lessons, learnt.where)
    if not learnt.holds:
        print("Nothing has changed: a set counts only when all it was taught reads back right.")
        return REFUSED
    before = file.path.is_file()
    _keep(file, to_bytes(learnt.own))
    undo = "`feltside teach --recall` brings back the set before" if before else "`feltside teach --forget` undoes it"
    print(f"The taught set is in force, at {file.path}; {undo}.")
    return 0


def _lessons(args: argparse.Namespace, names: Sequence[str], file: OwnSetFile, rows: int) -> list[Lesson]:
    """Return each picture with what is said to lie there; nobody insists on it yet."""
    boards = _boards(args.layout, len(names), rows)
    pictures = [load_picture(name) for name in names]
    felt = kept_felt(file.state)
    trays = [tray_at(p, args.corners, name) if args.corners else None for p, name in zip(pictures, names, strict=True)]
    return [
        Lesson(without_print(p, tray, felt).picture_bgr, said, dice=args.layout == "dice", tray=tray)
        for p, said, tray in zip(pictures, boards, trays, strict=True)
    ]


def _learnt(
    lessons: Sequence[Lesson], learning: Callable[[Sequence[Lesson]], Learnt], *, as_said: bool
) -> tuple[Learnt, list[int]]:
    """Learn; return the numbers of the pictures, from 1, that were insisted on: with `as_said` those that are doubted.

    To insist on a picture that is not doubted would take its word for others, and theirs for it.
    """
    insisted: list[int] = []
    while True:
        try:
            return learning(lessons), insisted
        except DoubtedLesson as no:
            if not as_said:
                raise
            insisted = sorted({*insisted, *no.pictures})
            lessons = [replace(x, as_said=k in insisted) for k, x in enumerate(lessons, start=1)]


def _insisted_on(insisted: Sequence[int], names: Sequence[str]) -> str:
    """Return a sentence about what --as-said has done."""
    if not insisted:
        return "--as-said has changed nothing: the eye doubts none of these pictures."
    said = ", ".join(f"{names[k - 1]} (picture {k})" for k in insisted)
    others = "" if len(insisted) == len(names) else "; the others are not doubted"
    return f"Learnt as you said: {said}{others}."


def _draw_doubts(
    args: argparse.Namespace, names: Sequence[str], lessons: Sequence[Lesson], where: Sequence[Spot]
) -> None:
    """Draw the pictures in which something is doubted, where drawings are asked for."""
    places = drawings(args.draw, names, ending=".doubted.png") if args.draw else {}
    for k in sorted({spot.picture for spot in where}) if places else ():
        save_picture(places[names[k - 1]], drawn_doubts(lessons[k - 1].picture_bgr, where, k))


def tell_doubts(heading: str, doubts: Sequence[str], *, numbered: bool = False) -> None:
    """Print what the eye doubts, a line each; nothing without a doubt. numbered: as in a drawn picture."""
    lines = [f"  {f'{k}. ' if numbered else ''}{doubt}" for k, doubt in enumerate(doubts, start=1)]
    for line in (f"{heading}:", *lines) if lines else ():
        print(line)


def _keep(file: OwnSetFile, data: bytes) -> None:
    try:
        file.state.mkdir(parents=True, exist_ok=True)
        file.put_in_force(data)
    except OSError as no:
        raise BadSource(f"the taught set cannot be kept ({no.strerror or no}), at {file.path}") from None


def _earlier(file: OwnSetFile) -> Any:
    try:
        return file.load()
    except BadOwnSet:
        return None  # it is being taught anew


def colours(text: str | None) -> tuple[str, ...] | None:
    """Return the rows' names; None where the eye shall name them. Raises BadSource for what names none."""
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise BadSource(f"--colours {text!r} does not name different colours (expected like red,blue,green,black)")
    return names


def _boards(layout: str, pictures: int, rows: int) -> list[tuple[tuple[str, ...], ...]]:
    """Return what lies on each picture."""
    try:
        if layout in LAYOUTS:
            return [rows_of(layout, rows)] * pictures
        if not Path(layout).is_file():
            raise BadSource(f"{layout!r} is no layout and no file (expected one of {', '.join(LAYOUTS)}, or a file)")
        boards = parse_boards(Path(layout).read_text("utf-8-sig"))
    except CannotLearn as no:
        raise BadSource(f"{no}, in {layout}") from None
    except UnicodeDecodeError:
        raise BadSource(f"{layout} is not text (expected boards as text, or one of {', '.join(LAYOUTS)})") from None
    if len(boards) not in (1, pictures):
        raise BadSource(
            f"{layout} holds {len(boards)} boards for {pictures} pictures (expected one each, or one for all)"
        )
    return list(boards) * (pictures if len(boards) == 1 else 1)


def bar(share: float) -> None:
    """Say how far learning is, to who looks on: a log keeps every step, in one long line."""
    if not sys.stderr.isatty():
        return
    done = round(30 * share)
    print(f"\rlearning [{'#' * done}{'.' * (30 - done)}] {100 * share:3.0f} %", end="", file=sys.stderr, flush=True)


def bar_ends() -> None:
    """Go on below the bar."""
    if sys.stderr.isatty():
        print(file=sys.stderr)
