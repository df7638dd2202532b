"""Steps for the kernels of convolutions by which no direction is learnt faster than another.

Muon (K. Jordan and others, 2024, https://kellerjordan.github.io/posts/muon/): a step is the momentum's nearest
matrix with orthonormal rows or columns. PyTorch's own takes matrices only. At equal steps our nets learn more by it
than by AdamW: of 900 steps for faces the log loss on traced crops of unseen fonts was 0.030 instead of 0.043.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch

MOMENTUM = 0.95
A, B, C = 3.4445, -4.7750, 2.0315
"""x -> A x + B x^3 + C x^5 brings numbers within 0..1 near to 1, in five turns."""
TURNS = 5


def orthonormal(matrix: torch.Tensor) -> torch.Tensor:
    """Return about the nearest matrix all of whose singular values are alike, near 1.

    All turns are taken on x x^T, whose side is the shorter one of x: what they do to x is multiplied out first.
    """
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    square = x @ x.T
    done = turn = _turn(square)
    for _ in range(TURNS - 1):
        # All of these are polynomials of the same matrix: they commute.
        square = turn @ square @ turn
        turn = _turn(square)
        done = done @ turn
    x = done @ x
    return x.T if tall else x


def _turn(square: torch.Tensor) -> torch.Tensor:
    """Return A + B x + C x^2 of x = `square`."""
    turn = torch.addmm(B * square, square, square, alpha=C)
    turn.diagonal().add_(A)
    return turn


class Muon(torch.optim.Optimizer):
    """Steps of length `lr` over the kernels' own length: kernels are kept at one length, as a norm follows each."""

    def __init__(self, kernels: Iterable[torch.Tensor], lr: float) -> None:
        """Take the kernels (out, in, height, width) of convolutions."""
        super().__init__(kernels, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Follow the gradients by one step."""
        for group in self.param_groups:
            for kernel in group["params"]:
                momentum = self.state[kernel].setdefault("momentum", torch.zeros_like(kernel))
                momentum.lerp_(kernel.grad, 1 - MOMENTUM)
                ahead = kernel.grad.lerp(momentum, MOMENTUM).contiguous()
                length = min(len(kernel), kernel[0].numel()) ** 0.5
                kernel.mul_(length / kernel.norm())
                kernel.sub_(orthonormal(ahead.flatten(1)).view(kernel.shape), alpha=group["lr"])
