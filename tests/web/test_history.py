"""History: figures, replay, export and import; nothing that was never revealed leaves the table."""

from __future__ import annotations

import csv
import io
import json
import pickle
import re

import pytest

from pi.rules import commands as ask
from pi.rules.games.sums_grid import HandIn
from pi.rules.match import replay
from pi.rules.values import Seat
from tests.builders import ONE_RUN, THREE_RUNS, lock, match, players, start, tray
from tests.web.builders import house, post, token
from web import archive, figures
from web.archive import MOST_BYTES, BadArchive


@pytest.fixture
def home(tmp_path):
    """Ann is right about three runs, Bob is not; the match is ended in round 2, where Bob has locked in."""
    found = house(tmp_path)
    found.play(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS)), lock(1, 3), lock(2, 2, at=2.0))
    found.play(ask.Next(0), lock(2, 5, at=3.0), ask.EndMatch("It is late."))
    return found


def export(home, match: str = "m1") -> bytes:
    return home.browser().get(f"/history/{match}.jsonl").data


def test_a_match_goes_out_and_comes_back_the_same(home, tmp_path):
    text = export(home)
    match, records = archive.read(text)
    assert match.standing() == home.table.match.standing() == {1: 7, 2: 0}
    assert [r.event for r in records][:3] == [r.event for r in home.room.reader.events("m1")][:3]
    other = house(tmp_path / "other")
    browser = other.browser()
    answer = browser.post("/history/import", data={"csrf": token(browser), "file": (io.BytesIO(text), "m1.jsonl")})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/history/m1")
    assert "It is late." in browser.get("/history").text
    assert "3 runs" in browser.get("/history/m1/round/1").text
    assert browser.get("/history/m1.jsonl").data == text
    assert browser.get("/api/state").json["match"] is None, "an imported match is never the one being played"
    again = browser.post("/history/import", data={"csrf": token(browser), "file": (io.BytesIO(text), "m1.jsonl")})
    assert again.status_code == 400
    assert "is here already" in again.text


def test_a_running_match_is_not_exported(tmp_path):
    home = house(tmp_path)
    home.play(start(), ask.Next(0), lock(1, 3))
    answer = home.browser().get("/history/m1.jsonl")
    assert answer.status_code == 409
    assert "until then it holds secrets" in answer.text


def test_what_was_never_revealed_is_not_exported(home):
    rows = [json.loads(row) for row in export(home).splitlines()]
    locks = [row["data"] for row in rows[1:] if row["name"] == "locked-in"]
    assert [(lock["round"], lock["prediction"]) for lock in locks] == [(1, 3), (1, 2), (2, 0)]
    assert locks[2]["nonce"] == ""


def early_end(tmp_path, secret: int) -> bytes:
    """Return the export of a match ended in an open round, whose end is then undone: the round goes on."""
    home = house(tmp_path)
    home.play(start(), ask.Next(0), lock(2, secret), ask.RuleTotal(1, secret), ask.EndMatch("Supper."))
    text = export(home)
    home.play(ask.Undo())
    assert home.browser().get("/history/m1.jsonl").status_code == 409
    return text


def test_an_early_end_that_is_undone_has_given_no_secret_away(tmp_path):
    one, other = (early_end(tmp_path / str(n), n) for n in (1, 6))
    sealed = re.compile(rb"[0-9a-f]{64}")
    assert sealed.sub(b"#", one) == sealed.sub(b"#", other)


def grids(tmp_path, *last: bool):
    home = house(tmp_path)
    home.play(ask.StartMatch("m1", "sums-grid", players("Ann", "Bob"), (("size", 2),)))
    for seat, final in enumerate(last, start=1):
        home.play(HandIn(Seat(seat), ((1, 2 + seat), (3 + 2 * seat, 9)), final))
    return home


def test_hidden_grids_are_not_exported_while_the_end_can_be_undone(tmp_path):
    home = grids(tmp_path, True, False)
    home.play(ask.EndMatch("Supper."))
    answer = home.browser().get("/history/m1.jsonl")
    assert answer.status_code == 409
    assert "whose end can be undone" in answer.text
    for page in ("/history", "/history/m1", "/history/m1/replay?step=3", "/history/m1.csv", "/table", "/"):
        assert "<td>9</td>" not in home.browser().get(page).text, page
    home.play(start(match="m2"))
    assert b'"grid":[[1,3],[5,9]]' in export(home), "nobody can go on with it any more"


def test_grids_that_lie_open_at_the_end_are_exported(tmp_path):
    home = grids(tmp_path, True, True)
    match, _ = archive.read(export(home))
    assert match.standing() == home.table.match.standing()


