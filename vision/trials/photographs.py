"""Which photographs a folder holds: of dice, of tiles, of boards, by what its labels.json lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from vision.errors import BadLabels
from vision.trials.labelled import read_json

Kind = Literal["dice", "tiles", "boards"]
LABELS = "labels.json"
LISTS: dict[Kind, tuple[str, ...]] = {
    "dice": ("dice",),
    "tiles": ("tiles", "rows"),
    "boards": ("kind", "sequence", "hand_in_view"),
}
"""What every photograph of a kind is listed with: one of these."""


def labels_of(path: Path) -> list[dict[str, Any]]:
    """Return the photographs that a file lists; raise BadLabels for another form."""
    found = read_json(path)
    if not isinstance(found, list):
        raise BadLabels(f"{path}: labels are a list of objects, got a {type(found).__name__}")
    for k, label in enumerate(found):
        if not isinstance(label, dict) or not isinstance(label.get("file"), str):
            raise BadLabels(f"{path}: photograph {k} does not say its file")
    return found


def kind_of(folder: Path) -> Kind | None:
    """Return what a folder's labels.json lists; None without one, or where it lists something else.

    Raises BadLabels for a file that is not JSON.
    """
    path = folder / LABELS
    found = read_json(path) if path.is_file() else None
    labels = found if isinstance(found, list) and all(isinstance(label, dict) for label in found) else []
    for kind, names in LISTS.items():
        if labels and all(any(name in label for name in names) for label in labels):
            return kind
    return None


def folders_of(folder: Path) -> dict[Path, Kind]:
    """Return a folder of photographs, or those right in it, with what each holds; none where they are trays of ours."""
    if (kind := kind_of(folder)) is not None:
        return {folder: kind}
    below = {part: kind_of(part) for part in sorted(folder.iterdir()) if part.is_dir()}
    return {part: kind for part, kind in below.items() if kind is not None}
