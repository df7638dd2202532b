"""The pages and what they send: each door, each refusal with its sentence, nothing without a token."""

from __future__ import annotations

import re
from contextlib import closing

import pytest

from pi.rules import commands as ask
from pi.rules.events import SeenTile, TileCorrected, Tray, TrayRead
from pi.rules.values import SHAPES, Layout, Seat
from tests.builders import ONE_RUN, THREE_RUNS, lock, start, tray
from tests.web.builders import SECOND, evidence, house, post, token
from web import access
from web.pages import Page, Renderer

WILD = "1 2 # 8 7 6 3 5 4 9\n2 0 4 6 # 8 1 3 5 7\n0 5 1 6 2 7 3 8 4 #\n1 3 0 4 # 6 5 9 2 8"


@pytest.fixture
def home(tmp_path):
    return house(tmp_path)


@pytest.fixture
def played(home):
    """Ann and Bob in round 1: Ann is right about the one run, Bob is not."""
    home.play(start(), ask.Next(0), ask.ReadTray(tray(ONE_RUN, frame="f1")), lock(1, 1), lock(2, 3, at=2.0))
    return home


def test_before_the_first_match_every_page_says_so(home):
    browser = home.browser()
    assert "No match yet" in browser.get("/").text
    assert "New match" in browser.get("/table").text
    assert "No match has been played yet" in browser.get("/history").text
    assert browser.get("/api/state").json["phase"] == "none"
    assert "Which seat is this phone" in browser.get("/seat").text
    assert browser.get("/round/1").status_code == 404


def test_a_match_is_started_from_the_form_with_house_rules_as_ticked(home):
    fields = {"game": "scramble", "name.1": "Ann", "name.3": "Bob", "house.board": "rect", "house.tough": "on"}
    browser = home.browser()
    answer = post(browser, "/act/start-match", **fields)
    assert answer.status_code == 200, answer.text
    view = browser.get("/api/state").json
    assert [(p["seat"], p["name"]) for p in view["players"]] == [(1, "Ann"), (3, "Bob")]
    rules = {rule["name"]: rule["value"] for rule in view["house"]}
    assert (rules["board"], rules["tough"], rules["wild"], rules["wrap"]) == ("rect", True, False, False)
    assert rules["target"] == 10


def test_every_house_rule_is_explained_in_one_line(home):
    page = home.browser().get("/table").text
    for line in ("Columns count too, top to bottom and round again.", "Points that win, for one player alone."):
        assert line in page


def test_asking_for_a_streams_head_takes_no_place(home):
    browser = home.browser()
    for _ in range(home.room.turnstile.most + 1):
        with closing(browser.head("/events")) as answer:
            assert answer.status_code == 200


def test_the_scoreboard_shows_truth_predictions_and_points_with_reasons(played):
    page = played.browser().get("/").text
    assert "Right: 1 for 1 run, and 4 for place 1." in page
    assert "Wrong: 3 predicted, 1 lies there" in page
    assert re.search(r'aria-label="5 points">5<', page)


def test_a_round_shows_its_runs_over_the_picture(played):
    evidence(played.state / "evidence", "f1", ONE_RUN.splitlines())
    page = played.browser().get("/round/1").text
    assert '<image href="/evidence/f1.tray.jpg"' in page
    assert "Run 1: 4 5 6" in page
    assert "RunnuRound, Random Scramble" in page


def test_without_a_picture_the_tray_is_drawn_from_its_symbols(played):
    page = played.browser().get("/round/1").text
    assert "<image" not in page
    assert page.count('class="face"') == 40


def test_a_picture_with_a_broken_description_is_named_and_the_round_still_shown(played):
    evidence(played.state / "evidence", "f1", ONE_RUN.splitlines())
    (played.state / "evidence" / "f1.json").write_text('{"size": [1, 2], "tiles": [{"row": 0}]}')
    page = played.browser().get("/round/1").text
    assert "in f1.json" in page
    assert "Run 1: 4 5 6" in page


