"""Train and calibrate the net that reads dice and disks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from vision import faces
from vision.training.craft import Average, coloured, grainy, loosely_cut, steps
from vision.training.nets import FaceNet

DICE = torch.tensor([kind == "die" for kind, _ in faces.FACES])
SURE = 0.995
"""Above this probability a crop counts as sure in the figures."""
TRACED = 0.45
"""Share of traced crops among those shown, where there are any."""


def _crops(data: Path, drawn: str, traced: str) -> tuple[np.ndarray, torch.Tensor, int]:
    """Return crops (n, 48, 48, 3), what they show, (n,) int64, and how many of them, the first ones, are drawn."""
    parts = []
    for split in (drawn, traced):
        if (data / f"{split}.npz").is_file():
            with np.load(data / f"{split}.npz") as d:
                parts.append((d["face"], d["value"].astype(np.int64)))
    image, value = (np.concatenate(part) for part in zip(*parts, strict=True))
    return image, torch.from_numpy(value), len(parts[0][0])


def _picked(n: int, drawn: int, batch: int, rng: torch.Generator) -> torch.Tensor:
    """Return (batch,) which of n crops to show next: of the traced ones, all after the first `drawn`, TRACED."""
    traced = round(TRACED * batch) if n > drawn else 0
    first = torch.randint(drawn, (batch - traced,), generator=rng)
    return torch.cat([first, torch.randint(drawn, n, (traced,), generator=rng)]) if traced else first


def train_faces(data: Path, *, total: int, seed: int, batch: int = 128) -> FaceNet:
    """Return a net for dice and disks, trained in `total` steps.

    data: a folder with faces.npz and, as a rule, traced.npz.
    """
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    image, value, drawn = _crops(data, "faces", "traced")
    model = FaceNet().to(memory_format=torch.channels_last)
    best, plan = steps(model, total, 3e-3)
    average = Average(model)
    for _ in tqdm(range(total), desc="faces", mininterval=5):
        pick = _picked(len(image), drawn, batch, rng)
        x = coloured(torch.from_numpy(image[pick.numpy()]).permute(0, 3, 1, 2).float(), rng)
        # A quarter turn of a die or a disk shows the same value.
        x = torch.rot90(x, int(torch.randint(4, (1,), generator=rng)), (2, 3))
        x = loosely_cut(x, rng, turn=0.12, size=0.1, move=0.06)
        x = torch.from_numpy(faces.normalised(grainy(x, rng).permute(0, 2, 3, 1).numpy()))
        out, truth = model(x), value[pick]
        there = truth < len(faces.FACES)
        # A die can only be a die: whoever asks knows which of the two lies there.
        other = there[:, None] & ((truth < 6)[:, None] != DICE[None])
        log_p = torch.log_softmax(out[:, :-1].masked_fill(other, -30.0), 1)
        wrong, spread = -log_p.gather(1, truth.clamp(max=12)[:, None])[:, 0], -(log_p * ~other).mean(1)
        loss = torch.where(there, 0.995 * wrong + 0.005 * spread, 0.3 * spread).mean()
        loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(out[:, -1], (~there).float())
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
        average.update(model)
    model.load_state_dict(average.state)
    return model.eval()


def calibrate_faces(model: FaceNet, data: Path) -> dict[str, float]:
    """Scale the face logits by the temperature that fits the held-out drawings best; return figures on them."""
    image, value, drawn = _crops(data, "face-checks", "traced-checks")
    with torch.no_grad():
        out = torch.cat(
            [model(torch.from_numpy(faces.normalised(image[k : k + 512]))) for k in range(0, len(image), 512)]
        )
    there = value < len(faces.FACES)
    logits, truth = out[there, :-1], value[there]
    # A die can only be a die: the detector has told them apart.
    logits = logits.masked_fill((truth < 6)[:, None] != DICE[None], -30.0)
    grid = torch.linspace(0.2, 3.0, 141)
    losses = torch.stack([nn.functional.cross_entropy(logits / t, truth) for t in grid])
    temperature = float(grid[losses.argmin()])
    with torch.no_grad():
        model.out.weight[:-1] /= temperature
        model.out.bias[:-1] /= temperature
    p, said = torch.softmax(logits / temperature, 1).max(1)
    sure = p > SURE
    first = int(there[:drawn].sum())
    return {
        "crops": int(there.sum()),
        "temperature": temperature,
        "log_loss": float(losses.min()),
        "accuracy_dice": float((said == truth)[truth < 6].float().mean()),
        "accuracy_disks": float((said == truth)[truth >= 6].float().mean()),
        "sure_share": float(sure.float().mean()),
        "sure_accuracy": float((said == truth)[sure].float().mean()),
    } | ({"accuracy_traced": float((said == truth)[first:].float().mean())} if first < len(truth) else {})
