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
from multiprocessing import get_context
from pathlib import Path

from vision.drawing.traced.povray import TracerFailed, tracer
from vision.options import at_least
from vision.training.card import Amounts, write_card
from vision.training.store import was_drawn

NETS = ("faces", "loose", "symbols-large", "symbols", "outline", "stacked", "pieces", "standing")
"""In an order in which two cores end near each other: 12:11, 8:45, 3:41 and 2:52 minutes on one, 9:28, 8:57, 4:07 and
4:33 on the other (by their steps, bfloat16 in vectors alone)."""
OF_AROUND = {"outline", "standing"}
"""These learn from pieces with what is around them (`generate.AROUND`): where they alone are made, no more is drawn."""
KEPT_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 32)}
"""Environment by which glibc keeps what is freed (mallopt(3)). Else each step has its megabytes anew from the system,
page by page: on one machine a step of the nets of tiles took a thirteenth longer."""
MODELS = Path(__file__).parents[1] / "models"


def _train(name: str, data: str, out: str, effort: float, seed: int) -> tuple[str, dict[str, float]]:
    """Train one net in a process of its own, on one core: sums then come out the same each time, to the last bit."""
    import torch

    from vision.training import (
        train_faces,
        train_loose,
        train_outline,
        train_pieces,
        train_stacked,
        train_standing,
        train_symbols,
    )
    from vision.training.craft import export
    from vision.training.side_by_side import rewrite

    torch.set_num_threads(1)
    folder, path = Path(data), Path(out) / f"{name}.onnx"
    figures: dict[str, float] = {}
    if name in ("symbols", "symbols-large"):
        large = name == "symbols-large"
        epochs = (5.6 if large else 7.0) * effort
        symbol_net = train_symbols.train_symbols(folder, epochs=epochs, seed=seed + large, large=large)
        figures = train_symbols.calibrate_symbols(symbol_net, folder)
        export(symbol_net, path, (1, 3, 48, 40))
        rewrite(path)
    elif name == "faces":
        face_net = train_faces.train_faces(folder, total=round(8800 * effort), seed=seed)
        figures = train_faces.calibrate_faces(face_net, folder)
        export(face_net, path, (1, 3, 48, 48))
    elif name == "loose":
        loose_net = train_loose.train_loose(folder, total=round(3000 * effort), seed=seed)
        figures = train_loose.check_loose(loose_net, folder)
        export(loose_net, path, (1, 3, 288, 400))
    elif name == "outline":
        outline_net = train_outline.train_outline(folder, total=round(2000 * effort), seed=seed)
        figures = train_outline.check_outline(outline_net, folder)
        export(outline_net, path, (1, 3, 48, 48))
    elif name == "stacked":
        stack_net = train_stacked.train_stacked(folder, total=round(2500 * effort), seed=seed)
        figures = train_stacked.check_stacked(stack_net, folder)
        export(stack_net, path, (1, 3, 56, 48))
    elif name == "standing":
        net = train_standing.train_standing(folder, total=round(2000 * effort), seed=seed)
        figures = train_standing.check_standing(net, folder)
        export(net, path, (1, 3, 48, 48))
    else:
        piece_net = train_pieces.train_pieces(folder, epochs=8.2 * effort, seed=seed)
        figures = train_pieces.check_pieces(piece_net, folder)
        export(piece_net, path, (1, 3, 304, 400))
    return name, figures


def main(argv: Sequence[str] | None = None) -> int:
    """Run the whole training; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.training", description="Make the shipped models again from nothing."
    )
    parser.add_argument("--out", type=Path, default=MODELS, help="folder for the models (default: the shipped ones)")
    parser.add_argument(
        "--data", type=Path, help="keep the drawn set here and use it again (default: a folder for once)"
    )
    parser.add_argument("--scenes", type=at_least(1), default=1500, help="trays to draw for training")
    parser.add_argument("--checks", type=at_least(1), default=140, help="trays to draw in held-out fonts")
    parser.add_argument("--effort", type=float, default=1.0, help="passes over the set, times the usual")
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--only", choices=NETS, action="append", help="train only these")
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
        data = args.data or Path(once)
        data.mkdir(parents=True, exist_ok=True)
        os.environ.update(KEPT_MEMORY)  # of the processes that are started now; this one has its memory
        names = args.only or NETS
        _draw(data, amounts, seed=args.seed, around=OF_AROUND.issuperset(names))
        drawn = time.monotonic()
        jobs = [(name, str(data), str(args.out), args.effort, args.seed) for name in names]
        args.out.mkdir(parents=True, exist_ok=True)
        with get_context("spawn").Pool(2) as pool:
            figures = dict(pool.starmap(_train, jobs, chunksize=1))
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
