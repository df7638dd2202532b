"""What the daily enemies do to the eye: `python -m vision.evaluate_faults FOLDER [--fault NAME]`.

Reads each labelled picture of a folder (the form of `python -m vision.evaluate`) once as it is and once with each
fault done to it: hard and soft shadows, dim, bright, warm and cold light, veils of light, defocus, motion, noise,
JPEG. Pieces stay where they are, so the labels hold. Prints a table by fault; --list names what was not read right.
Progress goes to standard error. Exit status 1 if any picture was silently wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.reel import blurred
from vision.errors import BadLabels, VisionError
from vision.evaluate import Sample, find_samples
from vision.options import say_progress
from vision.paint import GAMMA, as_seen, linear
from vision.reader import read
from vision.reading import Status
from vision.rectify import Image
from vision.scoring import Score, expectation_of, score, wilson

Fault = Callable[[Image, np.random.Generator], Image]
"""A picture and chance -> the picture with the fault; where it lies and how it points is left to chance."""
BAR = 0.06
"""Half the width of the shadow of an arm or a stand, over the picture's."""


def shaded(picture: Image, rng: np.random.Generator, *, light: float, soft: float, half: float | None = None) -> Image:
    """Return the picture with a straight shadow that leaves a share of the light.

    soft: how wide its edge is, over the picture's width. half: half the width of a bar, likewise; None for a shadow
    that covers all on one side.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / np.float32(w)
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.1, 0.1)
    far = (x - 0.5 - off) * np.cos(turn) + (y - 0.5 * h / w) * np.sin(turn)
    if half is not None:
        far = np.abs(far) - half
    left = light + (1 - light) * _rising(far / (0.25 * soft))
    return _in_light(picture, left[..., None])


def lit(picture: Image, rng: np.random.Generator, *, bgr: tuple[float, float, float]) -> Image:
    """Return the picture in so much light of each colour, blown out where that is too much."""
    return _in_light(picture, np.array(bgr))


def veiled(
    picture: Image, rng: np.random.Generator, *, light: float, wide: float, bgr: tuple[float, float, float]
) -> Image:
    """Return the picture with light added in one place, as by a window or a lamp that is mirrored in the lens.

    light: what is added in its middle, over that of full white; wide: standard deviation, over the picture's width;
    bgr: its colour.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / np.float32(w)
    u, v = 0.5 + rng.uniform(-0.2, 0.2), 0.5 * h / w + rng.uniform(-0.15, 0.15)
    spot = light * np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * wide**2))
    seen = linear(picture.astype(np.float64)) + spot[..., None] * np.array(bgr)
    return _picture(as_seen(np.clip(seen, 0, 1)))


def defocused(picture: Image, rng: np.random.Generator, *, sigma: float) -> Image:
    """Return the picture out of focus; sigma: over its width."""
    return blurred(sigma * picture.shape[1])(picture)


def smeared(picture: Image, rng: np.random.Generator, *, length: float) -> Image:
    """Return the picture moved while it was taken; length: over its width, in any direction."""
    size = max(3, round(length * picture.shape[1]) | 1)
    turn, middle = rng.uniform(0, np.pi), size // 2
    ends = [middle + sign * middle * np.array([np.cos(turn), np.sin(turn)]) for sign in (-1, 1)]
    kernel = np.zeros((size, size), np.float32)
    a, b = ((round(float(x)), round(float(y))) for x, y in ends)
    cv2.line(kernel, a, b, (1.0,))
    return _picture(cv2.filter2D(picture, -1, kernel / kernel.sum()))


def dripped(picture: Image, rng: np.random.Generator, *, drops: int, wide: tuple[float, float]) -> Image:
    """Return the picture through drops on the lens: round places in which all is smeared until no edge is left.

    wide: least and most radius of a drop, over the picture's width. They lie in the middle part, where the tray is.
    """
    h, w = picture.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    out = picture.astype(np.float32)
    for _ in range(drops):
        radius = rng.uniform(*wide) * w
        u, v = rng.uniform(0.2, 0.8) * w, rng.uniform(0.25, 0.75) * h
        smear = cv2.GaussianBlur(picture, (0, 0), 0.45 * radius).astype(np.float32)
        inside = _rising((radius - np.hypot(x - u, y - v)) / (0.08 * radius))
        out += inside[..., None] * (smear - out)
    return _picture(out)


def noisy(picture: Image, rng: np.random.Generator, *, sigma: float) -> Image:
    """Return the picture with noise of so many grey values in every pixel and colour."""
    return _picture(picture + rng.normal(0, sigma, picture.shape))


def squeezed(picture: Image, rng: np.random.Generator, *, quality: int) -> Image:
    """Return the picture after JPEG of a quality, 1 to 100."""
    return _picture(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1))


