"""Train and calibrate the net that reads tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.crops import symbols
from vision.training.craft import SMOOTHING, coloured, figures_of, grainy, loosely_cut, quickly, scratched, shaded
from vision.training.descent import Descent, Passes, grown
from vision.training.nets import CropNet, symbol_net
from vision.training.store import load_all, was_drawn

OTHER_CHECKS = {"traced": "traced-tile-checks", "other": "other-tile-checks"}
"""Figures beside those on drawn crops: of whole traced trays, and of digits that are small, aside or ornamented."""
SHADED = 0.06
"""Share of the crops on which the edge of a hard shadow may lie."""


def _crop_batch(images: np.ndarray, rng: torch.Generator) -> torch.Tensor:
    x = coloured(torch.from_numpy(images).permute(0, 3, 1, 2), rng)
    x = loosely_cut(shaded(x, rng, share=SHADED), rng, turn=0.03, size=0.03, move=0.03)
    return torch.from_numpy(symbols.normalised(grainy(x, rng).permute(0, 2, 3, 1).numpy()))


def _symbol_loss(out: torch.Tensor, symbol: torch.Tensor, upside: torch.Tensor) -> torch.Tensor:
    """Cross entropy on readable crops, an even spread on the others, and the two flags."""
    there = symbol < 12
    log_p = torch.log_softmax(out[:, :12], 1)
    wrong = -log_p.gather(1, symbol.clamp(max=11)[:, None])[:, 0]
    spread = -log_p.mean(1)
    loss = torch.where(there, (1 - SMOOTHING) * wrong + SMOOTHING * spread, 0.3 * spread).mean()
    bce = nn.functional.binary_cross_entropy_with_logits
    loss = loss + 0.5 * bce(out[:, 13], (~there).float())
    return loss + 0.5 * (bce(out[:, 12], upside, reduction="none") * there).mean()


def _crops(data: Path, splits: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return crops (n, 48, 40, 3), what they show and whether they lie upside down, (n,), all uint8.

    Of the splits that are there: without POV-Ray there are no traced ones.
    """
    image, symbol, upside = load_all(data, splits, "image", "symbol", "upside")
    return image, symbol, upside


def train_symbols(data: Path, *, total: int, seed: int, large: bool = False, batch: int = 256) -> CropNet:
    """Return a symbol net, trained in `total` steps on the crops of data.

    large: the one that is asked where the other doubts.
    """
    torch.manual_seed(seed)
    rng, scratches = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    image, symbols_shown, turned = _crops(data, ("train", "tiles", "traced-tiles", "other-tiles"))
    symbol, upside = torch.from_numpy(symbols_shown.astype(np.int64)), torch.from_numpy(turned.astype(np.float32))
    model = symbol_net(large=large).to(memory_format=torch.channels_last)
    descent, passes = Descent(model, total=total, rate=3e-3), Passes(len(image), rng)
    for way in descent.steps("symbols-large" if large else "symbols"):
        pick = passes.take(grown(batch, way))
        crops = scratched(image[pick.numpy()], scratches)
        loss = _symbol_loss(quickly(model, _crop_batch(crops, rng)), symbol[pick], upside[pick])
        descent.step(loss)
    return model


def symbol_outputs(model: nn.Module, images: np.ndarray) -> torch.Tensor:
    """Return the logits for crops (n, 48, 40, 3), unaugmented."""
    with torch.no_grad():
        parts = [model(torch.from_numpy(symbols.normalised(images[k : k + 512]))) for k in range(0, len(images), 512)]
    return torch.cat(parts)


def calibrate_symbols(model: CropNet, data: Path) -> dict[str, float]:
    """Scale the symbol logits by the temperature that fits the held-out fonts best; return figures on them."""
    image, shown, upside = _crops(data, ("check",))
    symbol = torch.from_numpy(shown.astype(np.int64))
    out = symbol_outputs(model, image)
    there = symbol < 12
    logits, truth = out[there, :12], symbol[there]
    grid = torch.linspace(0.5, 3.0, 101)
    losses = torch.stack([nn.functional.cross_entropy(logits / t, truth) for t in grid])
    temperature = float(grid[losses.argmin()])
    with torch.no_grad():
        model.out.weight[:12] /= temperature
        model.out.bias[:12] /= temperature
    figures: dict[str, float] = {
        "temperature": temperature,
        "crops_drawn": len(truth),
        **figures_of("drawn", torch.log_softmax(logits / temperature, 1), truth),
        "unreadable_right": float(((out[:, 13] > 0) == ~there).float().mean()),
        "upside_right": float(((out[there, 12] > 0).numpy() == (upside[there.numpy()] > 0)).mean()),
    }
    for name, split in OTHER_CHECKS.items():
        if was_drawn(data, split):
            image, shown, _ = _crops(data, (split,))
            symbol, out = torch.from_numpy(shown.astype(np.int64)), symbol_outputs(model, image)
            seen = symbol < 12
            figures[f"crops_{name}"] = int(seen.sum())
            figures |= figures_of(name, torch.log_softmax(out[seen, :12], 1), symbol[seen])
    return figures
