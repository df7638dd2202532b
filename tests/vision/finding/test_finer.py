"""Issue 3: dice touching ones too, value, colour and place; a second, finer look finds them where they lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vision.finding.finer import FINE_MARGIN_MM, with_finer
from vision.finding.pieces import KINDS, LOOSE_PX_PER_MM, Pieces
from vision.finding.scene import MARGIN_MM, SCALE
from vision.tray.rectify import tray_from_clicks

TRAY = tray_from_clicks([(10, 10), (370, 10), (370, 270), (10, 270)])
PICTURE = np.zeros((300, 400, 3), np.uint8)


def pieces(
    places_mm: list[tuple[float, float]], kind: str, side_mm: float, *, scale: float, margin_mm: float
) -> Pieces:
    centre = (np.array(places_mm, np.float32).reshape(-1, 2) + margin_mm) * scale - 0.5
    n = len(centre)
    size = np.full((n, 2), side_mm * scale, np.float32)
    hand = np.full((4, 5), 0.25 if scale == SCALE else 0.0, np.float32)
    return Pieces(np.full(n, KINDS.index(kind)), centre, size, np.zeros(n, np.float32), np.full(n, 0.9), hand)


def coarse(places_mm: list[tuple[float, float]], kind: str, side_mm: float) -> Pieces:
    return pieces(places_mm, kind, side_mm, scale=SCALE, margin_mm=MARGIN_MM)


def fine(places_mm: list[tuple[float, float]]) -> Any:
    def find(flat: Any) -> Pieces:
        assert flat.shape[1] == round((360 + 2 * FINE_MARGIN_MM) * LOOSE_PX_PER_MM)
        return pieces(places_mm, "die", 16.0, scale=LOOSE_PX_PER_MM, margin_mm=FINE_MARGIN_MM)

    return find


def test_dice_lie_where_the_finer_net_sees_them() -> None:
    found = with_finer(PICTURE, TRAY, coarse([(52, 61)], "die", 20.0), find=fine([(50, 60), (66, 60)]))
    assert found.kind.tolist() == [KINDS.index("die")] * 2
    in_mm = (found.centre_px + 0.5) / SCALE - MARGIN_MM
    assert np.allclose(in_mm, [(50, 60), (66, 60)], atol=0.01)
    assert np.allclose(found.size_px, 16.0 * SCALE)


def test_tiles_and_hands_stay_as_they_were_found() -> None:
    found = with_finer(PICTURE, TRAY, coarse([(50, 60), (120, 60)], "tile", 25.0), find=fine([(51, 61)]))
    # ... but a tile where the finer net sees a die is that die.
    assert [KINDS[k] for k in found.kind] == ["die", "tile"]
    assert np.allclose((found.centre_px[1] + 0.5) / SCALE - MARGIN_MM, (120, 60), atol=0.01)
    assert (found.hand == 0.25).all()


def test_nothing_found_is_nothing() -> None:
    found = with_finer(PICTURE, TRAY, coarse([], "tile", 25.0), find=fine([]))
    assert len(found.kind) == 0
    assert found.quads_px().shape == (0, 4, 2)


def test_what_is_faint_lies_where_the_finer_net_sees_it_and_dice_alone_do() -> None:
    def find(flat: Any) -> Pieces:
        faint = replace(fine([(50, 60), (90, 60)])(flat), kind=np.array([KINDS.index("die"), KINDS.index("disk")]))
        return replace(fine([(120, 60)])(flat), faint=faint)

    found = with_finer(PICTURE, TRAY, coarse([], "tile", 25.0), find=find)
    assert found.faint is not None
    assert np.allclose((found.faint.centre_px + 0.5) / SCALE - MARGIN_MM, [(50, 60)], atol=0.01)
    assert np.allclose(found.faint.size_px, 16.0 * SCALE)
    assert with_finer(PICTURE, TRAY, coarse([], "tile", 25.0), find=fine([(120, 60)])).faint is None
