"""Fit the weights by which dice are told to be of one colour: `python -m vision.training.fit_loose_colours FOLDER ...`.

FOLDER holds labelled trays of dice, as `python -m vision.drawing.traced FOLDER --family F` makes them, and
`vision.drawing.browser`, or labelled photographs of dice, of which every other one is left for checks: by one program
alone the weights learn its lamps. They are read, and what their dice show is weighed so that the true way to part them
is the likeliest of all 2,048 (of twelve dice). What it prints belongs into `vision.colour.loose_colours`. Needs nothing
but what the eye needs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.colour import colours, loose_colours
from vision.colour.loose_colours import MOST_AT_ONCE, SURE, Shown, parted, terms
from vision.colour.loose_paint import measure_loose
from vision.dice.photos import read_dice
from vision.dice.reader_loose import feet_of
from vision.errors import VisionError
from vision.geometry import Floats
from vision.ground.white import Papers
from vision.layout import Expectation
from vision.options import one_by_one
from vision.reader import read
from vision.training.labels import labelled_die
from vision.training.newton import descend
from vision.tray.aslant import camera_over
from vision.tray.rectify import find_tray
from vision.trials.evaluate_dice import Label, load_labels, matched, picture_of, with_pips
from vision.trials.labelled import Sample, find_samples
from vision.trials.photographs import kind_of
from vision.trials.scoring import misnamed

HELD = 3e-4
"""What a weight costs, in nats a tray, times the square of what it does to a usual term."""
FOLDS = 5
SIGNS = np.array([-1, -1, -1, 1, 1, -1, -1, -1, -1, -1, -1, 0, 0])
"""Which way each of `vision.colour.loose_colours.terms` may speak; 0 for either."""
LEAST = 1e-6
"""A weight that is less amiss than this is none."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice of one tray: what they show, with their flanks and without, and what colour each is painted."""

    shown: Shown
    tops: Shown
    painted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What speaks for each way to part a tray's dice: (ways, terms), and which is the true one."""

    ways: Floats
    true: int


def tray_of(sample: Sample) -> Tray | None:
    """Return what a labelled picture's dice show, as the reader sees them; None where too few are found.

    Raises BadLabels where it is no picture.
    """
    picture = sample.pixels()
    tray = find_tray(picture)
    if tray is None:
        return None
    dice = read(picture, expect=Expectation.DICE).dice
    labels = [labelled_die(sample, die) for die in dice]
    known = [k for k, label in enumerate(labels) if label is not None]
    if len(known) < 2:
        return None
    tops_px = np.array([dice[k].corners for k in known])
    camera = camera_over(tray, picture_wh=(picture.shape[1], picture.shape[0]))
    whole, tops = (measure_loose(picture, tops_px, feet) for feet in (feet_of(tops_px, tray, camera), None))
    white = Papers.of(picture, tray).white()
    white = colours.white_without_paper(tops.paint, loose=True) if white is None else white
    return Tray(
        whole.shown(white), tops.shown(white), tuple(str(label["color"]) for label in labels if label is not None)
    )


def photo_of(folder: Path, label: Label) -> Tray | None:
    """Return what the dice of a labelled photograph show, by their tops; None where too few are found."""
    picture, dice = picture_of(folder, label), with_pips(label)
    found = read_dice(picture).dice
    pairs = matched(found, dice)
    if len(pairs) < 2:
        return None
    all_of_it = measure_loose(picture, np.array([die.corners for die in found]))
    white = colours.white_without_paper(all_of_it.paint, loose=True)
    shown = measure_loose(picture, np.array([found[n].corners for _, n in pairs])).shown(white)
    return Tray(shown, shown, tuple(str(dice[k]["colour"]) for k, _ in pairs))


def trays_in(folder: Path, without: Sequence[str] = ()) -> list[Tray]:
    """Return what teaches in a folder; says on standard error how far it is.

    without: beginnings of the names of photographs that do not.
    """
    if kind_of(folder) == "dice":
        photos = load_labels(folder)
        several = [one for one in photos[::2] if len(one["dice"]) > 1 and not one["file"].startswith(tuple(without))]
        seen = (photo_of(folder, label) for label in one_by_one(several, "photographs"))
    else:
        samples = [sample for sample in find_samples(folder) if sample.truth.get("dice")]
        seen = (tray_of(sample) for sample in one_by_one(samples, "trays"))
    return [tray for tray in seen if tray is not None]


def lessons_of(trays: Sequence[Tray]) -> list[Lesson]:
    """Return what trays teach: nothing with more than two colours, or too many dice.

    Each twice, as not every picture shows where dice stand.
    """
    out = []
    for tray in trays:
        n = len(tray.painted)
        if n > MOST_AT_ONCE or len(set(tray.painted)) > 2:
            continue
        second, pairs = loose_colours.ways(n)
        true = np.array([colour != tray.painted[0] for colour in tray.painted])
        at, two = int((second == true).all(axis=1).argmax()), np.triu_indices(n, 1)
        out += [Lesson(pairs @ terms(shown)[two], at) for shown in (tray.shown, tray.tops)]
    return out


