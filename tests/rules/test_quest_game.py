"""Solitaire quests against the clock (RULES.md 1): START, a tray as it was read, hints, NEXT."""

from __future__ import annotations

from itertools import combinations

import pytest

from pi.rules import commands as ask
from pi.rules.events import SeenTile, Tray
from pi.rules.games.quest import HINT_NS, AskHint, dealt, faults, runs
from pi.rules.match import Match, decide
from pi.rules.quests import most_runs
from pi.rules.quests.catalogue import DOORS
from pi.rules.quests.laying import Laying
from pi.rules.ruleset import Refused
from tests.builders import SECOND, match, play, players


def tray(laying: Laying, *, doubts: tuple[tuple[int, int], ...] = ()) -> Tray:
    cells = laying.cells().items()
    return Tray(tuple(SeenTile(r, c, t.symbol, t.colour, sure=(r, c) not in doubts) for (r, c), t in cells), frame="f")


def begun(quest: str = "no-runs") -> Match:
    return match(ask.StartMatch("m1", "quest", players("Ann"), (("quest", quest),)), ask.Next(10 * SECOND))


def solution(quest: str) -> Laying:
    found = DOORS[quest].solve(seed=7)
    assert found is not None
    return found


def spoilt() -> Laying:
    """Return a solution of No-Runs in which two tiles were exchanged so that a run lies there."""
    right = solution("no-runs")
    cells = right.cells()
    exchanged = (right.changed({a: cells[b], b: cells[a]}) for a, b in combinations(cells, 2))
    return next(laying for laying in exchanged if DOORS["no-runs"].check(laying))


def refused(state: Match, command: object) -> str:
    answer = decide(state, command)
    assert isinstance(answer, Refused)
    return answer.sentence


@pytest.mark.parametrize("quest", DOORS)
def test_a_solution_as_it_was_read_stops_the_clock(quest: str):
    state = play(begun(quest), ask.ReadTray(tray(solution(quest))), ask.Next(75 * SECOND))
    assert state.state.attempts[0].took_ns() == 65 * SECOND
    assert state.standing() == {1: 1}
    assert state.expects() is None


def test_the_clock_runs_on_while_something_is_wrong_and_says_what_and_where():
    state = play(begun(), ask.ReadTray(tray(spoilt())))
    found = faults(state.state, state.state.current)
    assert "is a run in" in found[0].sentence
    assert refused(state, ask.Next(75 * SECOND)) == found[0].sentence
    assert state.state.current is not None


def test_an_unread_or_doubtful_tray_stops_no_clock():
    assert refused(begun(), ask.Next(20 * SECOND)) == "The tray has not been read yet."
    state = play(begun(), ask.ReadTray(tray(solution("no-runs"), doubts=((2, 3),))))
    assert refused(state, ask.Next(20 * SECOND)) == "The eye is not sure about row 3 column 4: say what lies there."
    shown = solution("no-runs").at((2, 3)).symbol
    state = play(state, ask.CorrectTile(1, 2, 3, shown), ask.Next(30 * SECOND))
    assert state.state.attempts[0].solved_ns == 30 * SECOND


def test_what_people_said_a_tile_is_outlives_a_new_reading_that_claims_the_same():
    """A tray is read again and again while tiles are exchanged: nobody says the same thing twice."""
    laying = solution("no-runs")
    state = play(begun(), ask.ReadTray(tray(laying, doubts=((3, 1),))), ask.CorrectTile(1, 0, 0, "8"))
    assert state.state.current.laying((4, 10)).at((0, 0)).symbol == "8"
    state = play(state, ask.ReadTray(tray(laying)))
    assert state.state.current.laying((4, 10)).at((0, 0)).symbol == "8"
    other = next(cell for cell in laying.cells() if laying.at(cell).symbol != laying.at((0, 0)).symbol)
    state = play(state, ask.ReadTray(tray(laying.changed({(0, 0): laying.at(other), other: laying.at((0, 0))}))))
    assert state.state.current.laying((4, 10)).at((0, 0)) == laying.at(other), "another tile lies there now"


