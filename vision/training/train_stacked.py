"""Train and check the net that tells tiles which lie on others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.board import on_others
from vision.crops import symbols
from vision.training.craft import coloured, grainy, quickly, scratched, shaded
from vision.training.descent import Descent, grown
from vision.training.nets import CropNet, stack_net
from vision.training.store import load

STACKED = 0.25
"""Share of what is shown that lies on others. Hardly any tile on a table does: what the net says is no probability."""
SHADED = 0.15
"""Share of the crops on which the edge of a hard shadow may lie: no tile throws it."""


def _crops(data: Path, split: str) -> tuple[np.ndarray, torch.Tensor]:
    """Return crops (n, 56, 48, 3) and whether they show a tile on others, (n,) float32."""
    stack, stacked = load(data, split, "stack", "stacked")
    return stack, torch.from_numpy(stacked.astype(np.float32))


def _batch(images: np.ndarray, rng: torch.Generator) -> torch.Tensor:
    x = torch.from_numpy(images)
    # A mirror image of a stack is one.
    x = x.flip(2) if torch.rand(1, generator=rng) < 0.5 else x
    x = shaded(coloured(x.permute(0, 3, 1, 2), rng), rng, share=SHADED)
    return torch.from_numpy(symbols.normalised(grainy(x, rng).permute(0, 2, 3, 1).numpy()))


def train_stacked(data: Path, *, total: int, seed: int, batch: int = 256) -> CropNet:
    """Return the net, trained in `total` steps on the split stacks."""
    torch.manual_seed(seed)
    rng, scratches = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    image, stacked = _crops(data, "stacks")
    kinds = (stacked == 0, stacked == 1)
    model = stack_net().to(memory_format=torch.channels_last)
    descent = Descent(model, total=total, rate=3e-3)
    for way in descent.steps("stacked"):
        n = grown(batch, way)
        counts = (n - round(STACKED * n), round(STACKED * n))
        pick = torch.cat([_some(kind, count, rng) for kind, count in zip(kinds, counts, strict=True)])
        crops = scratched(image[pick.numpy()], scratches)
        said = quickly(model, _batch(crops, rng))[:, 0]
        loss = nn.functional.binary_cross_entropy_with_logits(said, stacked[pick])
        descent.step(loss)
    return model


def _some(which: torch.Tensor, n: int, rng: torch.Generator) -> torch.Tensor:
    """Return n of the places of a mask, by chance."""
    there = which.nonzero()[:, 0]
    return there[torch.randint(len(there), (n,), generator=rng)]


def check_stacked(model: CropNet, data: Path) -> dict[str, float]:
    """Return figures on drawn crops in held-out fonts."""
    image, stacked = _crops(data, "stack-checks")
    with torch.no_grad():
        parts = [model(torch.from_numpy(symbols.normalised(image[k : k + 512]))) for k in range(0, len(image), 512)]
    logit = torch.cat(parts)[:, 0]
    called = logit.sigmoid() > on_others.LIES_ON_OTHERS
    return {
        "crops": len(stacked),
        "stacked_crops": int(stacked.sum()),
        "log_loss": float(nn.functional.binary_cross_entropy_with_logits(logit, stacked)),
        "stacked_seen": float(called[stacked == 1].float().mean()),
        "others_called_stacked": float(called[stacked == 0].float().mean()),
    }
