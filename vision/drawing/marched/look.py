"""What the pieces of a set are made of, beside their sizes (`vision.drawing.look`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.drawing.look import DieLook, TileLook
from vision.drawing.marched.texture import Rgb


@dataclass(frozen=True, slots=True)
class Coat:
    """How a surface mirrors."""

    rough: float
    """0.05 is polished, 0.6 dull."""
    gloss: float = 1.0
    """Strength over that of glass or lacquer."""


@dataclass(frozen=True, slots=True)
class TileStuff:
    """A set of tiles."""

    shape: TileLook
    style: str
    """"coloured_body", "light_body" or "dark_body"."""
    inks: Mapping[str, Rgb]
    bodies: Mapping[str, Rgb]
    back: Rgb | None
    """None: as the body."""
    wood: bool
    coat: Coat
    framed: bool
    """A line of ink runs along the edge."""

    def back_tells_colour(self) -> bool:
        """Whether the back shows the tile's colour, too."""
        return self.back is None and self.style == "coloured_body"


@dataclass(frozen=True, slots=True)
class DiceStuff:
    """A set of dice."""

    shape: DieLook
    bodies: Mapping[str, Rgb]
    pips: Mapping[str, Rgb]
    ball: float
    """Diameter of the ball that cuts the corners, over the side; 0: none does."""
    right_handed: bool
    """Whether 1, 2 and 3 run counter-clockwise about their corner."""
    red_one: bool
    coat: Coat
    marble: float
    """Strength of the veins, 0..1."""


@dataclass(frozen=True, slots=True)
class DiskStuff:
    """A set of disks."""

    width: float
    height: float
    bevel: float
    bodies: Mapping[str, Rgb]
    """By kind: "prediction" and "queue"."""
    inks: Mapping[str, Rgb]
    wood: bool
    coat: Coat
    dot: float
    """Radius of a dot over the width."""
    dot_off: float
    """How far a dot is from the middle each way, over the width."""
    ring: bool
    """A line of ink runs round along the edge."""