def test_a_hint_gives_one_tile_of_one_solution_away_and_costs_half_a_minute():
    state = play(begun(), AskHint(), AskHint())
    first, second = state.state.attempts[0].hints
    assert first.sentence.startswith("Lay a ")
    assert (first.row, first.column) != (second.row, second.column)
    state = play(state, ask.ReadTray(tray(solution("no-runs"))), ask.Next(20 * SECOND))
    assert state.state.attempts[0].took_ns() == 10 * SECOND + 2 * HINT_NS


def test_a_hint_about_a_finished_tray_is_refused_and_a_partial_tray_is_no_reading():
    state = play(begun(), ask.ReadTray(tray(solution("no-runs"))))
    assert refused(state, AskHint()) == "Nothing is wrong or missing: press NEXT."
    few = Tray(tray(solution("no-runs")).tiles[:12])
    assert "12 tiles" in refused(state, ask.ReadTray(few))


def test_the_eye_looks_for_the_quests_layout_only_while_a_clock_runs():
    assert begun().expects() == "mixed"
    assert begun("magic-sums").expects() == "rect"
    assert match(ask.StartMatch("m1", "quest", players("Ann"))).expects() is None


DEAL = Laying.parse(
    "\n".join(
        " ".join(n + colour for n in row)
        for row, colour in (
            ("1287635490", "red"),
            ("0246813579", "blue"),
            ("9630741852", "green"),
            ("5739182046", "yellow"),
        )
    )
)


def with_most() -> Laying:
    return most_runs.best(DEAL).laying


def test_most_runs_what_is_read_first_is_the_deal_and_any_lawful_insertion_stands():
    # RULES.md 1: "the last two tiles of each row taken out, then inserted anywhere in their own row"; "Shown: the
    # player's runs against the best possible".
    state = play(begun("most-runs"), ask.ReadTray(tray(DEAL)))
    assert state.expects() == "rows"
    assert runs(state.state, state.state.current) == (sum(most_runs.runs(DEAL)), most_runs.best(DEAL).runs)
    state = play(state, ask.ReadTray(tray(with_most())), ask.Next(40 * SECOND))
    attempt = state.state.attempts[0]
    assert attempt.took_ns() == 30 * SECOND
    assert runs(state.state, attempt) == (most_runs.best(DEAL).runs,) * 2


def test_most_runs_rows_that_left_their_order_stop_no_clock():
    row = DEAL.rows[0]
    mixed = Laying(((row[1], row[0], *row[2:]), *DEAL.rows[1:]))
    state = play(begun("most-runs"), ask.ReadTray(tray(DEAL)), ask.ReadTray(tray(mixed)))
    assert refused(state, ask.Next(40 * SECOND)) == "The tiles of row 1 have left their order (1 2 8 7 6 3 5 4)."
    assert runs(state.state, state.state.current) is None


def test_most_runs_a_deal_the_eye_doubts_is_none_before_somebody_says_what_lies_there():
    state = play(begun("most-runs"), ask.ReadTray(tray(DEAL, doubts=((1, 4),))))
    assert dealt(state.state, state.state.current) is None
    assert refused(state, AskHint()) == "The deal has not been read yet."
    state = play(state, ask.CorrectTile(1, 1, 4, "8"), ask.ReadTray(tray(with_most())))
    assert state.state.current.dealt == DEAL


def test_most_runs_a_hint_says_where_a_tile_belongs_and_a_tray_cleared_twice_is_dealt_anew():
    state = play(begun("most-runs"), ask.ReadTray(tray(DEAL)), AskHint())
    assert "can make" in state.state.attempts[0].hints[0].sentence
    state = play(state, ask.ReadTray(tray(with_most())), ask.Reread(1))
    assert state.state.current.dealt == DEAL
    state = play(state, ask.Reread(1))
    assert state.state.current.dealt is None
    assert refused(state, ask.Reread(1)) == "There is no reading of this quest to forget."


def test_most_runs_colours_of_a_row_are_no_deal_where_a_number_lies_twice():
    row = DEAL.rows[0]
    twice = Laying(((*row[:9], row[0]), *DEAL.rows[1:]))
    state = play(begun("most-runs"), ask.ReadTray(tray(twice)))
    assert "lies in" in refused(state, ask.Next(20 * SECOND))
