"""What all trainings share: changes of colour, grain and place, figures, export."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.colour.paint import middles
from vision.training.nets import folded

_ABLE = getattr(torch.cpu, "get_capabilities", dict)()
HALVED = bool(_ABLE.get("amx_bf16") or _ABLE.get("avx512_bf16"))
"""Whether the nets multiply in bfloat16: a step takes half the time on processors with tiles for it, two thirds on
those that have it in their vectors alone."""
PERMUTATIONS = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])

SURE = 0.995
"""Above this probability a crop counts as sure in the figures."""
SMOOTHING = 0.001
"""How much of the truth is spread over all that a piece may show. A net is never surer than that, and forty tiles or
twelve disks must be sure together."""
SCRATCHED = 0.35
"""Share of the crops of tiles that show scratches."""
SCRATCHES = 4096
"""Of so many, each lying in four ways, one is chosen for each such crop."""


def quickly(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Return model(x) as float32, by the arithmetic that this processor is quickest with; weights stay float32."""
    with torch.autocast("cpu", torch.bfloat16, enabled=HALVED):
        return model(x).float()


def coloured(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return pictures (n, 3, h, w), 0..255 of any type, as float32 with swapped channels, other gains, some negative.

    Bytes are moved before they are made numbers: that is a quarter of the work.
    """
    n = len(x)
    order = PERMUTATIONS[torch.randint(6, (n,), generator=rng)]
    swap = torch.rand(n, generator=rng) < 0.5
    order = torch.where(swap[:, None], order, torch.arange(3)[None]) + 3 * torch.arange(n)[:, None]
    x = x.reshape(3 * n, *x.shape[2:]).index_select(0, order.flatten()).view(x.shape).float()
    x *= (1 + 0.22 * torch.randn(n, 3, 1, 1, generator=rng)).clamp(0.3, 1.8)
    negative = torch.nonzero(torch.rand(n, generator=rng) < 0.12)[:, 0]
    x[negative] = 255 - x[negative]
    return x.clamp_(0, 255)


def shaded(x: torch.Tensor, rng: torch.Generator, *, share: float) -> torch.Tensor:
    """Return pictures (n, 3, h, w), a share of them under a shadow with a straight edge: half of the picture, or a bar.

    A lamp beside the table, the arm of a stand: no hand, and no edge of a piece. Changes what it is given.
    """
    n = len(x)
    away, turn = torch.rand(n, 1, 1, generator=rng) * 1.6 - 0.8, torch.rand(n, 1, 1, generator=rng) * 6.2832
    bar, half = torch.rand(n, 1, 1, generator=rng) < 0.5, 0.25 * torch.rand(n, 1, 1, generator=rng)
    soft = 0.004 * (torch.rand(n, 1, 1, generator=rng) * 3).exp()
    left = 0.3 + 0.5 * torch.rand(n, 1, 1, 1, generator=rng) + 0.03 * torch.randn(n, 3, 1, 1, generator=rng)
    at = torch.nonzero(torch.rand(n, generator=rng) < share)[:, 0]
    y, across = (torch.linspace(-1, 1, size) for size in x.shape[2:])
    far = across * turn[at].cos() + y[:, None] * turn[at].sin() - away[at]
    far = torch.where(bar[at], far.abs() - half[at], far)
    x[at] *= 1 - (1 - left[at]) * torch.sigmoid(-far / soft[at])[:, None]
    return x


def mottled(x: torch.Tensor, rng: torch.Generator, *, share: float) -> torch.Tensor:
    """Return pictures (n, 3, h, w), a share of them with soft paler and darker patches, as worn felt has.

    Changes what it is given.
    """
    n = len(x)
    size = int(torch.randint(8, 28, (1,), generator=rng))
    spots = torch.randn(n, 1, size, size * 4 // 3, generator=rng)
    at = torch.nonzero(torch.rand(n, generator=rng) < share)[:, 0]
    depth = 0.15 * torch.rand(n, 1, 1, 1, generator=rng)
    if len(at):
        spots = nn.functional.interpolate(spots[at], list(x.shape[2:]), mode="bicubic", align_corners=False)
        x[at] = (x[at] * (depth[at] * spots).exp()).clamp_(0, 255)
    return x


def grainy(x: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Return the crops with noise, some of them soft. Changes what it is given."""
    soft = torch.nonzero(torch.rand(len(x), generator=rng) < 0.12)[:, 0]
    x[soft] = _softened(x[soft])
    strength = 10 * torch.rand(len(x), 1, 1, 1, generator=rng) ** 3
    start = int(torch.randint(_NOISE_LENGTH - x.numel(), (1,), generator=rng))
    return x.addcmul_(strength, _noise()[start : start + x.numel()].view(x.shape)).clamp_(0, 255)


def _softened(x: torch.Tensor) -> torch.Tensor:
    """Return pictures (n, 3, h, w) as means of 3 x 3 pixels, black beyond them; pooling takes seven times as long."""
    x = nn.functional.pad(x, (1, 1, 1, 1))
    x = (x[..., :-2] + x[..., 1:-1]).add_(x[..., 2:])
    return (x[:, :, :-2] + x[:, :, 1:-1]).add_(x[:, :, 2:]).mul_(1 / 9)


def from_afar(x: torch.Tensor, rng: torch.Generator, *, share: float, least: int) -> torch.Tensor:
    """Return square crops (n, 3, side, side), a share of the batches as coarse as a far camera sees them.

    least: side of the coarsest, in pixels.
    """
    side = x.shape[-1]
    if torch.rand(1, generator=rng) >= share:
        return x
    coarse = int(torch.randint(least, side - 4, (1,), generator=rng))
    small = nn.functional.interpolate(x, (coarse, coarse), mode="area")
    return nn.functional.interpolate(small, (side, side), mode="bilinear")


def loosely_cut(
    x: torch.Tensor,
    rng: torch.Generator,
    *,
    turn: float,
    size: float,
    move: float,
    to_hw: tuple[int, int] | None = None,
) -> torch.Tensor:
    """Return crops turned (radians), scaled (logarithm) and moved (over the half side) a little, by normal chance.

    to_hw: height and width of what is returned, in pixels; None for those of x.
    """
    n = len(x)
    a, big = turn * torch.randn(n, generator=rng), torch.exp(size * torch.randn(n, generator=rng))
    off = move * torch.randn(n, 2, generator=rng)
    c, s = torch.cos(a) * big, torch.sin(a) * big
    matrix = torch.stack([torch.stack([c, -s, off[:, 0]], 1), torch.stack([s, c, off[:, 1]], 1)], 1)
    return sampled(x, matrix, to_hw or (x.shape[2], x.shape[3]))


def sampled(x: torch.Tensor, matrices: torch.Tensor, to_hw: tuple[int, int]) -> torch.Tensor:
    """Return pictures (n, 3, *to_hw) of what lies in pictures (n, 3, h, w) where matrices (n, 2, 3) take each place.

    Places go from -1 at the left and the upper edge of a picture to 1, as in PyTorch's affine_grid, which multiplies so
    many small matrices that it takes three times as long.
    """
    down, across = ((torch.arange(size) + 0.5) * 2 / size - 1 for size in to_hw)
    of_x, of_y, off = matrices[:, None].unbind(-1)
    places = across[:, None] * of_x[:, :, None] + (down[:, None] * of_y + off)[:, :, None]
    return nn.functional.grid_sample(x, places, padding_mode="border", align_corners=False)


def figures_of(name: str, log_p: torch.Tensor, truth: torch.Tensor) -> dict[str, float]:
    """Return how good (n, k) logarithms of probabilities are against the truth (n,)."""
    p, said = log_p.exp().max(1)
    right, sure = said == truth, p > SURE
    return {
        f"log_loss_{name}": float(nn.functional.nll_loss(log_p, truth)),
        f"accuracy_{name}": float(right.float().mean()),
        f"sure_share_{name}": float(sure.float().mean()),
        f"sure_wrong_{name}": int((sure & ~right).sum()),
    }


def scratched(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return crops (n, h, w, 3) uint8, a third of them with scratches: lines thinner than any digit's, pale or dark.

    They are drawn on the crops, not on the tiles: what was drawn once shows other scratches each time it is shown.
    """
    at = np.flatnonzero(rng.random(len(images)) < SCRATCHED)
    n, shape = len(at), images.shape[1:3]
    lines = _scratch_bank(shape)[rng.integers(SCRATCHES, size=n)]
    for axis in (1, 2):
        turned = rng.random(n) < 0.5
        lines[turned] = np.flip(lines[turned], axis)
    much = lines * (rng.uniform(0.15, 0.8, (n, 1, 1)) / 255).astype(np.float32)
    # Bare wood under the paint, the white of a deep scratch, or a shade of the body itself.
    tone = np.stack([rng.uniform(100, 190, n), np.full(n, 235.0), np.full(n, 20.0)])[rng.integers(3, size=n), range(n)]
    tone = tone[:, None] + rng.normal(0, 12, (n, 3))
    for k in np.flatnonzero(rng.random(n) < 0.4):
        # Of every ninth pixel: that of all was half of what scratches cost.
        tone[k] = middles(images[at[k], 1::3, 1::3].reshape(-1, 3).T) * rng.choice([0.6, 1.5])
    out, body = images.copy(), torch.from_numpy(images[at]).float()
    # Not by numpy: it takes four times as long over an axis of three colours.
    body.lerp_(torch.from_numpy(tone).float()[:, None, None].expand_as(body), torch.from_numpy(much)[..., None])
    out[at] = body.clamp_(0, 255).to(torch.uint8).numpy()
    return out


@lru_cache(maxsize=2)
def _scratch_bank(shape: tuple[int, int]) -> np.ndarray:
    """Return (SCRATCHES, h, w) uint8 scratches to choose from: to draw them anew took a fifteenth of a step."""
    rng = np.random.default_rng(11)
    return np.stack([np.rint(255 * _scratches(shape, rng)).astype(np.uint8) for _ in range(SCRATCHES)])


def _scratches(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Return (h, w) float32 how much of each pixel is scratch: a few bent lines, half a pixel wide as a rule."""
    h, w = 2 * shape[0], 2 * shape[1]
    lines = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 7))):
        start, step = rng.uniform(0, 1, 2) * (w, h), rng.normal(0, 0.35, 2) * (w, h)
        bend = rng.normal(0, 0.04, 2) * (w, h)
        points = np.array([start, start + step / 2 + bend, start + step])
        strength = (float(rng.uniform(0.3, 1.0)),)
        cv2.polylines(lines, [np.rint(points * 8).astype(np.int32)], False, strength, 1, cv2.LINE_AA, shift=3)
    return cv2.resize(lines, (shape[1], shape[0]), interpolation=cv2.INTER_AREA)


_NOISE_LENGTH = 1 << 23


@lru_cache(maxsize=1)
def _noise() -> torch.Tensor:
    """Return normal noise to cut pieces from: drawing it anew costs a third of a step."""
    return torch.randn(_NOISE_LENGTH, generator=torch.Generator().manual_seed(7))


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
