"""How each net is made: by what, in how many steps, from crops of what size. All in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from vision.training.craft import export
from vision.training.side_by_side import rewrite
from vision.training.train_faces import calibrate_faces, train_faces
from vision.training.train_loose import check_loose, train_loose
from vision.training.train_outline import check_outline, train_outline
from vision.training.train_pieces import check_pieces, train_pieces
from vision.training.train_stacked import check_stacked, train_stacked
from vision.training.train_standing import check_standing, train_standing
from vision.training.train_symbols import calibrate_symbols, train_symbols

CROP = (3, 48, 48)
FEWEST_STEPS = 3
"""With fewer no step of `vision.training.descent` is of any length."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one net is made."""

    train: Callable[..., Any]
    """Of the drawn set's folder, `total` steps, and a seed."""
    check: Callable[[Any, Path], dict[str, float]]
    """Calibrates, where there is anything to, and returns figures on held-out drawings."""
    shape_chw: tuple[int, int, int]
    """Of what it sees."""
    steps: int
    seed: int = 0
    """What is added to the seed of the whole."""
    many: bool = False
    """It sees so many crops at once that they are better laid side by side (`vision.training.side_by_side`)."""

    def make(self, data: Path, path: Path, *, effort: float, seed: int) -> dict[str, float]:
        """Train the net, write it, and return its figures. effort: times the usual steps."""
        net = self.train(data, total=max(FEWEST_STEPS, round(self.steps * effort)), seed=seed + self.seed)
        figures = self.check(net, data)
        export(net, path, (1, *self.shape_chw))
        if self.many:
            rewrite(path)
        return figures


RECIPES = {
    "faces": Recipe(train_faces, calibrate_faces, CROP, steps=10000),
    "standing": Recipe(train_standing, check_standing, CROP, steps=5000),
    "loose": Recipe(train_loose, check_loose, (3, 288, 400), steps=3000),
    "symbols-large": Recipe(
        partial(train_symbols, large=True), calibrate_symbols, (3, 48, 40), steps=3900, seed=1, many=True
    ),
    "symbols": Recipe(train_symbols, calibrate_symbols, (3, 48, 40), steps=4900, many=True),
    "pieces": Recipe(train_pieces, check_pieces, (3, 304, 400), steps=1830),
    "outline": Recipe(train_outline, check_outline, CROP, steps=2400),
    "stacked": Recipe(train_stacked, check_stacked, (3, 56, 48), steps=3000),
}
"""In an order in which two cores end near each other: 6:15, 5:32, 4:31 and 1:48 minutes on one, 8:28, 4:32, 2:57 and
1:59 on the other (2026-11-28, bfloat16 in vectors alone)."""


def make_alone(name: str, data: str, out: str, effort: float, seed: int) -> tuple[str, dict[str, float]]:
    """Make one net in a process of its own, on one core: sums then come out the same each time, to the last bit."""
    torch.set_num_threads(1)
    return name, RECIPES[name].make(Path(data), Path(out) / f"{name}.onnx", effort=effort, seed=seed)
