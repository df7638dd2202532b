"""Sets of tiles that no training has seen: drawn by hand, segment by segment, dot by dot, by a plotter.

For `vision.teach_bench` and the tests: what an owner might make at the kitchen table. Everything is drawn from
a seed; no font file, and none of the shapes that `vision.training` draws its sets with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.drawing import Drawn, GlyphSet, Look, TrayScene, draw, random_look, scene_for_layout
from vision.drawing.chance import BODIES, random_camera, random_film, random_lamp
from vision.drawing.glyphs import crop

Array = np.ndarray[Any, np.dtype[Any]]
Strokes = list[list[tuple[float, float]]]
"""Lines through points, x to the right and y down, in a box about 0.62 wide and 1 high."""

KINDS = ("hand", "hand", "shaky", "shaky", "shaky", "plotter", "segments", "dots", "signs")
"""Kinds of sets, as often as they are drawn."""
COLOURS = ("red", "blue", "green", "black", "orange", "purple")
DIGITS = "0123456789"
RING = "~34 2 6 28 4 70 30 100 58 72 58 26 36 0"
HEAD = "~52 12 26 2 6 26 22 48 50 36 54 10"
PIXELS = 128
"""Height of a digit's box in mask pixels."""


@dataclass(frozen=True, slots=True)
class DrawnSet:
    """An owner's set and table: what stays the same from picture to picture."""

    kind: str
    look: Look
    colours: tuple[str, str, str, str]

    def picture(
        self, rows: Sequence[Sequence[str | None]], *, layout: str, seed: int, difficulty: float = 0.4
    ) -> Drawn:
        """Return a picture of a tray laid like this, cells as in `scene_for_layout`.

        Lamp, camera and film are another evening's each time; tiles, felt and table are the owner's.
        """
        rng = np.random.default_rng([seed, 77])
        scene: TrayScene = scene_for_layout(rows, layout=layout, seed=seed)
        camera = random_camera(rng, difficulty=difficulty)
        look = replace(
            self.look,
            lamp=random_lamp(rng, self.look.tray_mm, difficulty=difficulty),
            camera=replace(camera, px_per_mm=float(rng.uniform(1.7, 2.5)), aim_mm=(0.0, 0.0)),
            film=random_film(rng, difficulty=difficulty),
        )
        return draw(scene, look, rng=rng)

    def taught(self, *, seed: int) -> Drawn:
        """Return a picture as one is taken to teach: each colour's tiles in order, in good light."""
        return self.picture(
            [[f"{c}:{s}" for s in DIGITS] for c in self.colours], layout="rows", seed=seed, difficulty=0.2
        )


def odd_set(seed: int, *, kind: str | None = None) -> DrawnSet:
    """Return an owner's set; the same for the same seed. kind: one of KINDS, None for any."""
    rng = np.random.default_rng([seed, 1126])
    kind = kind or KINDS[int(rng.integers(len(KINDS)))]
    look = random_look(rng, difficulty=0.4)
    chosen = tuple(str(c) for c in rng.permutation(COLOURS)[:4])
    glyphs = MAKERS[kind](rng, chosen)
    tile = replace(look.tile, wear=min(look.tile.wear, 0.3), ink_alpha=max(look.tile.ink_alpha, 0.85))
    tile = replace(tile, underline=bool(rng.random() < 0.3), digit_height=max(0.52, tile.digit_height))
    plain = Look.plain()
    # Ink that people can read, too: dark or coloured on light bodies, light on dark ones.
    inks = (plain.tile.ink_light, plain.tile.ink_dark)
    body = None if tile.body is None else BODIES[int(rng.integers(len(BODIES)))]
    tile = replace(tile, ink_light=inks[0], ink_dark=inks[1], body=body)
    # Colours that people would call by four names: what colours cannot tell is no matter of teaching digits.
    look = replace(look, glyphs=glyphs, tile=tile, palette=plain.palette, markers=True, felt=_felt(rng))
    return DrawnSet(kind, look, (chosen[0], chosen[1], chosen[2], chosen[3]))


def _felt(rng: np.random.Generator) -> tuple[float, float, float]:
    felts = ((96, 92, 20), (52, 84, 30), (84, 60, 60), (90, 92, 96), (60, 70, 40))
    b, g, r = (np.array(felts[int(rng.integers(len(felts)))]) + rng.normal(0, 8, 3)).clip(8, 240)
    return float(b), float(g), float(r)


