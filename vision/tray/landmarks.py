"""What lies around a tray's corners in one picture, found again in the next: a bump shows without markers.

Whatever the camera sees there serves: the felt's own corner, its rim, the grain of the table. A piece of picture around
each corner is kept and looked for nearby by its normalised correlation, which a lamp that grows or fades does not
change. A corner around which everything looks alike, or alike somewhere else nearby, tells nothing and is not asked.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadCorners, TurnedCorners
from vision.geometry import Floats, Quad, quad, sides, turns
from vision.layout import TRAY_MM

Grey = NDArray[np.uint8]

AROUND_MM = 14.0
"""Half the side of the piece that is kept around a corner."""
LEAST_PX, MOST_PX = 12, 40
"""The same in pixels: fewer show too little, more cost time and show no more."""
SOUGHT_MM = 25.0
"""A corner that moved further is not looked for: the tray was carried away."""
SMOOTH_PX = 1.0
"""Noise is no landmark (standard deviation of the blur)."""
CONTRAST = 5.0
"""Standard deviation in grey levels below which a piece is plain. Felt and its noise have 1 to 3, an edge to a table
of nearly its own grey 6."""
PLAIN_MM, ALIKE = 5.0, 0.9
"""A piece that looks so much (correlation) like another place further away than this tells nothing of where it is."""
SEEN = 0.75
"""Correlation from which a landmark is taken to be seen again."""
FEWEST = 3
"""Landmarks without which nobody can tell where the tray is: any two fit some shift, turn and stretch exactly."""
OFF_MM = 1.2
"""Landmarks that moved together lie this near to where a plain shift and turn of the tray lays them."""
STRETCH = 0.02
"""By how much a bump may make the tray look larger or smaller."""


@dataclass(frozen=True, slots=True, eq=False)
class Landmark:
    """A piece of picture around one corner."""

    corner: int
    """0..3, clockwise from the tray's top left."""
    left_top: tuple[int, int]
    """Where it lay, in the frame's pixels."""
    grey: Grey


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """Four corners of a tray in a picture, and what shows where they are."""

    corners: Quad
    """TL TR BR BL of the felt, in pixels of a frame of that size."""
    picture_wh: tuple[int, int]
    pieces: tuple[Landmark, ...] = ()
    """Only those that would show a bump."""

    @classmethod
    def of(cls, picture_bgr: NDArray[np.uint8], corners: Sequence[tuple[float, float]]) -> Landmarks:
        """Return the landmarks around four corners, TL TR BR BL; raise BadCorners for what is no tray in it."""
        high, wide = picture_bgr.shape[:2]
        checked = checked_corners(corners, picture_wh=(wide, high))
        pieces = (_landmark(picture_bgr, n, checked) for n in range(4))
        return cls(quad(checked), (wide, high), tuple(piece for piece in pieces if piece is not None))

    @property
    def watched(self) -> bool:
        """Whether enough lies around the corners to show a bump."""
        return len(self.pieces) >= FEWEST

    def follow(self, picture_bgr: NDArray[np.uint8]) -> Floats | None:
        """Return (4, 2) the corners in another picture of this camera; None where they cannot be said to be.

        Where nothing would show a bump, they are where they were.
        """
        high, wide = picture_bgr.shape[:2]
        if (wide, high) != self.picture_wh:
            return None
        corners = np.array(self.corners)
        if not self.watched:
            return corners
        scale = px_per_mm(corners)
        found = [(p.corner, shift) for p in self.pieces if (shift := _shift(picture_bgr, p, scale)) is not None]
        # The table's own grain beside a corner stays where it is when the tray moves: one of four may be mistaken.
        while len(found) >= FEWEST:
            then = corners[[n for n, _ in found]]
            now = then + [shift for _, shift in found]
            moved = _moved_together(then, now)
            if moved is None:
                return None
            off = np.linalg.norm(_at(then, moved) - now, axis=1)
            if off.max() <= OFF_MM * scale:
                return _at(corners, moved)
            # One of them is covered, and something else looks a little like it.
            found.pop(int(off.argmax()))
        return None

    def as_json(self) -> dict[str, Any]:
        """Return what `from_json` takes; the pieces as PNG, a few kB each."""
        pieces = [
            {
                "corner": piece.corner,
                "at": list(piece.left_top),
                "png": base64.b64encode(cv2.imencode(".png", piece.grey)[1].tobytes()).decode("ascii"),
            }
            for piece in self.pieces
        ]
        return {"corners": [list(p) for p in self.corners], "size": list(self.picture_wh), "landmarks": pieces}

    @classmethod
    def from_json(cls, data: Any) -> Landmarks:
        """Return the landmarks that `as_json` told; raise BadCorners for anything else."""
        try:
            wide, high = (int(n) for n in data["size"])
            corners = checked_corners([(float(x), float(y)) for x, y in data["corners"]], picture_wh=(wide, high))
            pieces = tuple(_told(piece, (wide, high)) for piece in data["landmarks"])
            if len({piece.corner for piece in pieces}) < len(pieces):
                raise ValueError("two of one corner")
        except (KeyError, TypeError, ValueError, IndexError, OverflowError, cv2.error):
            raise BadCorners("these are no corners of a tray with their landmarks (expected what was kept)") from None
        return cls(quad(corners), (wide, high), pieces)


