"""Where the pieces lie: a small net over the rectified picture finds tiles, dice, disks and hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.crops.nets import MODELS, evened, outputs
from vision.errors import BadPicture
from vision.geometry import Bools

Array = np.ndarray[Any, np.dtype[Any]]

KINDS: tuple[str, ...] = ("tile", "die", "disk")
"""What the net can tell apart, in the order of `Pieces.kind`."""
MODEL = MODELS / "pieces.onnx"
PX_PER_MM = 1.0
"""Scale of the net's own picture."""
LOOSE_MODEL = MODELS / "loose.onnx"
LOOSE_PX_PER_MM = 1.5
"""Scale of the picture of the net for dice and disks: a die of 12 mm that touches another is small."""
STRIDE = 4
SIZE_MM = 25.0
"""Sizes are learnt as the logarithm of their ratio to this."""
SCORE = 0.3
"""Peaks below are not reported."""
PLAINLY = 0.65
"""What was found less plainly than this is looked at from its other sides, too."""
SIDES = ((-1, -1), (1, -1), (-1, 1))
"""Steps along rows and columns of a picture turned by 180 degrees, and mirrored either way: where the net sees
something that is not there, it seldom sees it again. Of 216 traced trays with dice or disks, 17 false finds above 0.4
became 4, and as many true ones stay below as did before (8 and 7 of 1,593)."""
WINDOW, AROUND = 40, 7
"""Cells of STRIDE pixels: so wide a part of the picture, in the middle of it what was not plainly found, is looked at
again, and up to so many cells from there the looks count. All of the picture is looked at where that is no more: a tray
of dice is read as well with either, and with windows in half of the time."""
FAINT = 0.2
"""What was found from one side stays found, but no plainer than this: a missed piece is worse than a question."""
HARDLY, HARDLY_LOOSE = 0.03, 0.12
"""Peaks below are nothing at all; of the net for dice and disks, which has a hundred such on a tray."""
NEVER = -30.0
"""A logit of what is not looked for."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces found in one rectified picture; arrays of one length n, best score first."""

    kind: Array
    """(n,) int64, index into KINDS."""
    centre_px: Array
    """(n, 2) float32 x, y in the rectified picture: middle of a tile's four virtual corners, of a die's top
    face, of a disk."""
    size_px: Array
    """(n, 2) float32 width, height along the piece's own axes."""
    angle_deg: Array
    """(n,) float32, counter-clockwise as seen: tiles -90..90 (0 = upright), dice -45..45, disks 0."""
    score: Array
    """(n,) float32, 0..1."""
    hand: Array
    """(h / 8, w / 8) float32: probability that a hand or another foreign body covers this part of the picture."""
    rival: Array | None = None
    """(n,) float32, 0..1: how well a die was found where a disk was found better, or a disk where a die was; None where
    nobody says."""
    faint: Pieces | None = None
    """What was found less well than was asked for, down to HARDLY or HARDLY_LOOSE, and at first no nearer to any other
    find than half a piece; None where nobody says. Like `hand` it is of the whole picture."""

    def quads_px(self) -> Array:
        """Return the four corners TL TR BR BL of each piece, (n, 4, 2) float32 in the rectified picture."""
        a = np.radians(self.angle_deg)
        across = np.stack([np.cos(a), -np.sin(a)], 1) * self.size_px[:, :1] / 2
        up = np.stack([-np.sin(a), -np.cos(a)], 1) * self.size_px[:, 1:] / 2
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        return np.stack([self.centre_px + s * across + t * up for s, t in signs], 1).astype(np.float32)

    def plainly(self, least: float) -> Array:
        """Return (n,) which pieces were found with this score; where none was, the best one."""
        return np.asarray(self.score >= min(least, float(self.score.max(initial=0.0))))

    def of(self, kind: str) -> Pieces:
        """Return only the pieces of one kind; raises ValueError for an unknown one."""
        return self.only(self.are(kind))

    def are(self, kind: str) -> Bools:
        """Return (n,) which pieces are of one kind; raises ValueError for an unknown one."""
        return np.asarray(self.kind == KINDS.index(kind))

    def only(self, keep: Array) -> Pieces:
        """Return the pieces of a mask (n,) or of indices."""
        rival = None if self.rival is None else self.rival[keep]
        return Pieces(
            self.kind[keep], self.centre_px[keep], self.size_px[keep], self.angle_deg[keep], self.score[keep],
            self.hand, rival, self.faint,
        )  # fmt: skip

    def and_(self, others: Pieces) -> Pieces:
        """Return these pieces and others of the same picture after them; hand and faint as they are here."""
        return Pieces(
            np.concatenate([self.kind, others.kind]),
            np.concatenate([self.centre_px, others.centre_px]),
            np.concatenate([self.size_px, others.size_px]),
            np.concatenate([self.angle_deg, others.angle_deg]),
            np.concatenate([self.score, others.score]),
            self.hand,
            np.concatenate([np.zeros(len(p.kind), np.float32) if p.rival is None else p.rival for p in (self, others)]),
            self.faint,
        )

    def lead(self) -> Array:
        """Return (n,) by how much each was found better than its rival, as a difference of logits; inf without one."""
        if self.rival is None:
            return np.full(len(self.kind), np.inf)
        return np.asarray(_logit(self.score) - _logit(self.rival))


