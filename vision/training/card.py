"""The model card beside the models: what they learnt from, how good they are, when."""

from __future__ import annotations

import datetime
import pickle
from dataclasses import dataclass
from pathlib import Path

import cv2
import torch

from vision.training.craft import HALVED
from vision.training.fonts import Face, held_out
from vision.training.store import FONTS


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many trays are drawn, split by split."""

    train: int
    check: int
    faces: int
    face_checks: int
    tiles: int
    traced: int
    traced_checks: int
    prints: int
    print_checks: int
    traced_tiles: int
    traced_tile_checks: int
    traced_bare: int
    other_tiles: int
    other_tile_checks: int
    stacks: int
    stack_checks: int

    @classmethod
    def of(cls, scenes: int, checks: int, *, traced: bool) -> Amounts:
        """Return what goes with `scenes` trays for training and `checks` trays in held-out fonts."""
        return cls(
            scenes, checks, scenes * 3 // 5, checks * 6 // 7, scenes * 2 // 3,
            scenes * 6 // 25 if traced else 0, checks * 2 // 7 if traced else 0, scenes * 16 // 15, checks * 8 // 7,
            scenes * 4 // 25 if traced else 0, checks * 3 // 14 if traced else 0,
            scenes * 3 // 100 if traced else 0, scenes * 4 // 15, checks * 3 // 7,
            scenes * 4 // 5, checks * 6 // 7,
        )  # fmt: skip

    @property
    def splits(self) -> dict[str, int]:
        """Return the amounts by the names of `vision.training.generate`."""
        return {
            "traced-tiles": self.traced_tiles, "traced-tile-checks": self.traced_tile_checks,
            "traced-bare": self.traced_bare,
            "traced": self.traced, "traced-checks": self.traced_checks, "check": self.check,
            "face-checks": self.face_checks, "faces": self.faces, "print-checks": self.print_checks,
            "prints": self.prints, "tiles": self.tiles, "train": self.train,
            "other-tiles": self.other_tiles, "other-tile-checks": self.other_tile_checks,
            "stacks": self.stacks, "stack-checks": self.stack_checks,
        }  # fmt: skip


TEXT = """# Model card

Made by `python -m vision.training` on {date} (seed {seed}; torch {torch}, OpenCV {cv2}; multiplied in {arithmetic}).

| file | what it does | input | bytes |
|---|---|---|---|
{files}

**Data.** Nothing but pictures drawn by `vision.drawing`: {a.train} trays for training of all nets, {a.tiles} more
for that of tiles and {a.other_tiles} with digits down to 28 % of the tile's height, aside, in a ring or a frame, or
over a dot; {a.faces} small ones with dice or disks at any scale and tilt, {a.prints} with dice and disks of
any colour, ink and size of digit (half of these disks show the grain of wood); {a.stacks} with up to eight tiles that
lie on others; {traced}. For checks {a.check},
{a.other_tile_checks}, {a.face_checks}, {a.print_checks}, {a.stack_checks} and, traced, {a.traced_checks} and
{a.traced_tile_checks}, in fonts of packages that training never saw ({held} of {faces} faces). What something
covers teaches no number, and
a digit whose ink nobody could see is left out. The net that finds pieces sees a quarter of the whole trays with a print
painted on the felt, and one in eight with discs behind the digits.
No photograph and no picture of another maker was trained on.
Fonts: the Debian
packages in `vision/training/fonts.txt`, {packages} of them with usable digits, strokes of our own, and one set in
six written by hand or drawn by a plotter. Each set is printed bolder, lighter, leaning, cut like a stencil or
wobbling by chance; some tiles show numbers of two digits, to be doubted; felt between the tiles of a row is no
tile; tiles square or with arcs, worn, engraved, underlined 6 and 9 or not, some upside down, some face down; felts
and bodies of nearly one colour; a third of the tiles scratched, each time otherwise; warm and cold lamps, mirror images
of the lamp, soft and hard shadows, hands, defocus, motion, noise, JPEG. Dice are solids by ray tracing: rounded
cubes with hollow pips that mirror the lamp, touching each other and the rim. Flanks of dice seen aslant, single pips
and halves of dice are shown as well, as what nobody reads; felt beside and between them, where it is darkest or
roughest, half of it with a shadow or a fibre painted on, as no piece.

