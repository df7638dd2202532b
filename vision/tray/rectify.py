"""Where the tray lies: fiducials first, the edge of the felt second; where people have shown its corners, these.

Tray millimetres: x to the right and y down, (0, 0) at the top left inside corner of the felt. The
nominal felt measures 360 x 260 mm; four ArUco markers (DICT_4X4_50, ids 0 1 2 3 clockwise from top
left) lie in its corners, some millimetres in from both edges. They are laid by hand, so the tray is
taken to be as exact as they are: two or three millimetres. Everything that needs to be more exact
(rows, columns) is fitted to the tiles themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadCorners
from vision.geometry import (
    Floats,
    Quad,
    homography,
    homography4,
    inverse,
    quad,
    rectangle,
    sides,
    transform,
    turns,
)
from vision.layout import TRAY_MM
from vision.reading import Point
from vision.tray.edges import find_felt
from vision.tray.fiducials import find_markers, glimpse_markers, glimpse_mirrored, lies_at
from vision.tray.undecoded_markers import seen_where_due

Image = NDArray[np.uint8]
Found = Literal["markers", "edge", "corners"]

LEAST_PX = 64
"""A picture is at least so high and so wide."""
MARKER_MM = 24.0
"""Side of the black square of the markers that `feltside print fiducials` prints."""
INSET_MM = 5.5
"""Gap between the felt's edges and the black square, as people lay them."""
STILL_PX = 1.5
"""A marker that moved by less lies still."""
WORST_FIT_MM = 6.0
"""Markers further than this from their places were moved: the tray is not where they say."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A registration: where the tray lies in the frame. Kept between frames of a fixed camera."""

    homography: tuple[tuple[float, float, float], ...]
    """3 x 3, frame pixels -> tray millimetres."""
    corners: Quad
    """TL TR BR BL of the felt in the frame's pixels."""
    found: Found
    markers: tuple[tuple[int, Quad], ...] = ()
    """Ids seen, ascending, each with its corners in the frame's pixels."""
    size_mm: tuple[float, float] = TRAY_MM
    hidden: tuple[tuple[int, Quad], ...] = ()
    """Ids not seen in this picture, ascending, with where earlier ones showed them: something may lie on them."""
    vague: bool = False
    """Spanned by two markers with nothing else to bear it out: the other side may be some centimetres off."""

    @property
    def matrix(self) -> Floats:
        """Return the homography as a (3, 3) array, frame pixels -> tray millimetres."""
        return np.array(self.homography, dtype=np.float64)

    @property
    def complete(self) -> bool:
        """Return whether all four markers were seen."""
        return len(self.markers) == 4

    def to_mm(self, points_px: Floats) -> Floats:
        """Return (..., 2) frame pixels as tray millimetres."""
        return transform(points_px, self.matrix)

    def to_px(self, points_mm: Floats) -> Floats:
        """Return (..., 2) tray millimetres as frame pixels."""
        return transform(points_mm, inverse(self.matrix))

    def scale(self) -> float:
        """Return the mean number of frame pixels in a millimetre, at the centre of the tray."""
        w, h = self.size_mm
        middle = np.array([[w / 2 - 10, h / 2], [w / 2 + 10, h / 2], [w / 2, h / 2 - 10], [w / 2, h / 2 + 10]])
        p = self.to_px(middle)
        return float((np.linalg.norm(p[1] - p[0]) + np.linalg.norm(p[3] - p[2])) / 40.0)


