"""Draw, train, calibrate and export all shipped models, and write the model card.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from vision.drawing.traced.povray import TracerFailed, tracer
from vision.errors import BadLabels, VisionError
from vision.options import above_zero, at_least, folder_to_write
from vision.training.card import Amounts, write_card
from vision.training.recipes import RECIPES, make_alone
from vision.training.store import was_begun, was_drawn
from vision.trials.labelled import read_json

OF_AROUND = {"outline", "standing"}
"""These learn from pieces with what is around them (`generate.AROUND`): where they alone are made, no more is drawn."""
FEWEST_TRAYS = 5
"""With fewer some split that is not traced is empty (`card.Amounts`): nothing to learn from, or to be checked on."""
KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 32)}
"""Environment by which glibc keeps what is freed (mallopt(3)). Else each step has its megabytes anew from the system,
page by page: on one machine a step of the nets of tiles took a thirteenth longer."""
DRAWN = "drawn.json"
"""In the folder of a drawn set: of what seed and how much it is."""
MODELS = Path(__file__).parents[1] / "models"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the whole training; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training", description="Make the shipped models again from nothing."
    )
    parser.add_argument("--out", type=Path, default=MODELS, help="folder for the models (default: the shipped ones)")
    parser.add_argument(
        "--data", type=Path, help="keep the drawn set here and use it again (default: a folder for once)"
    )
    parser.add_argument("--scenes", type=at_least(FEWEST_TRAYS), default=1500, help="trays to draw for training")
    parser.add_argument("--checks", type=at_least(FEWEST_TRAYS), default=140, help="trays to draw in held-out fonts")
    parser.add_argument(
        "--effort", type=above_zero, default=1.0, help="steps, times the usual, however few trays are drawn"
    )
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--only", choices=RECIPES, action="append", help="train only these")
    parser.add_argument(
        "--without-tracing", action="store_true", help="no ray-traced trays: worse with dice and disks, but no POV-Ray"
    )
    args = parser.parse_args(argv)
    amounts = Amounts.of(args.scenes, args.checks, traced=not args.without_tracing)
    if amounts.traced:
        try:
            tracer()
        except TracerFailed as problem:
            print(f"{problem}; --without-tracing does without, and reads dice and disks worse", file=sys.stderr)
            return 2
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as once:
        try:
            data = folder_to_write(args.data or Path(once))
            folder_to_write(args.out)
            _say_drawn(data, {"seed": args.seed, **asdict(amounts)})
        except VisionError as problem:
            print(problem, file=sys.stderr)
            return 2
        os.environ.update(KEPT_MEMORY)  # of the processes that are started now; this one has its memory
        names = args.only or list(RECIPES)
        _draw(data, amounts, seed=args.seed, around=OF_AROUND.issuperset(names))
        drawn = time.monotonic()
        jobs = [(name, str(data), str(args.out), args.effort, args.seed) for name in names]
        with get_context("spawn").Pool(2) as pool:
            figures = dict(pool.starmap(make_alone, jobs, chunksize=1))
            # Leaving would end the processes before they have put their locks away.
            pool.close()
            pool.join()
        if args.only:
            # The card speaks of all of them: whoever makes one anew writes these figures into it.
            print(json.dumps(figures))
        else:
            write_card(args.out, data, figures, amounts=amounts, seed=args.seed)
        print(f"drawing {drawn - start:.0f} s, training {time.monotonic() - drawn:.0f} s", file=sys.stderr)
    return 0


def _say_drawn(data: Path, wanted: dict[str, int]) -> None:
    """Write down with what a set is drawn: the card tells of it, whenever the nets are made.

    Raises BadLabels where something was drawn there, and with something else.
    """
    path = data / DRAWN
    if was_begun(data):
        said = read_json(path) if path.is_file() else {}
        drawn = said if isinstance(said, dict) else {}
        differs = [name for name, amount in wanted.items() if drawn.get(name) != amount]
        if differs:
            before, now = drawn.get(differs[0], "unknown"), wanted[differs[0]]
            raise BadLabels(
                f"{data} was drawn with {differs[0]} {before} (expected {now}, as --seed, --scenes, --checks and "
                "--without-tracing say): give it what it was drawn with, or another folder"
            )
    path.write_text(json.dumps(wanted), encoding="utf-8")


def _draw(data: Path, amounts: Amounts, *, seed: int, around: bool) -> None:
    """Draw what is not there yet. around: only what shows pieces with what is around them."""
    from vision.training.generate import AROUND, generate

    missing = {
        split: count
        for split, count in amounts.splits.items()
        if count and (not around or split in AROUND) and not was_drawn(data, split)
    }
    if missing:
        generate(data, missing, seed=seed)
