"""How strong each computer player is, in a few words for players; apart, so that pages need not load a player."""

from __future__ import annotations

STRENGTHS: dict[str, str] = {
    "draw-bridge": (
        "A greedy player with care: the most points now, less what it opens to the next player. Beat "
        "random tiles in 30 of 30 matches of two. At the table its tiles are set aside openly and you lay them for it."
    ),
    "run-buster": (
        "With two players it plays the solved game: nobody can do better, only luckier (650 of 1000 "
        "matches won against random choices). With more it prefers hands of four and up, which is only a "
        "rule of thumb."
    ),
    "runaround": (
        "A sound player: counts spaces and looks one roll of yours ahead. Beat random moves in 99 of 100 matches."
    ),
    "palindromes": (
        "A careful player: looks one reply ahead and plays the last five squares without a fault. Beat "
        "random play in 100 of 100 matches."
    ),
    "blob": (
        "A fair club player: it tries each square in random games to the end and fills the best. Beat "
        "random play in 100 of 100 matches."
    ),
    "divisors": (
        "With two players it looks three turns ahead and plays the last seven numbers without a fault; "
        "with more it takes the cheapest number. Beat random play in 100 of 100 matches of two."
    ),
    "sums-grid": (
        "Searches by small changes for a moment; on 3 by 3 it finds 22 on average, where 26 is the most possible."
    ),
}
"""Game -> sentences; the figures are from `python -m pi.opponents GAME --matches N`."""
