"""Draw the training set: many processes, one file, the same for the same seed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from tqdm import tqdm

from vision.training.fonts import Face, held_out, load_faces

_faces: dict[str, list[Face]] = {}
Sample = tuple[np.ndarray, ...]
SPLITS = ("train", "check", "faces", "face-checks")
LOOSE = ("faces", "face-checks")


def _start(fonts: str) -> None:
    import cv2

    cv2.setNumThreads(1)
    faces: list[Face] = pickle.loads(Path(fonts).read_bytes())
    _faces["train"] = [f for f in faces if not held_out(f.family)]
    _faces["check"] = [f for f in faces if held_out(f.family)]


def _one(job: tuple[str, int, int]) -> Sample:
    """Return one tray's samples: crops, symbols, upside down, picture, pieces, hand; of LOOSE crops and values."""
    from vision.training.samples import crops_of, draw_one, faces_of, targets_of

    split, seed, k = job
    rng = np.random.default_rng([seed, k, SPLITS.index(split)])
    kind = ("dice", "disks")[k % 5 > 2] if split in LOOSE else None
    fonts = _faces["check" if "check" in split else "train"]
    drawn, _ = draw_one(fonts, rng, kind=kind, harder=split in LOOSE)
    if split in LOOSE:
        return faces_of(drawn, rng, copies=4)
    crops = crops_of(drawn, rng)
    return crops.image, crops.symbol, crops.upside_down, *targets_of(drawn, rng)


def generate(folder: Path, *, scenes: int, seed: int, split: str, processes: int = 2) -> Path:
    """Draw `scenes` trays and write them to folder/split.npz; return that path.

    split: "train", "check" (held-out fonts), "faces" or "face-checks" (dice and disks only, harder, for their own net).
    """
    fonts = folder / "fonts.pickle"
    if not fonts.is_file():
        fonts.write_bytes(pickle.dumps(load_faces(seed=seed)))
    with get_context("spawn").Pool(processes, _start, (str(fonts),)) as pool:
        jobs = ((split, seed, k) for k in range(scenes))
        parts: Iterator[Sample] = pool.imap(_one, jobs, chunksize=4)
        done = list(tqdm(parts, total=scenes, desc=f"drawing {split}", mininterval=5))
    path = folder / f"{split}.npz"
    np.savez(path, **(_faces_shown(done) if split in LOOSE else _trays(done)))
    return path


def _faces_shown(done: list[Sample]) -> dict[str, np.ndarray]:
    return {"face": np.concatenate([d[0] for d in done]), "value": np.concatenate([d[1] for d in done])}


def _trays(done: list[Sample]) -> dict[str, np.ndarray]:
    return {
        "image": np.concatenate([d[0] for d in done]),
        "symbol": np.concatenate([d[1] for d in done]),
        "upside": np.concatenate([d[2] for d in done]),
        "tray": np.stack([d[3] for d in done]),
        "rows": np.concatenate([np.c_[np.full(len(d[4]), k), d[4]] for k, d in enumerate(done)]),
        "hand": np.stack([d[5] for d in done]),
    }
