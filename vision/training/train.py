"""Train the two nets on what `generate` drew, calibrate, export to ONNX."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from vision import faces, pieces, symbols
from vision.training.nets import FaceNet, PieceNet, SymbolNet, folded
from vision.training.samples import maps_of

PERMUTATIONS = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])


def _coloured(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return pictures (n, 3, h, w) in 0..255 with swapped channels, other gains, now and then as a negative."""
    n = len(x)
    order = PERMUTATIONS[torch.randint(6, (n,), generator=rng)]
    swap = torch.rand(n, generator=rng) < 0.5
    order = torch.where(swap[:, None], order, torch.arange(3)[None])
    x = torch.gather(x, 1, order[:, :, None, None].expand(-1, -1, *x.shape[2:]))
    x = x * (1 + 0.22 * torch.randn(n, 3, 1, 1, generator=rng)).clamp(0.3, 1.8)
    negative = torch.nonzero(torch.rand(n, generator=rng) < 0.12)[:, 0]
    x[negative] = 255 - x[negative]
    return x.clamp_(0, 255)


def _grainy(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return the crops with noise, some of them soft."""
    soft = torch.nonzero(torch.rand(len(x), generator=rng) < 0.12)[:, 0]
    x[soft] = nn.functional.avg_pool2d(x[soft], 3, 1, 1)
    strength = 10 * torch.rand(len(x), 1, 1, 1, generator=rng) ** 3
    start = int(torch.randint(_NOISE_LENGTH - x.numel(), (1,), generator=rng))
    return (x + strength * _noise()[start : start + x.numel()].view(x.shape)).clamp_(0, 255)


_NOISE_LENGTH = 1 << 23


@lru_cache(maxsize=1)
def _noise() -> torch.Tensor:
    """Return normal noise to cut pieces from: drawing it anew costs a third of a step."""
    return torch.randn(_NOISE_LENGTH, generator=torch.Generator().manual_seed(7))


def _crop_batch(images: np.ndarray, rng: torch.Generator) -> torch.Tensor:
    x = _coloured(torch.from_numpy(images).permute(0, 3, 1, 2).float(), rng)
    return torch.from_numpy(symbols.normalised(_grainy(x, rng).permute(0, 2, 3, 1).numpy()))


def _symbol_loss(out: torch.Tensor, symbol: torch.Tensor, upside: torch.Tensor) -> torch.Tensor:
    """Cross entropy on readable crops, an even spread on the others, and the two flags."""
    there = symbol < 12
    log_p = torch.log_softmax(out[:, :12], 1)
    wrong = -log_p.gather(1, symbol.clamp(max=11)[:, None])[:, 0]
    spread = -log_p.mean(1)
    loss = torch.where(there, 0.995 * wrong + 0.005 * spread, 0.3 * spread).mean()
    bce = nn.functional.binary_cross_entropy_with_logits
    loss = loss + 0.5 * bce(out[:, 13], (~there).float())
    return loss + 0.5 * (bce(out[:, 12], upside, reduction="none") * there).mean()


def _steps(
    model: nn.Module, total: int, rate: float
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    best = torch.optim.AdamW(model.parameters(), rate, weight_decay=0.02)
    return best, torch.optim.lr_scheduler.OneCycleLR(best, rate, total_steps=total, pct_start=0.15)


class Average:
    """Exponential moving average of a model's weights: what is exported."""

    def __init__(self, model: nn.Module, keep: float = 0.998) -> None:
        """Start from the model\'s present weights."""
        self.keep, self.state = keep, {k: v.clone() for k, v in model.state_dict().items()}

    def update(self, model: nn.Module) -> None:
        """Take in the model's present weights."""
        for k, v in model.state_dict().items():
            self.state[k] = self.state[k] * self.keep + v * (1 - self.keep) if v.is_floating_point() else v.clone()


def train_symbols(data: Path, *, epochs: float, seed: int, batch: int = 256) -> SymbolNet:
    """Return a symbol net trained on data/train.npz."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    with np.load(data / "train.npz") as d:
        image, symbol = d["image"], torch.from_numpy(d["symbol"].astype(np.int64))
        upside = torch.from_numpy(d["upside"].astype(np.float32))
    model = SymbolNet().to(memory_format=torch.channels_last)
    total = int(epochs * len(image) / batch)
    best, plan = _steps(model, total, 3e-3)
    average = Average(model)
    bar = tqdm(range(total), desc="symbols", mininterval=5)
    order = torch.randperm(len(image), generator=rng)
    for step in bar:
        at = step * batch % (len(image) - batch)
        if at < batch:
            order = torch.randperm(len(image), generator=rng)
        pick = order[at : at + batch]
        loss = _symbol_loss(model(_crop_batch(image[pick.numpy()], rng)), symbol[pick], upside[pick])
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
        average.update(model)
        if step % 50 == 0:
            bar.set_postfix(loss=f"{loss.item():.4f}")
    model.load_state_dict(average.state)
    return model.eval()


def symbol_outputs(model: nn.Module, images: np.ndarray) -> torch.Tensor:
    """Return the logits for crops (n, 48, 40, 3), unaugmented."""
    with torch.no_grad():
        parts = [model(torch.from_numpy(symbols.normalised(images[k : k + 512]))) for k in range(0, len(images), 512)]
    return torch.cat(parts)


def calibrate_symbols(model: SymbolNet, data: Path) -> dict[str, float]:
    """Scale the symbol logits by the temperature that fits the held-out fonts best; return figures on them."""
    with np.load(data / "check.npz") as d:
        image, symbol, upside = d["image"], torch.from_numpy(d["symbol"].astype(np.int64)), d["upside"]
    out = symbol_outputs(model, image)
    there = symbol < 12
    logits, truth = out[there, :12], symbol[there]
    grid = torch.linspace(0.5, 3.0, 101)
    losses = torch.stack([nn.functional.cross_entropy(logits / t, truth) for t in grid])
    temperature = float(grid[losses.argmin()])
    with torch.no_grad():
        model.out.weight[:12] /= temperature
        model.out.bias[:12] /= temperature
    p, said = torch.softmax(logits / temperature, 1).max(1)
    sure = p > 0.995
    return {
        "crops": int(there.sum()),
        "temperature": temperature,
        "log_loss": float(losses.min()),
        "accuracy": float((said == truth).float().mean()),
        "sure_share": float(sure.float().mean()),
        "sure_accuracy": float((said == truth)[sure].float().mean()),
        "unreadable_auc_gap": float(((out[:, 13] > 0) == ~there).float().mean()),
        "upside_right": float(((out[there, 12] > 0).numpy() == (upside[there.numpy()] > 0)).mean()),
    }


def train_faces(data: Path, *, epochs: float, seed: int, batch: int = 256) -> FaceNet:
    """Return a net for dice and disks trained on data/train.npz."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    with np.load(data / "train.npz") as d:
        image, value = d["face"], torch.from_numpy(d["value"].astype(np.int64))
    model = FaceNet()
    total = int(epochs * len(image) / batch)
    best, plan = _steps(model, total, 3e-3)
    average = Average(model)
    for _ in tqdm(range(total), desc="faces", mininterval=5):
        pick = torch.randint(len(image), (batch,), generator=rng)
        x = _coloured(torch.from_numpy(image[pick.numpy()]).permute(0, 3, 1, 2).float(), rng)
        # A quarter turn of a die or a disk shows the same value.
        x = torch.rot90(x, int(torch.randint(4, (1,), generator=rng)), (2, 3))
        x = torch.from_numpy(faces.normalised(_grainy(x, rng).permute(0, 2, 3, 1).numpy()))
        out, truth = model(x), value[pick]
        there = truth < len(faces.FACES)
        log_p = torch.log_softmax(out[:, :-1], 1)
        wrong, spread = -log_p.gather(1, truth.clamp(max=12)[:, None])[:, 0], -log_p.mean(1)
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
    """Scale the face logits by the temperature that fits the check set best; return figures on it."""
    with np.load(data / "check.npz") as d:
        image, value = d["face"], torch.from_numpy(d["value"].astype(np.int64))
    with torch.no_grad():
        out = torch.cat(
            [model(torch.from_numpy(faces.normalised(image[k : k + 512]))) for k in range(0, len(image), 512)]
        )
    there = value < len(faces.FACES)
    logits, truth = out[there, :-1], value[there]
    # A die can only be a die: the detector has told them apart.
    die = torch.tensor([kind == "die" for kind, _ in faces.FACES])
    logits = logits.masked_fill((truth < 6)[:, None] != die[None], -30.0)
    grid = torch.linspace(0.5, 3.0, 101)
    losses = torch.stack([nn.functional.cross_entropy(logits / t, truth) for t in grid])
    temperature = float(grid[losses.argmin()])
    with torch.no_grad():
        model.out.weight[:-1] /= temperature
        model.out.bias[:-1] /= temperature
    said = logits.argmax(1)
    return {
        "crops": int(there.sum()),
        "temperature": temperature,
        "log_loss": float(losses.min()),
        "accuracy_dice": float((said == truth)[truth < 6].float().mean()),
        "accuracy_disks": float((said == truth)[truth >= 6].float().mean()),
    }


def _piece_loss(out: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor, hand: torch.Tensor) -> torch.Tensor:
    """Focal loss on the heat (CenterNet), L1 on the numbers at the middles, cross entropy on the hand."""
    heat, target = out[:, :3], maps[:, :3]
    log_p, log_q = nn.functional.logsigmoid(heat), nn.functional.logsigmoid(-heat)
    p = heat.sigmoid()
    middle = (target > 0.999).float()
    focal = -(middle * (1 - p) ** 2 * log_p + (1 - middle) * (1 - target) ** 4 * p**2 * log_q)
    focal = (focal * weight[:, :1]).sum() / middle.sum().clamp(min=1)
    near = weight[:, 1:]
    numbers = nn.functional.smooth_l1_loss(out[:, 3:9], maps[:, 3:9], beta=0.1, reduction="none")
    scale = torch.tensor([1.0, 1.0, 3.0, 3.0, 1.5, 1.5])[None, :, None, None]
    numbers = (numbers * near * scale).sum() / near.sum().clamp(min=1)
    there = nn.functional.avg_pool2d(out[:, 9:], 2)
    return focal + numbers + nn.functional.binary_cross_entropy_with_logits(there, hand) * 8


def _mirrored(
    x: torch.Tensor, maps: torch.Tensor, weight: torch.Tensor, hand: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Return the batch left-right mirrored: offsets in x and the sine of the angle change sign."""
    m = maps.flip(3).clone()
    m[:, 3] = weight[:, 1].flip(2) - m[:, 3]
    m[:, 8] = -m[:, 8]
    return x.flip(3), m, weight.flip(3), hand.flip(3)


def train_pieces(data: Path, *, epochs: float, seed: int, batch: int = 8) -> PieceNet:
    """Return a piece net trained on data/train.npz."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    with np.load(data / "train.npz") as d:
        tray, rows, hand = d["tray"], d["rows"], d["hand"]
    by_tray = [rows[rows[:, 0] == k, 1:] for k in range(len(tray))]
    model = PieceNet().to(memory_format=torch.channels_last)
    total = int(epochs * len(tray) / batch)
    best, plan = _steps(model, total, 3e-3)
    average = Average(model, 0.99 if total < 2000 else 0.997)
    bar = tqdm(range(total), desc="pieces", mininterval=5)
    order = torch.randperm(len(tray), generator=rng)
    for step in bar:
        at = step * batch % (len(tray) - batch)
        if at < batch:
            order = torch.randperm(len(tray), generator=rng)
        pick = order[at : at + batch].tolist()
        made = [maps_of(by_tray[k]) for k in pick]
        maps, weight = (torch.from_numpy(np.stack([m[k] for m in made])) for k in (0, 1))
        covered = torch.from_numpy(hand[pick].astype(np.float32) / 255)[:, None]
        x = _coloured(torch.from_numpy(tray[pick]).permute(0, 3, 1, 2).float(), rng)
        if torch.rand(1, generator=rng) < 0.5:
            x, maps, weight, covered = _mirrored(x, maps, weight, covered)
        x = torch.from_numpy(pieces.normalised(x.permute(0, 2, 3, 1).numpy()))
        loss = _piece_loss(model(x), maps, weight, covered)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        best.step()
        plan.step()
        average.update(model)
        if step % 20 == 0:
            bar.set_postfix(loss=f"{loss.item():.4f}")
    model.load_state_dict(average.state)
    return model.eval()


def check_pieces(model: PieceNet, data: Path) -> dict[str, float]:
    """Return how well pieces are found in the held-out drawings: shares found, false, and the place's error in mm."""
    with np.load(data / "check.npz") as d:
        tray, rows = d["tray"], d["rows"]
    found = wanted = false = 0
    errors: list[float] = []
    for k, picture in enumerate(tray):
        with torch.no_grad():
            out = model(torch.from_numpy(pieces.normalised(picture[None])))[0].numpy()
        seen = pieces.decode(out, scale=np.ones(2, np.float32), score=pieces.SCORE)
        there = rows[(rows[:, 0] == k) & (rows[:, 7] != 0), 1:]
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
    return {
        "pieces": wanted,
        "found": found / max(1, wanted),
        "false_per_tray": false / len(tray),
        "error_mm_median": float(np.median(errors)),
        "error_mm_99": float(np.percentile(errors, 99)),
    }


def export(model: nn.Module, path: Path, shape: tuple[int, ...]) -> None:
    """Write the model as ONNX that cv2.dnn 4.10 and 5 read; the batch (symbols) or the size (pieces) stays free."""
    free = {"x": {0: "n"}, "y": {0: "n"}} if len(shape) == 4 and shape[2] < 100 else None
    path.parent.mkdir(exist_ok=True)
    torch.onnx.export(
        folded(model),
        (torch.zeros(shape),),
        str(path),
        dynamo=False,
        opset_version=13,
        input_names=["x"],
        output_names=["y"],
        dynamic_axes=free or {"x": {2: "h", 3: "w"}, "y": {2: "h4", 3: "w4"}},
    )