def spoilt(text: bytes, line: int, **changes) -> bytes:
    rows = text.splitlines()
    rows[line] = json.dumps(json.loads(rows[line]) | changes).encode()
    return b"\n".join(rows)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda t: b"", "the file has 0 lines"),
        (lambda t: b"\xff\n\xff", "is not text"),
        (lambda t: b"x" * (MOST_BYTES + 1), "bytes"),
        (lambda t: spoilt(t, 0, match="../../etc"), "no proper name, at line 1"),
        (lambda t: spoilt(t, 0, match="m2"), "does not start this match"),
        (lambda t: spoilt(t, 0, form=9), "heading"),
        (lambda t: spoilt(t, 3, seq=7), "not event 3"),
        (lambda t: spoilt(t, 2, name="no-such"), "no-such"),
        (lambda t: spoilt(t, 2, data=[]), "at line 3"),
        (lambda t: spoilt(t, 2, at_ns=-1), "time does not hold"),
        (lambda t: spoilt(t, 2, utc="x" * 99), "time does not hold"),
        (lambda t: t.replace(b'{"seq"', b'["seq"', 1), "not JSON, at line 2"),
    ],
)
def test_a_file_that_is_no_whole_match_is_refused_by_its_line(home, spoil, sentence):
    with pytest.raises(BadArchive, match=sentence):
        archive.read(spoil(export(home)))


def test_only_the_table_brings_matches_in(home, tmp_path):
    text = export(home)
    browser = house(tmp_path / "other", pin="2468").browser()
    data = {"csrf": token(browser), "file": (io.BytesIO(text), "m1.jsonl")}
    assert browser.post("/history/import", data=data).status_code == 403
    assert not (tmp_path / "other" / "imported").exists()


def test_the_revealed_rounds_as_a_table(home):
    rows = list(csv.DictReader(io.StringIO(home.browser().get("/history/m1.csv").text)))
    assert [(r["round"], r["player"], r["prediction"], r["right"], r["points"]) for r in rows] == [
        ("1", "Ann", "3", "yes", "7"),
        ("1", "Bob", "2", "no", "0"),
    ]


def test_a_name_is_no_formula(tmp_path):
    home = house(tmp_path)
    home.play(start("=1+1", "Bob"), ask.Next(0), ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 1, at=2.0))
    assert "'=1+1" in home.browser().get("/history/m1.csv").text


def test_every_step_can_be_replayed_and_tells_no_secret(home):
    browser = home.browser()
    last = len(home.room.reader.events("m1"))
    pages = [browser.get(f"/history/m1/replay?step={step}").text for step in range(1, last + 1)]
    assert "Ann locked in" in pages[3]
    revealed = next(n for n, page in enumerate(pages) if "Round 1: 3 runs" in page)
    assert all('class="said"' not in page for page in pages[:revealed])
    assert "It is late." in pages[-1]


def test_the_figures_of_two_matches_are_added():
    one = match(start(), ask.Next(0), ask.ReadTray(tray(THREE_RUNS)), lock(1, 3), lock(2, 2, at=2.0))
    tallies = [figures.tally(one)] * 2
    ann = figures.players(tallies)[0]
    alone = figures.players(tallies[:1])[0]
    assert (ann.rounds, ann.points, ann.mean_s) == (2, 2 * alone.points, alone.mean_s)
    assert figures.run_counts(tallies)[3].seen == 2


def test_little_is_kept_of_a_match_however_many_are_played(home):
    """A club plays thousands: what the shelf keeps of each must not hold its trays."""
    home.browser().get("/history")
    (book,) = home.room.shelf._kept.values()
    assert len(pickle.dumps(book)) < 4000


def test_figures_of_players_and_of_the_tray(home):
    match = replay(r.event for r in home.room.reader.events("m1"))
    ann, bob = figures.players([figures.tally(match)])
    assert (ann.name, ann.rounds, ann.right, ann.points, ann.bonus) == ("Ann", 1, 1, 7, 4)
    assert (ann.first, ann.held, bob.first) == (1, 1, 0)
    assert (ann.mean_s, bob.mean_s) == (1.0, 2.0), "seconds from the round's opening to the lock-in"
    assert figures.Player("Cy").mean_s is None
    bars = figures.run_counts([figures.tally(match)])
    assert [bar.seen for bar in bars] == [0, 0, 0, 1, 0]
    # RULES.md 1, numbers worth showing: some run appears in 62.3 % of four-row boards.
    assert bars[0].expected == pytest.approx(1 - 0.623, abs=0.0005)
    page = home.browser().get("/history").text
    assert "Nerve" in page
    assert page.count('class="seen"') == 5


def test_players_are_remembered(home):
    home.play(start("Cy", "Dora", match="m2"))
    home.play(ask.EndMatch(""))
    assert home.room.remembered() == ["Cy", "Dora", "Ann", "Bob"]
    assert '<option value="Dora">' in home.browser().get("/table").text


def test_undo_tells_what_will_change(home):
    page = home.browser().get("/table").text
    assert "match ended" in page
    post(home.browser(), "/act/undo", steps=3)
    assert "(Ann 7 → 0)" in home.browser().get("/table").text
