"""A second opinion that learned nothing: pips are counted, or not at all."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.crops.faces import FACES, MARGIN, Faces, cut_faces, with_witness
from vision.crops.pips import count_pips, shows_a_seventh
from vision.drawing import DrawnDie, LampLook, Look, TrayScene, draw
from vision.drawing.look import CameraLook, DieLook

LOOK = replace(Look.plain(), lamp=LampLook(), markers=False, camera=CameraLook(px_per_mm=6.0, tilt_deg=0.0))


def _crop(value: int, colour: str, look: Look = LOOK) -> np.ndarray:
    scene = TrayScene(dice=(DrawnDie(0.0, 0.0, 17.0, value, colour),))
    drawn = draw(scene, look, size_wh_px=(640, 480), rng=np.random.default_rng(2))
    return cut_faces(drawn.picture_bgr, np.array([drawn.truth["dice"][0]["top_quad"]]))


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("colour", ["orange", "black", "red"])
def test_pips_are_counted_dark_on_light_and_light_on_dark(value: int, colour: str) -> None:
    assert count_pips(_crop(value, colour), margin=MARGIN).tolist() == [value]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_white_die_on_dark_felt_is_counted_right_or_not_at_all(value: int) -> None:
    """Its bright corners against the felt may look like pips as plain as the pips."""
    assert count_pips(_crop(value, "white"), margin=MARGIN).tolist() in ([value], [0])


def test_a_face_washed_out_by_the_lamp_has_no_opinion() -> None:
    glossy = replace(LOOK, die=DieLook(gloss=3.0, lamp_half_mm=(400.0, 400.0)))
    assert count_pips(_crop(5, "blue", glossy), margin=MARGIN).tolist() == [0]


def test_a_plain_surface_and_noise_have_no_opinion() -> None:
    noise = np.random.default_rng(3).normal(128, 25, (20, 48, 48, 3)).clip(0, 255).astype(np.uint8)
    assert count_pips(np.full((1, 48, 48, 3), 90, np.uint8), margin=MARGIN).tolist() == [0]
    assert (count_pips(noise, margin=MARGIN) == 0).mean() > 0.9


def _said(value: int, p: float) -> Faces:
    probabilities = np.full((1, len(FACES)), (1 - p) / 5)
    probabilities[:, 6:] = 1e-12
    probabilities[0, value - 1] = p
    return Faces(np.log(probabilities).astype(np.float32), np.array([0.01], np.float32))


def test_two_opinions_that_agree_are_surer() -> None:
    both = with_witness(_said(4, 0.99), seen=np.array([3]))
    assert np.exp(both.log_probs[0, 3]) == pytest.approx(0.99 * 8 / (0.99 * 8 + 0.01), abs=1e-4)
    assert both.p_unreadable[0] == pytest.approx(0.01)


def test_two_opinions_that_disagree_ask_and_keep_what_the_net_said() -> None:
    """Never silently wrong: the table is asked."""
    both = with_witness(_said(4, 0.97), seen=np.array([2]))
    assert both.log_probs[0].argmax() == 3
    assert both.p_unreadable[0] >= 0.5


def test_a_net_that_is_certain_is_not_disputed() -> None:
    """Issue 3: few questions. Where net and counter disagreed and the net was nearly sure, the net was always right."""
    said = _said(4, 0.9999)
    assert np.array_equal(with_witness(said, seen=np.array([2])).p_unreadable, said.p_unreadable)


def test_no_opinion_changes_nothing() -> None:
    said = _said(4, 0.9)
    alone = with_witness(said, seen=np.array([-1]))
    assert np.allclose(alone.log_probs, said.log_probs, atol=1e-5)
    assert alone.p_unreadable[0] == said.p_unreadable[0]


def test_a_one_above_the_six_of_a_die_of_glass_is_no_six() -> None:
    """Never silently wrong: a clear die with one plain pip was surely a six, by those of its far face."""
    (six,) = _crop(6, "orange")
    assert not shows_a_seventh(six, margin=MARGIN)
    middle = len(six) // 2
    body = np.full_like(six, six[middle, middle])
    glass = cv2.addWeighted(six, 0.4, body, 0.6, 0)
    for level, more in (((10, 10, 10), True), (tuple(glass[middle, middle].tolist()), False)):
        dot = cv2.circle(glass.copy(), (middle, middle), 3, level, -1, cv2.LINE_AA)
        assert shows_a_seventh(dot, margin=MARGIN) is more