def find_pieces(rectified_bgr: Array, *, px_per_mm: float, score: float = SCORE, kind: str | None = None) -> Pieces:
    """Return the pieces in a rectified (top-down) picture.

    rectified_bgr: (h, w, 3) uint8 at px_per_mm pixels a millimetre; a scale wrong by a quarter is no harm.
    kind: look for this one of KINDS only (a die that shows a one looks much like a disk); None for all.
    Raises BadPicture for another array, BadModel when the shipped model is missing. Not for two threads at once.
    """
    return _found(rectified_bgr, MODEL, px_per_mm, PX_PER_MM, score, kind, least=HARDLY)


def find_loose(rectified_bgr: Array, *, px_per_mm: float, score: float = SCORE, kind: str | None = None) -> Pieces:
    """Return the dice and disks (and tiles beside them) in a rectified picture, by the net that knows these best.

    As `find_pieces`, with a finer picture (LOOSE_PX_PER_MM) and without hands (`hand` is 0 everywhere). A third
    longer for each thing that is found less plainly than PLAINLY; what is faint is so at first sight.
    """
    return _found(rectified_bgr, LOOSE_MODEL, px_per_mm, LOOSE_PX_PER_MM, score, kind, sides=SIDES, least=HARDLY_LOOSE)


def _found(
    rectified_bgr: Array,
    model: Path,
    px_per_mm: float,
    net_px_per_mm: float,
    score: float,
    kind: str | None,
    sides: Sequence[tuple[int, int]] = (),
    least: float | None = None,
) -> Pieces:
    """Return the pieces.

    sides: looked at from these as well, where something was not plainly found. least: as `decode` has it.
    """
    if rectified_bgr.ndim != 3 or rectified_bgr.shape[2] != 3 or rectified_bgr.dtype != np.uint8:
        raise BadPicture(f"expected a uint8 picture (h, w, 3), got {rectified_bgr.dtype} {rectified_bgr.shape}")
    blob, scale = net_input(rectified_bgr, px_per_mm=px_per_mm, net_px_per_mm=net_px_per_mm)
    out = _maps(model, blob)
    if kind is not None:
        out[[k for k in range(len(KINDS)) if k != KINDS.index(kind)]] = NEVER
    found = decode(out, scale=scale, score=score, px_per_mm=net_px_per_mm, least=least)
    doubtful = found.score < PLAINLY
    if not sides or not doubtful.any():
        return found
    cells = np.round((found.centre_px[doubtful] + 0.5) / scale / STRIDE - 0.5).astype(int)
    again = decode(_seen_closely(model, blob, out, cells, sides), scale=scale, score=score, px_per_mm=net_px_per_mm)
    return replace(again, faint=found.faint)


def _seen_closely(model: Path, blob: Array, out: Array, cells: Array, sides: Sequence[tuple[int, int]]) -> Array:
    """Return the maps of a picture, seen from its other sides as well around some cells (n, 2), column and row."""
    if len(cells) * WINDOW**2 > out[0].size:
        return _from_all_sides(model, blob, out, sides)
    together = out.copy()
    for column, row in cells.tolist():
        rows, columns = _window(row, out.shape[1]), _window(column, out.shape[2])
        part = blob[:, :, STRIDE * rows.start : STRIDE * rows.stop, STRIDE * columns.start : STRIDE * columns.stop]
        seen = _from_all_sides(model, part, out[:, rows, columns], sides)
        y, x = np.mgrid[rows, columns]
        near = (np.abs(y - row) <= AROUND) & (np.abs(x - column) <= AROUND)
        together[:, rows, columns] = np.where(near, seen, together[:, rows, columns])
    return together


def _from_all_sides(model: Path, blob: Array, first: Array, sides: Sequence[tuple[int, int]]) -> Array:
    """Return the maps of a picture, or of a part of one, seen from its other sides as well. first: as seen already."""
    return _weighed([first, *(_turned_back(_maps(model, blob[:, :, ::y, ::x]), y, x) for y, x in sides)])


def _window(middle: int, length: int) -> slice:
    """Return which of so many cells in a row, a multiple of 4, make up the window around one."""
    start = min(max(0, 4 * round((middle - WINDOW / 2) / 4)), max(0, length - WINDOW))
    return slice(start, min(length, start + WINDOW))


def _weighed(seen: Sequence[Array]) -> Array:
    """Return what several looks at one picture say together; what the first found plainly stays as plain."""
    first, together = seen[0][: len(KINDS)], np.mean(seen, axis=0)
    heat = together[: len(KINDS)]
    plain = (first <= NEVER) | (first >= float(_logit(PLAINLY)))
    heat[:] = np.where(plain, first, np.maximum(heat, np.minimum(first, float(_logit(FAINT)))))
    return np.asarray(together, np.float32)


