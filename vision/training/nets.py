"""The nets: plain convolutions, as small as they may be, so that cv2.dnn runs them fast on one core."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

Channels = tuple[int, int, int]
"""A number for each of three scales, the finest first.

Multiples of 16, which a processor multiplies at once, cost least: the smaller net of tiles takes 71 ms forth and back
with 16, 48 and 96, and 89 with the 20, 40 and 88 that it had, which are fewer sums (256 crops, bfloat16 in tiles). The
finder of pieces keeps its 24, as with 16 it sees more that is not there.
"""


def _block(cin: int, cout: int, *, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Return convolution, batch norm, ReLU; the norm is folded away at export."""
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, dilation, dilation=dilation, bias=False), nn.BatchNorm2d(cout), nn.ReLU()
    )


class Dropout(nn.Module):
    """nn.Dropout, in training from bytes that come eight at a time: that one draws a number for each feature.

    Of a step of the larger net of tiles it was a twentieth.
    """

    def __init__(self, share: float) -> None:
        """Lay out. share: of the features that are dropped, to the next 256th."""
        super().__init__()
        self.dropped = round(256 * share)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x, in training with a share of its features zero and the others as much larger."""
        if not self.training:
            return x
        # From the lowest int64 up: without it the highest bit of eight bytes would never be set.
        chance = torch.empty(-(-x.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
        kept = chance.view(torch.uint8)[: x.numel()].view(x.shape) >= self.dropped
        return x * (kept.to(x.dtype) * (256 / (256 - self.dropped)))


class CropNet(nn.Module):
    """Crop (n, 3, h, w) -> logits (n, outputs): blocks at a half, a quarter and an eighth of its size.

    Learns from smaller crops, too: their maps at the last scale are stretched to those of a whole one.
    """

    def __init__(
        self, channels: Channels, *, blocks: Channels, crop_hw: tuple[int, int], outputs: int, drop: float
    ) -> None:
        """Lay out the net. channels, blocks: at each scale; crop_hw: height and width of a whole crop, in pixels."""
        super().__init__()
        a, b, c = channels
        self.stem = _block(3, a, stride=2)
        self.a = nn.ModuleList([_block(a, a) for _ in range(blocks[0])])
        self.to_b = _block(a, b, stride=2)
        self.b = nn.ModuleList([_block(b, b) for _ in range(blocks[1])])
        self.to_c = _block(b, c, stride=2)
        self.c = nn.ModuleList([_block(c, c) for _ in range(blocks[2])])
        self.drop = Dropout(drop)
        self.last_hw = tuple(-(-side // 8) for side in crop_hw)
        self.out = nn.Linear(c * self.last_hw[0] * self.last_hw[1], outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, outputs) logits."""
        for begin, steps in ((self.stem, self.a), (self.to_b, self.b), (self.to_c, self.c)):
            x = begin(x)
            for step in steps:
                x = x + step(x)
        if x.requires_grad:
            # What comes back from the flat features lies in another order than what went there, and all that meets
            # both on the way down takes ten times as long: a step of the nets of tiles a thirteenth longer.
            x.register_hook(lambda back: back.contiguous(memory_format=torch.channels_last))
        if self.training and x.shape[2:] != self.last_hw:
            x = nn.functional.interpolate(x, self.last_hw, mode="bilinear", align_corners=False)
        return self._said(self.drop(x.flatten(1)))

    def _said(self, features: torch.Tensor) -> torch.Tensor:
        """Return logits, in full whatever the rest is multiplied in: a logit of ten would be off by four hundredths."""
        with torch.autocast("cpu", enabled=False):
            # No cast where there is nothing to cast: it would be exported.
            return self.out(features if features.dtype == torch.float32 else features.float())


def symbol_net(*, large: bool = False) -> CropNet:
    """Return a net for crops (n, 3, 48, 40): 12 symbol logits, upside-down logit, unreadable logit.

    large: the one that is asked where the other doubts.
    """
    return CropNet((16, 64, 128) if large else (16, 48, 96), blocks=(1, 1, 1), crop_hw=(48, 40), outputs=14, drop=0.25)


