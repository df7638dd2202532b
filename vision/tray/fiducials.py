"""The tray's four printed markers in a picture: ArUco, DICT_4X4_50, ids 0 to 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, across_and_down, area, line_through, sides, where_sides_meet
from vision.tray.marker_print import CELLS, dictionary, marker_cells
from vision.tray.shaded_markers import half_shaded

LEAST_MARKER_PX = 8.0
"""A smaller marker cannot be told from a pattern in the cloth."""
LARGEST, UNEVEN = 1 / 6, 1.6
"""Longest side of a shaded marker, over the picture's shorter side, and over its own shortest."""
LEAST_AROUND = 0.045
"""Way around the smallest marker, over the picture's longer side. Where smaller things count the detector takes cells
of a marker for others, and misses it."""
AT_RIM_PX = 24
"""A felt's edge is known so exactly, and a marker is not seen that has nothing around it."""
LEAST_STEP = 16.0
"""Grey values between the palest black cell and the darkest white one of a marker that is known to lie somewhere."""
REACH, ACROSS, FARTHEST = 0.11, 19, 0.16
"""A marker's edge is sought so far to either side of where it is taken to be, over its side, in so many places; further
than the last no corner is moved. Of 244 markers on traced trays, found in the halved picture, the worst corner is then
off by 0.5 pixels (median; 95 %: 0.9, at most 1.2); by corners alone, of 7 x 7 pixels each, by 0.7 (2.5, 4.8)."""
ALONG = np.linspace(0.12, 0.88, 15)
"""Where on a side, over its length: not at its corners, where two edges blur into each other."""
LEAST_HALVED_PX = 400
"""Pictures whose shorter side is below twice this are searched whole at once."""
ENOUGH_PX = 1280
"""A picture whose longer side is this long several times is shrunk so many times before markers are sought in it:
of a tray that fills half of its width a marker then still has more than 40."""

Felt = Callable[[], Floats | None]
"""Tells where a felt's corners are (4, 2) px, None where it cannot."""

IN_CELLS: Floats = np.arange(CELLS, dtype=np.float64) + 0.5
"""Where the middles of cells are, in cells."""
GLIMPSE_PX = 640
"""A picture's longer side where it is enough to know that markers are there, not where."""


@lru_cache(maxsize=8)
def _detector(quick: bool, least: float = LEAST_AROUND) -> Any:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    parameters.adaptiveThreshWinSizeMin = 13 if quick else 5
    parameters.adaptiveThreshWinSizeMax = 13 if quick else 29
    parameters.adaptiveThreshWinSizeStep = 12
    parameters.minMarkerPerimeterRate = least
    # Cells are read in their middles: in a small marker the edges of its neighbours blur into each.
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    # Half a bit may be wrong in a marker that glare touches; four ids in four corners are check enough.
    parameters.errorCorrectionRate = 0.6
    return cv2.aruco.ArucoDetector(dictionary(), parameters)


def find_markers(picture_bgr: NDArray[np.uint8], felt: Felt | None = None) -> dict[int, Floats]:
    """Return the tray's markers (ids 0..3): each (4, 2) corners TL TR BR BL of its black square.

    felt: tells where a felt's corners are (4, 2) px, None where it cannot.

    Sought in the halved picture with one threshold first, then with several, then in the full picture: the
    next only while markers are missing (2 to 8 ms, 5 to 45 ms, 10 to 100 ms on one core for 1280 x 960; the
    long ones on checked cloths). Where none is seen until then, the full picture is searched only on the felt, if that
    is told: of 1,050 trays without a halved picture that shows four, 443 have none, and two four that are seen later.
    Those that no threshold shows may lie half in a shadow (see `half_shaded`). Larger pictures are shrunk before
    (ENOUGH_PX), and searched as they are, with one threshold, where that shows too few.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    times = max(grey.shape) // ENOUGH_PX
    if times < 2:
        return _sought(grey, felt)
    shrunk = _sought(_shrunk(grey, times), None if felt is None else lambda: _smaller(felt(), times))
    found = {number: _enlarged(grey, corners, times) for number, corners in shrunk.items()}
    if len(found) == 4:
        return found
    # Smaller ones than people should be content with (`pi.watching`), seen from too far away.
    decoded, parted = _seen_on(grey, felt() if felt and not found else None, quick=True)
    return {**parted, **decoded, **found}


def _sought(grey: NDArray[np.uint8], felt: Felt | None) -> dict[int, Floats]:
    """Return the markers of a grey picture, see `find_markers`."""
    found: dict[int, Floats] = {}
    shaded: dict[int, Floats] = {}
    looks = [(2, True), (2, False)] if min(grey.shape) >= 2 * LEAST_HALVED_PX else [(1, True)]
    for times, quick in looks:
        decoded, parted = _seen(grey, times=times, quick=quick)
        found, shaded = {**decoded, **found}, {**shaded, **parted}
        if len(found) == 4:
            return found
    corners = felt() if felt and not (found or shaded) else None
    decoded, parted = _seen_on(grey, corners, quick=False)
    return {**shaded, **parted, **decoded, **found}


def _smaller(corners: Floats | None, times: int) -> Floats | None:
    """Return where corners, if there are any, lie in a picture so many times smaller."""
    return None if corners is None else (corners + 0.5) / times - 0.5


def glimpse_markers(picture_bgr: NDArray[np.uint8], corners_px: Floats) -> dict[int, Floats]:
    """Return what one look with one threshold sees of `find_markers` where a felt is known to lie.

    corners_px: (4, 2) of the felt.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    times = 2 if min(picture_bgr.shape[:2]) >= 2 * LEAST_HALVED_PX else 1
    decoded, _ = _seen_on(grey, corners_px, times=times, quick=True)
    return decoded


