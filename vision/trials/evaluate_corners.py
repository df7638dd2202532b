"""`python -m vision.trials.evaluate_corners FOLDER ...`: how shown corners serve, on labelled pictures.

Of each tray whose corners are known and in the picture: the corners are taken as a hand shows them, some millimetres
off; the picture is read by them; and then the tray (felt and rim) is moved over the rest of the picture, and the lamp
changed. Reported is what is read, and which bumps are noticed and followed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry import Floats
from vision.options import one_by_one
from vision.reader import read
from vision.tray.landmarks import Landmarks, px_per_mm
from vision.tray.rectify import Image, find_tray, tray_shown
from vision.tray.registration import FOLLOWED_MOVED_MM
from vision.trials.labelled import Sample, find_samples
from vision.trials.scoring import expectation_of, interval, score

OFF_MM = 2.0
"""How far beside a corner a hand shows it (standard deviation, each way)."""
RIM_MM = 15.0
"""What moves with the felt."""
BUMPS_MM = (3.0, 6.0, 12.0)
WITHIN_MM = 1.5
"""A bump is followed where each corner is found so near."""
TURN_DEG, NOISE = 0.4, 3.0


@dataclass(slots=True)
class Tally:
    """What became of the trays."""

    read: Counter[str] = field(default_factory=Counter)
    """Right, asked about and silently wrong, by shown corners and as they are found ("found ...")."""
    watched: int = 0
    trays: int = 0
    bumps: dict[float, Counter[str]] = field(default_factory=dict)
    """For each bump (0: none, another light): noticed, followed, lost, missed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.trials.evaluate_corners", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="labelled pictures of trays")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    tally = Tally()
    try:
        samples = [sample for folder in args.folders for sample in find_samples(folder)]
        for k, sample in enumerate(one_by_one(samples, "trays")):
            judge(sample, tally, np.random.default_rng((args.seed, k)))
    except VisionError as no:
        print(f"evaluate_corners: {no}", file=sys.stderr)
        return 2
    print("\n".join(lines(tally)))
    return 0


def judge(sample: Sample, tally: Tally, rng: np.random.Generator) -> None:
    """Add one picture to the tally; one whose corners are not known, or beyond it, counts for nothing."""
    picture = sample.pixels()
    corners = np.array((sample.truth.get("tray") or {}).get("corners", []), dtype=np.float64)
    limits = np.array(picture.shape[1::-1]) - 1.0
    if corners.shape != (4, 2) or (corners < 0).any() or (corners > limits).any():
        return
    scale = px_per_mm(corners)
    shown = np.clip(corners + rng.normal(0, OFF_MM * scale, corners.shape), 0, limits)
    tally.trays += 1
    _read(sample, picture, shown, tally)
    landmarks = Landmarks.of(picture, [(float(x), float(y)) for x, y in shown])
    if not landmarks.watched:
        return
    tally.watched += 1
    for mm, other, now in _bumps(picture, shown, rng):
        found = landmarks.follow(other)
        tally.bumps.setdefault(mm, Counter())[_became(found, shown, now, scale)] += 1


def _read(sample: Sample, picture: Image, shown: Floats, tally: Tally) -> None:
    """Read a tray by its shown corners, where no marker says it better."""
    tray = tray_shown(picture, [(float(x), float(y)) for x, y in shown])
    if tray.found != "corners":
        return
    expect = expectation_of(sample.truth)
    for how, known in (("", tray), ("found ", find_tray(picture))):
        judged = score(read(picture, expect=expect, tray=known), sample.truth)
        tally.read[f"{how}trays"] += 1
        tally.read[f"{how}right"] += judged.right
        tally.read[f"{how}silently wrong"] += judged.silently_wrong


def _became(found: Floats | None, then: Floats, now: Floats, scale: float) -> str:
    if found is None:
        return "lost"
    if np.linalg.norm(found - now, axis=1).max() <= WITHIN_MM * scale:
        return "followed"
    return "noticed" if np.linalg.norm(found - then, axis=1).mean() > FOLLOWED_MOVED_MM * scale else "missed"


def _bumps(picture: Image, corners: Floats, rng: np.random.Generator) -> Iterator[tuple[float, Image, Floats]]:
    """Yield the same scene in another light, and with its tray moved: by how many mm, the picture, its corners."""
    high, wide = picture.shape[:2]
    across, down = np.linspace(0.6, 1.3, wide)[None, :, None], np.linspace(1.2, 0.8, high)[:, None, None]
    yield 0.0, _noisy(picture * across * down, rng), corners
    for mm in BUMPS_MM:
        other, now = moved_tray(picture, corners, mm=mm, rng=rng)
        yield mm, _noisy(other, rng), now


def _noisy(picture: Floats | Image, rng: np.random.Generator) -> Image:
    return np.clip(picture + rng.normal(0, NOISE, picture.shape), 0, 255).astype(np.uint8)


def moved_tray(picture: Image, corners: Floats, *, mm: float, rng: np.random.Generator) -> tuple[Image, Floats]:
    """Return the picture with felt and rim moved by so much, anywhere, and turned a little; and its corners."""
    high, wide = picture.shape[:2]
    middle, way = corners.mean(axis=0), rng.uniform(0, 2 * np.pi)
    shift = mm * px_per_mm(corners) * np.array([np.cos(way), np.sin(way)])
    turn = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), rng.normal(0, TURN_DEG), 1.0)
    move = np.column_stack([turn[:, :2], turn[:, 2] + shift])
    outer = middle + (corners - middle) * (1 + RIM_MM / 180)
    whole = cv2.fillPoly(np.zeros((high, wide), np.uint8), [outer.round().astype(np.int32)], 255)
    mask = cv2.GaussianBlur(cv2.warpAffine(whole, move, (wide, high)), (0, 0), 1.0)[..., None] / 255.0
    over = cv2.warpAffine(picture, move, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    now = corners @ move[:, :2].T + move[:, 2]
    return (over * mask + picture * (1 - mask)).astype(np.uint8), np.asarray(now, dtype=np.float64)


def lines(tally: Tally) -> Iterator[str]:
    """Yield the table's lines."""
    yield f"trays with their corners in the picture: {tally.trays}"
    for how in ("", "found "):
        trays = tally.read[f"{how}trays"]
        what = "by the felt's edge" if how else f"by corners shown {OFF_MM:g} mm off"
        if trays:
            right, wrong = tally.read[f"{how}right"], tally.read[f"{how}silently wrong"]
            rights = f"{right} of {trays} right ({interval(right, trays)})"
            yield f"read {what}, no markers: {rights}, {wrong} silently wrong"
    yield f"with enough around their corners to show a bump: {tally.watched} ({interval(tally.watched, tally.trays)})"
    yield f"{'bump':>6}{'trays':>7}{'followed':>10}{'noticed':>9}{'lost':>6}{'missed':>8}"
    for mm, became in sorted(tally.bumps.items()):
        name = f"{mm:g} mm" if mm else "none"
        counts = [became[what] for what in ("followed", "noticed", "lost", "missed")]
        yield f"{name:>6}{became.total():7d}{counts[0]:10d}{counts[1]:9d}{counts[2]:6d}{counts[3]:8d}"


if __name__ == "__main__":
    sys.exit(main())
