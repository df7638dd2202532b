"""Early steps see smaller crops: of the same faces, by the same net."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vision.training import craft, descent, nets, store, train_faces  # noqa: E402

SEED = 3
WHOLE_HW = (48, 48)


def dot(side: int, *, at: tuple[float, float]) -> torch.Tensor:
    """Return a picture (1, 3, side, side), 0..255, of a soft dot, its place over the side."""
    line = (torch.arange(side) + 0.5) / side
    away = (line[None] - at[0]) ** 2 + (line[:, None] - at[1]) ** 2
    return (255 * (-away / 0.01).exp()).expand(1, 3, side, side)


def place(x: torch.Tensor) -> tuple[float, float]:
    """Return where the light of one picture (1, 3, h, w) lies, over its width and height."""
    light = x[0, 0] / x[0, 0].sum()
    h, w = light.shape
    across = float((light.sum(0) * (torch.arange(w) + 0.5)).sum()) / w
    return across, float((light.sum(1) * (torch.arange(h) + 0.5)).sum()) / h


@pytest.mark.parametrize(
    ("net", "whole"), [(nets.face_net(), (48, 48)), (nets.symbol_net(), (48, 40)), (nets.stack_net(), (56, 48))]
)
def test_a_net_in_training_takes_smaller_crops_and_moves_all_its_weights_by_either(net, whole):
    net.train()
    for size in (whole, tuple(side * 2 // 3 for side in whole)):
        net.zero_grad()
        net(torch.randn(4, 3, *size, generator=torch.Generator().manual_seed(SEED))).square().sum().backward()
        assert all(p.grad is not None and float(p.grad.abs().sum()) > 0 for p in net.out.parameters())
        assert float(net.stem[0].weight.grad.abs().sum()) > 0


def test_a_small_crop_that_a_reader_would_cut_is_an_error():
    """Stretching is for learning alone: what reads trays is told of a crop that is none."""
    with pytest.raises(RuntimeError):
        nets.face_net().eval()(torch.zeros(1, 3, *train_faces.EARLY_HW))


@pytest.mark.parametrize("at", [(0.3, 0.6), (0.5, 0.5), (0.7, 0.25)])
def test_a_smaller_crop_shows_the_same_at_the_same_place(at):
    whole = dot(48, at=at)
    cut = [
        craft.loosely_cut(whole, torch.Generator().manual_seed(SEED), turn=0.1, size=0.1, move=0.05, to_hw=to)
        for to in (None, train_faces.EARLY_HW)
    ]
    assert [tuple(c.shape[2:]) for c in cut] == [WHOLE_HW, train_faces.EARLY_HW]
    assert place(cut[0]) == pytest.approx(place(cut[1]), abs=0.01)


@pytest.mark.parametrize("total", [4, 5])
def test_the_first_half_of_the_steps_is_early(total, tmp_path, monkeypatch):
    rng, sizes, seen = np.random.default_rng(SEED), [], []
    with store.Growing(tmp_path, "faces") as begun:
        begun.add({"face": rng.integers(256, size=(40, 48, 48, 3)).astype(np.uint8), "value": np.arange(40) % 14})

    def quickly(model: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
        sizes.append(tuple(x.shape[2:]))
        seen.append(len(x))
        return model(x)

    monkeypatch.setattr(train_faces, "quickly", quickly)
    net = train_faces.train_faces(tmp_path, total=total, seed=SEED, batch=8)
    early = -(-total // 2)
    assert seen == [descent.grown(8, k / total) for k in range(total)], "small batches first"
    assert sizes == early * [train_faces.EARLY_HW] + (total - early) * [WHOLE_HW]
    with torch.no_grad():
        assert net(torch.zeros(2, 3, *WHOLE_HW)).shape == (2, 14), "and it reads whole ones"
