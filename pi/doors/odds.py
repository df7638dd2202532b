"""`feltside odds`: exact chances of rows, boards, half-open boards and Run Buster, as text, JSON or SVG."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from pi.doors.sources import read_text
from pi.errors import BadSource
from pi.odds.buster import HANDS, Solution, solve
from pi.odds.chances import Chances
from pi.odds.elevator import elevator_chances, mean_total
from pi.odds.errors import BadQuestion
from pi.odds.open import DRAWS, open_chances
from pi.odds.plot import Bar, as_svg, as_text, percent
from pi.odds.rows import board_chances, one_given_run_orders, row_chances, row_counts, runless_orders
from pi.odds.sample import sample
from pi.rules.numerals import is_whole
from pi.rules.runs import Variant
from pi.rules.values import Board, Layout

HIDDEN_ROW = ("?",) * 10
TAIL = 1e-6
"""Totals that together are rarer share one bar (`--all` shows each)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside odds`."""
    asked = parser.add_subparsers(dest="asked", required=True, metavar="QUESTION")
    rows = _question(asked, "rows", "the runs of one row of n different numbers", variants=False)
    rows.add_argument("--n", type=int, default=10, help="numbers in the row, 3 to 50 (default 10)")
    rows.add_argument("--no-wrap", action="store_true", help="the row's ends do not meet")
    rows.add_argument("--wilds", action="store_true", help="the wild was shuffled in (n = 10)")
    board = _question(asked, "board", "the total of a shuffled board of four rows")
    board.add_argument("--wilds", action="store_true", help="four wilds were shuffled in")
    half = _question(asked, "open", "the total of a board with tiles face down, given what lies open")
    half.add_argument("file", nargs="?", default="-", help="the board as text, ? face down; - is standard input")
    half.add_argument("--text", help="the board itself instead of a file, rows parted by /")
    half.add_argument("--board", choices=[x.value for x in Layout], default="rows", help="how the tiles lie")
    half.add_argument("--wilds", action="store_true", help="wilds were shuffled in, even if none lies open")
    drawn = _question(asked, "sample", "the total of shuffled boards, by drawing them")
    for one in (board, half, drawn):
        one.add_argument("--boards", type=int, default=None, help="boards to draw where chances are drawn")
        one.add_argument("--seed", type=int, default=1, help="of the generator; the same seed draws the same boards")
    buster = asked.add_parser("buster", help="Run Buster: win chances and best choices for two players")
    buster.add_argument("--mine", default="", help="hand of the player to move, as '4 5' (default none)")
    buster.add_argument("--theirs", default="", help="hand of the other player")
    buster.add_argument("--roll", default="", help="dice just rolled: shows what each choice is worth")
    buster.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Answer one question."""
    if args.asked == "buster":
        return _buster(args)
    title, chances, notes = _ANSWERS[args.asked](args)
    bars = _bars(chances, every=args.all)
    if args.svg:
        _write(args.svg, as_svg(bars, title=title, caption="; ".join(notes)))
    print(json.dumps(_as_json(chances)) if args.json else "\n".join([title, as_text(bars), *notes]))
    return 0


def _question(
    asked: argparse._SubParsersAction[argparse.ArgumentParser], name: str, line: str, *, variants: bool = True
) -> argparse.ArgumentParser:
    parser = asked.add_parser(name, help=line, description=line)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--svg", metavar="FILE", help="also draw the bars into this file")
    parser.add_argument("--all", action="store_true", help="a bar for every total, however rare")
    if variants:
        parser.add_argument("--elevator", action="store_true", help="row ends meet the starts of all rows")
        parser.add_argument("--vertical", action="store_true", help="columns count too")
    return parser


Answer = tuple[str, Chances, list[str]]
"""Title, chances, and sentences to say below."""


def _rows(args: argparse.Namespace) -> Answer:
    if args.wilds:
        if args.n != len(HIDDEN_ROW):
            raise BadQuestion(f"a colour with its wild lays rows of 10 (not of {args.n})")
        row = Board(Layout.ROWS, (HIDDEN_ROW,))
        chances = open_chances(row, variant=Variant(wrap=not args.no_wrap), wilds=True)
        return "Runs of a row, one of its colour's eleven tiles set aside", chances, _notes(chances)
    counts, chances = row_counts(args.n, wrap=not args.no_wrap), row_chances(args.n, wrap=not args.no_wrap)
    notes = [f"Rows by number of runs: {', '.join(map(str, counts))}."]
    if not args.no_wrap:
        notes.append(f"Circular orders without a run (OEIS A078628): {runless_orders(args.n)}.")
        notes.append(f"With one given run and no other (OEIS A235938): {one_given_run_orders(args.n)}.")
    return f"Runs of a row of {args.n} different numbers", chances, notes + _notes(chances)


def _board(args: argparse.Namespace) -> Answer:
    if args.wilds:
        rng = np.random.default_rng(args.seed)
        hidden = Board(Layout.ROWS, (HIDDEN_ROW,) * 4)
        variant = Variant(elevator=args.elevator, vertical=args.vertical)
        chances = open_chances(hidden, variant=variant, wilds=True, rng=rng, draws=_boards(args, DRAWS))
    elif args.vertical:
        return _sample(args)
    else:
        chances = elevator_chances() if args.elevator else board_chances()
    return f"Total of a shuffled board of rows{_switches(args)}", chances, _notes(chances)


def _open(args: argparse.Namespace) -> Answer:
    text = args.text.replace("/", "\n") if args.text is not None else read_text(args.file)
    board = Board.parse(text, layout=Layout(args.board))
    chances = open_chances(
        board,
        variant=Variant(elevator=args.elevator, vertical=args.vertical),
        wilds=True if args.wilds else None,
        rng=np.random.default_rng(args.seed),
        draws=_boards(args, DRAWS),
    )
    down = list(board.cells().values()).count("?")
    title = f"Total of a board ({args.board}{_switches(args)}) with {down} tiles face down"
    return title, chances, _notes(chances)


def _sample(args: argparse.Namespace) -> Answer:
    draws = _boards(args, 1_000_000)
    rng = np.random.default_rng(args.seed)
    chances = sample(draws, rng=rng, elevator=args.elevator, vertical=args.vertical)
    exact = mean_total(Variant(elevator=args.elevator, vertical=args.vertical))
    notes = [*_notes(chances), f"The exact mean is {exact} = {float(exact):.4f}."]
    return f"Total of a shuffled board of rows{_switches(args)}", chances, notes


_ANSWERS = {"rows": _rows, "board": _board, "open": _open, "sample": _sample}


def _boards(args: argparse.Namespace, usual: int) -> int:
    boards: int = usual if args.boards is None else args.boards
    if boards < 1:
        raise BadQuestion(f"--boards {boards} tells nothing (expected 1 or more)")
    return boards


def _switches(args: argparse.Namespace) -> str:
    return "".join(f" + {name}" for name in ("elevator", "vertical") if getattr(args, name))


def _wild(chances: Chances) -> bool:
    return any(len(totals) > 1 for totals in chances.weights)


def _bars(chances: Chances, *, every: bool) -> list[Bar]:
    right = chances.right()
    last = max(right)
    cut = last if every else next((k for k in right if k > 1 and chances.at_least(k) < TAIL), last)
    bars = [Bar(str(k), float(share), _error(chances, k)) for k, share in right.items() if k < cut or k == cut == last]
    if cut != last:
        bars.append(Bar(f"{cut}+", float(chances.at_least(cut)), f"to {last}"))
    return bars


def _error(chances: Chances, total: int) -> str:
    return "" if chances.exact else f"± {percent(chances.error(total))}"


def _notes(chances: Chances) -> list[str]:
    notes = [] if chances.exact else [f"Drawn: {chances.whole} boards; ± is one standard error."]
    some = 1 - float(chances.attainable(0)) if not _wild(chances) else None
    if some is not None:
        notes.append(f"Some run lies there in {percent(some)}.")
        notes.append(f"Mean: {float(chances.mean()):.4f} runs.")
    else:
        notes.append(
            "With wilds: the chance that a prediction is right; several may be, so they add up to more than 1."
        )
        notes.append(f"Mean of the highest attainable total: {float(chances.mean()):.4f} runs.")
    right = chances.right()
    best = max(right, key=lambda k: right[k])
    notes.append(f"Likeliest to be right: {best} ({percent(float(right[best]))}).")
    return notes


def _as_json(chances: Chances) -> dict[str, object]:
    return {
        "exact": chances.exact,
        "right": {str(k): float(share) for k, share in chances.right().items()},
        "best": {str(k): float(share) for k, share in chances.best().items()},
        "standard_error": None if chances.exact else {str(k): chances.error(k) for k in chances.right()},
        "sets": [{"totals": list(totals), "weight": weight} for totals, weight in chances.weights.items()],
    }


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as no:
        raise BadSource(f"{name} cannot be written: {no.strerror}") from None


def _buster(args: argparse.Namespace) -> int:
    solution, mine, theirs, roll = solve(), _dice(args.mine), _dice(args.theirs), _dice(args.roll)
    win, length = solution.win(mine, theirs), solution.length(mine, theirs)
    choices = solution.choices(roll, mine, theirs) if roll else ()
    if args.json:
        listed = [{"hand": list(c.hand), "win": c.win, "best": c.best} for c in choices]
        print(json.dumps({"win": win, "turns": length, "choices": listed or None, "gap": solution.gap}))
        return 0
    print(f"{_hand(mine)} to move against {_hand(theirs)}: wins {percent(win)}, {length:.2f} turns to come.")
    for choice in choices:
        print(f"  {_hand(choice.hand):12} {percent(choice.win)}{'  best' if choice.best else ''}")
    if not choices and not mine and not theirs:
        print(_openings(solution))
    return 0


def _openings(solution: Solution) -> str:
    worth = [(hand, 1 - solution.win((), hand)) for hand in HANDS if hand]
    bars = [Bar(_hand(hand), win) for hand, win in sorted(worth, key=lambda x: -x[1])]
    return "Worth of each first hand:\n" + as_text(bars, width=20)


def _dice(text: str) -> tuple[int, ...]:
    words = text.replace(",", " ").split()
    if not all(is_whole(word, most=6) for word in words):
        raise BadQuestion(f"{text!r} is not a list of dice (expected numbers parted by spaces, as '4 5')")
    return tuple(sorted(int(word) for word in words))


def _hand(hand: tuple[int, ...]) -> str:
    return " ".join(map(str, hand)) or "no hand"
