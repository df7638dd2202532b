"""Draw, train, calibrate and export all shipped models, and write the model card.

Not in __main__: processes of a pool find their work by its module, and cannot import a __main__.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

from vision.training.card import loose_checks, loose_trays, write_card

MODELS = Path(__file__).parents[1] / "models"


def _train(name: str, data: str, out: str, effort: float, seed: int) -> tuple[str, dict[str, float]]:
    """Train one net in a process of its own, on one core: sums then come out the same each time, to the last bit."""
    import torch

    from vision.training import train_faces, train_pieces, train_symbols
    from vision.training.craft import export

    torch.set_num_threads(1)
    folder, path = Path(data), Path(out) / f"{name}.onnx"
    figures: dict[str, float] = {}
    if name == "symbols":
        symbol_net = train_symbols.train_symbols(folder, epochs=5 * effort, seed=seed)
        figures = train_symbols.calibrate_symbols(symbol_net, folder)
        export(symbol_net, path, (1, 3, 48, 40))
    elif name == "faces":
        face_net = train_faces.train_faces(folder, epochs=6.5 * effort, seed=seed)
        figures = train_faces.calibrate_faces(face_net, folder)
        export(face_net, path, (1, 3, 48, 48))
    else:
        piece_net = train_pieces.train_pieces(folder, epochs=12 * effort, seed=seed)
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
    parser.add_argument("--scenes", type=int, default=1500, help="trays to draw for training")
    parser.add_argument("--checks", type=int, default=140, help="trays to draw in held-out fonts")
    parser.add_argument("--effort", type=float, default=1.0, help="passes over the set, times the usual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["symbols", "pieces", "faces"], action="append", help="train only these")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as once:
        data = args.data or Path(once)
        data.mkdir(parents=True, exist_ok=True)
        _draw(data, scenes=args.scenes, checks=args.checks, seed=args.seed)
        # The longest first: the other core trains the other two in the meantime.
        names = args.only or ["pieces", "symbols", "faces"]
        jobs = [(name, str(data), str(args.out), args.effort, args.seed) for name in names]
        args.out.mkdir(parents=True, exist_ok=True)
        with get_context("spawn").Pool(2) as pool:
            figures = dict(pool.starmap(_train, jobs, chunksize=1))
        if args.only:
            # The card speaks of all three: whoever makes one anew writes these figures into it.
            print(json.dumps(figures))
        else:
            write_card(args.out, data, figures, scenes=args.scenes, checks=args.checks, seed=args.seed)
    return 0


def _draw(data: Path, *, scenes: int, checks: int, seed: int) -> None:
    from vision.training.generate import generate

    for split, count in (
        ("check", checks),
        ("face-checks", loose_checks(checks)),
        ("faces", loose_trays(scenes)),
        ("train", scenes),
    ):
        if not (data / f"{split}.npz").is_file():
            generate(data, scenes=count, seed=seed, split=split)
