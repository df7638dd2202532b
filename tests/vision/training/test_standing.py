"""What the net that tells dice from disks, and both from shadows, learns from, and that it learns to look at flanks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tqdm")

from tests.vision.trays import drawn  # noqa: E402
from vision.crops import around, standing  # noqa: E402
from vision.drawing import DrawnDie, DrawnDisk, Hand, TrayScene  # noqa: E402
from vision.training import bare_samples, store, train_standing  # noqa: E402
from vision.training.bare_samples import bare_of  # noqa: E402
from vision.training.face_samples import standing_of  # noqa: E402

SCENE = TrayScene(
    dice=(DrawnDie(-60.0, 30.0, 20.0, 5, "red"), DrawnDie(0.0, 0.0, 50.0, 3, "red")),
    disks=(DrawnDisk(60.0, -30.0, 5.0, "prediction", 2),),
    seed=3,
)


def test_each_piece_is_shown_so_often_and_named() -> None:
    crops, stands = standing_of(drawn(scene=SCENE), np.random.default_rng(1), copies=4)
    assert crops.shape == (12, around.SIDE, around.SIDE, 3)
    assert stands.tolist() == [1] * 8 + [0] * 4


def test_what_a_hand_covers_teaches_nothing() -> None:
    covered = drawn(scene=SCENE, hand=Hand(-60.0, 30.0, 0.0))
    crops, stands = standing_of(covered, np.random.default_rng(1), copies=2)
    assert len(crops) == len(stands) < 6


def test_a_tray_without_any_teaches_nothing() -> None:
    crops, stands = standing_of(drawn(), np.random.default_rng(1), copies=4)
    assert (len(crops), len(stands)) == (0, 0)


def test_bare_felt_is_shown_beside_the_pieces_and_anywhere() -> None:
    crops = bare_of(drawn(scene=SCENE), np.random.default_rng(1), copies=4)
    assert crops.shape == (3 * (4 + 4 + 1), around.SIDE, around.SIDE, 3)
    assert len(bare_of(drawn(), np.random.default_rng(1), copies=4)) == 0, "as large as what?"


def test_no_piece_lies_in_the_middle_of_what_is_shown_as_bare(monkeypatch) -> None:
    """Red dice and a pale disk on teal felt, with neither shadows nor fibres painted."""
    monkeypatch.setattr(bare_samples, "SHADED", 0.0)
    monkeypatch.setattr(bare_samples, "LINTY", 0.0)
    crops = bare_of(drawn(scene=SCENE), np.random.default_rng(1), copies=6)
    middle = crops[:, 20:28, 20:28].reshape(len(crops), -1, 3)[: 6 * 3].astype(int)
    _, green, red = np.median(middle, axis=1).T
    assert ((green > 50) & (red < 30)).all()


def test_what_a_hand_covers_is_not_shown_as_bare(monkeypatch) -> None:
    everywhere = drawn(scene=SCENE)
    everywhere = replace(everywhere, hand_mask=np.full(everywhere.picture_bgr.shape[:2], 255, np.uint8))
    assert len(bare_of(everywhere, np.random.default_rng(1), copies=4)) == 0


def test_a_painted_shadow_is_darker_felt_and_lint_stands_out() -> None:
    felt = np.full((around.SIDE, around.SIDE, 3), (60, 120, 70), np.uint8)
    for seed in range(20):
        shadow = bare_samples._in_shadow(felt, np.random.default_rng(seed)).astype(int)
        assert (shadow <= felt).all()
        assert (shadow[22:26, 22:26] < 0.95 * felt[22:26, 22:26]).all()
        assert np.abs(shadow[0] - felt[0]).max() <= 3, "its edges lie within the crop"
        lint = bare_samples._with_lint(felt, np.random.default_rng(seed)).astype(int)
        assert (np.median(lint, axis=(0, 1)) == felt[0, 0]).all()
    assert sum((bare_samples._with_lint(felt, np.random.default_rng(k)) != felt).any() for k in range(20)) > 15


@pytest.mark.filterwarnings("ignore")
def test_it_learns_that_a_flank_is_below_what_stands(tmp_path, monkeypatch) -> None:
    rng = np.random.default_rng(2)
    stands = (np.arange(400) % 2).astype(np.uint8)
    images = rng.normal(90.0, 6.0, (400, 48, 48, 3))
    images[:, 14:34, 14:34] += 90
    images[stands == 1, 34:39, 14:34] -= 60
    images = np.clip(images, 0, 255).astype(np.uint8)
    bare = np.clip(rng.normal(90.0, 6.0, (200, 48, 48, 3)), 0, 255).astype(np.uint8)
    for split in ("traced", "traced-checks"):
        with store.Growing(tmp_path, split) as begun:
            begun.add({"around": images, "stands": stands, "bare": bare})
    net = train_standing.train_standing(tmp_path, total=150, seed=1, batch=32)
    with torch.no_grad():
        logit, piece = net(torch.from_numpy(around.normalised(images))).numpy().T
        none = net(torch.from_numpy(around.normalised(bare)))[:, 1].numpy()
    # After so few steps the mean of all weights that there were is still near where it began.
    assert logit[stands == 1].min() > logit[stands == 0].max()
    assert piece.min() > none.max()
    between = float(logit[stands == 1].min() + logit[stands == 0].max()) / 2
    monkeypatch.setattr(standing, "STANDS", between)
    monkeypatch.setattr(standing, "NO_PIECE", float(piece.min() + none.max()) / 2)
    figures = train_standing.check_standing(net, tmp_path)
    assert (figures["crops"], figures["dice_called_so"], figures["disks_called_dice"]) == (400, 1.0, 0.0)
    assert (figures["bare"], figures["bare_called_so"], figures["pieces_called_bare"]) == (200, 1.0, 0.0)


def test_without_traced_checks_there_are_no_figures(tmp_path) -> None:
    from vision.training.nets import standing_net

    assert train_standing.check_standing(standing_net(), tmp_path) == {}
