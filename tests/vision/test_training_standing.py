"""What the net that tells dice from disks learns from, and that it learns to look at flanks."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tqdm")

from tests.vision.trays import drawn  # noqa: E402
from vision import around, standing  # noqa: E402
from vision.drawing import DrawnDie, DrawnDisk, Hand, TrayScene  # noqa: E402
from vision.training import store, train_standing  # noqa: E402
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


@pytest.mark.filterwarnings("ignore")
def test_it_learns_that_a_flank_is_below_what_stands(tmp_path, monkeypatch) -> None:
    rng = np.random.default_rng(2)
    stands = (np.arange(400) % 2).astype(np.uint8)
    images = rng.normal(90.0, 6.0, (400, 48, 48, 3))
    images[:, 14:34, 14:34] += 90
    images[stands == 1, 34:39, 14:34] -= 60
    images = np.clip(images, 0, 255).astype(np.uint8)
    for split in ("traced", "traced-checks"):
        with store.Growing(tmp_path, split) as begun:
            begun.add({"around": images, "stands": stands})
    net = train_standing.train_standing(tmp_path, total=150, seed=1, batch=32)
    with torch.no_grad():
        logit = net(torch.from_numpy(around.normalised(images)))[:, 0].numpy()
    # After so few steps the mean of all weights that there were is still near where it began.
    assert logit[stands == 1].min() > logit[stands == 0].max()
    between = float(logit[stands == 1].min() + logit[stands == 0].max()) / 2
    monkeypatch.setattr(standing, "STANDS", between)
    figures = train_standing.check_standing(net, tmp_path)
    assert (figures["crops"], figures["dice_called_so"], figures["disks_called_dice"]) == (400, 1.0, 0.0)


def test_without_traced_checks_there_are_no_figures(tmp_path) -> None:
    from vision.training.nets import standing_net

    assert train_standing.check_standing(standing_net(), tmp_path) == {}