def checked_corners(corners: Sequence[Any], *, picture_wh: tuple[int, int]) -> Floats:
    """Return (4, 2) corners of a convex tray within a picture, TL TR BR BL; raise BadCorners.

    Of those that are turned by a quarter, the tray's short side first, it is TurnedCorners.
    """
    if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
        raise BadCorners(f"a tray has four corners (x, y), got {len(corners)} points")
    points = np.array(corners, dtype=np.float64)
    wide, high = picture_wh
    if not np.isfinite(points).all() or points.min() < -0.5 or (points > (wide - 0.5, high - 0.5)).any():
        raise BadCorners(f"a tray's corners lie in the picture of {wide} x {high}, got {_said(points)}")
    if (turns(points) <= 0).any() or sides(points).min() < LEAST_SIDE * max(picture_wh):
        raise BadCorners(f"the corners {_said(points)} span no tray (expected top left first, then clockwise)")
    if (ratio := _long_to_short(points)) < TURNED:
        raise TurnedCorners(
            f"the corners {_said(points)} are a tray's turned by a quarter: the side from the first to the second is"
            f" {ratio:.2f} times as long as the next (expected the tray's top left corner first, then along its long"
            " side)"
        )
    return points


LEAST_SIDE = 0.08
"""Shortest side of a tray over the picture's longer one: a smaller one shows no symbols."""
TURNED = 0.9
"""Sides along over sides across (means), below which corners begin at the wrong one. A tray's are 360 to 260 mm, 1.38;
seen from 40 cm up, aslant by 35 degrees and 13 cm beside the middle still 1.03, and turned by a quarter the inverse."""


def px_per_mm(corners: Floats) -> float:
    """Return the mean number of pixels in a millimetre along the edges of a felt (4, 2)."""
    return float(sides(corners).sum() / (2 * sum(TRAY_MM)))


def _long_to_short(points: Floats) -> float:
    """Return how much longer a tray's sides along it are than those across, as they look in the picture."""
    along, across, along_too, across_too = sides(points)
    return float((along + along_too) / (across + across_too))


def _said(points: Floats) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)


def _told(piece: Mapping[str, Any], picture_wh: tuple[int, int]) -> Landmark:
    grey = cv2.imdecode(np.frombuffer(base64.b64decode(piece["png"]), dtype=np.uint8), cv2.IMREAD_GRAYSCALE)
    if grey is None:
        raise ValueError("no PNG")
    x, y, corner = int(piece["at"][0]), int(piece["at"][1]), int(piece["corner"])
    beyond = x < 0 or y < 0 or x + grey.shape[1] > picture_wh[0] or y + grey.shape[0] > picture_wh[1]
    if corner not in range(4) or beyond:
        raise ValueError("no corner of this picture")
    return Landmark(corner, (x, y), np.asarray(grey, dtype=np.uint8))