def test_that_tile_is_a_seven_one_tap_and_everything_after_is_counted_again(played):
    """Issue 2: tap the tile, choose among the likely symbols; the journal keeps both."""
    browser = played.browser()
    assert 'name="symbol" value="7"' in browser.get("/round/1?tile=3-5").text
    fix = {"round": 1, "row": 3, "column": 5, "symbol": "7", "seq": played.table.seq}
    assert post(browser, "/act/correct-tile", page="/round/1?tile=3-5", **fix).status_code == 200
    after = browser.get("/api/state").json
    assert after["round"]["truth"]["totals"] == [0]
    assert {p["name"]: p["score"] for p in after["players"]} == {"Ann": 0, "Bob": 0}
    page = browser.get("/round/1").text
    assert "was 6, by table" in page
    kept = [e for e in played.table.match.history if isinstance(e, (TrayRead, TileCorrected))]
    assert len(kept) == 2


def test_with_wilds_the_tray_is_right_and_the_score_is_right_are_one_tap_each(home):
    home.play(start(wild=True), ask.Next(0), ask.ReadTray(tray(WILD)))
    browser = home.browser()
    assert "The tray is right: read again" in browser.get("/table").text
    home.play(lock(1, 2), lock(2, 3, at=2.0))
    view = browser.get("/api/state").json
    totals, score = view["round"]["truth"]["totals"], [p["score"] for p in view["players"]]
    assert len(totals) > 1
    page = browser.get("/table").text
    assert f'name="total" value="{" ".join(map(str, totals))}"' in page, "one tap keeps all that can be made"
    assert "right is whoever named a total that can be made" in page
    assert post(browser, "/act/rule-total", round=1, total=" ".join(map(str, totals))).status_code == 200
    kept = browser.get("/api/state").json
    assert [p["score"] for p in kept["players"]] == score
    assert (kept["round"]["truth"]["totals"], kept["round"]["truth"]["by_hand"]) == (totals, "table")
    home.play(ask.CorrectTile(1, 0, 0, "9"))
    assert [p["score"] for p in browser.get("/api/state").json["players"]] == score, "whatever the picture says"
    assert "Counted by hand (table)" in browser.get("/round/1").text
    assert post(browser, "/act/rule-total", round=1, total="2, 3").status_code == 200
    assert post(browser, "/act/rule-total", round=1, total="many").status_code == 400


def test_with_wilds_the_page_shows_how_a_players_total_is_made(home):
    home.play(start(wild=True), ask.Next(0), ask.ReadTray(tray(WILD)), lock(1, 2), lock(2, 7, at=2.0))
    browser = home.browser()
    truth = browser.get("/api/state").json["round"]["truth"]
    assert truth["chosen"] == 2
    assert len(truth["runs"]) == 2
    assert len(truth["assignment"]) == 4
    assert "show how 2 is made" in browser.get("/round/1").text
    for total in truth["totals"]:
        assert f"how to make {total}." in browser.get(f"/round/1?total={total}").text


def test_doubts_are_asked_with_the_likely_symbols_first(home):
    home.play(start(), ask.Next(0))
    tiles = [
        {"row": t.row, "column": t.column, "symbol": t.symbol, "sure": t.cell != (1, 3)}
        | ({"likely": [["6", 0.62], ["8", 0.3]]} if t.cell == (1, 3) else {})
        for t in tray(ONE_RUN).tiles
    ]
    home.table.ask({"command": "read-tray", "tray": {"tiles": tiles, "frame": "f1"}})
    page = home.browser().get("/table").text
    asked = page[page.index("What does this tile show?") :]
    symbols = re.findall(r'name="symbol" value="(.)"', asked)[:10]
    assert symbols[:2] == ["6", "8"]
    assert sorted(symbols) == list("0123456789")
    assert "Not sure about 1 tile" in home.browser().get("/").text


@pytest.mark.parametrize(("board", "told"), [("rows", True), ("rect", False)])
def test_a_doubtful_tile_in_the_row_of_another_colour_is_told_apart_where_rows_have_one(home, board, told):
    lengths = SHAPES[Layout(board)]
    places = [(r, c) for r, length in enumerate(lengths) for c in range(length)]
    seen = [SeenTile(r, c, str(c), "blue" if (r, c) == (0, 3) else "red", sure=(r, c) != (0, 3)) for r, c in places]
    home.play(start(board=board), ask.Next(0), ask.ReadTray(Tray(tuple(seen))))
    page = home.browser().get("/table").text
    asked = page[page.index("What does this tile show?") :]
    assert ("The other tiles of this row are red." in asked) is told