def fit(lessons: Sequence[Lesson]) -> Floats:
    """Return the weights with which the true ways are likeliest, of those that leave steps their meaning.

    A step from die to die speaks against one colour, and one that a lamp may have made speaks less against it: weights
    that would have it otherwise are left out, those first that would most, and the others fitted again.
    """
    kept = np.arange(lessons[0].ways.shape[1])
    while True:
        weights = np.zeros(lessons[0].ways.shape[1])
        weights[kept] = _newton([Lesson(one.ways[:, kept], one.true) for one in lessons])
        amiss = np.flatnonzero(weights * SIGNS < -LEAST)
        if len(amiss) == 0:
            return weights
        worst = amiss[np.argsort(-np.abs(weights[amiss]), kind="stable")]
        kept = np.setdiff1d(kept, worst[: max(1, len(worst) // 2)])


def _newton(lessons: Sequence[Lesson]) -> Floats:
    """Return the weights with which the true ways are likeliest: the loss is convex."""
    held = HELD * _usual(lessons) ** 2

    def price(weights: Floats) -> float:
        return log_loss(weights, lessons) + float(held @ weights**2)

    def bends(weights: Floats) -> tuple[Floats, Floats]:
        slope, bend = 2 * held * weights, np.diag(2 * held)
        for lesson in lessons:
            chance = _chances(weights, lesson)
            mean = chance @ lesson.ways
            slope += (mean - lesson.ways[lesson.true]) / len(lessons)
            bend += ((chance * lesson.ways.T) @ lesson.ways - np.outer(mean, mean)) / len(lessons)
        return slope, bend + 1e-9 * np.eye(len(held))

    return descend(np.zeros(len(held)), price, bends, steps=40, enough=1e-6)


def _usual(lessons: Sequence[Lesson]) -> Floats:
    """Return (terms,) how much terms differ from pair to pair: a way's sum over its pairs, over the root of these."""
    spread = [lesson.ways.std(axis=0) / np.sqrt(max(1.0, lesson.ways[:, -1].max())) for lesson in lessons]
    return np.maximum(2.0 * np.mean(spread, axis=0), 1e-3)


def log_loss(weights: Floats, lessons: Sequence[Lesson]) -> float:
    """Return the mean of -log p(the true way)."""
    return -float(np.mean([np.log(max(_chances(weights, one)[one.true], 1e-12)) for one in lessons]))


def _chances(weights: Floats, lesson: Lesson) -> Floats:
    score = lesson.ways @ weights
    chance = np.exp(score - score.max())
    return np.asarray(chance / chance.sum())


def figures(weights: Floats, trays: Sequence[Tray]) -> tuple[int, int, int, int]:
    """Return how many dice there are, with the wrong ones, in doubt, and with the wrong ones without a doubt."""
    dice = wrong = doubtful = silent = 0
    for tray in trays:
        group, likely = parted(tray.shown, weights)
        amiss = np.array(misnamed(list(zip(tray.painted, map(str, group.tolist()), strict=True))))
        dice, wrong = dice + len(amiss), wrong + int(amiss.sum())
        doubtful, silent = doubtful + int((likely < SURE).sum()), silent + int((amiss & (likely >= SURE)).sum())
    return dice, wrong, doubtful, silent


def _said(name: str, counts: Sequence[int]) -> str:
    dice, wrong, doubtful, silent = counts
    return f"{name}: {dice} dice, {wrong} with the wrong ones, {doubtful} in doubt, {silent} wrong without a doubt"


def main(argv: Sequence[str] | None = None) -> int:
    """Read, fit and print; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training.fit_loose_colours", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "folders", type=Path, nargs="+", metavar="FOLDER", help="labelled trays, or photographs, of dice"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME",
        help="leave out photographs whose file begins so: their labels call two colours one",
    )  # fmt: skip
    args = parser.parse_args(argv)
    missing = [folder for folder in args.folders if not folder.is_dir()]
    if missing:
        print(f"fit_loose_colours: {missing[0]} is no folder (expected labelled trays or photographs)", file=sys.stderr)
        return 2
    try:
        trays = [tray for folder in args.folders for tray in trays_in(folder, args.without)]
    except VisionError as problem:
        print(f"fit_loose_colours: {problem}", file=sys.stderr)
        return 2
    if len(trays) < FOLDS:
        print(f"fit_loose_colours: {len(trays)} trays with two dice and more (expected {FOLDS})", file=sys.stderr)
        return 2
    apart = [figures(fit(lessons_of(_others(trays, fold))), trays[fold::FOLDS]) for fold in range(FOLDS)]
    print(_said("as shipped", figures(loose_colours.WEIGHTS, trays)))
    print(_said(f"fitted, by those of {FOLDS} parts that others fitted", np.sum(apart, axis=0).tolist()))
    lessons = lessons_of(trays)
    weights = fit(lessons)
    print(
        f"WEIGHTS, log loss {log_loss(weights, lessons):.4f}: {np.array2string(weights, separator=', ', precision=3)}"
    )
    return 0


def _others(trays: Sequence[Tray], fold: int) -> list[Tray]:
    return [tray for k, tray in enumerate(trays) if k % FOLDS != fold]


if __name__ == "__main__":
    sys.exit(main())
