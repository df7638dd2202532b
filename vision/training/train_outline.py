"""Train and check the net that says where exactly the top of a die lies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.crops import around, outline
from vision.training.craft import coloured, from_afar, grainy, quickly, sampled
from vision.training.descent import Descent, grown
from vision.training.face_samples import WIDE
from vision.training.nets import CropNet, outline_net
from vision.training.store import load, was_drawn

SHARES = {"traced": 0.5, "faces": 0.35, "prints": 0.15}
"""How much of what is shown comes from each split, as far as there are such."""
TOP_PX = around.SIDE * outline.SHARE
"""Side of a die's top in the crops, in pixels."""
NEAR, FAR, ASTRAY = (0.06, 0.05), (0.2, 0.12), 0.35
"""How far a crop is off its die, over the die's side, and how much larger or smaller (logarithm), by normal chance: as
a rule, and of what share of the crops further. The finder itself errs by 0.02, and by 0.1 one time in a hundred."""
ANY_TURN, TURN = 0.4, 0.12
"""Share of the crops that lie any way, and how far the others are turned (radians)."""
SMALL, LEAST = 0.25, 22
"""Share of the batches shown as small as a far camera sees them, and the side of the smallest crop in pixels."""
EXACT = 0.02
"""Off by less than this counts by its square, by more by itself."""
OF_ANGLE = 0.1
"""How much the angle counts beside place and size, each over the die's side."""
CHECKED = (0.03, 0.1, 0.25)
"""How far the crops of the figures are off their dice."""


def _crops(data: Path) -> tuple[list[np.ndarray], torch.Tensor]:
    """Return crops (n, 72, 72, 3) of those splits that there are, and how much of what is shown each is."""
    splits = [split for split in SHARES if was_drawn(data, split)]
    return [load(data, split, "top")[0] for split in splits], torch.tensor([SHARES[split] for split in splits])


def _chance(n: int, rng: torch.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return how n crops are turned (radians), how far they are off (n, 2), over a side, and how large (logarithm)."""
    astray = torch.rand(n, generator=rng) < ASTRAY
    anyhow = (torch.rand(n, generator=rng) - 0.5) * torch.pi / 2
    turn = torch.where(torch.rand(n, generator=rng) < ANY_TURN, anyhow, TURN * torch.randn(n, generator=rng))
    off = torch.randn(n, 2, generator=rng) * torch.where(astray, FAR[0], NEAR[0])[:, None]
    return turn, off, torch.randn(n, generator=rng) * torch.where(astray, FAR[1], NEAR[1])


def moved(
    wide: torch.Tensor, turn: torch.Tensor, off: torch.Tensor, size: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return crops (n, 3, 48, 48) of wide ones (n, 3, 72, 72), and where the tops of their dice lie in them, (n, 5).

    turn, off, size: as of `_chance`. That is: how far to the right and down of the crop's middle, over the side of what
    is taken for the top; how much larger it is (logarithm); cosine and sine of four times its angle, clockwise.
    """
    big, c, s = size.exp(), turn.cos(), turn.sin()
    across, down = off.T
    near = big * around.SIDE / WIDE
    shift = 2 * TOP_PX / WIDE * off
    rows = [torch.stack([near * c, -near * s, shift[:, 0]], 1), torch.stack([near * s, near * c, shift[:, 1]], 1)]
    crops = sampled(wide, torch.stack(rows, 1), (around.SIDE, around.SIDE))
    there = -(c * across + s * down) / big, -(c * down - s * across) / big
    return crops, torch.stack([*there, -size, (4 * turn).cos(), -(4 * turn).sin()], 1)


def _batch(images: np.ndarray, rng: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the net's input for wide crops, each changed by chance, and where the tops lie in it."""
    x = torch.rot90(torch.from_numpy(images), int(torch.randint(4, (1,), generator=rng)), (1, 2))
    x = (x.flip(2) if torch.rand(1, generator=rng) < 0.5 else x).permute(0, 3, 1, 2).float()
    x, truth = moved(x, *_chance(len(x), rng))
    x = coloured(x, rng)
    return _input(grainy(from_afar(x, rng, share=SMALL, least=LEAST), rng)), truth


def _input(crops: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(around.normalised(crops.permute(0, 2, 3, 1).numpy()))


def train_outline(data: Path, *, total: int, seed: int, batch: int = 256) -> CropNet:
    """Return the net, trained in `total` steps on those of SHARES that there are."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    images, shares = _crops(data)
    model = outline_net().to(memory_format=torch.channels_last)
    descent = Descent(model, total=total, rate=3e-3)
    for way in descent.steps("outline"):
        source = torch.multinomial(shares, grown(batch, way), replacement=True, generator=rng)
        counts = source.bincount(minlength=len(images))
        picks = [
            torch.randint(len(part), (int(n),), generator=rng).numpy() for part, n in zip(images, counts, strict=True)
        ]
        x, truth = _batch(np.concatenate([part[pick] for part, pick in zip(images, picks, strict=True)]), rng)
        said = quickly(model, x)
        loss = nn.functional.smooth_l1_loss(said[:, :3], truth[:, :3], beta=EXACT)
        loss = loss + OF_ANGLE * nn.functional.mse_loss(said[:, 3:], truth[:, 3:])
        descent.step(loss)
    return model


def check_outline(model: CropNet, data: Path) -> dict[str, float]:
    """Return figures on crops in held-out fonts, so far off as CHECKED: what is left of that; nothing without any."""
    if not was_drawn(data, "traced-checks"):
        return {}
    wide = torch.from_numpy(load(data, "traced-checks", "top")[0]).permute(0, 3, 1, 2).float()
    rng, figures = torch.Generator().manual_seed(5), {"crops": float(len(wide))}
    for off in CHECKED:
        turn = (torch.rand(len(wide), generator=rng) - 0.5) * torch.pi / 2
        by = off * torch.randn(len(wide), 2, generator=rng)
        crops, truth = moved(wide, turn, by, torch.zeros(len(wide)))
        with torch.no_grad():
            said = model(_input(crops))
        left = (said[:, :2] - truth[:, :2]).norm(dim=1)
        for share in (0.5, 0.99):
            figures[f"left_of_{off}_{share:.2f}"] = float(left.quantile(share))
    return figures
