"""Train and check the net that finds pieces and hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.finding import pieces
from vision.ground import conditions
from vision.training.craft import coloured, mottled, quickly, shaded
from vision.training.descent import SLOWLY, Descent, Passes
from vision.training.felt_prints import printed
from vision.training.nets import PieceNet, piece_net
from vision.training.samples import maps_of
from vision.training.store import load, was_drawn
from vision.training.tile_discs import disced

SHADED = 0.25
"""Share of the trays under a hard shadow that nothing on them casts."""
MOTTLED = 0.4
"""Share of those with patches: the traced felts have them and show most of the hands, and it is not by these that
hands are to be known."""
PRINTED = 0.25
"""Share of those with a print on their felt: the net of 2026-11-26, which had seen none, took it for hands."""
DISCED = 0.12
"""Share of those whose tiles have discs behind their digits: that net took many of them for half a disk."""


def heat_loss(out: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Focal loss on the heat (CenterNet)."""
    heat, target = out[:, :3], maps[:, :3]
    log_p, log_q = nn.functional.logsigmoid(heat), nn.functional.logsigmoid(-heat)
    p = heat.sigmoid()
    middle = (target > 0.999).float()
    focal = -(middle * (1 - p) ** 2 * log_p + (1 - middle) * (1 - target) ** 4 * p**2 * log_q)
    return (focal * weight[:, :1]).sum() / middle.sum().clamp(min=1)


