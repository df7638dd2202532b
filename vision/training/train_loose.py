"""Train and check the net that finds dice and disks: finer than the one for all pieces, and by light simulation too."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch

from vision.finding import pieces
from vision.training.craft import coloured, grainy, quickly
from vision.training.descent import SLOWLY, Descent
from vision.training.nets import PieceNet, loose_net
from vision.training.samples import LOOSE_WH, maps_of
from vision.training.store import load, was_drawn
from vision.training.train_pieces import heat_loss, number_loss

CROP = 192
"""Side of a training picture, cut from a drawn one at any turn and about any place."""
SHARES = {"traced": 0.5, "faces": 0.25, "train": 0.25}
"""How often pictures of each kind are shown: traced ones, small drawn ones, parts of large drawn ones."""


def _pictures(data: Path, splits: list[str]) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """Return of each split the pictures (n, 288, 360, 3) and the pieces on each, (k, 7)."""
    out = []
    for split in splits:
        picture, rows = load(data, split, "loose", "loose_rows")
        out.append((picture, [rows[rows[:, 0] == k, 1:] for k in range(len(picture))]))
    return out


def cut(picture: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a square cut from a picture at any turn, a little larger or smaller, and where the pieces are in it."""
    turn = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.5 else float(rng.integers(4)) * np.pi / 2
    scale = float(np.exp(rng.normal(0, 0.12)))
    middle = (np.array(LOOSE_WH) - 1) / 2 + rng.uniform(-1, 1, 2) * (50, 25)
    if len(rows):
        middle = 0.5 * middle + 0.5 * rows[int(rng.integers(len(rows))), 1:3].clip(0, LOOSE_WH)
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    straight = np.array([[c, s], [-s, c]])
    matrix = np.c_[straight, (CROP - 1) / 2 - straight @ middle]
    out = rows.copy()
    out[:, 1:3] = rows[:, 1:3] @ straight.T + matrix[:, 2]
    out[:, 3:5] *= scale
    out[:, 5] += turn
    if rng.random() < 0.5:
        matrix[0] = -matrix[0] + (0, 0, CROP - 1)
        out[:, 1], out[:, 5] = CROP - 1 - out[:, 1], -out[:, 5]
    square = cv2.warpAffine(picture, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return square, out


def train_loose(data: Path, *, total: int, seed: int, batch: int = 12) -> PieceNet:
    """Return the net, trained in `total` steps on what the splits of SHARES hold of dice and disks."""
    torch.manual_seed(seed)
    torch_rng, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    shares = {split: share for split, share in SHARES.items() if was_drawn(data, split)}
    kinds, chance = _pictures(data, list(shares)), np.array(list(shares.values())) / sum(shares.values())
    model = loose_net().to(memory_format=torch.channels_last)
    descent = Descent(model, total=total, rate=4e-3, keep=0.99 if total < 1000 else 0.995, clip=5.0, rising=SLOWLY)
    for _ in descent.steps("loose"):
        squares, targets = [], []
        for kind in rng.choice(len(kinds), size=batch, p=chance):
            picture, rows = kinds[kind]
            k = int(rng.integers(len(picture)))
            square, there = cut(picture[k], rows[k], rng)
            squares.append(square)
            targets.append(maps_of(there, size_wh_px=(CROP, CROP), px_per_mm=pieces.LOOSE_PX_PER_MM))
        maps, weight = (torch.from_numpy(np.stack([t[k] for t in targets])) for k in (0, 1))
        x = coloured(torch.from_numpy(np.stack(squares)).permute(0, 3, 1, 2), torch_rng)
        x = grainy(x, torch_rng)
        out = quickly(model, torch.from_numpy(pieces.normalised(x.permute(0, 2, 3, 1).numpy())))
        loss = heat_loss(out, maps, weight) + number_loss(out, maps, weight)
        descent.step(loss)
    return model


def check_loose(model: PieceNet, data: Path) -> dict[str, float]:
    """Return how well dice and disks are found in pictures of held-out fonts, traced and drawn."""
    figures: dict[str, float] = {}
    for split, name in (("traced-checks", "traced"), ("face-checks", "drawn")):
        if not was_drawn(data, split):
            continue
        figures |= {f"{name}_{key}": value for key, value in _checked(model, data, split).items()}
    return figures


def _checked(model: PieceNet, data: Path, split: str) -> dict[str, float]:
    wanted = found = false = 0
    errors: list[float] = []
    ((pictures, rows),) = _pictures(data, [split])
    for picture, there in zip(pictures, rows, strict=True):
        with torch.no_grad():
            out = model(torch.from_numpy(pieces.normalised(picture[None])))[0].numpy()
        seen = pieces.decode(out, scale=np.ones(2, np.float32), score=pieces.SCORE, px_per_mm=pieces.LOOSE_PX_PER_MM)
        used = set()
        for kind, x, y, w, _, _, weight in there:
            away = np.linalg.norm(seen.centre_px - (x, y), axis=1) / w + 1e3 * (seen.kind != kind)
            hit = len(away) > 0 and bool(away.min() < 0.35)
            if hit:
                used.add(int(away.argmin()))
            if kind > 0 and weight > 0:
                wanted, found = wanted + 1, found + hit
            if kind > 0 and weight > 0 and hit:
                errors.append(float(away.min()))
        false += len(seen.kind) - len(used)
    return {
        "pieces": wanted,
        "found": found / max(1, wanted),
        "false_per_tray": false / len(pictures),
        "off_median": float(np.median(errors or [float("nan")])),
        "off_99": float(np.percentile(errors or [float("nan")], 99)),
    }