def test_a_tiles_certainty_is_never_rounded_up_and_typed_tiles_claim_none(played):
    page = played.browser().get("/round/1").text
    assert "100" not in page[page.index("<h2>Tiles</h2>") :]
    assert page.count("≥ 99.9 %") >= 40
    played.play(ask.Next(9 * SECOND), ask.ReadTray(tray(THREE_RUNS, source="table", frame="")))
    assert "typed in" in played.browser().get("/round/2").text


def test_undo_any_number_of_steps_and_redo(played):
    browser = played.browser()
    steps = browser.get("/table").text
    assert "Bob locked in and round 1 revealed" in steps
    answer = post(browser, "/act/undo", steps=2, seq=played.table.seq)
    assert answer.status_code == 200
    view = browser.get("/api/state").json
    assert (view["phase"], [q["seat"] for q in view["round"]["queue"]]) == ("open", [])
    assert "Redo brings back: Ann locked in" in browser.get("/table").text
    assert [r for r in played.table.asked if r["command"] == "undo"] == [
        {"command": "undo", "steps": 2, "expect_seq": played.table.seq - 2}
    ], "one command for both steps"
    assert "Bob locked in and round 1 revealed" in browser.get("/table").text.partition("Redo several steps")[2]
    assert post(browser, "/act/redo").status_code == 200
    assert [q["seat"] for q in browser.get("/api/state").json["round"]["queue"]] == [1]


def test_an_undo_meant_for_an_older_state_is_refused(played):
    for older in ({"seq": played.table.seq - 1}, {"seq": played.table.seq, "match": "another"}):
        answer = post(played.browser(), "/act/undo", **older)
        assert answer.status_code == 409
        assert answer.json["sentence"] == "The match has moved on since this page was shown; look again."


@pytest.mark.parametrize(
    ("path", "fields", "status", "sentence"),
    [
        ("/act/next", {}, 200, None),
        ("/act/adjust-points", {"seat": 1, "points": "two", "why": "x"}, 400, "'two' is not a whole number"),
        ("/act/adjust-points", {"seat": 1, "points": 0, "why": "x"}, 409, "An adjustment needs points"),
        ("/act/adjust-points", {"seat": 1, "points": 2, "why": "x" * 999}, 400, "takes up to 120"),
        ("/act/withdraw-lock-in", {"seat": 1}, 409, "No round is open"),
        ("/act/rename-player", {"seat": 1, "name": "Bob"}, 409, "Two players have the same name."),
        ("/act/rule-total", {"round": 9, "total": 1}, 409, "Round 9 was not played."),
        ("/act/type-tray", {"tray": "1 2 x", "layout": "rows"}, 400, "'x' is not a symbol"),
        ("/act/type-tray", {"tray": "1 2 3", "layout": "round"}, 400, "'layout' is rows, rect or diamond"),
        ("/act/start-match", {"game": "poker"}, 400, "there is no game 'poker'"),
        ("/act/start-match", {"game": "scramble", "name.1": "A", "name.2": "B"}, 409, "already been started"),
        ("/act/undo", {"steps": 0}, 409, "One may go 1 to 100 steps at once (asked: 0)."),
        ("/act/undo", {"steps": 50}, 409, "steps can be gone; nothing has changed."),
        ("/act/fly", {}, 404, "The table cannot be asked for 'fly'."),
        ("/act/press", {"seat": 1, "key": "9"}, 400, "'key' is 1, 2, 4 or lock"),
        ("/seat/lock", {"disk": "1"}, 403, "This page is not of the match"),
    ],
)
def test_every_refusal_says_its_sentence(played, path, fields, status, sentence):
    answer = post(played.browser(), path, **fields)
    assert answer.status_code == status
    if sentence:
        said = answer.json.get("sentence") or answer.json["error"]
        assert sentence in said
        assert said.endswith(".")