def face_net() -> CropNet:
    """Return a net for crops (n, 3, 48, 48): 13 face logits and an unreadable logit.

    Deep rather than wide: with two blocks at a scale it reads traced dice twice as well as one half as wide again.
    """
    return CropNet((24, 48, 96), blocks=(0, 2, 2), crop_hw=(48, 48), outputs=14, drop=0.2)


def stack_net() -> CropNet:
    """Return a net for crops (n, 3, 56, 48): the logit (n, 1) that the tile in the middle lies on others."""
    return CropNet((16, 32, 48), blocks=(0, 1, 1), crop_hw=(56, 48), outputs=1, drop=0.2)


def standing_net() -> CropNet:
    """Return a net for crops (n, 3, 48, 48): (n, 2), the logits that what lies in the middle stands up, as dice do, and
    that a piece lies there at all.

    Two thirds as wide and half as deep it tells half as many of the dice that the finder takes for disks.
    """
    return CropNet((24, 48, 96), blocks=(0, 2, 2), crop_hw=(48, 48), outputs=2, drop=0.3)


def outline_net() -> CropNet:
    """Return a net for crops (n, 3, 48, 48): where the top of a die lies in them, (n, 5).

    What the five are `vision.training.train_outline` says. With one block at a scale instead of two it errs by a third
    more.
    """
    return CropNet((16, 32, 64), blocks=(0, 2, 2), crop_hw=(48, 48), outputs=5, drop=0.1)


class PieceNet(nn.Module):
    """Picture (n, 3, h, w) -> (n, maps, h/4, w/4): heat of tile, die, disk; offset, log size, angle; hand if tenth."""

    def __init__(
        self, channels: tuple[int, int, int, int], *, near: int, far: Sequence[int], after: int, maps: int
    ) -> None:
        """Lay out the net.

        channels: at a half of the picture's size, a quarter, an eighth, and a quarter again. near, after: blocks at a
        quarter, before and after what an eighth says of it. far: dilation of each block at an eighth.
        """
        super().__init__()
        a, b, c, e = channels
        self.stem = nn.Sequential(_block(3, a, stride=2), _block(a, b, stride=2))
        self.near = nn.ModuleList([_block(b, b) for _ in range(near)])
        self.down = _block(b, c, stride=2)
        self.far = nn.ModuleList([_block(c, c, dilation=d) for d in far])
        self.up = nn.Conv2d(c, b, 1)
        self.join = _block(b, e)
        self.after = nn.ModuleList([_block(e, e) for _ in range(after)])
        self.out = nn.Conv2d(e, maps, 1)
        nn.init.constant_(self.out.bias[:3], -4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the maps; heat and hand as logits."""
        x = self.stem(x)
        for step in self.near:
            x = x + step(x)
        y = self.down(x)
        for step in self.far:
            y = y + step(y)
        x = self.join(x + nn.functional.interpolate(self.up(y), scale_factor=2.0, mode="nearest"))
        for step in self.after:
            x = x + step(x)
        return self.out(x)


def piece_net() -> PieceNet:
    """Return the net that finds all pieces, and hands: every reading waits for it."""
    return PieceNet((16, 24, 48, 32), near=1, far=(1, 2, 3), after=0, maps=10)


def loose_net() -> PieceNet:
    """Return the net that finds dice and disks, without hands.

    Three times as long as the other: it errs by three fifths as much, and is in doubt of half as many dice.
    """
    return PieceNet((16, 32, 80, 48), near=2, far=(1, 2, 3, 1, 2, 3), after=1, maps=9)


def folded(model: nn.Module) -> nn.Module:
    """Return an eval copy in which each batch norm is folded into the convolution before it."""
    import copy

    model = copy.deepcopy(model).eval()
    for part in model.modules():
        if isinstance(part, nn.Sequential) and len(part) == 3 and isinstance(part[1], nn.BatchNorm2d):
            part[0] = torch.nn.utils.fusion.fuse_conv_bn_eval(part[0], part[1])
            part[1] = nn.Identity()
    return model
