"""Fit the weights by which the tiles of one tray are compared: `python -m vision.training.fit_kin`.

Needs the fonts of the Debian packages in fonts.txt and Pillow, but no PyTorch. Trays are drawn in the fonts that no net
was trained on; half of them fit, the others check. What it prints belongs into `vision.crops.kin`, whenever
symbols.onnx was trained anew: the weights speak of its features.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from multiprocessing import get_context
from typing import Any

import numpy as np
from tqdm import tqdm

from vision.crops import kin
from vision.crops.symbols import Symbols
from vision.eyes import shipped_eyes
from vision.geometry import Floats, Ints
from vision.infer import FLOOR
from vision.layout import Expectation
from vision.options import at_least
from vision.reader import read
from vision.reading import SYMBOLS
from vision.training.fonts import Face, held_out, load_faces
from vision.training.newton import descend
from vision.training.trays import draw_one
from vision.tray.rectify import Image

ALONE = np.array([1.0, 0.0, 0.0, 0.0])
"""The weights with which a tile is what the net says of it."""
NET_HELD = 200.0
"""So strongly the net's own share is held near one, as a penalty in nats on the square of what it is off by."""
PLAIN_TRUTH = 0.85
"""A tile less visible than this teaches nothing."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Tiles of one tray or of many: what speaks for each symbol, and the truth."""

    terms: Floats
    """(n, 12, 4) as `vision.crops.kin.terms` gives them."""
    truth: Ints
    """(n,) index into SYMBOLS."""
    unreadable: Floats
    """(n,) how likely nothing can be read on the tile, as the net says."""


def log_loss(weights: Floats, seen: Seen) -> float:
    """Return the mean of -log p(truth), with p as `vision.infer.soften` makes it: any symbol where nothing is read."""
    readable, blind = _shares(weights, seen)
    return -float(np.log(readable + blind).mean())


def fit(seen: Seen, *, rounds: int = 12) -> Floats:
    """Return the four weights, (4,), with which the truth is likeliest.

    By expectation and maximisation: a tile that was likelier misread for its pixels than for its weights counts less.
    """
    weights = ALONE
    for _ in range(rounds):
        readable, blind = _shares(weights, seen)
        weights = _newton(seen, weights, readable / (readable + blind))
    return weights


def _newton(seen: Seen, weights: Floats, count: Floats) -> Floats:
    """Return the weights that fit best where each tile counts as (n,) `count` says; the loss is convex."""
    held = np.array([NET_HELD, 0.1, 0.1, 0.1])
    at = np.arange(len(seen.truth))

    def price(weights: Floats) -> float:
        return -float(count @ _log_p(weights, seen)[at, seen.truth]) + float(held @ (weights - ALONE) ** 2) / 2

    def bends(weights: Floats) -> tuple[Floats, Floats]:
        p = np.exp(_log_p(weights, seen))
        mean = np.einsum("ns,nsk->nk", p, seen.terms)
        slope = count @ (mean - seen.terms[at, seen.truth]) + held * (weights - ALONE)
        bend = np.einsum("n,ns,nsk,nsl->kl", count, p, seen.terms, seen.terms) - (count * mean.T) @ mean
        return slope, bend + np.diag(held)

    return descend(weights, price, bends, steps=50, enough=1e-7)


def _shares(weights: Floats, seen: Seen) -> tuple[Floats, Floats]:
    """Return the probabilities (n,) that a tile was read and shows its truth, and that it was not read and does."""
    unreadable = np.clip(seen.unreadable, FLOOR, 1.0)
    p = np.exp(_log_p(weights, seen))[np.arange(len(seen.truth)), seen.truth]
    return (1.0 - unreadable) * p, unreadable / len(SYMBOLS)


def _log_p(weights: Floats, seen: Seen) -> Floats:
    return kin.normalised(seen.terms @ weights)


def seen_on(picture_bgr: Image, truth: Sequence[dict[str, Any]]) -> Seen | None:
    """Return the tiles of a picture as the reader sees them before it compares them, or None where it saw none.

    truth: the labels of its tiles, as the drawing gives them.
    """
    eyes, shown = shipped_eyes(), list[tuple[Floats, Symbols]]()

    def listening(picture: Image, quads_px: Floats) -> Symbols:
        shown.append((np.asarray(quads_px), eyes.look(picture, quads_px)))
        return shown[-1][1]

    read(picture_bgr, expect=Expectation.AUTO, eyes=replace(eyes, look=listening))
    if not shown or len(shown[0][0]) < 2 or shown[0][1].features is None:
        return None
    quads_px, first = shown[0]
    log_probs = kin.look_again(picture_bgr, quads_px, first, eyes.look)
    terms = kin.terms(log_probs, first.features)
    at, symbol = _matched(quads_px.mean(axis=1), truth)
    return Seen(terms[at], symbol, np.asarray(first.p_unreadable, dtype=np.float64)[at])


def _matched(centres_px: Floats, truth: Sequence[dict[str, Any]]) -> tuple[Ints, Ints]:
    """Return which finds are plain tiles of the truth, and what these show."""
    at, symbols = [], []
    for tile in truth:
        quad = np.array(tile["quad"], dtype=np.float64)
        away = np.linalg.norm(centres_px - quad.mean(axis=0), axis=1)
        near = int(away.argmin())
        readable = tile["visible"] >= PLAIN_TRUTH and tile["legibility"] not in ("unreadable", "blank")
        if readable and away[near] < 0.25 * np.linalg.norm(quad[1] - quad[0]):
            at.append(near)
            symbols.append(SYMBOLS.index(tile["label"]))
    return np.array(at, np.int64), np.array(symbols, np.int64)


def _joined(parts: Sequence[Seen]) -> Seen:
    return Seen(*(np.concatenate([getattr(s, f.name) for s in parts]) for f in fields(Seen)))


_faces: list[Face] = []


def _start(faces: list[Face]) -> None:
    import cv2

    cv2.setNumThreads(1)
    _faces.extend(faces)


def _one(job: tuple[int, int]) -> Seen | None:
    seed, k = job
    drawn, _ = draw_one(_faces, np.random.default_rng([seed, k]), kind="layout")
    return seen_on(drawn.picture_bgr, drawn.truth["tiles"])


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, read, fit and print; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.fit_kin", description=__doc__.split("\n")[0])
    parser.add_argument("--trays", type=at_least(2), default=350, help="how many to draw, half of them for the check")
    parser.add_argument("--seed", type=at_least(0), default=352)
    args = parser.parse_args(argv)
    faces = [f for f in load_faces(seed=args.seed) if held_out(f.family)]
    with get_context("spawn").Pool(2, _start, (faces,)) as pool:
        jobs = ((args.seed, k) for k in range(args.trays))
        every = list(tqdm(pool.imap(_one, jobs, chunksize=2), total=args.trays, desc="trays", mininterval=5))
    halves = [[s for s in every[side::2] if s is not None] for side in (0, 1)]
    if not all(halves):
        print("no tray was read: is symbols.onnx the right net?", file=sys.stderr)
        return 2
    ours, others = (_joined(half) for half in halves)
    fitted = fit(ours)
    shipped = np.array([kin.NET, kin.OFFSET, kin.LIKE, kin.STEEP])
    for name, weights in (("net alone", ALONE), ("as shipped", shipped), ("as fitted", fitted)):
        said = ", ".join(f"{w:.3f}" for w in weights)
        print(
            f"{name:10}  NET, OFFSET, LIKE, STEEP = {said}  log loss {log_loss(weights, ours):.5f},"
            f" on the other half {log_loss(weights, others):.5f} ({len(others.truth)} tiles)"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