def _turned_back(maps: Array, y: int, x: int) -> Array:
    """Return the nine maps of a picture that was looked at with these steps along rows and columns, as of itself."""
    out = maps[:, ::y, ::x].copy()
    for at, step in ((3, x), (4, y)):
        if step < 0:
            out[at], out[8] = 1.0 - out[at], -out[8]
    return out


def _logit(p: Array | float) -> Array:
    """Return the logits of probabilities, none of them nearer to 0 and 1 than 1e-6."""
    inside = np.clip(np.asarray(p, np.float64), 1e-6, 1.0 - 1e-6)
    return np.asarray(np.log(inside / (1.0 - inside)))


def _maps(model: Path, blob: Array) -> Array:
    """Return what a net makes of its input (1, 3, H, W): (maps, H/4, W/4) float32."""
    return np.asarray(outputs(model, np.ascontiguousarray(blob))[0])


def net_input(rectified_bgr: Array, *, px_per_mm: float, net_px_per_mm: float = PX_PER_MM) -> tuple[Array, Array]:
    """Return the net's input (1, 3, H, W) float32, H and W multiples of 16, and picture px per net px, (2,)."""
    h, w = rectified_bgr.shape[:2]
    size = [max(32, round(n / px_per_mm * net_px_per_mm)) for n in (w, h)]
    small = rectified_bgr
    if (w, h) != (size[0], size[1]):
        area = cv2.INTER_AREA if w > size[0] else cv2.INTER_LINEAR
        small = cv2.resize(rectified_bgr, (size[0], size[1]), interpolation=area)
    pad = [(-n) % 16 for n in size]
    small = cv2.copyMakeBorder(small, 0, pad[1], 0, pad[0], cv2.BORDER_REPLICATE)
    return normalised(small[None]), np.array([w / size[0], h / size[1]], np.float32)


def normalised(pictures_bgr: Array) -> Array:
    """Return (n, 3, h, w) float32: each channel of each picture with mean 0, all with a common spread of about 1."""
    return evened(np.asarray(pictures_bgr), floor=60.0)


def decode(
    out: Array, *, scale: Array, score: float, px_per_mm: float = PX_PER_MM, least: float | None = None
) -> Pieces:
    """Return the pieces in the net's output (10, H/4, W/4): three heat maps, offset, size, angle, hand (logits).

    px_per_mm: of the net's own picture. The net for loose pieces has nine maps, and no hand. least: score down to which
    pieces are reported as faint; None for none.
    """
    if least is None or least >= score:
        return _decoded(out, scale=scale, score=score, px_per_mm=px_per_mm)
    found = _decoded(out, scale=scale, score=least, px_per_mm=px_per_mm)
    plain = found.score > score
    return replace(found.only(plain), faint=found.only(~plain))


def _decoded(out: Array, *, scale: Array, score: float, px_per_mm: float) -> Pieces:
    """Return the same with all that was found better than `score`, best first."""
    heat = 1 / (1 + np.exp(-np.clip(out[:3], -30, 30)))
    peak = np.stack([cv2.dilate(m, np.ones((3, 3), np.uint8)) for m in heat])
    kind, row, column = np.nonzero((heat >= peak) & (heat > score))
    values = heat[kind, row, column]
    order = np.argsort(-values)
    kind, row, column, values = kind[order], row[order], column[order], values[order]
    at = out[3:9, row, column]
    centre = np.stack([column + at[0], row + at[1]], 1) * STRIDE
    size = np.exp(np.clip(at[2:4].T, -2, 2)) * SIZE_MM * px_per_mm
    turn = np.degrees(np.arctan2(at[5], at[4]))
    angle = np.where(kind == 0, turn / 2, np.where(kind == 1, turn / 4, 0.0))
    keep = _apart(centre, np.minimum(size[:, 0], size[:, 1]))
    other = np.stack([np.zeros_like(heat[0]), *(cv2.dilate(heat[k], np.ones((5, 5), np.uint8)) for k in (2, 1))])
    there = out[9] if len(out) > 9 else np.full(out.shape[1:], -30.0, np.float32)
    small = cv2.resize(there, (max(1, out.shape[2] // 2), max(1, out.shape[1] // 2)), interpolation=cv2.INTER_AREA)
    hand = 1 / (1 + np.exp(-np.clip(small, -30, 30)))
    f32 = np.float32
    return Pieces(
        kind[keep],
        (centre[keep] * scale - 0.5).astype(f32),
        (size[keep] * scale).astype(f32),
        angle[keep].astype(f32),
        values[keep].astype(f32),
        hand.astype(f32),
        other[kind, row, column][keep].astype(f32),
    )


def _apart(centre: Array, size: Array) -> Array:
    """Return indices of pieces, best first, of which no two lie nearer than half a piece."""
    (x, y), half = centre.T, 0.5 * np.minimum(size[:, None], size)
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < half * half
    kept, taken = [], np.zeros(len(centre), bool)
    for k in range(len(centre)):
        if not taken[k]:
            kept.append(k)
            taken |= near[k]
    return np.array(kept, dtype=np.int64)