def test_without_script_a_form_leads_back_and_a_refusal_is_a_page(played):
    browser = played.browser()
    done = browser.post("/act/hold", data={"csrf": token(browser)})
    assert (done.status_code, done.headers["Location"]) == (303, "/table")
    refused = browser.post("/act/hold", data={"csrf": token(browser)})
    assert refused.status_code == 409
    assert "The match is already on hold." in refused.text
    elsewhere = browser.post("/act/resume", data={"csrf": token(browser), "back": "//evil.example/"})
    assert elsewhere.headers["Location"] == "/table"


def test_a_typed_tray_and_a_typed_total_stand_in_for_the_camera(home):
    home.play(start(), ask.Next(0), lock(1, 3))
    browser = home.browser()
    typed = THREE_RUNS.replace(" ", "")
    assert post(browser, "/act/type-tray", tray=typed, layout="rows").status_code == 200
    assert post(browser, "/act/rule-total", round=1, total=2).status_code == 200
    home.play(lock(2, 2, at=3.0))
    truth = browser.get("/api/state").json["round"]["truth"]
    assert (truth["totals"], truth["by_hand"], truth["runs"]) == ([2], "table", [])


def test_a_click_on_a_simulated_pad_is_a_press_and_its_release(home):
    home.play(start(), ask.Next(0))
    assert post(home.browser(), "/act/press", seat=2, key="lock").status_code == 200
    assert home.table.asked == [{"press": {"seat": 2, "key": "lock", "closed": closed}} for closed in (True, False)]


def test_real_pads_are_not_pressed_from_a_page(home):
    home.table.status["simulation"] = False
    home.play(start(), ask.Next(0))
    assert "Pads of the simulation" not in home.browser().get("/table").text
    assert post(home.browser(), "/act/press", seat=2, key="1").status_code == 403
    assert home.table.asked == []


def test_a_seats_code_may_be_typed_as_people_type(home):
    home.play(start(), ask.Next(0))
    code = access.seat_code(home.room.access.secret, match="m1", seat=Seat(2))
    misread = code.replace("o", "0").replace("l", "1")
    for typed in (code, f" {code} ", code.upper().replace("-", " "), code.replace("-", ""), misread):
        assert post(home.browser(), "/seat/enter", page="/seat", code=typed).status_code == 303


def test_a_seats_code_is_for_that_seat_and_match_only(home):
    home.play(start(), ask.Next(0))
    one = access.seat_code(home.room.access.secret, match="m1", seat=Seat(1))
    for wrong in ("2" + one[1:], one[:-1], one + "a", "", "1", "é" * 21):
        answer = post(home.browser(), "/seat/enter", page="/seat", code=wrong)
        assert (answer.status_code, answer.json["error"][:30]) == (403, "This link is not of the match ")
    home.play(ask.EndMatch(), start(match="m2"))
    assert post(home.browser(), "/seat/enter", page="/seat", code=one).status_code == 403


def test_no_secret_is_ever_in_an_address(home):
    """What people type or scan comes in bodies, and a link's secret stands behind the #, which no server sees."""
    home.play(start(), ask.Next(0))
    table = home.browser().get("/table").text
    code = access.seat_code(home.room.access.secret, match="m1", seat=Seat(2))
    assert f'href="/seat#{code}"' in table
    assert all(code not in str(rule) for rule in home.app.url_map.iter_rules())
    assert home.browser().get("/seat/2/" + code).status_code == 404
    assert 'name="code" maxlength' in home.browser().get("/seat").text, "without script it can be typed"


def test_a_phone_locks_in_by_its_seats_code(home):
    home.play(start(), ask.Next(0))
    code = access.seat_code(home.room.access.secret, match="m1", seat=Seat(2))
    phone = home.browser()
    came = post(phone, "/seat/enter", page="/seat", code=code)
    assert (came.status_code, came.headers["Location"]) == (303, "/seat")
    assert code[2:] not in phone.get("/seat").text
    answer = post(phone, "/seat/lock", page="/seat", disk=["1", "4"], round=1)
    assert answer.status_code == 200
    assert home.table.asked[-1] == {"command": "lock-in", "seat": 2, "prediction": 5}
    assert "Locked in, 1st in the queue" in phone.get("/seat").text
    again = post(phone, "/seat/lock", page="/table", disk=["1"], round=1)
    assert (again.status_code, again.json["sentence"]) == (409, "Bob is already locked in.")


