"""Folders of pictures with labels, as `vision.evaluate` reads them: in which fonts, and how they are written."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.glyphs import GlyphSet
from vision.drawing.stage import Drawn
from vision.errors import BadScene, VisionError
from vision.options import at_least
from vision.trials.labelled import bare_path, frame_path, short_path

PER_PACKAGE = 4
"""Fonts taken of each package."""
Job = TypeVar("Job")
Font = TypeVar("Font")


def parser_for(command: str, about: str | None, *, families: Sequence[str], scenes: int) -> argparse.ArgumentParser:
    """Return the options that all commands have which make a folder; scenes: how many pictures as a rule."""
    parser = argparse.ArgumentParser(prog=command, description=about)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=at_least(1), default=scenes)
    parser.add_argument("--family", default=",".join(families), help="several with commas, taken in turn")
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--fonts", choices=("check", "train", "none"), default="check")
    parser.add_argument("--jobs", type=at_least(1), default=2)
    return parser


def with_short(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the option of those commands that know how much light there is."""
    parser.add_argument("--short", action="store_true", help="also shorter exposures of each, for evaluate --short")
    return parser


def missing(
    options: argparse.Namespace, families: Sequence[str], fonts: Sequence[Font], *, digits: int, first: int = 0
) -> Iterator[tuple[str, int, tuple[Font, ...]]]:
    """Yield family, number and font of the pictures that are not in the folder yet, the families in turn.

    options: of `parser_for`. fonts: what a font is to whoever draws; none of them, none given. digits: of the number
    in a name. first: number of the first picture of each family.
    """
    count = dict.fromkeys(families, first)
    for k in range(options.scenes):
        family = families[k % len(families)]
        index = count[family]
        count[family] += 1
        if not (options.out / family / f"{family}_{index:0{digits}d}.json").is_file():
            yield family, index, (fonts[(options.seed * 31 + k * 7919) % len(fonts)],) if fonts else ()


def in_fonts(
    options: argparse.Namespace, checked: Callable[[str], str], *, digits: int
) -> list[tuple[str, int, int, tuple[Path, ...], Path]]:
    """Return family, seed, number, font's file or none, and folder of the pictures that are not there yet.

    options: of `parser_for`. checked: returns a family, or raises BadScene. digits: of the number in a name. Raises
    BadScene as `font_paths`, too.
    """
    return jobs_of(
        options, checked, lambda: [path for path, _ in font_paths(options.fonts, seed=options.seed)], digits=digits
    )


def jobs_of(
    options: argparse.Namespace,
    checked: Callable[[str], str],
    fonts_of: Callable[[], Sequence[Font]],
    *,
    digits: int,
) -> list[tuple[str, int, int, tuple[Font, ...], Path]]:
    """Return the same of any fonts, as `missing` has them; they are asked for once the families are known to be."""
    families = [checked(family) for family in options.family.split(",")]
    return [
        (family, options.seed, index, few, options.out)
        for family, index, few in missing(options, families, fonts_of(), digits=digits)
    ]


def make_all(make: Callable[[Job], str], jobs: Sequence[Job], *, processes: int) -> None:
    """Make all pictures, in processes of their own, and tell standard error how far they are."""
    with get_context("spawn").Pool(processes) as pool:
        for done, name in enumerate(pool.imap_unordered(make, jobs), 1):
            print(f"\r{done}/{len(jobs)} {name}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def made(make: Callable[[Job], str], jobs: Callable[[], Sequence[Job]], *, processes: int) -> int:
    """Make all pictures; return the exit status, 2 with one sentence where `jobs` or making raises VisionError."""
    try:
        make_all(make, jobs(), processes=processes)
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


def fonts(kind: str, *, seed: int) -> list[GlyphSet]:
    """Return glyph sets: "check" those of held-out packages, "train" the others, "none" an empty list.

    Raises BadScene as `font_paths`.
    """
    return [glyphs for _, glyphs in font_paths(kind, seed=seed)]


def font_paths(kind: str, *, seed: int) -> list[tuple[Path, GlyphSet]]:
    """Return the same with the files they are rendered from.

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
    found: list[tuple[Path, GlyphSet]] = []
    for files in by_package.values():
        rendered = ((files[int(k)], glyphs_of(files[int(k)])) for k in rng.permutation(len(files)))
        found += islice(((file, glyphs) for file, glyphs in rendered if glyphs is not None), PER_PACKAGE)
    if not found:
        raise BadScene("no font packages of vision/training/fonts.txt are installed; --fonts none does without")
    return found


def _write(path: Path, picture_bgr: NDArray[np.uint8]) -> None:
    path.write_bytes(cv2.imencode(path.suffix, picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes())


def save(drawn: Drawn, folder: Path, name: str, *, split: str = "traced") -> Path:
    """Write NAME.jpg and NAME.json below folder, what else was taken of the scene beside it; return the picture's path.

    The picture went through its JPEG already; it is kept at a quality that changes it no more than one grey value.
    Raises BadScene where nothing can be written.
    """
    path = folder / f"{name}.jpg"
    label = {"image": path.name, "split": split} | drawn.truth
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate((drawn.picture_bgr, *drawn.later), 1):
            _write(frame_path(path, number), picture)
        for number, picture in enumerate(drawn.shorter):
            _write(short_path(path, number), picture)
        if drawn.bare is not None:
            _write(bare_path(path), drawn.bare)
        # Last: what has its label is not made again.
        path.with_suffix(".json").write_text(json.dumps(label), encoding="utf-8")
    except OSError as problem:
        raise BadScene(f"{path} cannot be written: {problem.strerror}") from None
    return path
