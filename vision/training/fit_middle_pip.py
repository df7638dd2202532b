"""Fit the weights by which a lamp's image is told from a middle pip: `python -m vision.training.fit_middle_pip FOLDER`.

FOLDER holds labelled trays of dice, as `python -m vision.drawing.traced FOLDER --family F` makes them. Each is read as
it is, and with the image of a lamp painted on each die (`vision.drawing.faults`): threes and fives of the former have a
pip in the middle, twos and fours that are read as such in the latter have none. What it prints belongs into
`vision.crops.middle_pip`, with how many of either are beyond the limit in force. Needs nothing but what the eye needs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from vision.crops.faces import MARGIN, cut_faces
from vision.crops.middle_pip import traits
from vision.dice.loose_doubts import MIRRORED
from vision.drawing.faults import mirrored
from vision.errors import VisionError
from vision.evaluate_faults import pieces_px
from vision.geometry import Floats
from vision.infer import DOUBT_PER_TILE
from vision.layout import Expectation
from vision.options import one_by_one
from vision.reader import read
from vision.training.labels import labelled_die
from vision.training.newton import descend
from vision.tray.rectify import Image
from vision.trials.labelled import Sample, find_samples

HELD = 1e-3
"""What a weight costs, in nats of all dice together, times its square."""


def lessons_of(sample: Sample) -> tuple[list[Floats], list[Floats]]:
    """Return the traits of true middle pips, and of lamps' images that were read as one; raises BadLabels."""
    plain, rng = sample.pixels(), np.random.default_rng(crc32(sample.name.encode()))
    lit = mirrored(plain, rng, pieces_px=pieces_px(sample.truth))
    true = [seen for shows, seen in _middles(plain, sample) if shows in (3, 5)]
    return true, [seen for shows, seen in _middles(lit, sample) if shows in (2, 4)]


def _middles(picture: Image, sample: Sample) -> Iterator[tuple[int, Floats]]:
    """Yield what dice show, and the traits of their middle pips, of those that are read as a three or five."""
    for die in read(picture, expect=Expectation.DICE).dice:
        label = labelled_die(sample, die)
        if label is None or die.value not in (3, 5) or die.confidence < 1 - DOUBT_PER_TILE:
            continue
        (crop,) = cut_faces(picture, np.array([die.corners]))
        seen = traits(crop, die.value, margin=MARGIN)
        if seen is not None:
            yield int(label["value"]), seen


def fit(true: Floats, fake: Floats) -> Floats:
    """Return (5,) bend and weights by which the odds of a fake are likeliest: a logistic regression, half of each.

    true, fake: (n, 4) traits.
    """
    rows = np.concatenate([true, fake])
    known = np.c_[np.ones(len(rows)), rows]
    is_fake = np.repeat([0.0, 1.0], [len(true), len(fake)])
    share = np.repeat([len(rows) / (2 * len(true)), len(rows) / (2 * len(fake))], [len(true), len(fake)])

    def price(weights: Floats) -> float:
        odds = known @ weights
        return float(share @ (np.logaddexp(0.0, odds) - is_fake * odds) + HELD * weights @ weights)

    def bends(weights: Floats) -> tuple[Floats, Floats]:
        chance = 1 / (1 + np.exp(-np.clip(known @ weights, -30, 30)))
        slope = known.T @ (share * (chance - is_fake)) + 2 * HELD * weights
        return slope, (known.T * (share * chance * (1 - chance))) @ known + 2 * HELD * np.eye(len(weights))

    return descend(np.zeros(known.shape[1]), price, bends, steps=100, enough=1e-6)


def main(argv: Sequence[str] | None = None) -> int:
    """Read, fit and print; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.fit_middle_pip", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="labelled trays of dice")
    folder = parser.parse_args(argv).folder
    try:
        samples = [sample for sample in find_samples(folder) if sample.truth.get("dice")]
        lessons = [lessons_of(sample) for sample in one_by_one(samples, "trays")]
    except VisionError as problem:
        print(problem, file=sys.stderr)
        return 2
    true, fake = (np.array([seen for lesson in lessons for seen in lesson[k]]) for k in (0, 1))
    if len(true) == 0 or len(fake) == 0:
        print(f"{folder}: no three or five to learn from (expected trays of dice)", file=sys.stderr)
        return 2
    weights = fit(true, fake)
    beyond = [int((weights[0] + seen @ weights[1:] > MIRRORED).sum()) for seen in (true, fake)]
    print(f"BEND, WEIGHTS = {weights[0]:.2f}, ({', '.join(f'{w:.2f}' for w in weights[1:])})")
    print(f"beyond {MIRRORED:g}: {beyond[0]} of {len(true)} pips, {beyond[1]} of {len(fake)} lamps' images")
    return 0


if __name__ == "__main__":
    sys.exit(main())