**Figures on the drawn checks** (crops as loose as the detector's, glare and blur included):

{figures}

`log_loss` is after calibration by a temperature (one for dice and one for disks), chosen on drawn crops. `sure_*`:
crops with a probability above 0.995. `drawn`, `traced`, `other` of symbols: drawn trays, whole traced
ones, and drawn ones with small digits, aside or ornamented. `face`,
`print`, `traced` of faces: the three sets of checks. `stacked_seen`, `others_called_stacked`: of tiles that lie on
others, and of those that do not, the share called so.
`dice_called_so`, `disks_called_dice` of standing: the shares surely called dice; `bare_called_so`,
`pieces_called_bare`: of bare felt and of pieces, the shares called no piece. `left_of_*` of outline: how far off
is what was so far off by normal chance, over the side, after one look: half of them, 1 in 100. `found`, `off_*` of
loose: within 0.35 of a side; over the side. The traced checks are small crowded trays, half of them of touching dice,
one in five on felt of nearly their own colour.

**Meant for** single tiles 0-9, # and face down, dice with pips, prediction and queue disks, seen from above.
**Not meant for** two-digit numbers, letters, dice with numerals. Probabilities compare within
one version of a model only.
"""
BY_HAND = "<!-- What follows is written by hand, and kept when the card is written anew. -->"


def write_card(out: Path, data: Path, figures: dict[str, dict[str, float]], *, amounts: Amounts, seed: int) -> None:
    """Write MODEL_CARD.md into `out`, over an older one but for its last part; figures: by model, name to value."""
    faces: list[Face] = pickle.loads((data / FONTS).read_bytes())
    what = {
        "symbols": "what a tile shows",
        "symbols-large": "what a tile shows, asked where the smaller net doubts",
        "pieces": "where pieces and hands lie",
        "loose": "where dice and disks lie",
        "faces": "what dice and disks show",
        "stacked": "whether a tile lies on others",
        "outline": "where exactly the top of a die lies",
        "standing": "whether what may be a disk stands up, as dice do, and whether it is a piece at all",
    }
    shape = {
        "symbols": "n x 3 x 48 x 40",
        "symbols-large": "n x 3 x 48 x 40",
        "pieces": "1 x 3 x h x w, 1 px/mm",
        "loose": "1 x 3 x h x w, 1.5 px/mm",
        "faces": "n x 3 x 48 x 48",
        "stacked": "n x 3 x 56 x 48",
        "outline": "n x 3 x 48 x 48",
        "standing": "n x 3 x 48 x 48",
    }
    models = sorted(out.glob("*.onnx"))
    text = TEXT.format(
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        seed=seed,
        torch=torch.__version__.split("+")[0],
        cv2=cv2.__version__,
        files="\n".join(f"| {m.name} | {what[m.stem]} | {shape[m.stem]} | {m.stat().st_size:,} |" for m in models),
        a=amounts,
        traced=_traced(amounts),
        arithmetic="bfloat16, sums and weights in float32" if HALVED else "float32",
        held=sum(held_out(f.family) for f in faces),
        faces=len(faces),
        packages=len({f.family for f in faces}) - 1,
        figures="\n".join(f"- {name}: {_line(values)}" for name, values in sorted(figures.items())),
    )
    path = out / "MODEL_CARD.md"
    path.write_text(text + by_hand(path), encoding="utf-8")


def _traced(amounts: Amounts) -> str:
    if not amounts.traced:
        return "none traced by POV-Ray"
    return (
        f"by POV-Ray {amounts.traced} small trays of dice or disks\nand {amounts.traced_tiles} whole ones of tiles, a "
        f"fifth of them on felt of nearly their own colour, three in ten of those of tiles\nunder a hand and some with "
        f"places left empty, and {amounts.traced_bare} whole ones with dice or nothing"
    )


def by_hand(card: Path) -> str:
    """Return what was written by hand at the end of a card; "" where there is none."""
    _, mark, rest = (card.read_text("utf-8") if card.is_file() else "").partition(BY_HAND)
    return f"\n{mark}{rest}" if mark else ""


def _line(values: dict[str, float]) -> str:
    return ", ".join(f"{key} {value:.4f}".rstrip("0").rstrip(".") for key, value in values.items())