def _seen_on(
    grey: NDArray[np.uint8], felt_px: Floats | None, *, times: int = 1, quick: bool
) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return what `_seen` sees of the box around a felt (4, 2); of the whole picture for None.

    On a checked cloth around it a detector finds as many squares as take 55 ms.
    """
    if felt_px is None:
        return _seen(grey, times=times, quick=quick)
    (x0, y0), (x1, y1) = felt_px.min(axis=0) - AT_RIM_PX, felt_px.max(axis=0) + AT_RIM_PX
    left, top = max(0, int(x0)), max(0, int(y0))
    felt = grey[top : max(top, int(y1)), left : max(left, int(x1))]
    if min(felt.shape) < 2 * LEAST_MARKER_PX:
        return {}, {}
    least = LEAST_AROUND * max(grey.shape) / max(felt.shape)
    decoded, parted = (
        {number: corners + (left, top) for number, corners in markers.items()}
        for markers in _seen(felt, times=times, quick=quick, least=least)
    )
    return decoded, parted


def glimpse_mirrored(picture_bgr: NDArray[np.uint8], felt_px: Floats | None = None) -> dict[int, Floats]:
    """Return what one look with one threshold sees of `find_markers` in the mirror image of a picture, where it has it.

    In the picture itself a marker that a mirror shows is none: no pattern of ours is another's mirror image.
    Where they lie in the mirror image, that is. felt_px: (4, 2) of the felt in the picture, where it is known; else
    the whole picture is searched.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    times = max(1, max(grey.shape) // GLIMPSE_PX)
    flipped = np.asarray(cv2.flip(grey, 1), dtype=np.uint8)
    if felt_px is not None:
        felt_px = (grey.shape[1] - 1.0, 0.0) + felt_px * (-1.0, 1.0)
    decoded, _ = _seen_on(flipped, felt_px, times=times, quick=True)
    return decoded


def _seen(
    grey: NDArray[np.uint8], *, times: int = 1, quick: bool, least: float = LEAST_AROUND
) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return what `_detected` finds in a grey picture shrunk so many times, where exactly it lies in the picture."""
    decoded, parted = (
        {number: _enlarged(grey, corners, times) for number, corners in markers.items()}
        for markers in _detected(_shrunk(grey, times), quick=quick, least=least)
    )
    return decoded, parted


def _shrunk(grey: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
    """Return a grey picture so many times smaller; 1 leaves it as it is."""
    if times == 1:
        return grey
    size = (grey.shape[1] // times, grey.shape[0] // times)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _enlarged(grey: NDArray[np.uint8], corners: Floats, times: int) -> Floats:
    """Return (4, 2) where corners that were found in a picture so many times smaller lie in the grey one."""
    return refined(grey, times * corners + (times - 1) / 2)


def lies_at(grey: NDArray[np.uint8], number: int, corners_px: Floats, *, within_px: float) -> bool:
    """Return whether a marker lies where it is known to: by all of its cells, and by most of its corners (0.2 ms).

    The detector finds few markers in windows as small as they are themselves (23 of 68 that lay still): its limits go
    by the picture's size. corners_px: (4, 2) TL TR BR BL; one that lies beyond the picture is not seen. within_px: how
    far it may have moved.
    """
    if not shown(grey, corners_px):
        return False
    moved_px = np.linalg.norm(_where_edges_meet(grey, corners_px) - corners_px, axis=1)
    # The paper's edge or a cell's draws some corner away: in noise, to another place each time.
    if np.median(moved_px) > within_px:
        return False
    cells, white = brightness(grey, corners_px, IN_CELLS), marker_cells(number) > 0
    return bool(cells[white].min() >= cells[~white].max() + LEAST_STEP)


def shown(grey: NDArray[np.uint8], corners_px: Floats) -> bool:
    """Return whether (4, 2) corners lie in a picture."""
    return not (corners_px.min() < 0.0 or (corners_px > np.array(grey.shape[::-1]) - 1.0).any())


def brightness(grey: NDArray[np.uint8], corners_px: Floats, at_cells: Floats) -> Floats:
    """Return (n, n) how bright a picture is so many cells (n,) across and down from a marker's first corner."""
    shares = at_cells / CELLS
    at = (across_and_down(*np.meshgrid(shares, shares)) @ corners_px).astype(np.float32)
    seen = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float64)


