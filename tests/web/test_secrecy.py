"""Before the reveal nothing that depends on a prediction leaves the server: listens to every byte."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.rules import commands as ask
from pi.rules.events import LockedIn
from pi.rules.values import Seat
from tests.builders import NO_RUN, ONE_RUN, lock, match, start, tray
from tests.web.builders import SECOND, House, events_of, house, post
from web import access, health, metrics
from web.present import BOARD, SPECTATOR, TABLE, present, present_round, seat_audience

AUDIENCES = [BOARD, SPECTATOR, TABLE, *(seat_audience(Seat(n)) for n in (1, 2, 3))]
HEX = re.compile(rb"[0-9a-f]{64}|seal [0-9a-f]{8}")
"""Commitments, whole and as the board shows them: they differ by design and tell nothing without a nonce."""
SECRET = bytes(range(32))
LOOKS = ["/", "/table", "/round/1", "/round/1?tile=0-0", "/round/1?total=3", "/api/state", "/history",
         "/history/m1", "/history/m1/round/1", "/seat", "/setup", "/metrics"]  # fmt: skip
STREAMS = ["", "?page=board", "?page=table", "?page=round&number=1", "?page=seat"]


def opening(*extra: Any) -> list[Any]:
    return [start("Ann", "Bob", "Cyd"), ask.Next(0), *extra]


STORIES: dict[str, Callable[[int], list[Any]]] = {
    "locked in": lambda p: opening(lock(2, p)),
    "locked in, tray read": lambda p: opening(ask.ReadTray(tray(ONE_RUN)), lock(2, p)),
    "two locked in, tray in doubt": lambda p: opening(
        ask.ReadTray(tray(ONE_RUN, doubts=[(0, 3)])), lock(1, 1), lock(2, p, at=2.0)
    ),
    "on hold, all locked in": lambda p: opening(
        ask.Hold(), ask.RuleTotal(1, 1), lock(1, 1), lock(2, p, at=2.0), lock(3, 0, at=3.0)
    ),
    "the reveal taken back": lambda p: opening(
        ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, p, at=2.0), lock(3, 0, at=3.0), ask.Undo()
    ),
    "a lock-in withdrawn": lambda p: opening(lock(2, p), ask.WithdrawLockIn(Seat(2))),
    "a lock-in undone": lambda p: opening(lock(2, p), ask.Undo()),
    "a second round": lambda p: [
        *opening(ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 1, at=2.0), lock(3, 0, at=3.0)),
        ask.Next(5 * SECOND),
        lock(2, p, at=9.0),
    ],
}


@pytest.mark.parametrize("audience", AUDIENCES, ids=str)
@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
@given(one=st.integers(0, 7), other=st.integers(0, 7))
@settings(max_examples=12, deadline=None)
def test_no_view_before_the_reveal_depends_on_any_prediction(story, audience, one, other):
    views = []
    for prediction in (one, other):
        played = match(*story(prediction))
        view = present(played, audience, status={}, seq=9)
        number = view["round"]["number"]
        both = [view, present_round(played, audience, number=number, status={})]
        views.append(HEX.sub(b"#", json.dumps(both).encode()))
    assert views[0] == views[1]


@pytest.fixture(autouse=True)
def one_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let free disk space and warmth stand still: they are the machine's, and differ from look to look."""
    sign = health.Sign("Disk", "ok", "8.0 GB free")
    monkeypatch.setattr(health, "signs", lambda *_, **__: (sign,))
    monkeypatch.setattr(metrics, "of_machine", lambda *_, **__: ())


LOOKERS: dict[str, dict[str, Any]] = {
    "anybody": {},
    "the table": {"table": True},
    "seat 1": {"seat": ["m1", 1]},
    "seat 2 itself": {"seat": ["m1", 2]},
    "seat 3": {"seat": ["m1", 3]},
}


def listen(state: Path, prediction: int, story: Callable[[int], list[Any]]) -> dict[str, bytes]:
    """Return every byte, headers included, that each looker gets from the server in a story."""
    state.mkdir()
    (state / "web-secret").write_bytes(SECRET)
    home = house(state, pin="1234")
    home.play(*story(prediction))
    return {name: listened(home, cookie) for name, cookie in LOOKERS.items()}


def listened(home: House, cookie: dict[str, Any]) -> bytes:
    browser = home.browser()
    with browser.session_transaction() as kept:
        kept["csrf"] = "c" * 32
        kept |= {k: v for k, v in cookie.items() if k != "table"}
        if "table" in cookie:
            kept["table"] = home.room.access._trace()
    return b"\n".join([*(heard(browser, path) for path in LOOKS), *streams(browser), *refusals(browser)])


def heard(browser: FlaskClient, path: str) -> bytes:
    answer = browser.get(path)
    return f"{path} {answer.status}\n{answer.headers}".encode() + answer.data


def streams(browser: FlaskClient) -> list[bytes]:
    said = []
    for query in STREAMS:
        answer = browser.get(f"/events{query}", buffered=False)
        first = events_of(answer.response, 1) if answer.status_code == 200 else answer.data
        said.append(f"{query} {answer.status}\n{answer.headers}{first}".encode())
        answer.close()
    return said


