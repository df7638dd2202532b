"""Going down step by step: how long steps are, how much each of them sees, averaging."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn
from tqdm import tqdm

from vision.training.muon import Muon

TURN = 0.03
"""How far a step turns a kernel at most. With 0.08 symbols learn less (log loss 1.27 instead of 1.04 in one pass)."""
RISING = 0.05
"""Share of the steps in which their length grows, before it falls. With 0.15 the nets of crops learn less."""
SLOWLY = 0.15
"""The same for nets that find: with RISING they saw more that is not there, in one run."""
COLOURS = 3
"""Kernels over the three colours of a picture are too flat to be turned."""
SHOWN = 50
"""After so many steps a bar shows the loss again."""
FEWEST, WHOLE_FROM = 0.12, 0.9
"""Share of a whole batch that the first step sees, and of the way from which all see whole ones."""


def grown(batch: int, way: float) -> int:
    """Return how many of a batch are seen by a step that is `way` (0 to 1) of the way down: few at first, then all.

    While steps are long, where they go need not be known well (Smith and others 2018, arXiv:1711.00489). More of them,
    and small ones at first, lead as far in less time than whole ones: figures in FIGURES.md, "Small batches to
    begin with".
    """
    return max(1, round(batch * min(1.0, FEWEST + (1 - FEWEST) * way / WHOLE_FROM)))


class Passes:
    """Places 0 to n - 1 in any order, some at a time, none twice in a pass."""

    def __init__(self, n: int, rng: torch.Generator) -> None:
        """Lay out. n: of all places."""
        self.n, self.rng, self.left = n, rng, torch.empty(0, dtype=torch.int64)

    def take(self, count: int) -> torch.Tensor:
        """Return the next `count`, int64, fewer only where n is; fewer than that at a pass's end are left out of it."""
        if len(self.left) < count:
            self.left = torch.randperm(self.n, generator=self.rng)
        taken, self.left = self.left[:count], self.left[count:]
        return taken


class Descent:
    """A model on its way down: one cycle of the rate up to `rate` and back within `total` steps.

    Kernels of convolutions go by Muon, up to TURN of their own length a step, all else by AdamW. What it arrives at is
    the exponential moving average of its weights. keep: share of the average that each step keeps. clip: longest
    gradient that is followed; None for any. rising: share of the steps that grow.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        total: int,
        rate: float,
        keep: float = 0.998,
        clip: float | None = None,
        rising: float = RISING,
    ) -> None:
        """Start from the model's present weights."""
        self.model, self.total, self.keep, self.clip, self.loss = model, total, keep, clip, torch.zeros(())
        kernels = [p for p in model.parameters() if p.ndim == 4 and p.shape[2] > 1 and p.shape[1] > COLOURS]
        ours = {id(p) for p in kernels}
        others = [p for p in model.parameters() if id(p) not in ours]
        self.ways: list[torch.optim.Optimizer] = [
            Muon(kernels, TURN),
            torch.optim.AdamW(others, rate, weight_decay=0.02),
        ]
        # PyTorch's plan fails with a rise of just one step.
        rising = min(0.6, max(rising, 1.5 / total))
        self.plans = [
            torch.optim.lr_scheduler.OneCycleLR(way, most, total_steps=total, pct_start=rising, cycle_momentum=False)
            for way, most in zip(self.ways, (TURN, rate), strict=True)
        ]
        # What moves is changed in place: the same tensors at each step. What counts the steps has no average.
        moving = {k: v for k, v in model.state_dict().items() if v.is_floating_point()}
        self.moving, self.average = list(moving.values()), {k: v.clone() for k, v in moving.items()}

    def step(self, loss: torch.Tensor) -> None:
        """Follow a loss downwards by one step."""
        self.model.zero_grad()
        loss.backward()
        self.loss = loss.detach()
        if self.clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        for mover in (*self.ways, *self.plans):
            mover.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), self.moving, 1 - self.keep)

    def steps(self, name: str) -> Iterator[float]:
        """Yield at each step how far the way is gone, 0 to 1; show a bar by a net's name; arrive after the last."""
        bar = tqdm(range(self.total), desc=name, mininterval=5)
        for number in bar:
            yield number / self.total
            if number % SHOWN == 0:
                bar.set_postfix(loss=f"{self.loss.item():.4f}")
        self.arrive()

    def arrive(self) -> None:
        """Give the model its average weights, ready for use."""
        self.model.load_state_dict(self.model.state_dict() | self.average)
        self.model.eval()
