"""What steps are made of, in training: chances that drop features, and kernels' nearest orthonormal matrices."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from vision.training import muon  # noqa: E402
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
