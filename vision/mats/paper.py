"""A mat seen from above: how bright its bare paper is everywhere, and where its print is to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.channels import least, most, threefold
from vision.geometry import Floats
from vision.layout import TRAY_MM
from vision.mats.mat import Mat
from vision.tray.rectify import Image, Tray, rectify

PX_PER_MM = 2.0
SHIFTS_PX = 3
"""How far paper that does not lie flat may move the print, pixels of the view from above."""
FIELD_STEP = 4
NOISE = 0.02
"""Of the logarithm of a grey value, at the least: where nothing shows, noise is not to look like print."""
PLAIN = 0.75
"""Likeness from which a figure is certainly the print."""
FLOOR = 6.0
"""Added to grey values before their logarithm: below lies noise."""
WASHED = 250
"""From this grey value on in all colours the camera cannot tell how bright it is."""
Grid = NDArray[np.float32]
LOGARITHMS: Grid = np.log(np.arange(256, dtype=np.float32) + np.float32(FLOOR))
"""(256,) of each grey value. Not to be changed in place."""
LOGARITHMS.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """The print as it should look from above."""

    ink: Grid
    """(h, w) logarithm of what the ink leaves of the light, 0 on bare paper."""
    bare: NDArray[np.bool_]
    """Where paper is bare, some way from all ink and letters."""


@lru_cache(maxsize=4)
def proof_of(mat: Mat) -> Proof:
    """Return the proof of a mat; worked out once."""
    plain, full = (_scaled(grey) for grey in (mat.print_grey, mat.words_grey))
    ink = cv2.GaussianBlur(np.log((plain.astype(np.float32) + 12.0) / 267.0), (0, 0), 0.6)
    inked = ((plain < 250) | (full < 250)).astype(np.uint8)
    bare = cv2.dilate(inked, np.ones((5, 5), np.uint8)) == 0
    rim = round(3 * PX_PER_MM)
    bare[:rim], bare[-rim:], bare[:, :rim], bare[:, -rim:] = False, False, False, False
    return Proof(np.asarray(ink, dtype=np.float32), np.asarray(bare))


def _scaled(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    size = round(TRAY_MM[0] * PX_PER_MM), round(TRAY_MM[1] * PX_PER_MM)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Paper:
    """A mat in one picture, from above at PX_PER_MM."""

    seen: Grid
    """(h, w) logarithm of the brightness."""
    change: Grid
    """(h, w, 3) logarithm of the picture over the paper with its print in this light: 0 where the mat is bare."""
    proof: Proof
    washed: NDArray[np.bool_]
    """(h, w) brighter than the camera can tell."""
    dimmed: Grid
    """(h, w) the same for all colours together."""
    tint: Grid
    """(h, w) by how much the colour differs most that differs most from that."""


def look_at_paper(picture_bgr: Image, tray: Tray, mat: Mat) -> Paper:
    """Return the mat from above, and how the picture differs from it."""
    proof = proof_of(mat)
    flat = rectify(picture_bgr, tray, px_per_mm=PX_PER_MM)
    light: Grid = np.asarray(cv2.LUT(flat, LOGARITHMS))
    field = _grown(_light_fit(light, proof), light.shape[:2])
    seen: Grid = np.asarray(cv2.LUT(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), LOGARITHMS))
    change = np.asarray(light - field - threefold(proof.ink))
    dimmed = np.asarray(cv2.transform(change, np.full((1, 3), 1 / 3)), dtype=np.float32)
    tint = most(np.abs(change - threefold(dimmed)))
    return Paper(seen, change, proof, least(flat) >= WASHED, dimmed, tint)


def _grown(fit: Grid, shape: tuple[int, ...]) -> Grid:
    """Return the light everywhere, worked out at some points and grown between them."""
    terms = _terms(shape)[::FIELD_STEP, ::FIELD_STEP]
    return np.asarray(cv2.resize(terms @ fit, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))


@lru_cache(maxsize=8)
def _terms(shape: tuple[int, ...]) -> Grid:
    """Return (h, w, 6) how light changes over a mat: a quadratic."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(shape[1])
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)


def _light_fit(light: Grid, proof: Proof) -> Grid:
    """Return (6, 3) the light on the paper: what lies there is left out, and so are shadows, as far as may be."""
    on = proof.bare[::FIELD_STEP, ::FIELD_STEP]
    a, b = _terms(light.shape[:2])[::FIELD_STEP, ::FIELD_STEP][on], light[::FIELD_STEP, ::FIELD_STEP][on]
    # Paper is what is brightest all around: begin with the brighter half, then take what agrees with it.
    level = b.mean(axis=1)
    keep = level >= np.quantile(level, 0.4)
    fit = np.zeros((a.shape[1], 3), np.float32)
    for _ in range(6):
        inner = a[keep].T @ a[keep] + np.eye(a.shape[1], dtype=np.float32) * np.float32(1e-3)
        fit = np.linalg.solve(inner, a[keep].T @ b[keep]).astype(np.float32)
        off = most(np.abs(b - a @ fit))
        before, keep = keep, off < max(0.06, 2.5 * float(np.median(off[keep])))
        if keep.sum() < 60 or np.array_equal(keep, before):  # from here on all stays as it is
            break
    return fit


