"""The referee as a pure loop: order by the edge's own time, commit before lamp, play by hand."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pi.errors import NewerJournal, NotWritten
from pi.inbox import Done, Envelope, Expect, Failed, Inbox, Status, Stop
from pi.journal import Journal
from pi.lamps import Lamp, Pattern
from pi.referee import Referee
from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.queueing import PadMode
from pi.rules.ruleset import Reason, Refused
from pi.rules.values import Seat
from pi.sense import AWAY_WORDS
from tests import builders
from tests.pi.bench import MS, Bench, bench, names, press


@pytest.fixture
def table(tmp_path: Path):
    found = bench(tmp_path)
    yield found
    found.journal.close()


class FailingJournal:
    """A journal in which one append goes wrong; everything else is the real one."""

    def __init__(self, journal: Journal, error: Exception) -> None:
        self._journal, self._error = journal, error
        self.broken = False

    def append(self, *args, **how):
        if self.broken:
            raise self._error
        return self._journal.append(*args, **how)

    def remember(self, words):
        if self.broken:
            raise self._error
        self._journal.remember(words)

    def __getattr__(self, name):
        return getattr(self._journal, name)


def failing(tmp_path: Path, error: Exception) -> Bench:
    table = Bench(FailingJournal(Journal(tmp_path / "feltside.sqlite"), error))
    table.start()
    return table


# -- a match by hand ------------------------------------------------------------------------------------


def test_a_match_is_played_by_pads_and_hand_without_any_camera(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "1", "2", "lock")
    table.press(2, "4", "lock")
    assert isinstance(table.ask(ask.RuleTotal(1, 3)), Done)
    assert table.match.standing() == {1: 7, 2: 0}  # 3 runs and 4 for the first place among the right
    assert table.referee.round is None


def test_a_typed_tray_reveals_the_round_without_any_camera(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "1", "lock")
    table.press(2, "lock")
    assert isinstance(table.ask(ask.ReadTray(builders.tray(builders.ONE_RUN, source="table"))), Done)
    assert table.match.standing() == {1: 5, 2: 0}


def test_what_was_meant_for_an_older_state_is_declined_and_changes_nothing(table: Bench):
    """Two tablets ask for the same undo at once: one step goes back, whichever comes first."""
    table.start("Ann", "Bob")
    table.press(1, "1", "lock")
    answers, seen = [], Expect(table.referee.seq, table.match.id)
    for _ in range(2):
        table.referee.receive(Envelope(ask.Undo(), table.clock.ns, answers.append, seen))
    table.pass_ms(0)
    assert isinstance(answers[0], Done)
    assert answers[1] == Refused(Reason.MOVED_ON, "The match has moved on since this page was shown; look again.")
    assert names(record.event for record in table.journal.events(table.match.id))[-2:] == ["LockedIn", "Undone"]
    table.referee.receive(Envelope(ask.Redo(), table.clock.ns, answers.append, Expect(table.referee.seq, "m0")))
    table.pass_ms(0)
    assert answers[2].reason is Reason.MOVED_ON, "the same seq of another match is another state"


def test_several_steps_back_are_one_write(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "1", "lock")
    table.press(2, "lock")
    before = table.referee.seq
    told = len(table.news)
    assert table.ask(ask.Undo(steps=2)) == Done(table.match.id, before + 2)
    assert table.match.state.current.seats_in() == ()
    assert len(table.news) == told + 1, "nobody sees the match between the steps"


def test_a_match_cannot_start_while_another_runs_and_can_when_it_is_over(table: Bench):
    table.start("Ann", "Bob")
    second = builders.start("Cid", "Dora", match="m2")
    answer = table.ask(second)
    assert isinstance(answer, Refused)
    assert answer.reason is Reason.MATCH_RUNNING
    table.ask(ask.EndMatch())
    assert table.ask(second) == Done("m2", 1)
    assert [m.match for m in table.journal.matches()] == ["m1", "m2"]


# -- order and time -------------------------------------------------------------------------------------


def test_the_edges_own_time_decides_the_queue_place_and_not_its_arrival(table: Bench):
    table.start("Ann", "Bob")
    t = table.clock.ns
    table.clock.ns += 50 * MS
    table.give(press(2, "lock", at_ns=t + 20 * MS))
    table.referee.work()
    table.give(press(1, "lock", at_ns=t + 10 * MS))
    table.referee.work()
    assert table.match.state.current.seats_in() == (Seat(1), Seat(2))


def test_a_digit_that_arrives_after_its_lock_within_the_grace_still_counts(tmp_path: Path):
    table = bench(tmp_path, grace_ms=5)
    table.start("Ann", "Bob")
    t = table.clock.ns
    table.give(press(1, "lock", at_ns=t + 2 * MS))
    table.pass_ms(3)
    assert table.match.state.current.lock_ins == (), "the grace has not passed"
    table.give(press(1, "4", at_ns=t + 1 * MS))
    table.pass_ms(5)
    assert table.match.state.current.lock_ins[0].prediction == 4
    table.journal.close()


def test_a_reveal_waits_its_grace_for_an_earlier_press(tmp_path: Path):
    table = bench(tmp_path, grace_ms=5)
    table.start("Ann", "Bob")
    table.ask(ask.ReadTray(builders.tray(builders.ONE_RUN)))
    t = table.clock.ns
    reveal = table.give(ask.Reveal(), at_ns=t + 2 * MS)
    late = press(1, "lock", at_ns=t + 1 * MS)
    table.give(late)
    table.pass_ms(10)
    assert names(table.match.history)[-2:] == ["LockedIn", "Revealed"]
    assert isinstance(reveal[0], Done)
    table.journal.close()


def test_a_press_after_the_reveal_is_refused_openly_and_blinks(table: Bench):
    table.start("Ann", "Bob")
    table.ask(ask.RuleTotal(1, 3))
    t = table.clock.ns
    table.clock.ns += 10 * MS
    table.ask(ask.Reveal())
    table.give(press(1, "lock", at_ns=t))
    table.referee.work()
    assert table.lamp(Lamp.SEAT_1) is Pattern.FAST
    assert names(table.match.history).count("LockedIn") == 0


def test_a_stamp_from_the_future_does_not_wait_for_the_future(tmp_path: Path):
    table = bench(tmp_path, grace_ms=5)
    table.start("Ann", "Bob")
    table.give(press(1, "lock", at_ns=table.clock.ns + 3600 * builders.SECOND))
    table.pass_ms(5)
    assert table.match.state.current.seats_in() == (Seat(1),)
    table.journal.close()


def test_a_lock_from_before_the_round_is_refused(table: Bench):
    table.ask(builders.start("Ann", "Bob"))
    before = table.clock.ns
    table.next()
    table.give(press(1, "lock", at_ns=before))
    table.referee.work()
    assert table.match.state.current.lock_ins == ()
    assert table.lamp(Lamp.SEAT_1) is Pattern.FAST


def test_the_loop_waits_no_longer_than_the_next_thing_that_is_due(tmp_path: Path):
    table = bench(tmp_path, grace_ms=5)
    table.start("Ann", "Bob")
    table.pass_ms(2000)
    assert table.referee.wait_s(table.clock.ns) == 0.5
    table.give(press(1, "lock", at_ns=table.clock.ns))
    assert table.referee.wait_s(table.clock.ns) == pytest.approx(0.005)
    table.journal.close()


def test_the_loop_ends_at_a_stop_and_feeds_the_watchdog_on_its_way(table: Bench):
    inbox, beats = Inbox(), []
    answers = []
    inbox.put(builders.start("Ann", "Bob"), at_ns=table.clock.ns, reply=answers.append)
    inbox.put(Stop())
    table.referee.run(inbox, heartbeat=lambda: beats.append(1))
    assert answers == [Done("m1", 1)]
    assert beats == [1]


# -- what is seen ---------------------------------------------------------------------------------------


def test_lamp_and_answer_come_after_the_commit_and_in_that_order(table: Bench):
    table.start("Ann", "Bob")
    seen: list[list[str]] = []
    original = table.journal.append

    def append(*args, **how):
        seq = original(*args, **how)
        seen.append(list(table.order))
        return seq

    table.journal.append = append
    table.order.clear()
    table.ask(builders.lock(1, 3, at=100))
    assert seen == [[]], "at the commit nobody had been told anything"
    assert table.order[:3] == ["lamps", "news", "answer"]


def test_a_locked_seat_and_the_queue_light_up(table: Bench):
    table.start("Ann", "Bob")
    assert table.lamp(Lamp.SEAT_1) is Pattern.SLOW
    table.press(1, "lock")
    assert table.lamp(Lamp.SEAT_1) is Pattern.ON
    assert (table.lamp(Lamp.QUEUE_1), table.lamp(Lamp.QUEUE_2)) == (Pattern.ON, Pattern.SLOW)


def test_a_refused_press_blinks_for_a_while_and_never_lights(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "lock", "lock")
    assert table.lamp(Lamp.SEAT_1) is Pattern.FAST
    table.pass_ms(900)
    assert table.lamp(Lamp.SEAT_1) is Pattern.ON


def test_a_silent_watcher_is_told_as_a_camera_that_is_away(table: Bench):
    ok = {"camera": {"state": "ok", "words": "fine"}, "eye": {"status": "read", "problems": [], "tiles": 40}}
    table.give(Status(ok), at_ns=table.clock.ns)
    table.referee.work()
    assert table.news[-1]["status"]["camera"]["state"] == "ok"
    table.pass_ms(3100)
    assert table.news[-1]["status"]["camera"] == {"state": "away", "words": AWAY_WORDS}
    table.give(Status(ok), at_ns=table.clock.ns)
    table.referee.work()
    assert table.news[-1]["status"]["eye"]["tiles"] == 40


def test_a_camera_that_said_why_it_went_keeps_its_words(table: Bench):
    table.give(Status({"camera": {"state": "away", "words": "No camera 0."}}), at_ns=table.clock.ns)
    table.pass_ms(5000)
    assert table.news[-1]["status"]["camera"]["words"] == "No camera 0."


def test_news_say_what_the_eye_should_look_for(table: Bench):
    table.ask(builders.start("Ann", "Bob", wild=True))
    assert (table.news[-1]["expects"], table.news[-1]["round"]) == (None, None)
    table.next()
    assert (table.news[-1]["expects"], table.news[-1]["round"], table.news[-1]["read"]) == ("wild", 1, False)
    table.ask(ask.Hold())
    assert table.news[-1]["expects"] is None


def test_nothing_is_told_when_nothing_changed(table: Bench):
    table.start("Ann", "Bob")
    told, shown = len(table.news), len(table.shown)
    table.pass_ms(10)
    assert (len(table.news), len(table.shown)) == (told, shown)


# -- when the journal fails -----------------------------------------------------------------------------


def test_what_could_not_be_written_does_not_count_and_the_answer_says_so(tmp_path: Path):
    table = failing(tmp_path, NotWritten("the disk is full"))
    before = table.match
    table.journal.broken = True
    answer = table.ask(builders.lock(1, 3, at=100))
    assert answer == Failed("This was not taken down and does not count: the disk is full.")
    assert table.match == before == table.replayed()
    assert table.lamp(Lamp.SEAT_1) is Pattern.SLOW
    assert table.news[-1]["status"]["journal"]["state"] == "failing"


def test_a_pad_whose_lock_could_not_be_written_blinks_and_can_lock_when_it_can_be(tmp_path: Path):
    table = failing(tmp_path, NotWritten("the disk is full"))
    table.press(1, "2")
    table.journal.broken = True
    table.press(1, "lock")
    assert table.lamp(Lamp.SEAT_1) is Pattern.FAST
    table.journal.broken = False
    table.press(1, "lock")
    assert table.match.state.current.lock_ins[0].prediction == 2
    assert table.news[-1]["status"]["journal"]["state"] == "ok"


def test_a_digit_that_could_not_be_kept_does_not_count_and_blinks(tmp_path: Path):
    table = failing(tmp_path, NotWritten("the disk is full"))
    table.journal.broken = True
    table.press(1, "4")
    assert table.lamp(Lamp.SEAT_1) is Pattern.FAST
    table.journal.broken = False
    table.press(1, "1", "lock")
    assert table.match.state.current.lock_ins[0].prediction == 1


def test_an_error_that_leaves_the_disk_unknown_is_answered_and_ends_the_referee(tmp_path: Path):
    table = failing(tmp_path, sqlite3.OperationalError("disk I/O error"))
    table.journal.broken = True
    answers = table.give(builders.lock(1, 3, at=100))
    with pytest.raises(sqlite3.OperationalError):
        table.pass_ms(0)
    assert isinstance(answers[0], Failed)
    assert table.lamp(Lamp.SEAT_1) is Pattern.SLOW


def test_a_command_that_cannot_be_ruled_on_changes_nothing_and_tells_no_secret(
    table: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    table.start("Ann", "Bob")

    def bug(state, command):
        raise KeyError(f"prediction {command.prediction}")

    monkeypatch.setattr("pi.referee.decide", bug)
    answer = table.ask(builders.lock(1, 5, at=100))
    assert isinstance(answer, Failed)
    assert table.match == table.replayed()
    assert "KeyError" in caplog.text
    assert "prediction 5" not in caplog.text + answer.sentence


def test_a_fold_that_would_fail_after_the_restart_is_never_written(table: Bench, monkeypatch: pytest.MonkeyPatch):
    table.start("Ann", "Bob")
    seq = table.referee.seq
    monkeypatch.setattr("pi.sight.lamps", lambda *_: 1 / 0)
    assert isinstance(table.ask(builders.lock(1, 5, at=100)), Failed)
    assert table.journal.last_seq("m1") == seq


# -- starting again -------------------------------------------------------------------------------------


def test_a_new_referee_takes_up_the_newest_match_where_it_stood(table: Bench, tmp_path: Path):
    table.start("Ann", "Bob")
    table.press(1, "4", "lock")
    again = Bench(table.journal, table.clock)
    assert again.match == table.match
    assert again.referee.seq == table.referee.seq
    assert again.lamp(Lamp.SEAT_1) is Pattern.ON


def test_keys_that_were_toggled_before_a_crash_still_count_after_it(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "1", "4")
    again = Bench(table.journal, table.clock)
    again.press(1, "lock")
    assert again.match.state.current.lock_ins[0].prediction == 5


def test_keys_start_at_zero_with_a_new_round_and_after_a_withdrawn_lock(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "4", "lock")
    table.ask(ask.WithdrawLockIn(Seat(1)))
    for current in (table, Bench(table.journal, table.clock)):
        assert current.referee._pads.prediction(Seat(1), at_ns=current.clock.ns) == 0
    table.press(1, "lock")
    assert table.match.state.current.lock_ins[0].prediction == 0
    table.press(2, "2", "lock")
    table.ask(ask.RuleTotal(1, 3))
    table.next()
    table.press(2, "lock")
    assert table.match.state.current.lock_ins[0].prediction == 0


def test_disks_in_wells_keep_lying_there_from_round_to_round(tmp_path: Path):
    table = bench(tmp_path, mode=PadMode.WELLS)
    table.press(1, "2")
    table.start("Ann", "Bob")
    table.press(1, "lock")
    assert table.match.state.current.lock_ins[0].prediction == 2
    table.press(1, "2", closed=False)
    table.press(2, "lock")
    table.ask(ask.RuleTotal(1, 3))
    table.next()
    table.press(1, "lock")
    assert table.match.state.current.lock_ins[0].prediction == 0
    table.journal.close()


def test_a_journal_of_a_game_unknown_here_is_not_taken_for_an_empty_one(table: Bench):
    players = builders.players("Ann", "Bob")
    table.journal.append("m9", [happened.MatchStarted("m9", "chess-boxing", players)], at_ns=1, utc="", words=None)
    with pytest.raises(NewerJournal, match="game unknown here"):
        Bench(table.journal, table.clock)


def test_the_pads_lock_uses_the_boards_bound_and_fresh_chance(table: Bench):
    table.start("Ann", "Bob")
    table.press(1, "lock")
    locked = table.match.state.current.lock_ins[0]
    assert (locked.bound_ns, len(locked.nonce), locked.via) == (1_000_000, 32, "pad")


def test_an_envelope_without_a_reply_is_fine(table: Bench):
    assert isinstance(table.referee, Referee)
    table.referee.receive(Envelope(builders.start("Ann", "Bob"), table.clock.ns))
    table.referee.work()
    assert table.match.started
