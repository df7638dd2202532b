"""Labelled pictures: a folder of NAME.jpg with NAME.json beside it, at any depth, in the form of LABELS.md."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import isfinite
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.errors import BadLabels
from vision.frames.short import SHARES
from vision.tray.rectify import LEAST_PX, Image
from vision.trials.scoring import Truth

NEEDED = {
    "tiles": ("row", "grid_col", "label", "center"),
    "dice": ("center", "value", "color"),
    "disks": ("center", "kind", "value"),
}
"""What must be said of each piece of a kind; all else is used where it is said."""
KINDS: dict[str, type] = {"family": str, "index": int, "tags": list} | dict.fromkeys(NEEDED, list)
"""What that of a label is which is said of the whole picture."""
COUNTS = {2: "two", 4: "four"}
"""How so many numbers are called."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled picture."""

    name: str
    picture: Path
    truth: Truth

    def pixels(self) -> Image:
        """Return the picture, (h, w, 3) uint8 BGR; raises BadLabels where it is none."""
        return _pixels_of(self.picture)

    def frames(self, count: int) -> list[Image]:
        """Return so many frames of one still scene, the picture the first; an empty list where there is but that.

        Raises BadLabels where there are some, but fewer, and where one is no picture.
        """
        paths = [frame_path(self.picture, number) for number in range(1, count + 1)]
        there = [path for path in paths if path.exists()]
        if len(there) <= 1 < count:
            return []
        if len(there) < count:
            raise BadLabels(f"{self.picture}: has {len(there)} frames (expected {count}, see --frames)")
        return [_pixels_of(path) for path in paths]

    def shorter(self) -> list[Image]:
        """Return the same still scene in the shorter exposures that were taken of it, (h, w, 3) uint8 BGR each.

        Raises BadLabels where one is no picture.
        """
        paths = (short_path(self.picture, number) for number in range(len(SHARES)))
        return [_pixels_of(path) for path in takewhile(Path.exists, paths)]


def short_path(picture: Path, number: int) -> Path:
    """Return where a shorter exposure of a picture's still scene lies, by its number in SHARES."""
    name = "short" if number == 0 else f"short{number + 1}"
    return picture.with_name(f"{picture.stem}.{name}{picture.suffix}")


def frame_path(picture: Path, number: int) -> Path:
    """Return where a frame of a picture's still scene lies, by its number from 1; the picture itself is the first."""
    return picture if number == 1 else picture.with_name(f"{picture.stem}.frame{number}{picture.suffix}")


def picture_at(path: Path) -> Image:
    """Return a picture of any size, (h, w, 3) uint8 BGR; raises BadLabels where a file is none."""
    seen = cv2.imread(str(path))
    if seen is None:
        raise BadLabels(f"{path}: not a picture")
    return np.asarray(seen, dtype=np.uint8)


def _pixels_of(picture: Path) -> Image:
    seen = picture_at(picture)
    if min(seen.shape[:2]) < LEAST_PX:
        raise BadLabels(f"{picture}: {seen.shape[1]} x {seen.shape[0]} pixels (expected at least {LEAST_PX} each way)")
    return seen


def find_samples(folder: Path, *, half: str = "all", families: Collection[str] | None = None) -> list[Sample]:
    """Return the labelled pictures below a folder, sorted; half: "even" or "odd" by the label's index.

    families: only these; None or none for all.
    Raises BadLabels for a label that is not JSON, names no family, or leaves out what is NEEDED of a piece, and where
    there is none.
    """
    found = [Sample(label.stem, picture, _truth_of(label)) for label, picture in _labels(folder)]
    odd = [sample.truth.get("index", k) % 2 == 1 for k, sample in enumerate(found)]
    chosen = [sample for sample, is_odd in zip(found, odd, strict=True) if half == "all" or is_odd == (half == "odd")]
    chosen = [sample for sample in chosen if not families or sample.truth["family"] in families]
    if not chosen:
        of = f" of {', '.join(families)}" if families else ""
        raise BadLabels(f"{folder}: no labelled pictures{of} (expected NAME.jpg or NAME.png with NAME.json beside it)")
    return chosen


def _labels(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each label below a folder with the picture beside it, sorted."""
    for label in sorted(folder.rglob("*.json")):
        pictures = (label.with_suffix(end) for end in (".jpg", ".png"))
        picture = next((path for path in pictures if path.is_file()), None)
        if picture is not None and label.is_file():
            yield label, picture


def read_json(path: Path) -> Any:
    """Return what a file of JSON holds; raises BadLabels where it cannot be read, or holds none."""
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise BadLabels(f"{path}: cannot be read ({problem.strerror})") from None
    except ValueError as problem:
        raise BadLabels(f"{path}: not JSON ({problem})") from None


def check_piece(piece: Any, where: str, *, needed: Sequence[str], place: str, numbers: int) -> None:
    """Raise BadLabels unless a piece says what is needed, and its `place` is so many finite numbers."""
    missing = [name for name in needed if not isinstance(piece, dict) or name not in piece]
    if missing:
        raise BadLabels(f"{where} does not say its {missing[0]} (expected {', '.join(needed)})")
    said = piece[place]
    plain = isinstance(said, list) and all(type(n) in (int, float) and isfinite(n) for n in said)
    if not plain or len(said) != numbers:
        raise BadLabels(f"{where} has {place} {said!r:.40} (expected {COUNTS[numbers]} numbers)")


def _truth_of(label: Path) -> dict[str, Any]:
    truth = read_json(label)
    if not isinstance(truth, dict) or "family" not in truth:
        raise BadLabels(f"{label}: a label is an object with a family")
    for key, wanted in KINDS.items():
        if not isinstance(truth.get(key, wanted()), wanted):
            raise BadLabels(f"{label}: {key} is {truth[key]!r:.40} (expected {wanted.__name__})")
    for kind, names in NEEDED.items():
        for k, piece in enumerate(truth.get(kind, ())):
            check_piece(piece, f"{label}: {kind}[{k}]", needed=names, place="center", numbers=2)
    return truth
