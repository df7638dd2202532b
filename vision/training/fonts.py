"""Glyph sets from the fonts of Debian packages, named here; render with Pillow, keep what looks like digits."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.drawing.glyphs import GlyphSet, built_in, crop

PACKAGES: tuple[str, ...] = tuple((Path(__file__).parent / "fonts.txt").read_text(encoding="utf-8").split())
"""Debian packages with fonts: `apt-get install --no-install-recommends $(cat vision/training/fonts.txt)`."""
PIXELS = 150
"""Size at which glyphs are rendered."""
TEXT = "0123456789#"


@dataclass(frozen=True)
class Face:
    """One font file as glyph masks."""

    family: str
    """Package it comes from: fonts of one package are alike and stay on one side of the split."""
    file: str
    glyphs: GlyphSet


def font_files() -> Iterator[tuple[str, Path]]:
    """Yield (package, file) of every installed font of the named packages, sorted."""
    for package in PACKAGES:
        listing = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True, check=False).stdout
        files = sorted({Path(line) for line in listing.splitlines() if line.endswith((".ttf", ".otf"))})
        yield from ((package, f) for f in files if f.is_file() and not f.is_symlink())


def _render(font: ImageFont.FreeTypeFont, text: str) -> np.ndarray:
    image = Image.new("L", (PIXELS * 3, PIXELS * 3), 0)
    ImageDraw.Draw(image).text((PIXELS, PIXELS // 2), text, fill=255, font=font)
    return crop(np.asarray(image))


def _shape(mask: np.ndarray) -> np.ndarray:
    import cv2

    small = cv2.resize(mask, (24, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.6), dtype=np.float32)
    return np.asarray((soft - soft.mean()) / (soft.std() + 1e-3))


def glyphs_of(file: Path) -> GlyphSet | None:
    """Return the glyphs of a font, or None where its digits are missing, alike or no digits at all."""
    try:
        font = ImageFont.truetype(str(file), PIXELS)
        glyphs = {c: _render(font, c) for c in TEXT}
        missing = _render(font, "\uffff")
    except (OSError, ValueError):
        return None
    if any(min(m.shape) < 6 or (m.shape == missing.shape and (m == missing).all()) for m in glyphs.values()):
        return None
    heights = [glyphs[c].shape[0] for c in TEXT[:10]]
    if min(heights) < 40 or max(heights) > 1.7 * min(heights):
        return None
    return glyphs if _reads_as_digits(glyphs) else None


def _reads_as_digits(glyphs: GlyphSet) -> bool:
    """Tell whether each digit is nearer to the same plain digit than chance: weeds out symbols and other scripts."""
    plain = [{c: _shape(m) for c, m in built_in(w).items()} for w in (0.1, 0.18)]
    shapes = {c: _shape(glyphs[c]) for c in TEXT[:10]}
    hits, likeness = 0, []
    for c, shape in shapes.items():
        scores = {d: max(float((p[d] * shape).mean()) for p in plain) for d in TEXT[:10]}
        ranked = sorted(scores, key=lambda d: -scores[d])
        hits += c in ranked[:3]
        likeness.append(scores[c])
    return hits >= 8 and float(np.mean(likeness)) > 0.42


def held_out(family: str) -> bool:
    """Tell whether a package's fonts are kept for validation (one in eight, by a hash of its name)."""
    return int(hashlib.sha256(family.encode()).hexdigest(), 16) % 8 == 0


def load_faces(*, per_package: int = 10, seed: int = 0) -> list[Face]:
    """Return up to `per_package` usable faces of every installed package, and drawn strokes of our own.

    Packages are looked through side by side, by as many processes as there are processors.
    """
    rng = np.random.default_rng(seed)
    by_package: dict[str, list[Path]] = {}
    for package, file in font_files():
        by_package.setdefault(package, []).append(file)
    jobs = [(name, [files[k] for k in rng.permutation(len(files))], per_package) for name, files in by_package.items()]
    with get_context("spawn").Pool() as pool:
        faces = [face for found in pool.map(_faces_of, jobs, chunksize=1) for face in found]
    faces += [Face("built-in", f"{w}-{s}", built_in(w, s)) for w in (0.09, 0.13, 0.17, 0.22) for s in (0.0, 0.12, 0.22)]
    return faces


def _faces_of(job: tuple[str, list[Path], int]) -> list[Face]:
    """Return the first usable faces of a package, its files and how many at most."""
    package, files, most = job
    usable = ((file, glyphs_of(file)) for file in files)
    return list(islice((Face(package, file.name, glyphs) for file, glyphs in usable if glyphs is not None), most))