def number_loss(out: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """L1 on offset, size and angle at the pieces' middles."""
    near = weight[:, 1:]
    numbers = nn.functional.smooth_l1_loss(out[:, 3:9], maps[:, 3:9], beta=0.1, reduction="none")
    scale = torch.tensor([1.0, 1.0, 3.0, 3.0, 1.5, 1.5])[None, :, None, None]
    return (numbers * near * scale).sum() / near.sum().clamp(min=1)


def _piece_loss(out: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor, hand: torch.Tensor) -> torch.Tensor:
    """Heat, numbers, and cross entropy on the hand."""
    there = nn.functional.avg_pool2d(out[:, 9:], 2)
    covered = nn.functional.binary_cross_entropy_with_logits(there, hand) * 8
    return heat_loss(out, maps, weight) + number_loss(out, maps, weight) + covered


def _mirrored(
    x: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor, hand: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Return the batch left-right mirrored: offsets in x and the sine of the angle change sign."""
    m = maps.flip(3).clone()
    m[:, 3] = weight[:, 1].flip(2) - m[:, 3]
    m[:, 8] = -m[:, 8]
    return x.flip(3), m, weight.flip(3), hand.flip(3)


def _trays(data: Path, splits: tuple[str, ...]) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """Return pictures (n, h, w, 3), the pieces on each, and hands (n, h/8, w/8), of the splits that are there."""
    trays, pieces_on, hands = [], list[np.ndarray](), []
    for split in splits:
        if was_drawn(data, split):
            tray, rows, hand = load(data, split, "tray", "rows", "hand")
            pieces_on += [rows[rows[:, 0] == k, 1:] for k in range(len(tray))]
            trays.append(tray)
            hands.append(hand)
    return np.concatenate(trays), pieces_on, np.concatenate(hands)


def _some_printed(trays: np.ndarray, rows: list[np.ndarray], hands: np.ndarray, rng: torch.Generator) -> torch.Tensor:
    """Return pictures (n, h, w, 3), some with a print on the felt, or with discs behind digits. Changes what it has."""
    felt, discs = (torch.rand(len(trays), generator=rng) < share for share in (PRINTED, DISCED))
    for k in torch.nonzero(felt | discs)[:, 0].tolist():
        chances = np.random.default_rng(int(torch.randint(2**31, (1,), generator=rng)))
        if discs[k]:
            trays[k] = disced(trays[k], rows[k], chances)
        if felt[k]:
            trays[k] = printed(trays[k], rows[k], hands[k], chances)
    return torch.from_numpy(trays)


def train_pieces(data: Path, *, total: int, seed: int, batch: int = 8) -> PieceNet:
    """Return a piece net, trained in `total` steps on the split train and, where there are such, traced whole trays."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    tray, by_tray, hand = _trays(data, ("train", "traced-tiles", "traced-bare"))
    model = piece_net().to(memory_format=torch.channels_last)
    passes = Passes(len(tray), rng)
    descent = Descent(model, total=total, rate=3e-3, keep=0.99 if total < 2000 else 0.997, clip=5.0, rising=SLOWLY)
    for _ in descent.steps("pieces"):
        pick = passes.take(batch).tolist()
        made = [maps_of(by_tray[k]) for k in pick]
        maps, weight = (torch.from_numpy(np.stack([m[k] for m in made])) for k in (0, 1))
        covered = torch.from_numpy(hand[pick].astype(np.float32) / 255)[:, None]
        x = coloured(_some_printed(tray[pick], [by_tray[k] for k in pick], hand[pick], rng).permute(0, 3, 1, 2), rng)
        x = shaded(mottled(x, rng, share=MOTTLED), rng, share=SHADED)
        if torch.rand(1, generator=rng) < 0.5:
            x, maps, weight, covered = _mirrored(x, maps, weight, covered)
        x = torch.from_numpy(pieces.normalised(x.permute(0, 2, 3, 1).numpy()))
        loss = _piece_loss(quickly(model, x), maps, weight, covered)
        descent.step(loss)
    return model


def check_pieces(model: PieceNet, data: Path) -> dict[str, float]:
    """Return how well pieces are found in held-out drawings, and on traced trays of tiles where there are such."""
    figures = _checked(model, data, "check")
    if was_drawn(data, "traced-tile-checks"):
        figures |= {f"traced_{key}": value for key, value in _checked(model, data, "traced-tile-checks").items()}
    return figures


def _checked(model: PieceNet, data: Path, split: str) -> dict[str, float]:
    """Return shares of pieces and hands found, false finds, and the place's error in mm, in one split."""
    tray, on_tray, hand = _trays(data, (split,))
    hands_seen, hands, no_hands_seen = 0, 0, 0
    found = wanted = false = 0
    errors: list[float] = []
    nowhere = [float("nan")]
    for k, picture in enumerate(tray):
        with torch.no_grad():
            out = model(torch.from_numpy(pieces.normalised(picture[None])))[0].numpy()
        seen = pieces.decode(out, scale=np.ones(2, np.float32), score=pieces.SCORE)
        there = on_tray[k][on_tray[k][:, 6] != 0]
        low, high = np.zeros(2), np.array(picture.shape[1::-1])
        there = there[((there[:, 1:3] > low) & (there[:, 1:3] < high)).all(1)]
        used = set()
        for row in there:
            away = np.linalg.norm(seen.centre_px - row[1:3], axis=1) + 1e3 * (seen.kind != row[0])
            hit = len(away) > 0 and away.min() < 7
            wanted, found = wanted + (row[6] > 0), found + (hit and row[6] > 0)
            if hit:
                used.add(int(away.argmin()))
                errors.append(float(away.min()))
        false += len(seen.kind) - len(used)
        said, there_is = conditions.hand_area(seen.hand) > conditions.HAND_MM2, conditions.hand_area(hand[k] / 255) > 0
        hands, hands_seen = hands + there_is, hands_seen + (there_is and said)
        no_hands_seen += said and not there_is
    return {
        "pieces": int(wanted),
        "found": float(found / max(1, wanted)),
        "false_per_tray": false / len(tray),
        "hands": hands,
        "hands_seen": hands_seen,
        "hands_invented": no_hands_seen,
        "error_mm_median": float(np.median(errors or nowhere)),
        "error_mm_99": float(np.percentile(errors or nowhere, 99)),
    }
