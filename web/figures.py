"""What players and trays did over many rounds, from what was revealed; the exact expectation beside it."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from typing import Any

from pi.odds.rows import board_chances
from pi.rules.match import Match
from web.present import SPECTATOR, View, present, present_round


@dataclass(slots=True)
class Player:
    """One player's rounds, added up."""

    name: str
    rounds: int = 0
    right: int = 0
    bonus: int = 0
    """Points for queue places, beside those for runs."""
    points: int = 0
    timed: int = 0
    seconds: float = 0.0
    """Lock-ins, and the time from their rounds' opening to them, added up."""
    first: int = 0
    held: int = 0
    """How often first in the queue, and how often that was right: nerve."""

    @property
    def mean_s(self) -> float | None:
        """Mean time to the lock-in, in seconds; None before the first."""
        return self.seconds / self.timed if self.timed else None


@dataclass(frozen=True, slots=True)
class Tally:
    """What one match adds to the figures: small, whatever lay on its trays."""

    players: tuple[Player, ...]
    runs: tuple[tuple[int, int], ...]
    """(number of runs, how often it lay there), of rounds that count for `run_counts`."""


def tally(match: Match) -> Tally:
    """Return what a match adds."""
    found: dict[str, Player] = {}
    played, runs = rounds(match), Counter[int]()
    for shown in played:
        for claim in shown["claims"]:
            _add(found.setdefault(claim["name"], Player(claim["name"])), claim, shown["queue"])
        if _plain(match) and not shown["truth"]["by_hand"]:
            runs[shown["truth"]["totals"][0]] += 1
    return Tally(tuple(found.values()), tuple(sorted(runs.items())))


def rounds(match: Match) -> list[View]:
    """Return every revealed round of a match of Random Scramble, as anybody may see it; empty for other games."""
    view = present(match, SPECTATOR, status={})
    found = (present_round(match, SPECTATOR, number=line["number"], status={}) for line in view["rounds"])
    return [shown for shown in found if shown is not None and shown["revealed"] and shown["truth"]]


def players(tallies: Iterable[Tally]) -> list[Player]:
    """Return every player of some matches, who played most first."""
    found: dict[str, Player] = {}
    for one in (one for tally in tallies for one in tally.players):
        whole = found.setdefault(one.name, Player(one.name))
        for name in _ADDED:
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    return sorted(found.values(), key=lambda player: (-player.rounds, player.name))


_ADDED = ("rounds", "right", "bonus", "points", "timed", "seconds", "first", "held")


def _add(player: Player, claim: Mapping[str, Any], queue: Sequence[Mapping[str, Any]]) -> None:
    player.rounds += 1
    player.points += claim["points"]
    entry = next((e for e in queue if e["seat"] == claim["seat"]), None)
    if entry:
        player.timed += 1
        player.seconds += entry["seconds"]
        player.first += entry["place"] == 1
        player.held += entry["place"] == 1 and claim["right"]
    if claim["right"]:
        player.right += 1
        player.bonus += claim["points"] - max(1, claim["prediction"])


@dataclass(frozen=True, slots=True)
class Bar:
    """How often a number of runs lay there, and how often it should have."""

    runs: int
    seen: int
    expected: float


def run_counts(tallies: Iterable[Tally]) -> tuple[Bar, ...]:
    """Return the table's run counts beside the exact expectation; for four plain rows only, where it is exact."""
    seen = Counter[int]()
    for tally in tallies:
        seen.update(dict(tally.runs))
    whole = sum(seen.values())
    most = max([4, *seen])
    return tuple(Bar(runs, seen[runs], whole * chance(runs)) for runs in range(most + 1)) if whole else ()


def _plain(match: Match) -> bool:
    house = dict(match.house)
    others = ("elevator", "vertical", "wild")
    return match.game == "scramble" and house.get("board") == "rows" and not any(house.get(name) for name in others)


@cache
def chance(runs: int) -> float:
    """Return the exact chance of so many runs on four shuffled rows of ten."""
    return float(_board().attainable(runs))


@cache
def _board() -> Any:
    return board_chances()


HEADINGS = ("round", "runs", "seat", "player", "prediction", "right", "place", "points", "seconds", "why")


def csv_lines(played: Sequence[View]) -> Iterator[str]:
    """Yield a match's revealed rounds as CSV, a line a player and round."""
    yield _csv(HEADINGS)
    for shown in played:
        queue = {entry["seat"]: entry for entry in shown["queue"]}
        for claim in shown["claims"]:
            entry = queue.get(claim["seat"], {})
            yield _csv(
                (
                    shown["number"],
                    " ".join(map(str, shown["truth"]["totals"])),
                    claim["seat"],
                    _plain_text(claim["name"]),
                    "" if claim["prediction"] is None else claim["prediction"],
                    "yes" if claim["right"] else "no",
                    entry.get("place", ""),
                    claim["points"],
                    entry.get("seconds", ""),
                    claim["why"],
                )
            )


def _plain_text(name: str) -> str:
    """Keep a name from being taken for a formula by whoever opens the table."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name


def _csv(row: Sequence[object]) -> str:
    text = StringIO()
    csv.writer(text).writerow(row)
    return text.getvalue()