def _curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a smooth line through some points (Catmull-Rom)."""
    p = np.array([points[0], *points, points[-1]])
    t = np.linspace(0, 1, 9)[:, None]
    out = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False):
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return [(float(x), float(y)) for x, y in np.vstack(out)]


FORMS: Mapping[str, tuple[str, ...]] = {
    "0": (RING, f"{RING} / 50 10 12 90", f"{RING} / 30 46 32 54"),
    "1": ("30 0 30 100", "8 34 36 0 34 100", "14 20 34 0 34 100 / 10 100 56 100"),
    "2": (
        "~6 20 30 0 54 22 30 62 2 98 / 2 98 60 96",
        "~8 16 36 0 50 26 20 74 4 94 18 82 36 98 62 90",
    ),
    "3": (
        "~8 10 36 0 50 20 24 44 / ~24 44 54 66 36 98 4 90",
        "6 2 54 2 26 40 / ~26 40 56 64 38 98 4 92",
    ),
    "4": ("44 100 44 0 2 66 64 66", "10 2 6 52 60 50 / 46 14 44 100", "26 0 4 60 60 60 / 42 34 38 100"),
    "5": (
        "54 2 14 2 10 44 / ~10 44 42 40 58 68 36 98 4 90",
        "~12 4 10 42 42 46 52 78 24 100 2 88 / 12 4 56 0",
    ),
    "6": (
        "~50 4 20 30 6 68 20 98 46 96 58 74 40 54 10 66",
        "~30 0 10 46 8 84 32 100 54 80 36 58 10 74",
    ),
    "7": ("4 2 58 2 24 100", "4 4 58 0 22 100 / 12 50 56 48", "4 20 6 2 56 4 / ~56 4 36 50 30 100"),
    "8": (
        "~50 12 28 0 10 18 30 44 54 70 34 100 6 80 24 52 50 26 48 10",
        "~30 46 8 24 30 0 50 22 30 46 4 74 30 100 58 74 30 46",
    ),
    "9": (f"{HEAD} / 54 10 50 100", f"{HEAD} 52 60 36 94 10 96", f"{HEAD} / 54 10 30 100"),
    "#": ("24 10 14 90 / 56 10 46 90 / 0 36 68 32 / 0 68 66 64",),
}
"""How people write digits: strokes parted by "/", points as x and y in hundredths of the height, "~" a smooth line."""


def _strokes(form: str) -> Strokes:
    """Return the strokes of a form."""
    out = []
    for stroke in form.split("/"):
        numbers = [int(n) / 100 for n in stroke.replace("~", "").split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        out.append(_curve(points) if "~" in stroke else points)
    return out


def _habits(rng: np.random.Generator) -> dict[str, Strokes]:
    """Return how one person writes digits: which of the usual forms of each they have."""
    return {
        s: _strokes(forms[int(rng.integers(len(forms)))] if len(forms) > 1 else forms[0]) for s, forms in FORMS.items()
    }


def _bent(strokes: Strokes, rng: np.random.Generator, *, much: float) -> Strokes:
    """Return strokes as a hand would draw them another time: bent in slow waves, leaning, wider or narrower."""
    a, b, c, d = rng.normal(0, much, 4)
    p, q = rng.uniform(0, 2 * np.pi, 2)
    lean, wide = rng.normal(0, 1.6 * much), np.exp(rng.normal(0, 1.4 * much))
    out = []
    for stroke in strokes:
        xy = np.array(stroke, float)
        x = xy[:, 0] * wide + lean * (0.5 - xy[:, 1]) + a * np.sin(5 * xy[:, 1] + p) + 0.4 * b * np.sin(11 * xy[:, 1])
        y = xy[:, 1] + c * np.sin(5 * xy[:, 0] + q) + 0.4 * d * np.sin(11 * xy[:, 0])
        out.append([(float(u), float(v)) for u, v in zip(x, y, strict=True)])
    return out


def inked(strokes: Strokes, *, weight: float) -> Array:
    """Return the mask of strokes drawn with a round pen; weight: its width over the digit's height."""
    pad = int(PIXELS * 0.5)
    image = np.zeros((PIXELS + 2 * pad, int(PIXELS * 1.2) + 2 * pad), np.uint8)
    for stroke in strokes:
        fixed = np.round((np.array(stroke) * PIXELS + pad) * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(image, [fixed], False, (255,), max(2, int(weight * PIXELS)), cv2.LINE_AA, 4)
    return crop(image)


def _hand(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set drawn with a pen: one person's habits, and every tile a little different."""
    return _written(_habits(rng), colours, rng, much=0.07)


def _shaky(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set drawn by a small child."""
    return _written(_habits(rng), colours, rng, much=0.14)


def _signs(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set with signs of its own, that are digits to nobody but its owners."""
    signs: dict[str, Strokes] = {}
    for s in "0123456789#":
        points = rng.uniform(0.02, [0.6, 0.98], (int(rng.integers(3, 6)), 2))
        more = rng.uniform(0.02, [0.6, 0.98], (2, 2))
        line = [(float(x), float(y)) for x, y in points]
        signs[s] = [_curve(line) if rng.random() < 0.5 else line, [(float(x), float(y)) for x, y in more]]
    return _written(signs, colours, rng, much=0.03)


def _written(
    habits: Mapping[str, Strokes], colours: tuple[str, ...], rng: np.random.Generator, *, much: float
) -> GlyphSet:
    """Return habits as one person's set. much: how unsteady the hand is, over the digit's height."""
    style = {s: _bent(strokes, rng, much=much) for s, strokes in habits.items()}
    weight = rng.uniform(0.06, 0.13)
    masks = {s: inked(strokes, weight=weight) for s, strokes in style.items()}
    for colour in colours:
        for s, strokes in style.items():
            own = weight * float(np.exp(rng.normal(0, 0.08)))
            masks[f"{colour}:{s}"] = _turned(inked(_bent(strokes, rng, much=0.5 * much), weight=own), rng)
    return masks


def _turned(mask: Array, rng: np.random.Generator) -> Array:
    """Return the mask not quite upright and not quite as tall as the others."""
    h, w = mask.shape
    pad = h // 4
    wide = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    matrix = cv2.getRotationMatrix2D((w / 2 + pad, h / 2 + pad), float(rng.normal(0, 4)), float(rng.uniform(0.9, 1.08)))
    return crop(cv2.warpAffine(wide, matrix, (w + 2 * pad, h + 2 * pad)))


def _plotter(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set drawn by a plotter: one of the vector fonts that OpenCV carries, leaning."""
    fonts = (cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
             cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_SIMPLEX | cv2.FONT_ITALIC)  # fmt: skip
    font, pen, lean = (
        int(fonts[int(rng.integers(len(fonts)))]),
        int(rng.integers(5, 14)),
        float(rng.uniform(-0.3, 0.45)),
    )
    masks = {}
    for s in "0123456789#":
        image = np.zeros((300, 300), np.uint8)
        cv2.putText(
            image, s, (90, 210), font, 10.0 if font == cv2.FONT_HERSHEY_PLAIN else 5.5, (255,), pen, cv2.LINE_AA
        )
        matrix = np.array([[1, -lean, lean * 150], [0, 1, 0]], np.float32)
        masks[s] = crop(cv2.warpAffine(image, matrix, (300, 300)))
    return masks


SEGMENTS: Mapping[str, str] = {
    "0": "abcdef", "1": "bc", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abcdfg",
}  # fmt: skip
"""Which of the seven bars are lit, named as is usual."""
BARS: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "a": ((0.0, 0.0), (0.6, 0.0)), "b": ((0.6, 0.0), (0.6, 0.5)), "c": ((0.6, 0.5), (0.6, 1.0)),
    "d": ((0.0, 1.0), (0.6, 1.0)), "e": ((0.0, 0.5), (0.0, 1.0)), "f": ((0.0, 0.0), (0.0, 0.5)),
    "g": ((0.0, 0.5), (0.6, 0.5)),
}  # fmt: skip


def _segments(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set of seven segments, with or without gaps between the bars."""
    gap, lean, weight = rng.uniform(0.0, 0.1), rng.uniform(0, 0.2), rng.uniform(0.09, 0.18)
    masks = {}
    for s, lit in SEGMENTS.items():
        bars: Strokes = []
        for name in lit:
            (x0, y0), (x1, y1) = BARS[name]
            u, v = gap * np.sign(x1 - x0), gap * np.sign(y1 - y0)
            ends = [(x0 + u, y0 + v), (x1 - u, y1 - v)]
            bars.append([(x + lean * (0.5 - y), y) for x, y in ends])
        masks[s] = inked(bars, weight=weight)
    return {**masks, "#": inked(_strokes("20 10 20 90 / 46 10 46 90 / 0 36 66 36 / 0 66 66 66"), weight=weight)}


DOTS: Mapping[str, str] = {
    "0": "01110 10001 10011 10101 11001 10001 01110", "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111", "3": "11111 00010 00100 00010 00001 10001 01110",
    "4": "00010 00110 01010 10010 11111 00010 00010", "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "00110 01000 10000 11110 10001 10001 01110", "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110", "9": "01110 10001 10001 01111 00001 00010 01100",
    "#": "01010 01010 11111 01010 11111 01010 01010",
}  # fmt: skip
"""Five by seven dots."""


def _dots(rng: np.random.Generator, colours: tuple[str, ...]) -> GlyphSet:
    """Return a set made with a hole punch."""
    radius = rng.uniform(0.34, 0.52)
    masks = {}
    for s, rows in DOTS.items():
        image = np.zeros((160, 120), np.uint8)
        for y, row in enumerate(rows.split()):
            for x, on in enumerate(row):
                if on == "1":
                    cv2.circle(image, (20 + 18 * x, 20 + 18 * y), round(18 * radius), (255,), -1, cv2.LINE_AA)
        masks[s] = crop(image)
    return masks


MAKERS = {
    "hand": _hand, "shaky": _shaky, "signs": _signs, "plotter": _plotter, "segments": _segments, "dots": _dots,
}  # fmt: skip
"""What draws each kind."""
