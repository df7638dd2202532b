"""What training prints on tiles beside fonts: numbers, which no set of ours has, and what hands and plotters draw."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.drawing import COLOURS, DrawnTile, Look, TrayScene, built_in, draw
from vision.reading import SYMBOLS
from vision.training import handwriting, learnable, numbers


def test_some_tiles_of_a_set_show_numbers_and_the_others_what_they_showed():
    plain = built_in()
    glyphs = numbers.with_numbers(plain, np.random.default_rng(1))
    made = [key for key in glyphs if ":" in key]
    assert all(glyphs[symbol] is plain[symbol] for symbol in plain)
    assert 0.2 < len(made) / (len(COLOURS) * len(plain)) < 0.6
    for key in made:
        height, width = glyphs[key].shape
        narrow, broad = (pick(m.shape[1] / m.shape[0] for m in plain.values()) for pick in (min, max))
        assert 1.9 * narrow < width / height < 2.5 * broad


def test_a_number_of_two_digits_teaches_that_nothing_is_to_be_read():
    rng, look = np.random.default_rng(3), Look.plain()
    ten = numbers.joined(look.glyphs["1"], look.glyphs["0"], 0.1, 0.8)
    look = replace(look, glyphs={**look.glyphs, "red:8": ten})
    scene = TrayScene((DrawnTile(-40, 0, 0, "8", "red"), DrawnTile(40, 0, 0, "8", "blue")), seed=1)
    drawn = draw(scene, look, rng=rng)
    learnable.tell_numbers(drawn, scene, look)
    assert [t["legibility"] for t in drawn.truth["tiles"]] == ["unreadable", "clear"]
    samples = pytest.importorskip("vision.training.samples", reason="fonts are rendered by Pillow")
    crops = samples.crops_of(drawn, rng, copies=1)
    assert [SYMBOLS[s] for s in crops.symbol.tolist() if s != samples.UNREADABLE] == ["8"]


def test_a_number_on_a_tile_that_lies_face_down_is_not_seen():
    rng, look = np.random.default_rng(3), Look.plain()
    look = replace(look, glyphs={**look.glyphs, "red:8": look.glyphs["1"]})
    scene = TrayScene((DrawnTile(0, 0, 0, "8", "red", face_up=False),), seed=1)
    drawn = draw(scene, look, rng=rng)
    learnable.tell_numbers(drawn, scene, look)
    assert drawn.truth["tiles"][0]["legibility"] == "clear"


@pytest.mark.parametrize(("ink_alpha", "told"), [(1.0, "unreadable"), (0.0, "blank")])
def test_a_number_whose_ink_nobody_sees_teaches_no_doubt_about_backs(ink_alpha, told):
    rng, plain = np.random.default_rng(3), Look.plain()
    ten = numbers.joined(plain.glyphs["1"], plain.glyphs["0"], 0.1, 0.8)
    look = replace(plain, glyphs={**plain.glyphs, "red:8": ten})
    look = replace(look, tile=replace(look.tile, ink_alpha=ink_alpha, engraved=0.0))
    scene = TrayScene((DrawnTile(-40, 0, 0, "8", "red"),), seed=1)
    drawn = draw(scene, look, rng=rng)
    learnable.tell_learnable(drawn, scene, look)
    assert drawn.truth["tiles"][0]["legibility"] == told


@pytest.mark.parametrize("coarse", [0.02, 0.035])
def test_a_plotted_stroke_stays_near_the_written_one_and_ends_where_it_ends(coarse):
    for lines in handwriting.strokes().values():
        for line in lines:
            points = np.array(line)
            few = handwriting._angular(points, coarse)
            assert len(few) <= len(points) + 2
            assert np.allclose(few[[0, -1]], points[[0, -1]], atol=1e-3)
            outline = np.round(few * 1000).astype(np.float32).reshape(-1, 1, 2)
            away = [_from_line(p * 1000, outline[:, 0]) for p in points]
            assert max(away) < 1000 * coarse + 3


def _from_line(point: np.ndarray, line: np.ndarray) -> float:
    """Return how far a point is from a line through points."""
    start, step = line[:-1], np.diff(line, axis=0)
    along = np.clip(((point - start) * step).sum(1) / np.maximum((step**2).sum(1), 1e-9), 0, 1)
    return float(np.linalg.norm(start + along[:, None] * step - point, axis=1).min())


def test_a_plotter_closes_its_noughts_and_eights():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        shown = handwriting._angular(np.array(handwriting.strokes()["0"][0]), float(rng.uniform(0.02, 0.035)))
        mask = handwriting.stroke_mask([[(float(x), float(y)) for x, y in shown]], 0.1, 0.0)
        count, _ = cv2.connectedComponents((cv2.copyMakeBorder(mask, 3, 3, 3, 3, 0) < 128).astype(np.uint8))
        assert count == 3  # Ink, what lies within, what lies around.
