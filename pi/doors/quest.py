"""`feltside quest`: check a layout, solve it, give one tile away, say the best possible; and what is proved."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pi.doors.sources import read_text
from pi.rules.quests import magic_sums, most_runs, no_runs, sums
from pi.rules.quests.catalogue import DOORS
from pi.rules.quests.errors import BadLaying
from pi.rules.quests.laying import Fault, Hint, Laying, Tile, where
from pi.rules.values import EMPTY

NAMES = (*DOORS, most_runs.NAME, sums.NAME)


class _FileAnywhere(argparse.ArgumentParser):
    """Takes FILE after options, too: argparse closes an optional positional with the first option it meets."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as ever, and take what is left over as FILE where none was given."""
        found, left = super().parse_known_args(args, namespace)
        if left and getattr(found, "file", "") is None and (left[0] == "-" or not left[0].startswith("-")):
            found.file = left.pop(0)
        return found, left


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside quest`."""
    asked = parser.add_subparsers(dest="asked", required=True, metavar="QUESTION", parser_class=_FileAnywhere)
    _question(asked, "check", "what is wrong with a layout, and where")
    solving = _question(asked, "solve", "a solution that keeps what lies there")
    hinting = _question(asked, "hint", "the next right tile")
    _question(asked, "best", "the best possible: most-runs from a deal, sums from a size")
    for one in (solving, hinting):
        one.add_argument("--seed", type=int, default=0, help="another one gives another solution")
    counting = asked.add_parser("count", help="how many solutions there are, or what a deal usually yields")
    counting.add_argument("name", choices=(no_runs.NAME, magic_sums.NAME, most_runs.NAME), help="the quest")
    counting.add_argument("--boards", type=int, default=200_000, help="no-runs: trays to draw")
    counting.add_argument("--seed", type=int, default=1, help="of the generator; the same seed draws the same trays")
    counting.add_argument("--json", action="store_true", help="one JSON object")
    proving = asked.add_parser("prove", help="go through all sums grids that reach a number")
    proving.add_argument("--most", type=int, default=27, help="every number from 1 to this is a sum (default 27)")
    proving.add_argument("--size", type=int, default=3, help="1, 2 or 3 (default 3)")
    proving.add_argument("--json", action="store_true", help="one JSON object")


def _question(asked: argparse._SubParsersAction[_FileAnywhere], name: str, line: str) -> argparse.ArgumentParser:
    parser = asked.add_parser(name, help=line, description=line)
    parser.add_argument("name", choices=NAMES, help="the quest")
    parser.add_argument(
        "file",
        nargs="?",
        help="tiles as text, as 7red 3 . (the colour only where the quest needs it), or a reading as `feltside read "
        "--json` prints it; sums: numbers; - is standard input (default; solve: from an empty tray)",
    )
    parser.add_argument("--dealt", metavar="FILE", help="most-runs: the rows before anything was inserted")
    parser.add_argument("--size", type=int, default=3, help="sums: 1 to 4 (default 3)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def run(args: argparse.Namespace) -> int:
    """Answer one question."""
    if args.asked == "prove":
        text, data = _prove(args)
    elif args.asked == "count":
        text, data = _count(args)
    elif args.name == sums.NAME:
        text, data = _SUMS[args.asked](args)
    elif args.name == most_runs.NAME:
        text, data = _MOST[args.asked](args)
    else:
        text, data = _TILES[args.asked](args)
    print(json.dumps(data) if args.json else text)
    return 0


Answer = tuple[str, dict[str, Any]]
"""For people, and for programs."""


def _check(args: argparse.Namespace) -> Answer:
    door = DOORS[args.name]
    laying, unsure = read_laying(args.file or "-", shape=door.shape)
    return _faults(args.name, (*unsure, *door.check(laying)))


def _faults(name: str, faults: Sequence[Fault], **more: Any) -> Answer:
    text = "\n".join(fault.sentence for fault in faults) if faults else "Nothing is wrong: solved."
    listed = [{"cells": [list(cell) for cell in fault.cells], "sentence": fault.sentence} for fault in faults]
    return text, {"quest": name, "solved": not faults, "faults": listed, **more}


def _solve(args: argparse.Namespace) -> Answer:
    door = DOORS[args.name]
    start = _sure(args.file, shape=door.shape) if args.file else Laying.empty(door.shape)
    wrong = [f.sentence for f in door.check(start) if not f.cells or any(start.at(c).symbol != EMPTY for c in f.cells)]
    if wrong:
        raise BadLaying(f"nothing can be completed: {wrong[0]}")
    found = door.solve(start, seed=args.seed)
    if found is None:
        return "There is no solution that keeps these tiles.", {"quest": args.name, "tiles": None}
    return str(found), {"quest": args.name, "tiles": _tiles(found)}


def _hint(args: argparse.Namespace) -> Answer:
    door = DOORS[args.name]
    return _one(args.name, door.hint(_sure(args.file or "-", shape=door.shape), seed=args.seed))


def _one(name: str, hint: Hint | None) -> Answer:
    if hint is None:
        return "Nothing is wrong or missing.", {"quest": name, "hint": None}
    symbol, colour = (None, None) if hint.tile.symbol == EMPTY else (hint.tile.symbol, hint.tile.colour or None)
    told = {"cell": list(hint.cell), "symbol": symbol, "colour": colour, "sentence": hint.sentence}
    return hint.sentence, {"quest": name, "hint": told}


def _best(args: argparse.Namespace) -> Answer:
    raise BadLaying(f"{args.name} has no best: every solution is as good (expected most-runs or sums)")


_TILES: Mapping[str, Callable[[argparse.Namespace], Answer]] = {
    "check": _check,
    "solve": _solve,
    "hint": _hint,
    "best": _best,
}


def _dealt(args: argparse.Namespace) -> Laying:
    if args.dealt is None:
        raise BadLaying("most-runs needs the deal to compare with (expected --dealt FILE)")
    return _sure(args.dealt)


def _most_check(args: argparse.Namespace) -> Answer:
    dealt = _dealt(args)
    laying, unsure = read_laying(args.file or "-")
    faults = (*unsure, *most_runs.check(laying, dealt=dealt))
    most = most_runs.best(dealt).runs
    if faults:
        return _faults(most_runs.NAME, faults, runs=None, best=most)
    made = sum(most_runs.runs(laying))
    _, data = _faults(most_runs.NAME, faults, runs=made, best=most)
    return f"{made} of {most} possible.", {**data, "solved": made == most}


def _most_hint(args: argparse.Namespace) -> Answer:
    return _one(most_runs.NAME, most_runs.hint(_sure(args.file or "-"), dealt=_dealt(args)))


def _most_best(args: argparse.Namespace) -> Answer:
    best = most_runs.best(_sure(args.file or args.dealt or "-"))
    by_row = ", ".join(map(str, best.by_row))
    data = {"quest": most_runs.NAME, "runs": best.runs, "by_row": list(best.by_row), "tiles": _tiles(best.laying)}
    return f"{best.runs} runs ({by_row}):\n{best.laying}", data


_MOST: Mapping[str, Callable[[argparse.Namespace], Answer]] = {
    "check": _most_check,
    "solve": _most_best,
    "hint": _most_hint,
    "best": _most_best,
}


def _sums_check(args: argparse.Namespace) -> Answer:
    grid = sums.parse(read_text(args.file or "-"))
    faults = sums.check(grid)
    known = sums.most_known(len(grid))
    if faults:
        return _faults(sums.NAME, faults, score=None, best_known=known)
    made = sums.missing(grid) - 1
    _, data = _faults(sums.NAME, faults, score=made, best_known=known)
    against = "" if known is None else f" {sums.standing(len(grid))}"
    return f"1 to {made}; {made + 1} is missing.{against}", {**data, "solved": known is not None and made >= known}


def _sums_best(args: argparse.Namespace) -> Answer:
    grid, known = sums.solve(args.size), sums.most_known(args.size)
    data = {"quest": sums.NAME, "score": known, "proved": args.size in sums.PROVED, "grid": [list(row) for row in grid]}
    return f"{sums.as_text(grid)}\n{sums.standing(args.size)}", data


def _sums_hint(args: argparse.Namespace) -> Answer:
    step = sums.hint(sums.parse(read_text(args.file or "-")))
    if step is None:
        return _one(sums.NAME, None)
    told = {"cell": list(step.cell), "number": step.number or None, "sentence": step.sentence}
    return step.sentence, {"quest": sums.NAME, "hint": told}


_SUMS: Mapping[str, Callable[[argparse.Namespace], Answer]] = {
    "check": _sums_check,
    "solve": _sums_best,
    "hint": _sums_hint,
    "best": _sums_best,
}


def _prove(args: argparse.Namespace) -> Answer:
    found = list(sums.every(args.most, size=args.size))
    images = {image for grid in found for image in sums.symmetric(grid)}
    n = f"{args.size} x {args.size}"
    if not found:
        said = f"No {n} grid reaches {args.most}: all were gone through."
    else:
        grids = "\n\n".join(map(sums.as_text, found))
        said = f"{len(images)} grids of {n} reach {args.most}, {len(found)} up to turns and mirror images:\n{grids}"
    return said, {"most": args.most, "size": args.size, "solutions": len(images), "grids": [list(g) for g in found]}


def _count(args: argparse.Namespace) -> Answer:
    import numpy as np  # only counting needs numpy; checking and solving open without it

    from pi.odds import quests
    from pi.odds.chances import together
    from pi.odds.plot import Bar, as_text, percent

    if args.name == magic_sums.NAME:
        ways, every = quests.magic_sums_solutions(), quests.number_layouts()
        said = f"{ways} ways to lay the numbers solve it (easy form): 1 in {every / ways:.0f} of all."
        return said, {"quest": args.name, "exact": True, "solutions": ways, "share": ways / every}
    if args.name == most_runs.NAME:
        row = quests.most_runs_row()
        board = together([row] * most_runs.SHAPE[0])
        bars = as_text([Bar(str(k), float(share)) for k, share in row.best().items()])
        said = f"The most a row can be made to hold:\n{bars}\nOn average {float(board.mean()):.3f} on four rows."
        told = {str(k): float(share) for k, share in board.best().items()}
        return said, {"quest": args.name, "exact": True, "mean": float(board.mean()), "best": told}
    if args.boards < 1:
        raise BadLaying(f"--boards {args.boards} tells nothing (expected 1 or more)")
    drawn = quests.no_runs_share(args.boards, rng=np.random.default_rng(args.seed))
    share, error = float(drawn.attainable(0)), drawn.error(0)
    said = f"{percent(share)} ± {percent(error)} of shuffled trays have no run already ({args.boards} drawn)."
    return said, {"quest": args.name, "exact": False, "share": share, "standard_error": error}


def _tiles(laying: Laying) -> list[dict[str, Any]]:
    return [
        {"row": r, "column": c, "symbol": tile.symbol, "colour": tile.colour or None}
        for (r, c), tile in laying.laid().items()
    ]


def _sure(name: str, *, shape: tuple[int, int] = (1, 1)) -> Laying:
    laying, unsure = read_laying(name, shape=shape)
    if unsure:
        raise BadLaying(f"{unsure[0].sentence[:-1]} (expected a reading of which every tile is sure)")
    return laying


def read_laying(name: str, *, shape: tuple[int, int] = (1, 1)) -> tuple[Laying, tuple[Fault, ...]]:
    """Return the layout a file holds, and a fault for every tile the camera was not sure of; raises BadLaying.

    The file holds lines of tiles, or one JSON object as `feltside read --json` prints it; of such a reading, places
    up to `shape` (rows, columns) where nothing was seen are empty.
    """
    text = read_text(name)
    if not text.lstrip().startswith("{"):
        return Laying.parse(text), ()
    try:
        reading = json.loads(text.strip().splitlines()[0])
        tiles = [(int(t["row"]), int(t["column"]), t) for t in reading["tiles"]]
        laid = {(r, c): Tile.parse(_symbol(t["symbol"]) + (t.get("colour") or "")) for r, c, t in tiles}
    except (ValueError, KeyError, TypeError, AttributeError) as no:
        raise BadLaying(
            f"{name} is no reading of tiles (expected JSON as `feltside read --json` prints it): {no}"
        ) from None
    if not laid or min(min(cell) for cell in laid) < 0:
        raise BadLaying(f"the reading in {name} holds no tiles (status {reading.get('status')!r})")
    unsure = [(r, c) for r, c, t in tiles if not t.get("sure", True)]
    faults = tuple(Fault((cell,), f"The eye is not sure of the tile in {where(cell)}.") for cell in unsure)
    return Laying.of(laid, shape=shape), faults


def _symbol(symbol: str) -> str:
    return {"down": "?"}.get(symbol, symbol)
