"""What all three trainings share: changes of colour and grain, the plan of the rates, averaging, export."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import torch
from torch import nn

from vision.training.nets import folded

PERMUTATIONS = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])

SMOOTHING = 0.001
"""How much of the truth is spread over all that a piece may show. A net is never surer than that, and forty tiles or
twelve disks must be sure together."""


def coloured(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return pictures (n, 3, h, w) in 0..255 with swapped channels, other gains, now and then as a negative."""
    n = len(x)
    order = PERMUTATIONS[torch.randint(6, (n,), generator=rng)]
    swap = torch.rand(n, generator=rng) < 0.5
    order = torch.where(swap[:, None], order, torch.arange(3)[None])
    x = torch.gather(x, 1, order[:, :, None, None].expand(-1, -1, *x.shape[2:]))
    x = x * (1 + 0.22 * torch.randn(n, 3, 1, 1, generator=rng)).clamp(0.3, 1.8)
    negative = torch.nonzero(torch.rand(n, generator=rng) < 0.12)[:, 0]
    x[negative] = 255 - x[negative]
    return x.clamp_(0, 255)


def grainy(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return the crops with noise, some of them soft."""
    soft = torch.nonzero(torch.rand(len(x), generator=rng) < 0.12)[:, 0]
    x[soft] = nn.functional.avg_pool2d(x[soft], 3, 1, 1)
    strength = 10 * torch.rand(len(x), 1, 1, 1, generator=rng) ** 3
    start = int(torch.randint(_NOISE_LENGTH - x.numel(), (1,), generator=rng))
    return (x + strength * _noise()[start : start + x.numel()].view(x.shape)).clamp_(0, 255)


def loosely_cut(x: torch.Tensor, rng: torch.Generator, *, turn: float, size: float, move: float) -> torch.Tensor:
    """Return crops turned (radians), scaled (logarithm) and moved (over the half side) a little, by normal chance."""
    n = len(x)
    a, big = turn * torch.randn(n, generator=rng), torch.exp(size * torch.randn(n, generator=rng))
    off = move * torch.randn(n, 2, generator=rng)
    c, s = torch.cos(a) * big, torch.sin(a) * big
    matrix = torch.stack([torch.stack([c, -s, off[:, 0]], 1), torch.stack([s, c, off[:, 1]], 1)], 1)
    grid = nn.functional.affine_grid(matrix, list(x.shape), align_corners=False)
    return nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)


_NOISE_LENGTH = 1 << 23


@lru_cache(maxsize=1)
def _noise() -> torch.Tensor:
    """Return normal noise to cut pieces from: drawing it anew costs a third of a step."""
    return torch.randn(_NOISE_LENGTH, generator=torch.Generator().manual_seed(7))


def steps(
    model: nn.Module, total: int, rate: float
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """Return optimiser and schedule: one cycle up to `rate` and down again within `total` steps."""
    best = torch.optim.AdamW(model.parameters(), rate, weight_decay=0.02)
    return best, torch.optim.lr_scheduler.OneCycleLR(best, rate, total_steps=total, pct_start=0.15)


class Average:
    """Exponential moving average of a model's weights: what is exported."""

    def __init__(self, model: nn.Module, keep: float = 0.998) -> None:
        """Start from the model\'s present weights."""
        self.keep, self.state = keep, {k: v.clone() for k, v in model.state_dict().items()}

    def update(self, model: nn.Module) -> None:
        """Take in the model's present weights."""
        for k, v in model.state_dict().items():
            self.state[k] = self.state[k] * self.keep + v * (1 - self.keep) if v.is_floating_point() else v.clone()


def export(model: nn.Module, path: Path, shape: tuple[int, ...]) -> None:
    """Write the model as ONNX that cv2.dnn 4.10 and 5 read; the batch (symbols) or the size (pieces) stays free."""
    free = {"x": {0: "n"}, "y": {0: "n"}} if len(shape) == 4 and shape[2] < 100 else None
    path.parent.mkdir(exist_ok=True)
    torch.onnx.export(
        folded(model),
        (torch.zeros(shape),),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes=free or {"x": {2: "h", 3: "w"}, "y": {2: "h4", 3: "w4"}},
    )
