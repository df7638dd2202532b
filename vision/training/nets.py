"""The nets: plain convolutions, as small as they may be, so that cv2.dnn runs them fast on one core."""

from __future__ import annotations

import torch
from torch import nn


def _block(cin: int, cout: int, *, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Return convolution, batch norm, ReLU; the norm is folded away at export."""
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, dilation, dilation=dilation, bias=False), nn.BatchNorm2d(cout), nn.ReLU()
    )


def _said(last: nn.Linear, features: torch.Tensor) -> torch.Tensor:
    """Return logits, in full whatever the rest is multiplied in: a logit of ten would be off by four hundredths."""
    with torch.autocast("cpu", enabled=False):
        # No cast where there is nothing to cast: it would be exported.
        return last(features if features.dtype == torch.float32 else features.float())


class SymbolNet(nn.Module):
    """Crop (n, 3, 48, 40) -> 12 symbol logits, upside-down logit, unreadable logit."""

    def __init__(self, a: int = 20, b: int = 40, c: int = 88) -> None:
        """Lay out the net; the letters are channels at each scale."""
        super().__init__()
        self.stem = _block(3, a, stride=2)
        self.a = _block(a, a)
        self.to_b = _block(a, b, stride=2)
        self.b = _block(b, b)
        self.to_c = _block(b, c, stride=2)
        self.c = _block(c, c)
        self.drop = nn.Dropout(0.25)
        self.out = nn.Linear(c * 30, 14)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 14) logits."""
        x = self.stem(x)
        x = x + self.a(x)
        x = self.to_b(x)
        x = x + self.b(x)
        x = self.to_c(x)
        x = x + self.c(x)
        return _said(self.out, self.drop(x.flatten(1)))


class FaceNet(nn.Module):
    """Crop (n, 3, 48, 48) -> 13 face logits and an unreadable logit.

    Deep rather than wide: with two blocks at a scale it reads traced dice twice as well as one half as wide again.
    """

    def __init__(self, a: int = 24, b: int = 48, c: int = 96) -> None:
        """Lay out the net; the letters are channels at each scale."""
        super().__init__()
        self.stem = _block(3, a, stride=2)
        self.to_b = _block(a, b, stride=2)
        self.b = nn.ModuleList([_block(b, b) for _ in range(2)])
        self.to_c = _block(b, c, stride=2)
        self.c = nn.ModuleList([_block(c, c) for _ in range(2)])
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(c * 36, 14)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 14) logits."""
        x = self.to_b(self.stem(x))
        for step in self.b:
            x = x + step(x)
        x = self.to_c(x)
        for step in self.c:
            x = x + step(x)
        return _said(self.out, self.drop(x.flatten(1)))


class StackNet(nn.Module):
    """Crop (n, 3, 56, 48) -> logit (n, 1) that the tile in its middle lies on others."""

    def __init__(self, a: int = 16, b: int = 32, c: int = 48) -> None:
        """Lay out the net; the letters are channels at each scale."""
        super().__init__()
        self.stem = _block(3, a, stride=2)
        self.to_b = _block(a, b, stride=2)
        self.b = _block(b, b)
        self.to_c = _block(b, c, stride=2)
        self.c = _block(c, c)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(c * 42, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, 1) logits."""
        x = self.to_b(self.stem(x))
        x = x + self.b(x)
        x = self.to_c(x)
        x = x + self.c(x)
        return _said(self.out, self.drop(x.flatten(1)))


class PieceNet(nn.Module):
    """Picture (n, 3, h, w) -> (n, 10, h/4, w/4): heat of tile, die, disk; offset, log size, angle; hand."""

    def __init__(self, a: int = 16, b: int = 24, c: int = 48, e: int = 32, maps: int = 10) -> None:
        """Lay out the net; the letters are channels at each scale. maps: 9 for a net without hand."""
        super().__init__()
        self.stem = nn.Sequential(_block(3, a, stride=2), _block(a, b, stride=2))
        self.near = _block(b, b)
        self.down = _block(b, c, stride=2)
        self.far = nn.ModuleList([_block(c, c, dilation=d) for d in (1, 2, 3)])
        self.up = nn.Conv2d(c, b, 1)
        self.join = _block(b, e)
        self.out = nn.Conv2d(e, maps, 1)
        nn.init.constant_(self.out.bias[:3], -4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the ten maps; heat and hand as logits."""
        x = self.stem(x)
        x = x + self.near(x)
        y = self.down(x)
        for step in self.far:
            y = y + step(y)
        x = x + nn.functional.interpolate(self.up(y), scale_factor=2.0, mode="nearest")
        return self.out(self.join(x))


def folded(model: nn.Module) -> nn.Module:
    """Return an eval copy in which each batch norm is folded into the convolution before it."""
    import copy

    model = copy.deepcopy(model).eval()
    for part in model.modules():
        if isinstance(part, nn.Sequential) and len(part) == 3 and isinstance(part[1], nn.BatchNorm2d):
            part[0] = torch.nn.utils.fusion.fuse_conv_bn_eval(part[0], part[1])
            part[1] = nn.Identity()
    return model
