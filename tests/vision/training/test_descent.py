"""What steps are made of, in training: crops, chances that drop features, kernels' nearest orthonormal matrices."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from vision.training import craft, descent, muon, recipes  # noqa: E402
from vision.training.nets import Dropout  # noqa: E402

torch.set_num_threads(1)


@pytest.mark.parametrize("share", [0.2, 0.25, 0.3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_each_feature_is_dropped_as_often_as_asked(share, dtype):
    """Chances come eight bytes at a time: each of the eight is as good as the others, the highest one above all."""
    torch.manual_seed(1)
    said = Dropout(share)(torch.ones(4096, 48, dtype=dtype))
    assert said.dtype == dtype
    dropped = (said == 0).float().view(-1, 8).mean(0).numpy()
    # 24,576 throws for each: five standard deviations.
    assert np.abs(dropped - share).max() < 5 * np.sqrt(share * (1 - share) / 24576) + 1 / 512
    assert float(said.float().mean().detach()) == pytest.approx(1, abs=0.02), "what is left makes up for it"
    assert len(np.unique(said.float().numpy())) == 2


def test_a_row_of_any_length_is_dropped_and_what_is_dropped_learns_nothing():
    torch.manual_seed(2)
    x = torch.randn(3, 7, requires_grad=True)
    said = Dropout(0.5)(x)
    said.sum().backward()
    assert torch.equal(x.grad == 0, said == 0)
    assert 0 < int((said == 0).sum()) < 21


def test_nothing_is_dropped_when_the_net_is_used():
    x = torch.randn(4, 9)
    assert Dropout(0.25).eval()(x) is x


@given(st.integers(2, 24), st.integers(2, 24), st.integers(0, 99))
def test_turns_on_the_square_do_what_turns_on_the_matrix_do(rows, columns, seed):
    """K. Jordan's Muon: x -> a x + b (x x^T) x + c (x x^T)^2 x, five times."""
    x = torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    plain = (x / x.norm()).double()
    for _ in range(muon.TURNS):
        square = plain @ plain.T
        plain = muon.A * plain + (muon.B * square + muon.C * square @ square) @ plain
    assert float((muon.orthonormal(x) - plain).norm() / plain.norm()) < 1e-3


def test_all_directions_of_a_kernel_go_about_as_far():
    x = torch.randn(32, 288, generator=torch.Generator().manual_seed(5))
    lengths = torch.linalg.svdvals(muon.orthonormal(x))
    assert 0.6 < float(lengths.min()) <= float(lengths.max()) < 1.3


@given(st.integers(1, 300), st.floats(0, 1), st.floats(0, 1))
def test_later_steps_see_no_fewer_and_the_last_ones_all(batch, one, other):
    """Smith and others 2018: small batches at first, whole ones when steps are short."""
    early, late = sorted((one, other))
    assert 1 <= descent.grown(batch, early) <= descent.grown(batch, late) <= batch
    assert descent.grown(batch, descent.WHOLE_FROM) == descent.grown(batch, 1.0) == batch
    assert descent.grown(batch, 0.0) <= 1 + batch // 8


@given(st.integers(1, 40), st.data())
def test_nothing_comes_twice_in_a_pass(n, data):
    passes = descent.Passes(n, torch.Generator().manual_seed(data.draw(st.integers(0, 99))))
    seen: list[int] = []
    for _ in range(20):
        count = data.draw(st.integers(1, n))
        taken = passes.take(count).tolist()
        assert len(taken) == count
        # What is left over at a pass's end is fewer than were asked for.
        seen = taken if len(seen) + count > n else seen + taken
        assert len(set(seen)) == len(seen)
        assert set(seen) <= set(range(n))


def test_each_pass_has_an_order_of_its_own_and_few_places_come_all_at_once():
    passes = descent.Passes(40, torch.Generator().manual_seed(1))
    one, other = passes.take(40).tolist(), passes.take(40).tolist()
    assert sorted(one) == sorted(other) == list(range(40))
    assert len({tuple(one), tuple(other), tuple(range(40))}) == 3
    few = descent.Passes(3, torch.Generator().manual_seed(1))
    assert [sorted(few.take(8).tolist()) for _ in range(2)] == 2 * [[0, 1, 2]]


@pytest.mark.parametrize("rising", [descent.RISING, descent.SLOWLY])
@pytest.mark.parametrize("total", [1, 2, 3, 4, 19, 20, 21, 30, 200])
def test_steps_grow_first_then_fall_to_almost_nothing_however_few_they_are(total, rising):
    model, lengths = torch.nn.Sequential(torch.nn.Conv2d(4, 2, 3), torch.nn.Flatten(), torch.nn.Linear(2, 1)), []
    going = descent.Descent(model, total=total, rate=1e-2, rising=rising)
    ways = []
    for way in going.steps("a net"):
        ways.append(way)
        lengths.append(going.plans[1].get_last_lr()[0])
        going.step(model(torch.ones(4, 4, 3, 3)).square().mean())
    assert ways == [k / total for k in range(total)]
    top = lengths.index(max(lengths))
    assert lengths[: top + 1] == sorted(lengths[: top + 1])
    assert lengths[top:] == sorted(lengths[top:], reverse=True)
    assert total < recipes.FEWEST_STEPS or max(lengths) > 0.5e-2
    assert total < 30 or (abs(top + 1 - rising * total) <= 1 and lengths[-1] < 1e-4 * max(lengths))


@given(st.integers(0, 99), st.sampled_from([(48, 40), (32, 30), (7, 9)]))
def test_places_are_those_of_pytorchs_grid(seed, to_hw):
    rng = torch.Generator().manual_seed(seed)
    x = torch.rand(3, 3, 20, 24, generator=rng)
    matrices = torch.eye(2, 3) + 0.3 * torch.randn(3, 2, 3, generator=rng)
    grid = torch.nn.functional.affine_grid(matrices, [3, 3, *to_hw], align_corners=False)
    plain = torch.nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    assert torch.allclose(craft.sampled(x, matrices, to_hw), plain, atol=1e-4)


def test_soft_pictures_are_means_of_nine_pixels():
    x = torch.rand(2, 3, 9, 7, generator=torch.Generator().manual_seed(3)) * 255
    assert torch.allclose(craft._softened(x), torch.nn.functional.avg_pool2d(x, 3, 1, 1), atol=1e-3)
