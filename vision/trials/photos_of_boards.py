"""Frames of a real overhead camera over a board: `python -m vision.evaluate FOLDER` where its labels.json lists them.

What hands, exposures and lamps do to the eye: a hand is busy, no frame without one is; the board's edge is found in
each exposure where it is in most; another light is named as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from vision.frames.light import Bounds, Light, compare, measure
from vision.layout import Expectation
from vision.options import one_by_one
from vision.reader import read
from vision.reading import Status
from vision.tray.glance import glance
from vision.tray.rectify import Image, find_tray, tray_from_clicks
from vision.trials.labelled import picture_at
from vision.trials.photographs import labels_of
from vision.trials.report import Failure, Outcome
from vision.trials.scoring import fraction


@dataclass(frozen=True, slots=True)
class Boards:
    """What the frames did to the eye."""

    hands: tuple[int, int]
    """(said busy, frames with a hand)."""
    quiet: tuple[int, int]
    """(said busy, frames without one)."""
    felt: tuple[int, int]
    """(edge found where it is in most, exposures of one board)."""
    lamps: tuple[int, int, int]
    """(named as another light, could not be compared, exposures held against the first)."""
    steady: tuple[int, int, int]
    """The same of the frames of one game, whose camera's automatic was not locked."""
    failures: tuple[Failure, ...] = ()


def boards(folder: Path) -> Boards:
    """Return what hands, exposures and white balances do."""
    labels = labels_of(folder / "labels.json")
    busy: dict[bool, list[bool]] = {True: [], False: []}
    failures = []
    for label in one_by_one([one for one in labels if "hand_in_view" in one], "hands"):
        path, hand = folder / label["file"], bool(label["hand_in_view"])
        said = _busy(picture_at(path))
        busy[hand].append(said)
        if said is not hand:
            words = "a hand is in view" if hand else "no hand is in view"
            drawn: Callable[[], Image] = partial(picture_at, path)
            failures.append(Failure(path, "busy" if said else "not busy", words, drawn))
    exposures = [picture_at(folder / o["file"]) for o in labels if o.get("sequence") == "light-err"]
    game = [picture_at(folder / o["file"]) for o in labels if o.get("sequence") == "game01"]
    return Boards(
        (sum(busy[True]), len(busy[True])),
        (sum(busy[False]), len(busy[False])),
        (_edges_agree(exposures), len(exposures)),
        _another_light(exposures),
        _another_light(game),
        tuple(failures),
    )


def _busy(picture: Image) -> bool:
    """Return whether a frame is called busy, told that the board fills it (these frames are cut to it)."""
    h, w = picture.shape[:2]
    tray = tray_from_clicks([(0, 0), (w - 1, 0), (w - 1, h - 1), (0, h - 1)], size_mm=(360.0, 360.0 * h / w))
    return read(picture, expect=Expectation.AUTO, tray=tray).status is Status.BUSY


def _edges_agree(pictures: Sequence[Image]) -> int:
    """Return in how many pictures the board's edge is found within 2 % of the width of where most have it."""
    square = (360.0, 360.0)
    found = [(find_tray(p, size_mm=square), p.shape[1]) for p in pictures]
    corners = [np.array(tray.corners) / width for tray, width in found if tray is not None]
    if not corners:
        return 0
    usual = np.median(np.array(corners), axis=0)
    return sum(float(np.abs(c - usual).max()) < 0.02 for c in corners)


def _another_light(pictures: Sequence[Image]) -> tuple[int, int, int]:
    """Return of the pictures after the first: named as in another light, not to be compared, and all."""
    lights = [_light(p) for p in pictures]
    shifts = [compare(lights[0], light) for light in lights[1:]]
    named = sum(shift is not None and shift.beyond(Bounds()) >= 1.0 for shift in shifts)
    return named, shifts.count(None), len(shifts)


def _light(picture: Image) -> Light:
    h, w = picture.shape[:2]
    seen = glance(picture)
    inset_x, inset_y = 0.06 * w, 0.06 * h
    corners = ((inset_x, inset_y), (w - inset_x, inset_y), (w - inset_x, h - inset_y), (inset_x, h - inset_y))
    return measure(seen.small, corners, factor=seen.factor)


def outcome(folder: Path) -> Outcome:
    """Return what came of a folder of such frames; raise BadLabels where it is not of that form."""
    board = boards(folder)
    # A hand that is not noticed would let its frame be read.
    return Outcome("\n".join(report(board)), (), board.failures, board.hands[0] < board.hands[1])


def report(board: Boards) -> Iterable[str]:
    """Yield the figures as lines of text."""
    yield f"frames with a hand called busy: {fraction(*board.hands)}; without one: {fraction(*board.quiet)}"
    yield f"board's edge found where it is, exposures of one: {fraction(*board.felt)}"
    for name, (named, strange, total) in (
        ("exposure or white balance named as another light", board.lamps),
        ("frames of one game, exposure not locked, named as another light", board.steady),
    ):
        yield f"{name}: {fraction(named, total)}, not to be compared: {strange}"