@dataclass(frozen=True, slots=True)
class Seen:
    """How well the print shows in some windows; arrays of one length."""

    gain: Floats
    """Contrast of the print as seen over that of the proof: 1 bare, 0 covered."""
    likeness: Floats
    """Correlation with the proof, -1..1."""
    shift_px: Floats
    """(n, 2) where in the view from above the print was found, beside where it should be."""


def print_seen(
    paper: Paper, middles_mm: Floats, *, half_mm: float, reach_px: int = SHIFTS_PX, start_px: Floats | None = None
) -> tuple[Seen, Seen]:
    """Return how the print shows in squares around points (n, 2), at the best of small shifts: as it is, and evened.

    start_px: (n, 2) where to look first; None for where the print should be. Evened is without what light changes
    across a square, as beside a lamp's image.
    """
    n = len(middles_mm)
    start = np.zeros((n, 2)) if start_px is None else np.round(start_px)
    if n == 0:
        nothing = Seen(np.zeros(0), np.zeros(0), start)
        return nothing, nothing
    reach = range(-reach_px, reach_px + 1)
    shifts = [start + (dx, dy) for dy in reach for dx in reach]
    ink = paper.proof.ink[windows(paper, middles_mm, half_mm=half_mm)].reshape(n, -1)
    there = (windows(paper, middles_mm, half_mm=half_mm, shift_px=shift) for shift in shifts)
    seen = [paper.seen[window].reshape(n, -1) for window in there]
    return _at_best(seen, shifts, ink, evened=False), _at_best(seen, shifts, ink, evened=True)


def _at_best(seen: Sequence[Grid], shifts: Sequence[Floats], ink: Grid, *, evened: bool) -> Seen:
    """Return how the print, of ink (n, pixels), shows in what is seen at some shifts: where that is most like it."""
    wanted = _freed(ink, evened)
    power = np.maximum(np.einsum("ij,ij->i", wanted, wanted), 1e-6)
    best, gain, at = np.full(len(wanted), -1.0), np.zeros(len(wanted)), shifts[len(shifts) // 2].copy()
    for squares, shift in zip(seen, shifts, strict=True):
        part = _freed(squares, evened)
        cross = np.einsum("ij,ij->i", part, wanted)
        spread = np.einsum("ij,ij->i", part, part) + part.shape[1] * NOISE**2
        like = cross / np.sqrt(power * spread)
        better = like > best
        best, gain = np.where(better, like, best), np.where(better, cross / power, gain)
        at[better] = shift[better]
    return Seen(np.asarray(gain, dtype=np.float64), np.asarray(best, dtype=np.float64), at)


def _freed(squares: Grid, evened: bool) -> Grid:
    """Return (n, pixels) squares without their mean; evened: without a quadratic across each."""
    trend = _trend(squares.shape[1], evened)
    return np.asarray(squares - squares @ trend.T @ trend, dtype=np.float32)


@lru_cache(maxsize=8)
def _trend(pixels: int, evened: bool) -> Grid:
    """Return (k, pixels) what is taken out of a square window, orthonormal: its mean, or a quadratic."""
    side = round(pixels**0.5)
    terms = _terms((side, side)).reshape(pixels, -1)[:, : None if evened else 1]
    return np.asarray(np.linalg.qr(terms.astype(np.float64))[0].T, dtype=np.float32)


def windows(
    paper: Paper, middles_mm: Floats, *, half_mm: float, shift_px: Floats | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows (n, m, 1) and columns (n, 1, m) of squares around points (n, 2), shifted by so many pixels.

    shift_px: (n, 2) whole numbers; None for no shift. Beyond the paper its border goes on.
    """
    half = max(2, round(half_mm * PX_PER_MM))
    at = np.round(middles_mm * PX_PER_MM - 0.5).astype(np.int64)
    if shift_px is not None:
        at = at + np.round(shift_px).astype(np.int64)
    h, w = paper.seen.shape
    reach = np.arange(-half, half + 1)
    rows = np.clip(at[:, 1, None] + reach, 0, h - 1)[:, :, None]
    columns = np.clip(at[:, 0, None] + reach, 0, w - 1)[:, None, :]
    return rows, columns


def smooth_shift(seen: Seen, at_mm: Floats, wanted_mm: Floats) -> Floats:
    """Return (m, 2) how far the print is shifted at other points, from where it was seen plainly."""
    plain = seen.likeness > PLAIN
    if plain.sum() < 3:
        return np.zeros((len(wanted_mm), 2))
    if plain.sum() < 8:
        return np.tile(np.median(seen.shift_px[plain], axis=0), (len(wanted_mm), 1))

    def terms(points: Floats) -> Floats:
        x, y = points.T / 360.0
        return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=1)

    a = terms(at_mm[plain])
    fit = np.linalg.solve(a.T @ a + 1e-2 * np.eye(a.shape[1]), a.T @ seen.shift_px[plain])
    return np.clip(terms(wanted_mm) @ fit, -SHIFTS_PX, SHIFTS_PX)
