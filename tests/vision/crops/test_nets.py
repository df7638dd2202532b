"""The wrappers around the nets: where crops are cut, how maps become pieces, and what the shipped models say."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.certainty import UNREADABLE
from vision.crops import faces, symbols
from vision.drawing import DrawnDie, DrawnDisk, Hand, Look, TrayScene, draw, scene_for_layout
from vision.errors import BadModel, BadPicture
from vision.finding import pieces
from vision.reading import SYMBOLS
from vision.training.numbers import joined

DIGITS = "0123456789"
TENS = {"0": "10", "1": "11", "2": "12", "3": "13", "4": "40", "5": "25", "6": "16", "7": "47", "8": "81", "9": "99"}


def _maps(rows: list[tuple[int, float, float, float, float, float]], size: tuple[int, int] = (75, 100)) -> np.ndarray:
    """Return the net's output for pieces (kind, x, y, w, h, angle in degrees) as a perfect net would give it."""
    out = np.full((10, *size), -9.0, np.float32)
    for kind, x, y, w, h, angle in rows:
        row, column = int((y + 0.5) / 4), int((x + 0.5) / 4)
        out[kind, row, column] = 5
        turn = np.radians(angle) * (2, 4, 0)[kind]
        at = ((x + 0.5) / 4 - column, (y + 0.5) / 4 - row, np.log(w / 25), np.log(h / 25), np.cos(turn), np.sin(turn))
        out[3:9, row, column] = at
    return out


@settings(max_examples=40, deadline=None)
@given(
    x=st.floats(20, 380),
    y=st.floats(20, 280),
    w=st.floats(18, 32),
    h=st.floats(18, 32),
    angle=st.floats(-80, 80),
    scale=st.sampled_from([1.0, 1.5, 2.0]),
)
def test_decoding_gives_back_what_was_drawn(x, y, w, h, angle, scale):
    out = _maps([(0, x, y, w, h, angle)])
    seen = pieces.decode(out, scale=np.array([scale, scale], np.float32), score=0.3)
    assert seen.kind.tolist() == [0]
    assert np.allclose(seen.centre_px[0], (np.array([x, y]) + 0.5) * scale - 0.5, atol=0.02)
    assert np.allclose(seen.size_px[0], np.array([w, h]) * scale, rtol=1e-3)
    assert seen.angle_deg[0] == pytest.approx(angle, abs=0.05)


def test_quads_run_clockwise_from_the_top_left():
    seen = pieces.decode(_maps([(0, 100, 100, 20, 30, 0)]), scale=np.ones(2, np.float32), score=0.3)
    expected = [[90, 85], [110, 85], [110, 115], [90, 115]]
    assert np.allclose(seen.quads_px()[0], expected, atol=0.05)


def test_a_quad_turned_counter_clockwise_has_its_right_side_up():
    quad = pieces.decode(_maps([(0, 100, 100, 20, 30, 10)]), scale=np.ones(2, np.float32), score=0.3).quads_px()[0]
    assert quad[1, 1] < quad[0, 1]


def test_two_peaks_on_one_piece_are_one_piece():
    out = _maps([(0, 100, 100, 25, 28, 0), (0, 108, 100, 25, 28, 0)])
    assert len(pieces.decode(out, scale=np.ones(2, np.float32), score=0.3).kind) == 1


def test_what_is_hardly_found_is_told_apart_and_never_beside_what_is_plain():
    """For tiles across others, which the finder hardly sees: as faint, so that nobody takes it for found."""
    out = _maps(
        [(0, 100, 100, 25, 28, 0), (0, 125, 100, 25, 28, 0), (1, 108, 100, 25, 28, 0), (2, 200, 200, 20, 20, 0)]
    )
    out[0, 25, 31] = out[1, 25, 27] = -2.0
    out[2, 50, 50] = -5.0
    scale = np.ones(2, np.float32)
    seen = pieces.decode(out, scale=scale, score=0.3, least=0.03)
    assert np.allclose(seen.centre_px, [[100, 100]], atol=0.05)
    assert np.allclose(seen.faint.centre_px, [[125, 100]], atol=0.05)
    assert seen.faint.score[0] == pytest.approx(1 / (1 + np.exp(2.0)))
    assert seen.only(seen.kind == 0).faint is seen.faint
    assert pieces.decode(out, scale=scale, score=0.3).faint is None


def test_no_peaks_no_pieces():
    seen = pieces.decode(np.full((10, 20, 20), -9, np.float32), scale=np.ones(2, np.float32), score=0.3)
    assert len(seen.kind) == 0
    assert seen.quads_px().shape == (0, 4, 2)
    assert seen.of("die").score.shape == (0,)