def find_tray(
    picture_bgr: Image,
    *,
    hint: Tray | None = None,
    like: Tray | None = None,
    size_mm: tuple[float, float] = TRAY_MM,
    shown: Callable[[Image], Floats | None] | None = None,
) -> Tray | None:
    """Return the tray in the picture, or None rather than a guess.

    picture_bgr: (h, w, 3) uint8. hint: a registration of the same camera. Where its markers are still in
    their places, it is the answer at once; where this picture shows too few markers, and those it shows are
    where the hint has them, too, with the others hidden. like: where it lay before, though perhaps no longer: an edge
    does not say which of its corners is the tray's first, and a camera that hangs upside down takes another for it.
    shown: tells where the corners are (4, 2) that people have shown, None where it cannot say; they are taken in place
    of the felt's edge, which then is not looked for. Markers, laid since, are more exact.
    """
    if hint is not None and hint.complete and _still_there(picture_bgr, hint):
        return hint
    felt = cache(lambda: _felt_corners(picture_bgr, size_mm))
    if hint is None or hint.markers:
        markers = find_markers(picture_bgr, felt if shown is None else None)
    else:
        # Somebody may have laid some: a quick look is enough.
        markers = glimpse_markers(picture_bgr, np.array(hint.corners))
    if hint is not None and len(markers) < 4 and _agrees(hint, markers):
        return _with_hidden(hint, markers)
    tray = _spanned(picture_bgr, markers, size_mm)
    if tray is not None and not tray.complete:
        tray = _with_undecoded(picture_bgr, tray)
    if tray is not None and tray.complete:
        return tray
    corners = felt() if shown is None else shown(picture_bgr)
    if tray is not None:
        return tray if corners is None else _borne_out(tray, corners)
    if corners is None:
        return None
    if shown is not None:
        return _tray_from_corners(corners, "corners", size_mm, markers)
    return _tray_from_corners(corners if like is None else _turned_as(corners, like), "edge", size_mm, markers)


def is_mirrored(picture_bgr: Image, found: Tray | None) -> bool:
    """Return whether a picture shows the tray as a mirror does, by two of its markers at least (2 ms).

    As webcams' programs do, or a camera that hangs upside down whose picture was turned over instead of round. found:
    the tray as it was found in it; one with markers is no mirror's.
    """
    if found is not None and (found.markers or found.hidden):
        return False
    felt = None if found is None else np.array(found.corners)
    return _spanned(picture_bgr, glimpse_mirrored(picture_bgr, felt)) is not None


def _spanned(picture_bgr: Image, markers: Mapping[int, Floats], size_mm: tuple[float, float] = TRAY_MM) -> Tray | None:
    """Return the tray that markers of a picture span, see `tray_from_markers`."""
    height, width = picture_bgr.shape[:2]
    return tray_from_markers(markers, picture_wh=(width, height), size_mm=size_mm)


def _with_undecoded(picture_bgr: Image, tray: Tray) -> Tray:
    """Return the tray with those of its markers, too, that nobody decodes but lie where the others say."""
    seen = {number: np.array(corners) for number, corners in tray.markers}
    due = {i: tray.to_px(_nominal(i, MARKER_MM, tray.size_mm)) for i in range(4) if i not in seen}
    more = seen_where_due(picture_bgr, due)
    if not more:
        return tray
    return _spanned(picture_bgr, {**seen, **more}, tray.size_mm) or tray


def _turned_as(corners: Floats, tray: Tray) -> Floats:
    """Return the corners (4, 2) of a felt from that one on that lies nearest to the tray's first.

    Only half round: a quarter more would make its long sides short ones.
    """
    ways = [corners, np.roll(corners, 2, axis=0)]
    return min(ways, key=lambda way: float(np.linalg.norm(way - np.array(tray.corners))))


def _felt_corners(picture_bgr: Image, size_mm: tuple[float, float]) -> Floats | None:
    """Return (4, 2) the felt's corners in pixels, along a long side first; None where none is convincing.

    A tray along the picture's height is looked for where the picture itself stands: a camera may hang turned by a
    quarter. In one that lies, what stands on the table is something else.
    """
    height, width = picture_bgr.shape[:2]
    corners = find_felt(picture_bgr, aspect=size_mm[0] / size_mm[1])
    if corners is not None or height <= width:
        return corners
    corners = find_felt(picture_bgr, aspect=size_mm[1] / size_mm[0])
    return None if corners is None else np.roll(corners, -1, axis=0)