def refusals(browser: FlaskClient) -> list[bytes]:
    """Return the answers to somebody who asks on: nothing may tell what another has chosen."""
    asked = [("/seat/lock", {"disk": "1"}), ("/act/next", {}), ("/act/withdraw-lock-in", {"seat": 4})]
    answers = (browser.post(p, data={"csrf": "c" * 32} | f, headers={"Accept": "application/json"}) for p, f in asked)
    return [f"{a.status} {a.headers}".encode() + a.data for a in answers]


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_no_byte_of_page_json_or_stream_tells_another_seats_prediction(tmp_path, story):
    one, other = listen(tmp_path / "one", 1, story), listen(tmp_path / "two", 6, story)
    for looker in LOOKERS:
        assert len(one[looker]) > 20_000
        assert HEX.sub(b"#", one[looker]) == HEX.sub(b"#", other[looker]), looker
        # In the second round's story the first one lies open, nonces and all.
        assert b"nonce-2" not in one[looker] or story is STORIES["a second round"]


def test_the_listener_hears_a_leak(tmp_path, monkeypatch):
    """The same listening notices when the veil is taken away, so it is not deaf."""
    monkeypatch.setattr("web.present.veil", lambda found: found)
    monkeypatch.setattr("web.present_scramble._queue", _leaking_queue)
    one, other = (listen(tmp_path / str(n), n, STORIES["locked in"]) for n in (1, 6))
    for looker in LOOKERS:
        assert HEX.sub(b"#", one[looker]) != HEX.sub(b"#", other[looker])


def _leaking_queue(context, played):
    empty = {"place": 1, "tied": False, "seconds": 0.0, "bound_ms": 1.0, "via": "", "commitment": ""}
    return [empty | {"seat": x.seat, "name": str(x.prediction)} for x in played.lock_ins]


def test_a_phones_lock_in_is_answered_alike_whatever_was_chosen(tmp_path):
    answers = []
    for name, disks in (("one", ["1"]), ("two", ["2", "4"])):
        home = house(tmp_path / name)
        home.play(*opening())
        browser = home.browser()
        with browser.session_transaction() as kept:
            kept["seat"] = ["m1", 2]
        answer = post(browser, "/seat/lock", page="/table", disk=disks)
        answers.append((answer.status, answer.data, len(str(answer.headers))))
        locked = [e for e in home.table.match.history if isinstance(e, LockedIn)]
        assert locked[0].prediction == sum(map(int, disks))
    assert answers[0] == answers[1]


def test_totals_and_runs_of_the_tray_stay_hidden_until_the_reveal():
    """What lies there is seen by all; how many runs it holds would help whoever still thinks."""
    views = []
    for board in (ONE_RUN, NO_RUN):
        played = match(*opening(ask.ReadTray(tray(board)), lock(1, 2)))
        views.append([present(played, a, status={}) for a in (BOARD, SPECTATOR, seat_audience(Seat(3)))])
    assert views[0] == views[1]
    ruled = [match(*opening(ask.RuleTotal(1, total))) for total in (0, 7)]
    assert present(ruled[0], TABLE, status={}) == present(ruled[1], TABLE, status={})


def test_at_the_reveal_everybody_can_check_the_seals():
    played = match(*opening(ask.ReadTray(tray(ONE_RUN)), lock(1, 1), lock(2, 3, at=2.0), lock(3, 0, at=3.0)))
    before = match(*opening(lock(1, 1), lock(2, 3, at=2.0)))
    sealed = {q["seat"]: q["commitment"] for q in present(before, SPECTATOR, status={})["round"]["queue"]}
    proofs = present(played, SPECTATOR, status={})["round"]["proofs"]
    from hashlib import sha256

    assert {p["seat"]: p["prediction"] for p in proofs} == {1: 1, 2: 3, 3: 0}
    for proof in proofs:
        assert sha256(proof["text"].encode()).hexdigest() == proof["commitment"]
        assert sealed.get(proof["seat"], proof["commitment"]) == proof["commitment"]


def test_only_known_parts_of_the_status_are_shown():
    """A pad's state is a prediction in the making; whatever the table says of it is not passed on."""
    status = {"panel": {"state": "ok", "pads": {"2": 5}}, "pads": {"2": 5}, "camera": {"state": "ok", "x": "5"}}
    view = present(match(*opening()), TABLE, status=status)
    assert view["status"]["panel"] == {"state": "ok", "words": None, "mode": None, "seats": []}
    assert "pads" not in json.dumps(view)


def test_seat_links_are_shown_only_to_who_may_act(tmp_path):
    home = house(tmp_path, pin="1234")
    home.play(*opening())
    tokens = [access.seat_code(home.room.access.secret, match="m1", seat=Seat(n)) for n in (1, 2, 3)]
    assert len(set(tokens)) == 3
    looker, table = home.browser(), home.browser()
    assert post(table, "/pin", pin="1234").status_code == 303
    assert all(t not in looker.get("/table").text for t in tokens)
    assert all(t in table.get("/table").text for t in tokens)
