"""Labelled pictures: a folder of NAME.jpg with NAME.json beside it, at any depth, in the form of LABELS.md."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any

import cv2
import numpy as np

from vision.errors import BadLabels
from vision.frames.short import SHARES
from vision.reading import SYMBOLS
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
FLAGS = ("hand_present", "empty", "ready")
"""Said of the whole picture, where it is said, by true or false."""
TOLD: dict[str, tuple[type, ...]] = {
    "row": (int, NoneType),
    "grid_col": (int, NoneType),
    "label": (str,),
    "kind": (str,),
    "value": (int,),
    "color": (str, NoneType),
    "legibility": (str, NoneType),
}
"""What that of a piece is which a reading is compared with: of another kind it would never be the same."""
OUTLINES = ("top_quad", "outline", "silhouette")
"""Points (x, y) around a piece, where it is said."""
KINDS_IN_WORDS = {int: "a whole number", str: "text", NoneType: "null"}
PICTURES = (".jpg", ".jpeg", ".png")
"""How the names of pictures end, whether or not a label can lie beside."""
FURTHER = re.compile(r"(.+)\.(?:(?:frame|short)\d*|bare)")
"""The name of what else was taken of a picture's scene: see `frame_path`, `short_path` and `bare_path`."""
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

    def bare(self) -> Image:
        """Return the same tray with nothing on it, (h, w, 3) uint8 BGR; raises BadLabels where none was taken."""
        path = bare_path(self.picture)
        if not path.exists():
            raise BadLabels(f"{self.picture}: no picture of its bare tray lies beside it (expected {path.name})")
        return _pixels_of(path)


def short_path(picture: Path, number: int) -> Path:
    """Return where a shorter exposure of a picture's still scene lies, by its number in SHARES."""
    name = "short" if number == 0 else f"short{number + 1}"
    return picture.with_name(f"{picture.stem}.{name}{picture.suffix}")


def bare_path(picture: Path) -> Path:
    """Return where a picture of the same tray lies that was taken before anything lay on it."""
    return picture.with_name(f"{picture.stem}.bare{picture.suffix}")


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
    Raises BadLabels for a label that is not JSON, names no family, leaves out what is NEEDED of a piece or says it in
    another kind than TOLD, and where there is none.
    """
    found = [Sample(label.stem, picture, _truth_of(label)) for label, picture in _labels(folder)]
    odd = [sample.truth.get("index", k) % 2 == 1 for k, sample in enumerate(found)]
    chosen = [sample for sample, is_odd in zip(found, odd, strict=True) if half == "all" or is_odd == (half == "odd")]
    chosen = [sample for sample in chosen if not families or sample.truth["family"] in families]
    if not chosen:
        of = f" of {', '.join(families)}" if families else ""
        raise BadLabels(f"{folder}: no labelled pictures{of} (expected NAME.jpg or NAME.png with NAME.json beside it)")
    return chosen


def unlabelled(folder: Path) -> int:
    """Return how many pictures below a folder `find_samples` knows nothing of: none of a label, nor further frames."""
    used = {picture for _, picture in _labels(folder)}
    named = {picture.with_suffix("") for picture in used}
    others = (path for path in folder.rglob("*") if path.suffix.lower() in PICTURES and path not in used)
    return sum(_first_of(path.with_suffix("")) not in named for path in others if path.is_file())


def _first_of(named: Path) -> Path | None:
    """Return whose frame or shorter exposure a picture without its ending is by its name; None where it is none."""
    further = FURTHER.fullmatch(named.name)
    return named.with_name(further[1]) if further else None


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
    if not _are_numbers(said) or len(said) != numbers:
        raise BadLabels(f"{where} has {place} {said!r:.40} (expected {COUNTS[numbers]} numbers)")


def _check_told(piece: dict[str, Any], where: str) -> None:
    """Raise BadLabels unless what is said of a piece, and a reading compared with, is of its kind."""
    for name, kinds in TOLD.items():
        if name in piece and type(piece[name]) not in kinds:  # True is no number here
            words = " or ".join(KINDS_IN_WORDS[kind] for kind in kinds)
            raise BadLabels(f"{where} has {name} {piece[name]!r:.40} (expected {words})")
    if piece.get("label", SYMBOLS[0]) not in SYMBOLS:
        raise BadLabels(f"{where} has label {piece['label']!r:.40} (expected one of {' '.join(SYMBOLS)})")
    if piece.get("row") is not None and piece.get("grid_col") is None:
        raise BadLabels(f"{where} has grid_col None (expected a whole number, as it has a row)")
    for name in OUTLINES:
        if piece.get(name) and not _are_points(piece[name]):
            raise BadLabels(f"{where} has {name} {piece[name]!r:.40} (expected points of two numbers)")


def _are_points(said: Any) -> bool:
    return isinstance(said, list) and all(_are_numbers(point) and len(point) == 2 for point in said)


def _are_numbers(said: Any) -> bool:
    return isinstance(said, list) and all(type(n) in (int, float) and isfinite(n) for n in said)


def _truth_of(label: Path) -> dict[str, Any]:
    truth = read_json(label)
    if not isinstance(truth, dict) or "family" not in truth:
        raise BadLabels(f"{label}: a label is an object with a family")
    for key, wanted in KINDS.items():
        if not isinstance(truth.get(key, wanted()), wanted):
            raise BadLabels(f"{label}: {key} is {truth[key]!r:.40} (expected {wanted.__name__})")
    for flag in FLAGS:
        if type(truth.get(flag, True)) is not bool:
            raise BadLabels(f"{label}: {flag} is {truth[flag]!r:.40} (expected true or false)")
    for tag in truth.get("tags", ()):
        if not isinstance(tag, str):
            raise BadLabels(f"{label}: tags hold {tag!r:.40} (expected text)")
    for kind, names in NEEDED.items():
        for k, piece in enumerate(truth.get(kind, ())):
            check_piece(piece, f"{label}: {kind}[{k}]", needed=names, place="center", numbers=2)
            _check_told(piece, f"{label}: {kind}[{k}]")
    return truth
