"""Train and check the net that tells dice, which stand up, from disks, which lie flat, and both from shadows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.crops import around, standing
from vision.training.craft import coloured, from_afar, grainy, quickly
from vision.training.descent import Descent, grown
from vision.training.nets import CropNet, standing_net
from vision.training.store import load_all, was_drawn

SPLITS = ("traced", "faces", "prints")
STRANGE, NEAR = 0.6, (0.65, 1.1)
"""Share of the crops around whose piece is shown what lies around another one, and from how far off its middle, over
half the crop's side: a disk among dice is none of them."""
SMALL, LEAST = 0.3, 20
"""Share of the batches shown as small as a far camera sees them, and the side of the smallest crop in pixels."""
SMOOTHED = 0.001
"""With five times as much, what lies flat for certain is hardly told from what only seems to."""
BARE = 0.25
"""Share of the batches in whose middle no piece lies."""


def _crops(data: Path, splits: Sequence[str]) -> tuple[np.ndarray, torch.Tensor]:
    """Return crops (n, 48, 48, 3) of those splits that there are, and of what kind each is, (n,) int64.

    0 lies flat, 1 stands up, 2 is no piece.
    """
    image, stands = load_all(data, splits, "around", "stands")
    (bare,) = load_all(data, splits, "bare")
    kind = np.concatenate([stands.astype(np.int64), np.full(len(bare), 2)])
    return np.concatenate([image, bare]), torch.from_numpy(kind)


def _batch(images: np.ndarray, far: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return the net's input for crops, each changed by chance. far: (h, w) from the middle, over half the side."""
    x = torch.from_numpy(images).permute(0, 3, 1, 2)
    strange = (far > _between(NEAR, x, rng)) & _some(STRANGE, x, rng)
    x = torch.where(strange, x[torch.randperm(len(x), generator=rng)], x)
    x = torch.rot90(x, int(torch.randint(4, (1,), generator=rng)), (2, 3))
    x = coloured(x.flip(3) if torch.rand(1, generator=rng) < 0.5 else x, rng)
    x = from_afar(x, rng, share=SMALL, least=LEAST)
    return torch.from_numpy(around.normalised(grainy(x, rng).permute(0, 2, 3, 1).numpy()))


def _between(bounds: tuple[float, float], x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return a number between bounds for each of a batch."""
    return bounds[0] + (bounds[1] - bounds[0]) * torch.rand(len(x), 1, 1, 1, generator=rng)


def _some(share: float, x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    return torch.rand(len(x), 1, 1, 1, generator=rng) < share


def train_standing(data: Path, *, total: int, seed: int, batch: int = 256) -> CropNet:
    """Return the net, trained in `total` steps on those of SPLITS that there are."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    image, kind = _crops(data, SPLITS)
    kinds = [(kind == one).nonzero()[:, 0] for one in range(3)]
    line = (torch.arange(around.SIDE) + 0.5) / around.SIDE * 2 - 1
    far = torch.hypot(*torch.meshgrid(line, line, indexing="ij"))
    model = standing_net().to(memory_format=torch.channels_last)
    descent = Descent(model, total=total, rate=3e-3)
    for way in descent.steps("standing"):
        n = max(2, grown(batch, way))
        of_each = ((n + 1) // 2, (n + 1) // 2, max(1, round(n * BARE / (1 - BARE))))
        pick = torch.cat(
            [there[torch.randint(len(there), (k,), generator=rng)] for there, k in zip(kinds, of_each, strict=True)]
        )
        said, truth = quickly(model, _batch(image[pick.numpy()], far, rng)), kind[pick]
        piece = truth < 2
        descent.step(_loss(said[piece, 0], truth[piece] == 1) + _loss(said[:, 1], piece))
    return model


def _loss(logit: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Return how far logits (n,) are from a truth (n,) bool."""
    wanted = SMOOTHED + (1 - 2 * SMOOTHED) * truth.float()
    return nn.functional.binary_cross_entropy_with_logits(logit, wanted)


def check_standing(model: CropNet, data: Path) -> dict[str, float]:
    """Return figures on crops in held-out fonts; nothing where there are none."""
    if not was_drawn(data, "traced-checks"):
        return {}
    image, kind = _crops(data, ("traced-checks",))
    with torch.no_grad():
        parts = [model(torch.from_numpy(around.normalised(image[k : k + 512]))) for k in range(0, len(image), 512)]
    said, piece = torch.cat(parts), kind < 2
    logit, stands = said[piece, 0], kind[piece] == 1
    called = logit > standing.STANDS
    return {
        "crops": len(stands),
        "log_loss": float(nn.functional.binary_cross_entropy_with_logits(logit, stands.float())),
        "dice_called_so": float(called[stands].float().mean()),
        "disks_called_dice": float(called[~stands].float().mean()),
        "bare": int((~piece).sum()),
        "log_loss_bare": float(nn.functional.binary_cross_entropy_with_logits(said[:, 1], piece.float())),
        "bare_called_so": float((said[~piece, 1] < standing.NO_PIECE).float().mean()),
        "pieces_called_bare": float((said[piece, 1] < standing.NO_PIECE).float().mean()),
    }
