"""The doctor names what is wrong and what to do, and touches nothing unasked."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from pi.doors.doctor import findings
from pi.journal import Journal
from pi.listen import Ears, listen, owner_name
from pi.pin_map import contacts_of
from pi.rules.contacts import TABLE
from pi.rules.queueing import Key
from pi.rules.values import Seat
from pi.settings import CameraKind, CameraSettings, PanelKind, PanelSettings, Settings
from tests.kit.boards import MockBoard

MS = 1_000_000


def settings(state: Path, **panel: object) -> Settings:
    camera = CameraSettings(kind=CameraKind.SIMULATED)
    return Settings(state, panel=replace(PanelSettings(), **panel), camera=camera)  # type: ignore[arg-type]


def seen(of: Settings) -> dict[str, tuple[str, str]]:
    return {f.what: (f.state, f.words) for f in findings(of)}


def test_a_fresh_machine_is_told_what_is_and_what_is_not_yet(tmp_path: Path):
    found = seen(settings(tmp_path / "none", kind=PanelKind.NONE))
    assert found["journal"] == ("ok", "no match has been played yet")
    assert found["state folder"][0] == "note"
    assert found["table"] == ("note", "is not running")
    assert "pin map" not in found, "no board, no word about pins"
    assert list(tmp_path.iterdir()) == []


def test_a_sound_journal_and_a_torn_one_are_told_apart(tmp_path: Path):
    Journal(tmp_path / "feltside.sqlite").close()
    of = settings(tmp_path, kind=PanelKind.NONE)
    assert seen(of)["journal"][0] == "ok"
    of.journal.write_bytes(b"not a journal")
    state, words = seen(of)["journal"]
    assert state == "bad"
    assert words.endswith("copy the folder away before anything else")


def test_pins_that_something_else_may_claim_are_minded(tmp_path: Path):
    notes = [f.words for f in findings(settings(tmp_path)) if f.what == "pin map" and f.state == "note"]
    assert any("I2C" in words for words in notes)


def test_listening_tells_of_every_press_its_bounces_and_what_was_never_heard():
    said: list[str] = []
    panel = replace(PanelSettings(), seats={1: PanelSettings().seats[1]})
    board = MockBoard(panel)
    lock, at = (Seat(1), Key.LOCK), time.monotonic_ns() + 200 * MS

    def world(seconds: float) -> None:
        assert seconds == 5.0
        board.drive([(lock, at, True), (lock, at + 300_000, False), (lock, at + 2 * MS, True)])

    assert listen(panel, seconds=5.0, say=said.append, factory=board.factory, sleep=world) == 1
    assert "seat 1 LOCK closed" in said
    assert "seat 1 LOCK          1      3     2.000 ms" in said
    assert "seat 1 4       not heard" in said
    assert said[-2] == "The longest bounce was 2.000 ms: a lockout of 20 ms is ample."
    assert said[-1] == "The pads answer."
    board.factory.close()


def test_a_contact_that_bounces_too_long_is_worth_a_word():
    ears = Ears(lockout_ns=20 * MS)
    for n in range(8):
        ears.edge(((Seat(2), Key.ONE), n * 3 * MS, n % 2 == 0))
    assert ears.advice() == "A contact bounced for 21.000 ms: change it, or set lockout_ms in [panel] above 20."


def test_every_contact_of_the_board_has_a_name_of_its_own():
    names = [owner_name(contact) for contact in contacts_of(PanelSettings())]
    assert len(set(names)) == len(names) == 17
    assert owner_name((TABLE, Key.NEXT)) == "NEXT"


def test_camera_panel_and_writing_have_lines_of_their_own(tmp_path, monkeypatch):
    status = {
        "camera": {"state": "away", "words": "The camera does not answer."},
        "panel": {"state": "ok", "words": "Four pads answer."},
        "journal": {"state": "spare", "words": "In memory only."},
    }
    monkeypatch.setattr("pi.doors.doctor.TableClient.subscribe", lambda *_, **__: iter([{"status": status}]))
    found = seen(settings(tmp_path, kind=PanelKind.NONE))
    assert found["table"] == ("ok", "is running")
    assert found["camera"] == ("bad", "The camera does not answer.")
    assert found["panel"] == ("ok", "Four pads answer.")
    assert found["writing"] == ("bad", "In memory only.")
    status["camera"] = {"state": "ok", "words": "No tray.", "tray": "unseen"}
    assert seen(settings(tmp_path, kind=PanelKind.NONE))["camera"] == ("note", "No tray.")
