"""Draw the training set: many processes, a folder for each split, the same for the same seed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from tqdm import tqdm

from vision.training.fonts import Face, held_out, load_faces
from vision.training.store import FONTS, Growing

_faces: dict[str, list[Face]] = {}
Sample = dict[str, np.ndarray]
SPLITS = ("train", "check", "faces", "face-checks", "traced", "traced-checks", "tiles", "prints", "print-checks",
          "traced-tiles", "traced-tile-checks", "traced-bare", "other-tiles", "other-tile-checks",
          "stacks", "stack-checks")  # fmt: skip
LOOSE = ("faces", "face-checks")
TRACED = ("traced", "traced-checks")
TRACED_TILES = ("traced-tiles", "traced-tile-checks")
BARE = "traced-bare"
PRINTS = ("prints", "print-checks")
OTHER_TILES = ("other-tiles", "other-tile-checks")
TILES = ("tiles", *OTHER_TILES)
STACKS = ("stacks", "stack-checks")
AROUND = {"traced": 8, "traced-checks": 8, "faces": 3, "prints": 1}
"""Crops of each die and disk with what is around it, by split, to tell dice from disks. From these splits comes what
the net of outlines learns from, too."""
BARE_AROUND = {"traced": 3, "traced-checks": 3, "faces": 1, "prints": 1}
"""Crops of shadows and of rough felt, each, for every such piece."""
NUMBERED = 6
"""On one in so many trays of the splits "tiles" and "other-tiles" some tiles show a number of two digits."""


def _start(fonts: str) -> None:
    import cv2

    cv2.setNumThreads(1)
    faces: list[Face] = pickle.loads(Path(fonts).read_bytes())
    _faces["train"] = [f for f in faces if not held_out(f.family)]
    _faces["check"] = [f for f in faces if held_out(f.family)]


def _kind(split: str, k: int) -> str | None:
    """Return what lies on the k-th tray of a split, None for anything: where any print may come, disks as a rule."""
    if split in LOOSE:
        return "disks" if k % 5 > 2 else "dice"
    if split in PRINTS:
        return "disks" if k % 10 > 2 else "dice"
    return "layout" if split in TILES else None


def _one(job: tuple[str, int, int]) -> Sample:
    """Return one tray's samples by name, see `generate`."""
    from vision.training.bare_samples import bare_of
    from vision.training.face_samples import faces_of, standing_of, tops_of
    from vision.training.samples import crops_of, loose_targets_of, targets_of
    from vision.training.stacks import crops_of_stacks, draw_stacked
    from vision.training.trays import draw_one, trace_bare, trace_tiles, trace_tray

    split, seed, k = job
    rng = np.random.default_rng([seed, k, SPLITS.index(split)])
    fonts = _faces["check" if "check" in split else "train"]
    if split in STACKS:
        drawn, under = draw_stacked(fonts, rng, k)
        image, stacked = crops_of_stacks(drawn, under, rng)
        return {"stack": image, "stacked": stacked}
    if split in TRACED:
        drawn = trace_tray(fonts, seed + 7919 * SPLITS.index(split), k)
    elif split in TRACED_TILES:
        drawn = trace_tiles(fonts, seed + 7919 * SPLITS.index(split), k)
    elif split == BARE:
        drawn = trace_bare(fonts, seed + 7919 * SPLITS.index(split), k)
    else:
        small, any_print, other = split in (*LOOSE, *PRINTS), split in PRINTS, split in OTHER_TILES
        numbers = split in ("tiles", "other-tiles") and k % NUMBERED == 0
        kind = _kind(split, k)
        drawn, _ = draw_one(fonts, rng, kind=kind, harder=small, any_print=any_print, numbers=numbers, other=other)
    out: Sample = {}
    if split in AROUND:
        # By chances of their own: what is drawn for the other nets stays as it was without them.
        around, stands = standing_of(drawn, copy.deepcopy(rng), copies=AROUND[split])
        bare = bare_of(drawn, copy.deepcopy(rng), copies=BARE_AROUND[split])
        out |= {"around": around, "stands": stands, "bare": bare, "top": tops_of(drawn)}
    if split in PRINTS:
        out["face"], out["value"] = faces_of(drawn, rng, copies=2)
        return out
    if split in LOOSE or split in TRACED:
        out["face"], out["value"] = faces_of(drawn, rng, copies=4 if split in LOOSE else 8)
    else:
        if split != BARE:
            crops = crops_of(drawn, rng, copies=1 if split in TILES else 2)
            out |= {"image": crops.image, "symbol": crops.symbol, "upside": crops.upside_down}
        if split in TILES:
            return out
        tray, out["rows"], hand = targets_of(drawn, rng)
        out |= {"tray": tray[None], "hand": hand[None]}
        if split in (*TRACED_TILES, BARE):
            return out
    out["loose"], out["loose_rows"] = loose_targets_of(drawn, rng)
    return out


def generate(folder: Path, trays: Mapping[str, int], *, seed: int, processes: int = 6) -> None:
    """Draw so many trays of each split, and write each to a folder of its name, see `vision.training.store`.

    trays: by split, in the order in which they are drawn: "train" or "check" (held-out fonts) for all nets; "faces" or
    "face-checks" (dice and disks only, harder), "traced" or "traced-checks" (the same by POV-Ray) for those of dice and
    disks; "traced-tiles" or "traced-tile-checks" (whole trays by POV-Ray) for those of tiles and of where they lie;
    "traced-bare" (such trays without tiles) for the latter; "prints" or "print-checks" (dice and disks, printed in any
    way) for what they show; "tiles" for that of tiles; "other-tiles" or "other-tile-checks" (digits small, aside or
    with an ornament, see `vision.drawing.prints`) for the same; "stacks" or "stack-checks" (tiles on others) for the
    one that tells these.
    Arrays: image, symbol and upside of tiles; stack and stacked of tiles with what is around them; face and value of
    dice and disks, around and stands of the same with what is around them (see AROUND), top of dice alone, for the
    net of outlines; tray, rows and hand for the
    finder, loose and loose_rows for that of dice and disks. Rows begin with the number of their picture.
    processes: three for each core, as POV-Ray idles for half a second whenever it starts; none waits for the last of a
    split. What is drawn is the same with any number of them.
    """
    fonts = folder / FONTS
    if not fonts.is_file():
        fonts.write_bytes(pickle.dumps(load_faces(seed=seed)))
    with get_context("spawn").Pool(processes, _start, (str(fonts),)) as pool:
        drawn = pool.imap(_one, ((split, seed, k) for split, count in trays.items() for k in range(count)))
        for split, count in trays.items():
            with Growing(folder, split) as store:
                for sample in tqdm(islice(drawn, count), total=count, desc=f"drawing {split}", mininterval=5):
                    store.add(_numbered(sample, store))


def _numbered(sample: Sample, store: Growing) -> Sample:
    """Return a sample with, before each row, the number that its picture has among all."""
    out = dict(sample)
    for rows, pictures in (("rows", "tray"), ("loose_rows", "loose")):
        if rows in sample:
            out[rows] = np.c_[np.full(len(sample[rows]), store.length(pictures)), sample[rows]]
    return out
