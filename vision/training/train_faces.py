"""Train and calibrate the net that reads dice and disks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.crops import faces
from vision.training.craft import SMOOTHING, coloured, figures_of, grainy, loosely_cut, quickly
from vision.training.descent import Descent, grown
from vision.training.nets import CropNet, face_net
from vision.training.store import load, was_drawn

DICE = torch.tensor([kind == "die" for kind, _ in faces.FACES])
SHARES = {"faces": 0.33, "prints": 0.32, "traced": 0.35}
"""How much of what is shown comes from each split, as far as there are such."""
EARLY, EARLY_HW = 0.5, (32, 32)
"""Share of the steps, the first ones, that see smaller crops, and the height and width of these in pixels: such a step
takes half as long, and whole trays are read as well (FIGURES.md, "Small crops to begin with")."""


def _crops(data: Path, splits: Iterable[str]) -> tuple[np.ndarray, torch.Tensor, dict[str, slice]]:
    """Return crops (n, 48, 48, 3), what they show, (n,) int64, and where those of each split are."""
    parts, where, n = [], {}, 0
    for split in splits:
        if was_drawn(data, split):
            face, value = load(data, split, "face", "value")
            parts.append((face, value.astype(np.int64)))
            where[split] = slice(n, n := n + len(parts[-1][0]))
    image, shown = (np.concatenate(part) for part in zip(*parts, strict=True))
    return image, torch.from_numpy(shown), where


def _picked(where: dict[str, slice], batch: int, rng: torch.Generator) -> torch.Tensor:
    """Return (batch,) which crops to show next, each split by its share."""
    chances = torch.tensor([SHARES[split] for split in where])
    source = torch.multinomial(chances, batch, replacement=True, generator=rng)
    first, end = (torch.tensor([getattr(s, side) for s in where.values()])[source] for side in ("start", "stop"))
    return first + (torch.rand(batch, generator=rng) * (end - first)).long()


def train_faces(data: Path, *, total: int, seed: int, batch: int = 128) -> CropNet:
    """Return a net for dice and disks, trained in `total` steps.

    data: a folder with the split faces and, as a rule, prints and traced.
    """
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    image, value, where = _crops(data, SHARES)
    model = face_net().to(memory_format=torch.channels_last)
    descent = Descent(model, total=total, rate=3e-3)
    for way in descent.steps("faces"):
        pick = _picked(where, grown(batch, way), rng)
        small = EARLY_HW if way < EARLY else None
        # A quarter turn of a die or a disk shows the same value. Bytes are turned: that is a quarter of the work.
        x = torch.rot90(torch.from_numpy(image[pick.numpy()]), int(torch.randint(4, (1,), generator=rng)), (1, 2))
        x = loosely_cut(coloured(x.permute(0, 3, 1, 2), rng), rng, turn=0.12, size=0.1, move=0.06, to_hw=small)
        x = torch.from_numpy(faces.normalised(grainy(x, rng).permute(0, 2, 3, 1).numpy()))
        out, truth = quickly(model, x), value[pick]
        there = truth < len(faces.FACES)
        # A die can only be a die: whoever asks knows which of the two lies there.
        other = there[:, None] & ((truth < 6)[:, None] != DICE[None])
        log_p = torch.log_softmax(out[:, :-1].masked_fill(other, -30.0), 1)
        wrong, spread = -log_p.gather(1, truth.clamp(max=12)[:, None])[:, 0], -(log_p * ~other).mean(1)
        loss = torch.where(there, (1 - SMOOTHING) * wrong + SMOOTHING * spread, 0.3 * spread).mean()
        loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(out[:, -1], (~there).float())
        descent.step(loss)
    return model


def calibrate_faces(model: CropNet, data: Path) -> dict[str, float]:
    """Scale the logits of dice and those of disks by the temperatures that fit the held-out drawings best.

    Returns figures on these.
    """
    image, value, where = _crops(data, ("face-checks", "print-checks", "traced-checks"))
    with torch.no_grad():
        out = torch.cat(
            [model(torch.from_numpy(faces.normalised(image[k : k + 512]))) for k in range(0, len(image), 512)]
        )
    there = value < len(faces.FACES)
    log_p = torch.zeros(len(out), len(faces.FACES))
    figures: dict[str, float] = {"crops": int(there.sum())}
    for kind, ours in (("dice", DICE), ("disks", ~DICE)):
        theirs = there & ours[value.clamp(max=len(ours) - 1)]
        # A die can only be a die: the finder has told them apart.
        logits = out[:, :-1].masked_fill(~ours, -30.0)
        grid = torch.linspace(0.2, 3.0, 141)
        losses = torch.stack([nn.functional.cross_entropy(logits[theirs] / t, value[theirs]) for t in grid])
        figures[f"temperature_{kind}"] = temperature = float(grid[losses.argmin()])
        with torch.no_grad():
            rows = ours.nonzero()[:, 0]
            model.out.weight[rows] /= temperature
            model.out.bias[rows] /= temperature
        log_p[theirs] = torch.log_softmax(logits[theirs] / temperature, 1)
        figures |= figures_of(kind, log_p[theirs], value[theirs])
    for split, part in where.items():
        seen = there[part]
        figures |= figures_of(split.removesuffix("-checks"), log_p[part][seen], value[part][seen])
    return figures