FAULTS: Mapping[str, Fault] = {
    "as it is": lambda picture, rng: picture,
    "half in soft shadow, 1/2 of the light": partial(shaded, light=0.5, soft=0.05),
    "half in soft shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.05),
    "half in hard shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.005),
    "half in soft shadow, 1/8 of the light": partial(shaded, light=0.125, soft=0.05),
    "a bar of shadow, 1/2 of the light": partial(shaded, light=0.5, soft=0.01, half=BAR),
    "a bar of shadow, 1/4 of the light": partial(shaded, light=0.25, soft=0.01, half=BAR),
    "dim, 1/8 of the light": partial(lit, bgr=(0.125, 0.125, 0.125)),
    "bright, 2 times the light": partial(lit, bgr=(2.0, 2.0, 2.0)),
    "warm light": partial(lit, bgr=(0.5, 0.9, 1.1)),
    "cold light": partial(lit, bgr=(1.2, 1.0, 0.6)),
    "a veil of light, 1/20 of white": partial(veiled, light=0.05, wide=0.08, bgr=(1.0, 1.0, 1.0)),
    "a veil of light, 1/7 of white": partial(veiled, light=0.15, wide=0.08, bgr=(1.0, 1.0, 1.0)),
    "a warm veil, 1/10 of white": partial(veiled, light=0.1, wide=0.05, bgr=(0.5, 0.8, 1.0)),
    "defocused, 1/1000 of the width": partial(defocused, sigma=0.001),
    "defocused, 2/1000 of the width": partial(defocused, sigma=0.002),
    "moved, 5/1000 of the width": partial(smeared, length=0.005),
    "moved, 10/1000 of the width": partial(smeared, length=0.01),
    "four drops on the lens": partial(dripped, drops=4, wide=(0.015, 0.03)),
    "noise of 10 grey values": partial(noisy, sigma=10.0),
    "noise of 25 grey values": partial(noisy, sigma=25.0),
    "JPEG of quality 30": partial(squeezed, quality=30),
    "JPEG of quality 12": partial(squeezed, quality=12),
}
"""What is done to each picture, from the daily to the absurd."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One labelled picture, read with one fault."""

    fault: str
    name: str
    score: Score


def run(
    samples: Sequence[Sample],
    faults: Sequence[str],
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Tried]:
    """Return every sample read with every fault. Raises BadLabels for a picture that is none."""
    out = []
    for fault in faults:
        for sample in samples:
            picture = cv2.imread(str(sample.picture))
            if picture is None:
                raise BadLabels(f"{sample.picture}: not a picture")
            rng = np.random.default_rng(crc32(f"{fault} {sample.name}".encode()))
            reading = read(FAULTS[fault](_picture(picture), rng), expect=expectation_of(sample.truth))
            out.append(Tried(fault, sample.name, score(reading, sample.truth)))
            progress(len(out), len(samples) * len(faults))
    return out


def table(tried: Sequence[Tried]) -> str:
    """Return the figures by fault as text."""
    lines = [f"{'':40}{'n':>4} {'right at first (95 %)':>24} {'read':>5} {'unsure':>6} {'waits':>6} {'WRONG':>6}"]
    for fault in dict.fromkeys(t.fault for t in tried):
        scores = [t.score for t in tried if t.fault == fault]
        right = sum(s.right for s in scores)
        low, high = wilson(right, len(scores))
        share = f"{right}/{len(scores)} {100 * low:5.1f}-{100 * high:5.1f} %"
        each = [s.status for s in scores]
        waits = len(each) - each.count(Status.READ) - each.count(Status.UNSURE)
        lines.append(
            f"{fault:40}{len(scores):4d} {share:>24} {each.count(Status.READ):5d} {each.count(Status.UNSURE):6d} "
            f"{waits:6d} {sum(s.silently_wrong for s in scores):6d}"
        )
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Read a labelled folder with every fault and print the figures; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate_faults", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fault", action="append", choices=list(FAULTS), metavar="NAME", help="only these")
    parser.add_argument("--family", action="append", help="only these families")
    parser.add_argument("--list", action="store_true", help="name what was not read right")
    options = parser.parse_args(argv)
    if not options.folder.is_dir():
        print(f"{options.folder}: no such folder", file=sys.stderr)
        return 2
    try:
        samples = find_samples(options.folder, families=options.family)
        if not samples:
            print(f"{options.folder}: no labelled picture (expected NAME.jpg beside NAME.json)", file=sys.stderr)
            return 2
        started = time.monotonic()
        tried = run(samples, options.fault or list(FAULTS), progress=partial(say_progress, "readings"))
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.list:
        for t in (t for t in tried if not t.score.right):
            mark = "SILENT" if t.score.silently_wrong else t.score.status.value
            print(f"{t.name:12} {mark:8} {t.fault}: {'; '.join(t.score.wrong[:4])}")
    print(table(tried))
    print(f"{len(tried)} readings in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 1 if any(t.score.silently_wrong for t in tried) else 0


def _rising(x: NDArray[Any]) -> NDArray[Any]:
    """Return a soft step: from 0 far below 0 to 1 far above."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -50, 50))))


def _in_light(picture: Image, light: NDArray[Any]) -> Image:
    """Return the picture with another share of light in each pixel or colour, as the sensor's curve shows it."""
    return _picture(picture * light ** (1 / GAMMA))


def _picture(values: Any) -> Image:
    return np.asarray(np.clip(values, 0, 255), dtype=np.uint8)


if __name__ == "__main__":
    sys.exit(main())
