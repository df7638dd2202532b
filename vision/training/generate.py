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


def _start(fonts: str) -> None:
    import cv2

    cv2.setNumThreads(1)
    faces: list[Face] = pickle.loads(Path(fonts).read_bytes())
    _faces["train"] = [f for f in faces if not held_out(f.family)]
    _faces["check"] = [f for f in faces if held_out(f.family)]


def _one(job: tuple[str, int, int]) -> Sample:
    from vision.training.samples import crops_of, draw_one, faces_of, targets_of

    split, seed, k = job
    rng = np.random.default_rng([seed, k, split == "check"])
    drawn, _ = draw_one(_faces[split], rng)
    crops = crops_of(drawn, rng)
    return crops.image, crops.symbol, crops.upside_down, *targets_of(drawn, rng), *faces_of(drawn, rng)


def generate(folder: Path, *, scenes: int, seed: int, split: str, processes: int = 2) -> Path:
    """Draw `scenes` trays and write them to folder/split.npz; return that path."""
    fonts = folder / "fonts.pickle"
    if not fonts.is_file():
        fonts.write_bytes(pickle.dumps(load_faces(seed=seed)))
    with get_context("spawn").Pool(processes, _start, (str(fonts),)) as pool:
        jobs = ((split, seed, k) for k in range(scenes))
        parts: Iterator[Sample] = pool.imap(_one, jobs, chunksize=4)
        done = list(tqdm(parts, total=scenes, desc=f"drawing {split}", mininterval=5))
    path = folder / f"{split}.npz"
    np.savez(
        path,
        image=np.concatenate([d[0] for d in done]),
        symbol=np.concatenate([d[1] for d in done]),
        upside=np.concatenate([d[2] for d in done]),
        tray=np.stack([d[3] for d in done]),
        rows=np.concatenate([np.c_[np.full(len(d[4]), k), d[4]] for k, d in enumerate(done)]),
        hand=np.stack([d[5] for d in done]),
        face=np.concatenate([d[6] for d in done]),
        value=np.concatenate([d[7] for d in done]),
    )
    return path
