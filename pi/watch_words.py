"""What the watcher tells of itself: how the camera sees the tray, and what the eye makes of it. It decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pi.camera_light import ABSENT, IGNORED, LightLock
from vision.reading import Problem, Reading, Status
from vision.tray.rectify import Tray
from vision.tray.registration import Registration

TILE_MM, SMALL_PX = 25.0, 28.0
"""Of 25 traced trays whose tiles were 17 to 30 pixels wide six were asked about, all below 26; of 67 with 45 and more
one (`vision/FIGURES.md`, "Cameras of other sizes")."""
Sight = Literal["seen", "unseen", "sought"]
"""Whether the tray is in the latest pictures; sought: too few of them were looked at to say."""
TOO_DARK = "The camera's pictures are too dark to show a tray: switch the lamp on, or give more light."
TOO_BRIGHT = "The camera's pictures are too bright to show a tray: shade it, take a lamp away, or calibrate."
REPEATS = 10
"""Frames in a row without any noise between them, from which the camera is said to hang."""


def tray_sight(reading: Reading | None, registration: Registration) -> Sight:
    """Return whether the tray is in the latest pictures. reading: what the eye thinks now; None while it rests."""
    if reading is not None and reading.status is not Status.BUSY:
        # It looked at the very picture; a registration remembers, and hears of no frame with a hand in it.
        return "unseen" if reading.status is Status.NO_TRAY else "seen"
    if registration.missing or registration.lost_ns is not None:
        return "unseen"
    return "sought" if registration.tray is None else "seen"


def light_in_the_way(reading: Reading | None, unlit: Problem) -> Problem:
    """Return DARK or BRIGHT where it is for the light that no tray is seen, else NONE.

    reading: what the eye thinks now; None while it rests. unlit: as of `pi.guard.Guard`.
    """
    if reading is None or reading.status is not Status.NO_TRAY:
        return unlit
    return reading.problems & (Problem.DARK | Problem.BRIGHT)


def camera_status(
    seen: str, *, sight: Sight, dropped: int, unkept: str, repeats: int, lock: LightLock | None, fps: float | None
) -> dict[str, Any]:
    """Return how the camera is.

    seen: as of `seen_words`. sight: as of `tray_sight`; that no tray is seen goes before all but a hung camera.
    dropped: frames that never came. unkept: why pictures cannot be kept; empty while they can. repeats: frames in a row
    without any noise between them. lock: of its light; None for a camera that has none. fps: frames a second; None
    before they were counted.
    """
    state, words = "ok", seen
    if sight == "seen" and dropped:
        words = f"The camera works, but has dropped {dropped} frames."
    if sight == "seen" and unkept:
        words = f"The camera works, but its pictures cannot be kept ({unkept})."
    if sight == "seen" and lock is not None and lock.state in (IGNORED, ABSENT):
        words = lock.words
    if repeats >= REPEATS:
        state, words = "hangs", "The camera gives the same picture over and over: unplug it and plug it in again."
    light = lock.state if lock is not None else ABSENT
    return {"state": state, "words": words, "tray": sight, "dropped": dropped, "light": light, "fps": fps}


def seen_words(
    tray: Tray | None, *, sight: Sight, shown: bool, size_wh_px: tuple[int, int] | None, amiss: Problem = Problem.NONE
) -> str:
    """Return how the camera sees the tray: whether at all, and whether large enough to be sure of it.

    tray: where it lies; None while that is not known. sight: as of `tray_sight`. shown: whether people showed its
    corners. size_wh_px: of its pictures; None before the first. amiss: as of `light_in_the_way`.
    """
    if sight == "unseen" and amiss:
        return TOO_DARK if Problem.DARK in amiss else TOO_BRIGHT
    if sight == "unseen":
        where = "The camera does not see the tray where its corners were shown."
        return where if shown else "The camera gives pictures, but no tray is seen in them."
    if sight == "sought":
        return "The camera gives pictures; the tray is being looked for in them."
    if shown and tray is not None and tray.complete:
        return "The camera sees the tray by its markers; the corners that were shown are not needed."
    if tray is None or size_wh_px is None or (wide := TILE_MM * tray.scale()) >= SMALL_PX:
        return "The camera sees the tray."
    size = f"{size_wh_px[0]} x {size_wh_px[1]}"
    return (
        f"The camera sees the tray small: a tile is {wide:.0f} pixels wide in its pictures of {size} (expected at"
        f" least {SMALL_PX:.0f}). Hang it lower, or take larger pictures."
    )


def eye_status(
    reading: Reading | None, *, watch: Problem, words: str, notices: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what the eye makes of the tray.

    reading: None while it rests. watch: what is wrong with the tray's place or light. words: what the table answered
    last. notices: what people should know.
    """
    if reading is None:
        nothing = {"status": "resting", "tiles": 0, "unsure": 0, "down": 0, "words": ""}
        return {**nothing, "problems": watch.words(), "notices": [*notices]}
    tiles = reading.tiles
    return {
        "status": reading.status.value,
        "problems": (reading.problems | watch).words(),
        "tiles": len(tiles),
        "unsure": sum(not tile.sure for tile in tiles) + sum(not place.sure for place in reading.places),
        "down": sum(tile.symbol == "down" for tile in tiles),
        "words": words,
        "notices": [*notices],
    }