def test_a_phone_that_slept_through_the_reveal_does_not_lock_into_the_next_round(played):
    phone = played.browser()
    with phone.session_transaction() as kept:
        kept["seat"] = ["m1", 2]
    played.play(ask.Next(9 * SECOND))
    played.table.now_ns = 10 * SECOND
    assert post(phone, "/seat/lock", page="/seat", disk=["1"], round=1).status_code == 409
    assert post(phone, "/seat/lock", page="/seat", disk=["1"], round=2).status_code == 200


def test_open_pages_of_what_is_no_more_say_so(played):
    """A stream outlives its round (undone) and its match; it must not break off."""
    desk, renderer = played.room.desk, Renderer(played.room)
    pages = [Page("round", number=1), Page("seat", seat=Seat(2), match="m1")]
    assert all("not there any more" not in renderer.html(desk.look(), page) for page in pages)
    played.play(ask.EndMatch(), start("Cyd", "Dan", match="m2"))
    gone = [renderer.html(desk.look(), page) for page in pages]
    assert "Round 1 is not there any more" in gone[0]
    assert "This pad was for an earlier match" in gone[1]


def test_history_keeps_matches_and_their_rounds(played):
    played.play(ask.EndMatch("Supper."))
    played.table.play(start("Cyd", "Dan", match="m2"))
    browser = played.browser()
    page = browser.get("/history").text
    assert page.index("Cyd, Dan") < page.index("Ann, Bob")
    assert "Supper." in page
    assert "Round 1" in browser.get("/history/m1").text
    old = browser.get("/history/m1/round/1").text
    assert "Run 1: 4 5 6" in old
    assert "/act/" not in old
    assert browser.get("/history/m9").status_code == 404
    assert browser.get("/history/m1/round/7").status_code == 404


def test_when_the_table_is_away_pages_say_so_and_commands_are_refused(played):
    played.room.desk._refresh(away="The table does not answer.")
    played.table.away = True
    browser = played.browser()
    page = browser.get("/").text
    assert "The table does not answer." in page
    assert "Right: 1 for 1 run" in page
    assert browser.get("/api/state").json["stale"] == "The table does not answer."
    answer = post(browser, "/act/next")
    assert (answer.status_code, answer.json["error"][:27]) == (503, "The table does not answer; ")


def test_a_damaged_journal_is_named_on_the_page(tmp_path):
    (tmp_path / "feltside.sqlite").write_bytes(b"not a journal at all" * 100)
    from pi.settings import Settings
    from web.app import create_app

    page = create_app(Settings(state=tmp_path)).test_client().get("/").text
    assert "feltside.sqlite" in page
    assert "cannot be read" in page


def test_evidence_pictures_are_served_and_nothing_else(played):
    evidence(played.state / "evidence", "f1", ONE_RUN.splitlines())
    browser = played.browser()
    for name in ("f1.tray.jpg", "f1.jpg"):
        with closing(browser.get(f"/evidence/{name}")) as answer:
            assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    for name in ("f1.json", "f2.jpg", "..%2fweb-secret", "%2e%2e%2fweb-secret.jpg", ".jpg", "a.b.jpg"):
        assert browser.get(f"/evidence/{name}").status_code == 404, name
    assert browser.get("/live.jpg").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/round/1?total=x",
        "/round/1?total=²",
        "/round/1?tile=1",
        "/round/1?tile=²-1",
        "/round/1?tile=1-²",
        "/events?page=moon",
        "/events?page=round&number=9",
        "/events?page=round&number=²",
        "/events?page=round&number=٣",
    ],
)
def test_bad_addresses_are_4xx_with_a_sentence(played, path):
    answer = played.browser().get(path, headers={"Accept": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json["error"].endswith(".")


@pytest.mark.parametrize("given", ["x", "²", "1" * 13])
def test_a_last_event_id_that_is_no_seq_is_refused(played, given):
    assert played.browser().get("/events", headers={"Last-Event-ID": given}).status_code == 400
