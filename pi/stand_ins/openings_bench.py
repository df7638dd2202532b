"""How well Draw Bridge begins: `python -m pi.stand_ins.openings_bench [--games N] [--turns N] [--seed S]`.

Draws the array after each of the first turns as people lay it, by lawful tiles chosen by chance, in any light and
before any camera, reads it and has the referee rule on what was read. Whichever colour is begun first, each turn must
be taken as it was laid. Prints shares with Wilson intervals; nothing of what is drawn reaches the eye but the picture.
An opening ends at the first turn that is asked about or refused.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

import cv2
import numpy as np

from pi.rules import commands as ask
from pi.rules.games.draw_bridge_score import BLANK, PLACES, ROWS, Tile, free_places, lay
from pi.rules.match import NEW, Match, apply, decide
from pi.rules.ruleset import Refused
from pi.rules.values import EMPTY, NUMBERS, Board, Player, Seat
from pi.translate import tray_of
from pi.watching import worth_telling
from vision.drawing import draw, random_look, scene_for_layout
from vision.options import at_least
from vision.reader import read
from vision.trials.scoring import interval

COLOURS = ("red", "green", "blue", "purple", "orange", "yellow")
SIZE = (1280, 960)
DIFFICULTY = 0.3
"""Of `random_look`: a table with a lamp, not one made hard on purpose."""
KINDS = ("taken as laid", "asked about", "refused", "seen by nobody", "taken wrongly")


def opening(seed: int, turns: int) -> Iterator[tuple[str, str]]:
    """Yield of each turn which of KINDS it was, and why; the first that was not taken as laid is the last."""
    chance, light = random.Random(seed), np.random.default_rng(seed)
    look, colours = random_look(light, difficulty=DIFFICULTY), chance.sample(COLOURS, ROWS)
    width, height = look.tile.size_mm
    pitch = width + chance.uniform(0.2, 1.5), height + chance.uniform(0.5, 5.0)
    hands, board, match = [chance.sample(NUMBERS, PLACES) for _ in range(ROWS)], BLANK, _begun()
    for turn in range(1, turns + 1):
        board = _laid(board, hands, chance)
        scene = scene_for_layout(_cells(board, colours), layout="drawbridge", seed=seed, pitch_mm=pitch)
        picture = draw(scene, look, size_wh_px=SIZE, rng=light).picture_bgr
        kind, why, match = _ruled(match, board, picture, turn)
        yield kind, why
        if kind != KINDS[0]:
            return


def _begun() -> Match:
    seats = Player(Seat(1), "Ann"), Player(Seat(2), "Bob")
    return _after(_after(NEW, ask.StartMatch("m1", "draw-bridge", seats)), ask.Next(at_ns=0))


def _after(match: Match, command: ask.Command) -> Match:
    events = decide(match, command)
    assert not isinstance(events, Refused), events.sentence
    return reduce(apply, events, match)


def _laid(board: Board, hands: list[list[str]], chance: random.Random) -> Board:
    """Return the array of the felt with two more tiles."""
    for _ in range(2):
        row = chance.choice([r for r in range(ROWS) if hands[r]])
        board = lay(board, (Tile(row, chance.choice(free_places(board, row)), hands[row].pop()),))
    return board


def _cells(board: Board, colours: Sequence[str]) -> list[list[str | None]]:
    return [
        [None if symbol == EMPTY else f"{colour}:{symbol}" for symbol in row]
        for colour, row in zip(colours, board.rows, strict=True)
    ]


def _ruled(match: Match, board: Board, picture: np.ndarray, turn: int) -> tuple[str, str, Match]:
    """Return what became of a turn, why, and the match after it."""
    reading = read(picture, expect="drawbridge")
    if not worth_telling(reading):
        return KINDS[3], str(reading.status), match
    events = decide(match, ask.ReadTray(tray_of(reading, frame=f"f{turn}")))
    if isinstance(events, Refused):
        return KINDS[2], events.sentence, match
    match = reduce(apply, events, match)
    current = match.state.current
    if current is None or current.turn != turn + 1:
        return KINDS[1], f"{reading.problems}", match
    same = _begun_rows(current.board()) == _begun_rows(board)
    return (KINDS[0], "", match) if same else (KINDS[4], f"{current.board().rows}", match)


def _begun_rows(board: Board) -> list[tuple[str, ...]]:
    """Return the rows in which tiles lie, from the top: what an array is, whatever lies free between them."""
    return [row for row in board.rows if any(symbol != EMPTY for symbol in row)]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 1 when any turn was taken otherwise than it was laid."""
    parser = argparse.ArgumentParser(
        prog="python -m pi.stand_ins.openings_bench", description="How Draw Bridge begins."
    )
    parser.add_argument("--games", type=at_least(1), default=40, help="how many to begin")
    parser.add_argument("--turns", type=at_least(1), default=7, help="of each, at most")
    parser.add_argument("--seed", type=at_least(0), default=1)
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    tally: Counter[str] = Counter()
    for number in range(args.games):
        for turn, (kind, why) in enumerate(opening(args.seed + number, args.turns), start=1):
            tally[kind] += 1
            tally["whole"] += kind == KINDS[0] and turn == args.turns
            if kind != KINDS[0]:
                print(f"game {args.seed + number} turn {turn}: {kind} {why}")
        print(f"\r{number + 1}/{args.games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    turns = sum(tally[kind] for kind in KINDS)
    for words, hits, trials in (*((f"turns {kind}", tally[kind], turns) for kind in KINDS),
                                ("openings taken whole", tally["whole"], args.games)):  # fmt: skip
        print(f"{words:24}{hits:6d} of {trials:6d}  {100 * hits / trials:6.1f} %  ({interval(hits, trials)})")
    return 1 if tally[KINDS[4]] else 0


if __name__ == "__main__":
    sys.exit(main())