def _borne_out(tray: Tray, corners: Floats) -> Tray:
    """Return the tray that two or three markers span with the felt's corners where markers are missing.

    corners: clockwise, from either end of a long side on; markers tell which one is the tray's first.

    Only where the felt's edge and the markers agree. On 267 traced trays the worst corner is then off by 1.5 mm with
    two markers (median; 95 %: 4.7) and by 1.3 mm with three (3.5), where markers alone have 11 and 3 mm (37 and 8).
    """
    felt, seen = rectangle(tray.size_mm), dict(tray.markers)
    corners = _turned_as(corners, tray)
    by_edge, squares = homography4(corners, felt), {i: _nominal(i, MARKER_MM, tray.size_mm) for i in seen}
    missing = [i for i in range(4) if i not in seen]
    picture, wanted = np.concatenate([np.array(q) for q in seen.values()]), np.concatenate(list(squares.values()))
    if np.linalg.norm(transform(picture, by_edge) - wanted, axis=1).max() > WORST_FIT_MM:
        return tray
    h = homography(np.concatenate([picture, corners[missing]]), np.concatenate([wanted, felt[missing]]))
    if h is None:
        return tray
    return _tray(h, "markers", tray.size_mm, {i: np.array(q) for i, q in seen.items()})


def _still_there(picture_bgr: Image, hint: Tray) -> bool:
    """Return whether all markers of a registration lie where they lay, looking nowhere else (0.8 ms)."""
    height, width = picture_bgr.shape[:2]
    for number, corners in hint.markers:
        points = np.array(corners)
        reach = 0.5 * float(sides(points).max())
        x0, y0 = np.maximum(np.floor(points.min(axis=0) - reach), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(points.max(axis=0) + reach), (width, height)).astype(int)
        if x1 - x0 < 8 or y1 - y0 < 8:
            return False
        window = np.asarray(cv2.cvtColor(picture_bgr[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        if not lies_at(window, number, points - (x0, y0), within_px=STILL_PX):
            return False
    return True


def tray_from_clicks(corners_px: Sequence[Point], *, size_mm: tuple[float, float] = TRAY_MM) -> Tray:
    """Return the tray that four clicked corners span (TL TR BR BL of the felt); raise BadCorners."""
    if len(corners_px) != 4 or any(len(corner) != 2 for corner in corners_px):
        raise BadCorners(f"a tray needs four corners (x, y), got {list(corners_px)}")
    corners = np.array(corners_px, dtype=np.float64)
    if not np.isfinite(corners).all():
        raise BadCorners(f"corners {corners.tolist()} are not all numbers (expected pixels)")
    if (turns(corners) <= 1.0).any():
        raise BadCorners(f"corners {corners.tolist()} are not TL TR BR BL of a convex tray")
    return _tray_from_corners(corners, "corners", size_mm, {})


def tray_shown(picture_bgr: Image, corners_px: Sequence[Point]) -> Tray:
    """Return the tray with the corners (TL TR BR BL of the felt) that people showed in this picture; raise BadCorners.

    Markers that are seen as well say it more exactly, and are then known to be markers.
    """
    tray = tray_from_clicks(corners_px)
    return find_tray(picture_bgr, shown=lambda _: np.array(tray.corners)) or tray


def seen_at(picture_bgr: Image, tray: Tray, at_mm: Floats) -> Image:
    """Return the colours (..., 3) that a picture shows at points (..., 2) of the tray; its edge's beyond it."""
    # In rows as they come: OpenCV's remap takes less than 2**15 of them, and less than as many columns.
    at_px = tray.to_px(at_mm.reshape(-1, 2)).astype(np.float32).reshape(-1, np.atleast_2d(at_mm).shape[-2], 2)
    seen = cv2.remap(picture_bgr, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8).reshape(*at_mm.shape[:-1], 3)


def rectify(picture_bgr: Image, tray: Tray, *, px_per_mm: float, margin_mm: float = 0.0) -> Image:
    """Return the tray seen from straight above: width x height of (size_mm + 2 margins) * px_per_mm.

    A point at millimetre m lies at pixel (m + margin_mm) * px_per_mm - 0.5 (pixel centres at integers).
    """
    w, h = tray.size_mm
    size = (round((w + 2 * margin_mm) * px_per_mm), round((h + 2 * margin_mm) * px_per_mm))
    warp = rectified_from_mm(px_per_mm=px_per_mm, margin_mm=margin_mm) @ tray.matrix
    flags = cv2.INTER_LINEAR
    out: Any = cv2.warpPerspective(picture_bgr, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)


def rectified_from_mm(*, px_per_mm: float, margin_mm: float = 0.0) -> Floats:
    """Return the (3, 3) map from tray millimetres to pixels of the rectified picture."""
    k = margin_mm * px_per_mm - 0.5
    return np.array([[px_per_mm, 0.0, k], [0.0, px_per_mm, k], [0.0, 0.0, 1.0]])


def felt_from_px(corners_px: Quad) -> Floats:
    """Return the (3, 3) map from a picture's pixels to millimetres of the felt with these corners, TL TR BR BL."""
    return homography4(np.array(corners_px), rectangle(TRAY_MM))


def tray_from_markers(
    markers: Mapping[int, Floats], *, picture_wh: tuple[int, int], size_mm: tuple[float, float] = TRAY_MM
) -> Tray | None:
    """Return the tray that the markers span; None with fewer than two, or where they contradict each other.

    markers: id 0..3 -> (4, 2) corners in pixels. Marker sizes other than MARKER_MM are measured from the
    picture when all four are seen, and taken as printed otherwise.
    """
    if len(markers) < 2:
        return None
    ids = sorted(markers)
    picture = np.concatenate([markers[i] for i in ids])
    side = _marker_side(markers, size_mm) if len(markers) == 4 else MARKER_MM
    wanted = np.concatenate([_nominal(i, side, size_mm) for i in ids])
    h = homography(picture, wanted)
    if h is None:
        return None
    residual = np.linalg.norm(transform(picture, h) - wanted, axis=1)
    if residual.max() > WORST_FIT_MM or not _plausible(h, size_mm, picture_wh):
        return None
    return replace(_tray(h, "markers", size_mm, markers), vague=len(markers) == 2)


def _marker_side(markers: Mapping[int, Floats], size_mm: tuple[float, float]) -> float:
    outer = np.array([markers[i][i] for i in range(4)])
    wanted = np.array([_nominal(i, MARKER_MM, size_mm)[i] for i in range(4)])
    h = homography4(outer, wanted)
    return float(np.median([sides(transform(markers[i], h)).mean() for i in range(4)]))


def _nominal(number: int, side: float, size_mm: tuple[float, float]) -> Floats:
    """Return (4, 2) the corners of one marker in tray millimetres, TL TR BR BL."""
    right, low = number in (1, 2), number in (2, 3)
    x = size_mm[0] - INSET_MM - side if right else INSET_MM
    y = size_mm[1] - INSET_MM - side if low else INSET_MM
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def _plausible(h: Floats, size_mm: tuple[float, float], picture_wh: tuple[int, int]) -> bool:
    """Return whether the felt's corners form a sane convex quadrilateral in the picture."""
    try:
        corners = transform(rectangle(size_mm), inverse(h))
    except np.linalg.LinAlgError:
        return False
    length = sides(corners)
    if (turns(corners) <= 0).any() or length.min() < 40:
        return False
    opposite = max(length[0] / length[2], length[2] / length[0], length[1] / length[3], length[3] / length[1])
    low, high = -0.5 * max(picture_wh), 1.5 * max(picture_wh)
    return bool(opposite < 2.0 and corners.min() > low and corners.max() < high)


def _tray_from_corners(
    corners: Floats, found: Found, size_mm: tuple[float, float], markers: Mapping[int, Floats]
) -> Tray:
    h = homography4(corners, rectangle(size_mm))
    return _tray(h, found, size_mm, markers)


def _tray(h: Floats, found: Found, size_mm: tuple[float, float], markers: Mapping[int, Floats]) -> Tray:
    h = h / h[2, 2]
    rows = tuple((float(a), float(b), float(c)) for a, b, c in h)
    corners = transform(rectangle(size_mm), inverse(h))
    seen = tuple((i, quad(markers[i])) for i in sorted(markers))
    return Tray(rows, quad(corners), found, seen, size_mm)


def _with_hidden(hint: Tray, markers: Mapping[int, Floats]) -> Tray:
    """Return the registration with those of its markers as hidden that a picture does not show."""
    known = (*hint.markers, *hint.hidden)
    seen, hidden = ([(i, q) for i, q in known if (i in markers) == there] for there in (True, False))
    return replace(hint, markers=tuple(sorted(seen)), hidden=tuple(sorted(hidden)))


def _agrees(hint: Tray, markers: Mapping[int, Floats]) -> bool:
    before = dict(hint.markers)
    for number, points in markers.items():
        if number in before and np.abs(np.array(before[number]) - points).max() > STILL_PX:
            return False
    return True