def test_crops_hold_the_tile_in_the_tile_box():
    frame = np.zeros((200, 200, 3), np.uint8)
    cv2.rectangle(frame, (60, 50), (99, 94), (255, 255, 255), -1)
    crop = symbols.cut_crops(frame, np.array([[[60, 50], [99, 50], [99, 94], [60, 94]]]))[0]
    left, top, right, bottom = symbols.TILE_BOX
    on = np.argwhere(crop[..., 0] > 127)
    assert np.abs(on.min(0) - (top, left)).max() <= 1
    assert np.abs(on.max(0) - (bottom - 1, right - 1)).max() <= 1


def test_crops_of_nothing_are_empty():
    crops = symbols.cut_crops(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4, 2)))
    assert crops.shape == (0, 48, 40, 3)
    assert symbols.classify(crops).log_probs.shape == (0, 12)
    assert faces.classify_faces(np.zeros((0, 48, 48, 3), np.uint8), is_die=np.zeros(0, bool)).log_probs.shape == (0, 13)


def test_a_missing_model_says_how_to_make_it(monkeypatch, tmp_path):
    monkeypatch.setattr(symbols, "MODEL", tmp_path / "none.onnx")
    with pytest.raises(BadModel, match=r"vision\.training"):
        symbols.classify(np.zeros((1, 48, 40, 3), np.uint8))


@pytest.fixture
def asked(monkeypatch) -> list[int]:
    """Return how many crops the larger net is asked about each time: in its place stands one that is sure of a nought,
    upside down, whatever it sees."""
    out: list[int] = []

    def sure_of_a_nought(path, blob):
        out.append(len(blob))
        return np.tile(np.array([9.0] + 11 * [-9.0] + [5.0, -9.0], np.float32), (len(blob), 1))

    monkeypatch.setattr(symbols, "outputs", sure_of_a_nought)
    return out


def test_the_larger_net_is_heard_on_doubtful_tiles_and_on_no_others(asked):
    sure, doubtful, dark = np.full((3, 14), -9.0, np.float32)
    sure[3], doubtful[3], doubtful[5], dark[3], dark[13] = 9.0, 4.0, 3.0, 9.0, 2.0
    out = np.stack([sure, doubtful, dark])
    both = symbols._with_large(np.zeros((3, 3, 48, 40), np.float32), out)
    assert asked == [2]
    assert np.array_equal(both[0], sure)
    assert both[1, 0] == pytest.approx(0.0)
    assert both[1, 3] == pytest.approx(-2.5)
    assert both[2, 13] == pytest.approx(-3.5)


@pytest.mark.parametrize(("effort", "asks"), [("HASTY", []), ("USUAL", []), ("CLOSE", [3])])
def test_both_nets_are_heard_on_all_tiles_by_who_looks_closely(asked, monkeypatch, effort, asks):
    sure = np.full((3, 14), -9.0, np.float32)
    sure[:, 3] = 9.0
    monkeypatch.setattr(symbols, "with_features", lambda model, blob: (np.zeros((3, 4), np.float32), sure))
    shown = symbols.classify(np.zeros((3, 48, 40, 3), np.uint8), effort=symbols.Effort[effort])
    assert asked == asks
    assert np.allclose(np.exp(shown.log_probs[:, 3]), 0.5 if asks else 1.0, atol=1e-3)


def test_only_the_larger_net_says_which_way_up_a_six_or_nine_lies_that_may_be_turned(asked):
    """Issue 3: the arcs tell 6 from 9; the small net overlooks six turned ones where the larger overlooks one."""
    out = np.full((4, 14), -9.0, np.float32)
    out[0, 9] = out[1, 9] = out[2, 6] = out[3, 4] = 9.0
    out[1, 12] = out[2, 12] = out[3, 12] = -3.0
    both = symbols._with_large(np.zeros((4, 3, 48, 40), np.float32), out)
    assert asked == [2]
    assert both[:, 12].tolist() == [-9.0, 5.0, 5.0, -3.0]
    assert both[1, 9] == pytest.approx(0.0)
    assert both[2, 6] == pytest.approx(0.0)
    assert both[1, 0] == pytest.approx(0.0)


def test_what_is_no_picture_is_refused():
    with pytest.raises(BadPicture, match="uint8"):
        pieces.find_pieces(np.zeros((50, 50), np.uint8), px_per_mm=1.0)


