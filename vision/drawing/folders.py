"""Folders of pictures with labels, as `vision.evaluate` reads them: in which fonts, and how they are written."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from vision.drawing.glyphs import GlyphSet
from vision.drawing.stage import Drawn
from vision.errors import BadScene

PER_PACKAGE = 4
"""Fonts taken of each package."""


def fonts(kind: str, *, seed: int) -> list[GlyphSet]:
    """Return glyph sets: "check" those of held-out packages, "train" the others, "none" an empty list.

    Raises BadScene where they are wanted and Pillow or the packages are missing.
    """
    if kind == "none":
        return []
    try:
        from vision.training.fonts import font_files, glyphs_of, held_out
    except ImportError as problem:
        raise BadScene(f"fonts need Pillow ({problem}); --fonts none takes the built-in strokes") from None
    rng = np.random.default_rng(seed)
    by_package: dict[str, list[Path]] = {}
    for package, file in font_files():
        if held_out(package) == (kind == "check"):
            by_package.setdefault(package, []).append(file)
    found: list[GlyphSet] = []
    for files in by_package.values():
        usable = (glyphs_of(files[int(k)]) for k in rng.permutation(len(files)))
        found += islice((glyphs for glyphs in usable if glyphs is not None), PER_PACKAGE)
    if not found:
        raise BadScene("no font packages of vision/training/fonts.txt are installed; --fonts none does without")
    return found


def save(drawn: Drawn, folder: Path, name: str, *, split: str = "traced") -> Path:
    """Write NAME.jpg and NAME.json below folder and return the picture's path.

    The picture went through its JPEG already; it is kept at a quality that changes it no more than one grey value.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jpg"
    cv2.imwrite(str(path), drawn.picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, 98])
    label = {"image": path.name, "split": split} | drawn.truth
    path.with_suffix(".json").write_text(json.dumps(label), encoding="utf-8")
    return path
