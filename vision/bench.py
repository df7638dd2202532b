"""Milliseconds by stage, and beside Tesseract: `python -m vision.bench FOLDER [--repeat N] [--half even|odd|all]`.

Reads the labelled pictures below FOLDER, of all families or of those that are named (`--family A --family B`), on one
core, N times each, and prints the median over pictures of each stage's least time (the least: other programs can only
make a run slower), and their sum as "all"; "all, tray known" with the registration of a fixed camera handed in, and
"unchanged frame" for a frame that shows nothing new. Where Tesseract is installed, the crops of the first picture's
tiles are read by it too, one character each, and the ratio is printed. All times are processor time: a busy machine
stretches them far less than a wall clock's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.crops.symbols import cut_crops
from vision.errors import VisionError
from vision.options import at_least
from vision.reader import read
from vision.reading import Reading
from vision.tray.glance import glance, unchanged
from vision.tray.rectify import Image, find_tray
from vision.trials.labelled import Sample, find_samples
from vision.trials.scoring import expectation_of

ENLARGED = 3
"""Tesseract wants characters some 30 pixels high: crops are enlarged by this."""
WARM_UP = 1
"""Readings before the clock counts: nets are loaded by the first."""
THREADS = "OPENBLAS_NUM_THREADS"
"""The variable that says how many threads numpy takes: one, in the table's service too."""


def measure(picture_bgr: Image, sample: Sample, *, repeat: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return the least milliseconds of each stage, and their sum ("all"), over `repeat` readings."""
    runs = []
    for k in range(repeat + WARM_UP):
        laps = read(picture_bgr, expect=expectation_of(sample.truth), clock=clock).milliseconds
        if k >= WARM_UP:
            runs.append(laps)
    least = {name: min(run[name] for run in runs) for name in runs[0]}
    return {**least, "all": sum(least.values())}


def measure_fixed(picture_bgr: Image, sample: Sample, *, repeat: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return the least milliseconds of a reading whose tray is known, where one is found, and of an unchanged frame."""
    out = {}
    tray = find_tray(picture_bgr)
    if tray is not None:
        laps = [
            sum(read(picture_bgr, expect=expectation_of(sample.truth), tray=tray, clock=clock).milliseconds.values())
            for _ in range(repeat + WARM_UP)
        ]
        out["all, tray known"] = min(laps[WARM_UP:])
    before, again, times = glance(picture_bgr), _noisy(picture_bgr), []
    for _ in range(repeat + WARM_UP):
        start = clock()
        unchanged(before, glance(again))
        times.append((clock() - start) * 1e3)
    return {**out, "unchanged frame": min(times[WARM_UP:])}


def _noisy(picture_bgr: Image) -> Image:
    """Return the next frame of a still scene."""
    noise = np.random.default_rng(1).normal(0.0, 1.5, picture_bgr.shape)
    return np.asarray(np.clip(picture_bgr + noise, 0, 255), dtype=np.uint8)


def tile_crops(picture_bgr: Image, reading: Reading) -> list[Image]:
    """Return the crop of each tile of a reading, as the eye's own net sees it."""
    quads_px = np.array([t.corners for t in reading.tiles], dtype=np.float64).reshape(-1, 4, 2)
    return list(cut_crops(picture_bgr, quads_px))


def tesseract_reads(crops: Sequence[Image], *, program: str, clock: Callable[[], float]) -> tuple[float, list[str]]:
    """Return the milliseconds Tesseract takes for all crops in one run of it, and the character it saw on each.

    One process reads the whole list, so that its start counts once. clock: of the processor time of finished
    children. Raises CalledProcessError when it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder) / f"{k}.png") for k in range(len(crops))]
        for name, crop in zip(names, crops, strict=True):
            cv2.imwrite(name, cv2.resize(crop, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC))
        listing = Path(folder) / "crops.txt"
        listing.write_text("\n".join(names), encoding="utf-8")
        command = [program, str(listing), "-", "--psm", "10", "-c", "tessedit_char_whitelist=0123456789"]
        start = clock()
        done = subprocess.run(  # noqa: S603
            command, check=True, capture_output=True, text=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"}
        )
        pages = done.stdout.split("\f")[: len(crops)]
        return (clock() - start) * 1e3, [page.strip() for page in pages]


def report(samples: Sequence[Sample], *, repeat: int, clock: Callable[[], float], children: Callable[[], float]) -> str:
    """Return the table of stages, and the comparison with Tesseract or why there is none."""
    rows: list[dict[str, float]] = []
    for sample in samples:
        picture = sample.pixels()
        stages = measure(picture, sample, repeat=repeat, clock=clock)
        rows.append({**stages, **measure_fixed(picture, sample, repeat=repeat, clock=clock)})
    names = dict.fromkeys(name for row in rows for name in row)
    lines = [f"{len(samples)} pictures, least of {repeat} readings each, median over pictures, one core:"]
    for name in names:
        times = [row[name] for row in rows if name in row]
        lines.append(f"  {name:16}{np.median(times):8.1f} ms   slowest {max(times):8.1f} ms")
    return "\n".join([*lines, _beside_tesseract(samples[0], rows[0], clock=children)])


def _beside_tesseract(sample: Sample, ours: Mapping[str, float], *, clock: Callable[[], float]) -> str:
    program = shutil.which("tesseract")
    if program is None:
        return "Tesseract: SKIPPED, not installed (Debian's package tesseract-ocr)"
    picture = sample.pixels()
    reading = read(picture, expect=expectation_of(sample.truth))
    if not reading.tiles:
        return f"Tesseract: SKIPPED, no tiles were read in {sample.picture.name}"
    theirs, seen = tesseract_reads(tile_crops(picture, reading), program=program, clock=clock)
    agree = sum(a == t.symbol for a, t in zip(seen, reading.tiles, strict=False))
    return (
        f"Tesseract: {len(reading.tiles)} crops in {theirs:.0f} ms, {theirs / ours['all']:.1f} times our whole reading "
        f"and {theirs / ours['symbols']:.1f} times our reading of the crops; it agrees with ours on {agree}"
    )


def _children_s() -> float:
    """Return the processor seconds of all child processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def main(argv: Sequence[str] | None = None) -> int:
    """Print the benchmark; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m vision.bench", description="Milliseconds of the eye by stage.")
    parser.add_argument("folder", type=Path, help="labelled pictures, at any depth")
    parser.add_argument("--repeat", type=at_least(1), default=5, help="readings of each picture")
    parser.add_argument("--half", choices=["even", "odd", "all"], default="all")
    parser.add_argument("--family", action="append", default=None, help="only these families (may be given often)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    try:
        samples = find_samples(args.folder, half=args.half, families=args.family)
        print(report(samples, repeat=args.repeat, clock=time.process_time, children=_children_s))
    except VisionError as problem:
        print(f"vision.bench: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    if os.environ.get(THREADS) != "1":
        # As the table runs it. Numpy asks once, when it is loaded, and its idle threads spin on our processor time.
        os.execve(  # noqa: S606
            sys.executable, [sys.executable, "-m", "vision.bench", *sys.argv[1:]], {**os.environ, THREADS: "1"}
        )
    sys.exit(main())