def _landmark(picture_bgr: NDArray[np.uint8], number: int, corners: Floats) -> Landmark | None:
    """Return what lies around one corner; None where it would not show a bump."""
    high, wide = picture_bgr.shape[:2]
    scale = px_per_mm(corners)
    reach = int(np.clip(round(AROUND_MM * scale), LEAST_PX, MOST_PX))
    x, y = (round(float(v)) for v in corners[number])
    left, top, right, low = max(0, x - reach), max(0, y - reach), min(wide, x + reach + 1), min(high, y + reach + 1)
    if right - left < 2 * LEAST_PX or low - top < 2 * LEAST_PX:
        return None
    piece = Landmark(number, (left, top), _grey(picture_bgr[top:low, left:right]))
    if piece.grey.std() < CONTRAST:
        return None
    scores, origin = _scores(picture_bgr, piece, scale)
    down, across = np.indices(scores.shape)
    far = np.hypot(across - origin[0], down - origin[1]) > max(PLAIN_MM * scale, 3.0)
    # Else it lies in the picture's corner, or looks like its neighbourhood.
    return piece if far.any() and scores[far].max() < ALIKE else None


def _grey(window_bgr: NDArray[np.uint8]) -> Grey:
    grey = cv2.cvtColor(window_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SMOOTH_PX), dtype=np.uint8)


def _scores(picture_bgr: NDArray[np.uint8], piece: Landmark, scale: float) -> tuple[Floats, tuple[int, int]]:
    """Return the correlation in each place nearby, and where in it the piece lay."""
    high, wide = picture_bgr.shape[:2]
    (x, y), (h, w), reach = piece.left_top, piece.grey.shape, max(4, round(SOUGHT_MM * scale))
    left, top, right, low = max(0, x - reach), max(0, y - reach), min(wide, x + w + reach), min(high, y + h + reach)
    found = cv2.matchTemplate(_grey(picture_bgr[top:low, left:right]), piece.grey, cv2.TM_CCOEFF_NORMED)
    return np.nan_to_num(found.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0), (x - left, y - top)


def _shift(picture_bgr: NDArray[np.uint8], piece: Landmark, scale: float) -> tuple[float, float] | None:
    """Return by how many pixels (x, y) a landmark has moved; None where it is not seen."""
    scores, (x0, y0) = _scores(picture_bgr, piece, scale)
    y, x = (int(v) for v in np.unravel_index(int(scores.argmax()), scores.shape))
    if scores[y, x] < SEEN:
        return None
    return x + _summit(scores[y], x) - x0, y + _summit(scores[:, x], y) - y0


def _summit(scores: Floats, at: int) -> float:
    """Return by which part of a pixel the parabola through three scores has its summit beside the middle one."""
    if not 0 < at < len(scores) - 1:
        return 0.0
    before, here, after = (float(scores[at + n]) for n in (-1, 0, 1))
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))


def _moved_together(then: Floats, now: Floats) -> Floats | None:
    """Return (2, 3) the shift, turn and stretch that fits points (n, 2) best; None where they were stretched apart."""
    old, new = (points @ (1, 1j) for points in (then, now))
    away = old - old.mean()
    factor = np.vdot(away, new - new.mean()) / np.vdot(away, away).real
    if abs(abs(factor) - 1) > STRETCH:
        return None
    shift = new.mean() - factor * old.mean()
    return np.array([[factor.real, -factor.imag, shift.real], [factor.imag, factor.real, shift.imag]])


def _at(points: Floats, moved: Floats) -> Floats:
    return np.asarray(points @ moved[:, :2].T + moved[:, 2], dtype=np.float64)