def _rectified(drawn, px_per_mm: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    corners = np.array(drawn.truth["tray"]["corners"], np.float32)
    target = (np.array([[10, 10], [370, 10], [370, 270], [10, 270]], np.float32)) * px_per_mm - 0.5
    matrix = cv2.getPerspectiveTransform(corners, target)
    size = (round(380 * px_per_mm), round(280 * px_per_mm))
    return cv2.warpPerspective(drawn.picture_bgr, matrix, size, flags=cv2.INTER_AREA), matrix


@pytest.mark.parametrize("px_per_mm", [1.0, 1.5])
def test_the_shipped_models_read_the_demo_tray(px_per_mm):
    rng = np.random.default_rng(5)
    rows = [[f"{c}:{s}" for s in rng.permutation(list(DIGITS))] for c in ("red", "blue", "green", "purple")]
    rows[1][3], rows[2][9] = "blue:#", "green:down"
    drawn = draw(scene_for_layout(rows, layout="rows", seed=2), Look.plain(), rng=rng)
    picture, matrix = _rectified(drawn, px_per_mm)
    seen = pieces.find_pieces(picture, px_per_mm=px_per_mm).of("tile")
    assert len(seen.kind) == 40
    quads = cv2.perspectiveTransform(seen.quads_px().reshape(-1, 1, 2), np.linalg.inv(matrix)).reshape(-1, 4, 2)
    said = symbols.classify(symbols.cut_crops(drawn.picture_bgr, quads))
    assert np.allclose(np.exp(said.log_probs).sum(1), 1, atol=1e-4)
    for tile in drawn.truth["tiles"]:
        k = int(np.linalg.norm(quads.mean(1) - np.array(tile["quad"]).mean(0), axis=1).argmin())
        assert SYMBOLS[int(said.log_probs[k].argmax())] == tile["label"]
        assert np.abs(quads[k] - np.array(tile["quad"])).max() < 5
        assert said.p_upside_down[k] < 0.5
        assert said.p_unreadable[k] < 0.5


def test_a_hand_shows_on_the_map_and_its_absence_too():
    scene = scene_for_layout([["red:1"] * 10] * 4, layout="rows", seed=2)
    rng = np.random.default_rng(0)
    bare = pieces.find_pieces(_rectified(draw(scene, Look.plain(), rng=rng))[0], px_per_mm=1.0)
    hand = draw(scene, Look.plain(), rng=rng, hand=Hand(20, -30))
    covered = pieces.find_pieces(_rectified(hand)[0], px_per_mm=1.0)
    assert (bare.hand > 0.5).mean() < 0.002
    assert (covered.hand > 0.5).mean() > 0.04


def _read_loose(scene: TrayScene, kind: str, score: float) -> list[tuple[str, int]]:
    drawn = draw(scene, Look.plain(), rng=np.random.default_rng(0))
    picture, matrix = _rectified(drawn)
    seen = pieces.find_pieces(picture, px_per_mm=1.0, kind=kind, score=score)
    quads = cv2.perspectiveTransform(seen.quads_px().reshape(-1, 1, 2), np.linalg.inv(matrix)).reshape(-1, 4, 2)
    said = faces.look(drawn.picture_bgr, quads, seen.kind == 1)
    return sorted(faces.FACES[int(row.argmax())] for row in said.log_probs)


def test_dice_are_found_and_read():
    dice = tuple(DrawnDie(-120 + 45 * k, 20 - 30 * (k % 2), 17.0 * k, k + 1, "white") for k in range(6))
    assert _read_loose(TrayScene(dice=dice), "die", pieces.SCORE) == [("die", n) for n in range(1, 7)]


def test_disks_are_found_and_read():
    scene = TrayScene(disks=(DrawnDisk(-60, 50, 40, "queue", 3), DrawnDisk(60, 50, 0, "prediction", 4)))
    assert _read_loose(scene, "disk", 0.3) == [("prediction", 4), ("queue", 3)]


def test_looking_for_dice_only_a_one_is_no_disk():
    """A white die that shows a one looks much like a prediction disk with one dot."""
    scene = TrayScene(dice=tuple(DrawnDie(-120 + 60 * k, 0, 20.0 * k, 1, "white") for k in range(5)))
    picture, _ = _rectified(draw(scene, Look.plain(), rng=np.random.default_rng(0)))
    assert pieces.find_pieces(picture, px_per_mm=1.0, kind="die", score=pieces.SCORE).kind.tolist() == [1] * 5


@pytest.mark.parametrize("side", pieces.SIDES)
def test_a_picture_seen_from_another_side_shows_the_same_dice_in_the_same_places(side):
    """What the mirrored picture shows is turned back: places, sizes and directions are those of the picture itself."""
    dice = tuple(DrawnDie(-120 + 45 * k, 20 - 30 * (k % 2), 12.0 * k - 30, k + 1, "white") for k in range(6))
    picture, _ = _rectified(draw(TrayScene(dice=dice), Look.plain(), rng=np.random.default_rng(0)), 1.5)
    blob, scale = pieces.net_input(picture, px_per_mm=1.5, net_px_per_mm=1.5)
    y, x = side
    back = pieces._turned_back(pieces._maps(pieces.LOOSE_MODEL, blob[:, :, ::y, ::x]), y, x)
    first, other = (
        pieces.decode(maps, scale=scale, score=0.5, px_per_mm=1.5)
        for maps in (pieces._maps(pieces.LOOSE_MODEL, blob), back)
    )
    assert len(first.kind) == len(other.kind) == 6
    for k in range(6):
        away = np.linalg.norm(other.centre_px - first.centre_px[k], axis=1)
        n = int(away.argmin())
        turn = (other.angle_deg[n] - first.angle_deg[k] + 45) % 90 - 45
        assert away[n] < 2.5
        assert abs(turn) < 12


def test_what_one_look_finds_and_three_do_not_stays_faint_and_what_is_plain_stays_plain():
    def look(*scores: float) -> np.ndarray:
        maps = np.zeros((9, 1, 3), np.float32)
        maps[1, 0] = np.log(np.array(scores) / (1 - np.array(scores)))
        return maps

    heat = pieces._weighed([look(0.9, 0.5, 0.01), *[look(0.3, 0.02, 0.02)] * 3])[1, 0]
    assert 1 / (1 + np.exp(-heat)) == pytest.approx([0.9, pieces.FAINT, 0.0168], abs=1e-3)


def test_numbers_of_two_digits_are_doubted_and_digits_are_not():
    """No set of ours has a ten: half of it must not pass for a nought (other games' tiles may lie on the felt)."""
    rng, plain = np.random.default_rng(2), Look.plain()
    numbered = {f"red:{s}": joined(plain.glyphs[a], plain.glyphs[b], 0.1, 0.8) for s, (a, b) in TENS.items()}
    look = replace(plain, glyphs={**plain.glyphs, **numbered})
    rows = [[f"red:{s}" for s in TENS], [f"blue:{s}" for s in TENS], [], []]
    drawn = draw(scene_for_layout(rows, layout="rows", seed=2), look, rng=rng)
    crops = symbols.cut_crops(drawn.picture_bgr, np.array([t["quad"] for t in drawn.truth["tiles"]]))
    unreadable = symbols.classify(crops).p_unreadable
    assert (unreadable[: len(TENS)] > UNREADABLE).all()
    assert (unreadable[len(TENS) :] < UNREADABLE).all()


@given(st.integers(0, 99), st.integers(8, 25).map(lambda n: 4 * n))
def test_what_is_looked_at_again_lies_in_the_middle_of_a_window(middle: int, length: int) -> None:
    """The nets halve three times and mirror: a window begins and ends where a quarter of its cells does."""
    middle = min(middle, length - 1)
    window = pieces._window(middle, length)
    assert 0 <= window.start <= middle < window.stop <= length
    assert window.start % 4 == window.stop % 4 == 0
    reach = min(pieces.AROUND, middle), min(pieces.AROUND, length - 1 - middle)
    assert window.start <= middle - reach[0] <= middle + reach[1] < window.stop


@pytest.mark.parametrize("window", [40, 200], ids=["windows", "the whole picture"])
def test_what_is_seen_from_one_side_alone_is_hardly_found_and_what_lies_apart_stays(window, monkeypatch):
    """Few questions: a false find is seldom seen from the picture's other sides. All else stays as it was."""
    monkeypatch.setattr(pieces, "LOOSE_PX_PER_MM", 1.0)
    monkeypatch.setattr(pieces, "WINDOW", window)
    first = _maps([(1, 60, 60, 16, 16, 10), (1, 300, 240, 16, 16, 20), (1, 330, 100, 16, 16, 30)], size=(76, 100))
    first[1, 15, 15] = 0.1
    looks, seen = [first], []

    def maps(_model: object, blob: np.ndarray) -> np.ndarray:
        h, w = blob.shape[2] // 4, blob.shape[3] // 4
        seen.append((h, w))
        return looks.pop() if looks else np.full((len(first), h, w), -8.0, np.float32)

    before = pieces.decode(first, scale=np.ones(2, np.float32), score=0.3, px_per_mm=1.0)
    assert sorted(before.score < pieces.PLAINLY) == [False, False, True]
    monkeypatch.setattr(pieces, "_maps", maps)
    found = pieces.find_loose(np.zeros((304, 400, 3), np.uint8), px_per_mm=1.0, score=0.1)
    assert seen == [(76, 100), *[(40, 40) if window == 40 else (76, 100)] * 3]
    plain = found.score > 0.3
    assert found.score[~plain] == pytest.approx(pieces.FAINT, abs=1e-3)
    assert found.score[plain] == pytest.approx(before.score[before.score > pieces.PLAINLY], abs=1e-3)
    if window == 40:
        assert found.centre_px[plain] == pytest.approx(before.centre_px[before.score > pieces.PLAINLY], abs=1e-3)
