"""What the net of outlines learns from, and that it learns where a die's top lies."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tqdm")

from tests.vision.trays import drawn  # noqa: E402
from vision.crops import around  # noqa: E402
from vision.crops.outline import SHARE  # noqa: E402
from vision.drawing import DrawnDie, Hand, TrayScene  # noqa: E402
from vision.training import store, train_outline  # noqa: E402
from vision.training.descent import Descent  # noqa: E402
from vision.training.face_samples import WIDE, tops_of  # noqa: E402
from vision.training.nets import outline_net  # noqa: E402

SCENE = TrayScene(dice=(DrawnDie(-60.0, 30.0, 20.0, 5, "red"), DrawnDie(30.0, 0.0, 50.0, 3, "white")), seed=3)


def square(side: float) -> np.ndarray:
    """Return a wide crop in the middle of which lies a white square of so many pixels."""
    near, far = round((WIDE - side) / 2), round((WIDE + side) / 2)
    crop = np.zeros((WIDE, WIDE, 3), np.uint8)
    crop[near:far, near:far] = 255
    return crop


def middle_of(crops: torch.Tensor) -> np.ndarray:
    """Return (n, 2) the middle of what is white, in pixels from the crop's middle."""
    weight = crops.mean(dim=1).numpy()
    at = np.arange(around.SIDE) - (around.SIDE - 1) / 2
    total = weight.sum(axis=(1, 2))
    return np.stack([(weight * at).sum(axis=(1, 2)), (weight * at[:, None]).sum(axis=(1, 2))], axis=1) / total[:, None]


def test_each_top_lies_in_the_middle_of_its_crop() -> None:
    picture = drawn(scene=SCENE)
    tops = tops_of(picture)
    assert tops.shape == (2, WIDE, WIDE, 3)
    again = around.cut(picture.picture_bgr, np.array([d["top_quad"] for d in picture.truth["dice"]]), share=SHARE)
    rim = (WIDE - around.SIDE) // 2
    assert np.abs(tops[:, rim:-rim, rim:-rim].astype(int) - again).max() <= 3


def test_what_a_hand_covers_teaches_nothing() -> None:
    assert len(tops_of(drawn(scene=SCENE, hand=Hand(-60.0, 30.0, 0.0)))) < 2
    assert tops_of(drawn()).shape == (0, WIDE, WIDE, 3)


@pytest.mark.parametrize("turn", [0.0, 0.3, -0.7])
@pytest.mark.parametrize("size", [0.0, 0.1])
def test_a_moved_crop_says_where_its_top_lies(turn: float, size: float) -> None:
    wide = torch.from_numpy(np.repeat(square(26)[None], 4, axis=0)).permute(0, 3, 1, 2).float()
    off = torch.tensor([[0.0, 0.0], [0.2, 0.0], [0.0, -0.2], [0.1, 0.15]])
    crops, there = train_outline.moved(wide, torch.full((4,), turn), off, torch.full((4,), size))
    assert np.abs(middle_of(crops) - train_outline.TOP_PX * there[:, :2].numpy()).max() < 0.15
    lit = crops.mean(dim=(1, 2, 3)) / 255 * around.SIDE**2
    assert float((lit - 26**2 * np.exp(-2 * size)).abs().max()) < 15
    assert torch.allclose(there[:, 2], torch.tensor(-size))
    # Turned back by the angle that is said, the square's sides run along the crop's again.
    angle = float(torch.atan2(there[0, 4], there[0, 3])) / 4
    assert angle == pytest.approx(-turn, abs=1e-5)


@pytest.mark.filterwarnings("ignore")
def test_it_learns_where_a_square_lies(tmp_path, monkeypatch) -> None:
    # Else the mean of all weights that there were would, after so few steps, still be near where it began.
    monkeypatch.setattr(train_outline, "Descent", partial(Descent, keep=0.9))
    for name, value in (("ANY_TURN", 0.0), ("TURN", 0.0), ("ASTRAY", 1.0), ("FAR", (0.25, 0.0)), ("SMALL", 0.0)):
        monkeypatch.setattr(train_outline, name, value)
    rng = np.random.default_rng(2)
    images = np.clip(np.repeat(square(26)[None], 200, axis=0) * 0.5 + rng.normal(60, 8, (200, WIDE, WIDE, 3)), 0, 255)
    for split in ("traced", "faces", "traced-checks"):
        with store.Growing(tmp_path, split) as begun:
            begun.add({"top": images.astype(np.uint8)})
    net = train_outline.train_outline(tmp_path, total=200, seed=1, batch=32)
    wide, none = torch.from_numpy(images[:64]).permute(0, 3, 1, 2).float(), torch.zeros(64)
    off = 0.25 * torch.randn(64, 2, generator=torch.Generator().manual_seed(1))
    crops, truth = train_outline.moved(wide, none, off, none)
    with torch.no_grad():
        said = net(torch.from_numpy(around.normalised(crops.permute(0, 2, 3, 1).numpy())))
    for axis in (0, 1):
        assert np.corrcoef(said[:, axis], truth[:, axis])[0, 1] > 0.7
    assert train_outline.check_outline(net, tmp_path)["crops"] == 200


def test_without_traced_checks_there_are_no_figures(tmp_path) -> None:
    assert train_outline.check_outline(outline_net(), tmp_path) == {}