def _detected(
    grey: NDArray[np.uint8], *, quick: bool, least: float = LEAST_AROUND
) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return the markers that can be decoded in a grey picture, and of the others those that a shadow parts.

    quick: with one threshold instead of three. least: as LEAST_AROUND, for this picture.
    """
    corners, ids, others = _detector(quick, round(least, 3)).detectMarkers(grey)
    found: dict[int, Floats] = {}
    for corner, number in zip(corners, () if ids is None else np.ravel(ids), strict=True):
        points = np.asarray(corner, dtype=np.float64).reshape(4, 2)
        if int(number) > 3 or sides(points).min() < LEAST_MARKER_PX:
            continue
        if int(number) not in found or area(points) > area(found[int(number)]):
            found[int(number)] = points
    if len(found) == 4 or len(others) == 0:
        return found, {}
    shaded = half_shaded(grey, _like_markers(others, min(grey.shape)))
    return found, {number: corners for number, corners in shaded.items() if number not in found}


def _like_markers(quads: Sequence[Any], shorter_px: int) -> Floats:
    """Return (n, 4, 2) the quads whose size and shape may be a marker's. shorter_px: the picture's shorter side."""
    corners = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    length = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    short, long = length.min(axis=1), length.max(axis=1)
    fit = (short >= LEAST_MARKER_PX) & (long <= LARGEST * shorter_px) & (long < UNEVEN * short)
    return np.asarray(corners[fit], dtype=np.float64)


def refined(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return corners moved to where the edges meet, if that is near enough to where they were found."""
    fine = _where_edges_meet(grey, corners)
    near = FARTHEST * float(sides(corners).mean())
    return fine if np.linalg.norm(fine - corners, axis=1).max() < near else corners


def _where_edges_meet(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return (4, 2) the corners TL TR BR BL of a marker's black square, sought near where they are taken to be.

    Each side is a line through where black turns to white, most steeply, along it: a corner alone draws less exactly,
    and from three pixels away not at all.
    """
    way = np.roll(corners, -1, axis=0) - corners
    long = np.linalg.norm(way, axis=1, keepdims=True)
    outward = np.stack([way[:, 1], -way[:, 0]], axis=1) / long
    reach = REACH * float(long.mean())
    across = np.linspace(-reach, reach, ACROSS)
    on_side = corners[:, None] + ALONG[:, None] * way[:, None]
    edge = on_side + _steepest(grey, on_side, outward, across)[..., None] * outward[:, None]
    return where_sides_meet([line_through(points) for points in edge])


def _steepest(grey: NDArray[np.uint8], on_side: Floats, outward: Floats, across: Floats) -> Floats:
    """Return (4, n) how far outward, in pixels, of places (4, n, 2) on its sides it grows brighter most steeply."""
    at = (on_side[:, :, None] + across[:, None] * outward[:, None, None]).reshape(-1, len(across), 2).astype(np.float32)
    seen = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = np.diff(cv2.blur(seen.astype(np.float32), (3, 1)), axis=1)
    rows, best = np.arange(len(slope)), np.clip(slope.argmax(axis=1), 1, slope.shape[1] - 2)
    before, there, after = (slope[rows, best + k] for k in (-1, 0, 1))
    bend = np.minimum(before - 2.0 * there + after, -1e-3)
    peak = best + np.clip(0.5 * (before - after) / bend, -1.0, 1.0)
    step = across[1] - across[0]
    return np.asarray((across[0] + step * (peak + 0.5)).reshape(on_side.shape[:2]))
