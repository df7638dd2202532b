"""Issue 'The eye': trays reported `read` that are wrong anywhere: none. These are the figures that say so."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import cv2
import numpy as np
import pytest

from tests.vision.trays import cells, drawn, knowing
from vision import evaluate
from vision.drawing.folders import save
from vision.drawing.stage import Drawn
from vision.errors import BadLabels
from vision.layout import Expectation
from vision.reader import read
from vision.reading import DieReading, Problem, Reading, Status
from vision.teach_bench import Tally
from vision.trials import labelled, report, tables
from vision.trials.evaluate_frames import frames_of, noisy_frames, read_settled
from vision.trials.scoring import score, wilson

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

PICTURE = drawn()
QUICKLY = (cv2.IMWRITE_PNG_COMPRESSION, 0)
TRUTH: dict[str, Any] = {**PICTURE.truth, "family": "A", "image": "A_000.jpg", "index": 0, "tags": ["plain"]}
READING = read(PICTURE.picture_bgr, expect="rows", eyes=knowing(PICTURE.truth))


def test_a_right_reading_scores_right() -> None:
    found = score(READING, TRUTH)
    assert found.right
    assert found.right_after_taps
    assert not found.silently_wrong
    assert (found.items, found.wrong, found.asked, found.colour_wrong) == (40, (), 0, 0)


def changed(**change: Any) -> Reading:
    return replace(READING, tiles=(replace(READING.tiles[0], **change), *READING.tiles[1:]))


def test_one_wrong_tile_is_silent_unless_the_reading_doubts() -> None:
    wrong = changed(symbol="5")
    assert score(wrong, TRUTH).silently_wrong
    asked = replace(changed(symbol="5", sure=False), status=Status.UNSURE)
    found = score(asked, TRUTH)
    assert not found.silently_wrong
    assert not found.right
    assert found.right_after_taps
    unasked = replace(wrong, status=Status.UNSURE)
    assert not score(unasked, TRUTH).right_after_taps


def test_a_disk_that_passes_unnoticed_among_dice_is_silently_wrong() -> None:
    """A referee who sees everything: what is no die must not lie there without a question."""
    die = {"center": [100.0, 100.0], "value": 4, "color": "white", "top_quad": [[90, 90], [110, 90], [110, 110]]}
    disk = {"center": [200.0, 100.0], "kind": "prediction", "value": 1}
    truth = {"family": "FD", "dice": [die], "disks": [disk], "image": "FD_000.jpg", "index": 0, "tags": []}
    seen = DieReading(4, "white", True, 1.0, (100.0, 100.0))
    assert score(Reading(Status.READ, dice=(seen,)), truth).silently_wrong
    assert not score(Reading(Status.UNSURE, dice=(seen,), problems=Problem.COUNT), truth).silently_wrong
    assert not score(Reading(Status.READ, dice=(seen,)), truth | {"disks": []}).silently_wrong


def test_a_tile_that_lies_on_others_unnoticed_is_silently_wrong() -> None:
    """A referee who sees everything: the board beneath may be read right, and yet somebody must be told."""
    place = {"row": None, "col": None, "grid_col": None}
    truth = TRUTH | {"tiles": [*TRUTH["tiles"], TRUTH["tiles"][3] | place]}
    assert score(READING, truth).silently_wrong
    asked = replace(READING, status=Status.UNSURE, problems=Problem.COUNT)
    assert score(asked, truth).right


def test_what_a_covered_tile_shows_is_not_asked_for() -> None:
    hidden = [TRUTH["tiles"][0] | {"legibility": "covered"}, *TRUTH["tiles"][1:]]
    assert score(replace(changed(symbol="5", sure=False), status=Status.UNSURE), TRUTH | {"tiles": hidden}).right


@pytest.mark.parametrize(("symbol", "sure", "silently"), [("5", True, True), ("5", False, False), (None, True, False)])
def test_a_tile_that_nobody_can_read_must_not_be_passed_off_as_another(symbol, sure, silently) -> None:
    """Never silently wrong: a number that a lamp blanks out is no back."""
    blank = TRUTH | {"tiles": [TRUTH["tiles"][0] | {"legibility": "unreadable"}, *TRUTH["tiles"][1:]]}
    seen = changed(symbol=symbol, sure=sure) if symbol else READING
    got = score(replace(seen, status=Status.READ if sure else Status.UNSURE), blank)
    assert got.silently_wrong is silently
    assert got.right is not silently


def test_a_tile_in_the_wrong_place_is_wrong() -> None:
    assert score(changed(row=3, column=11), TRUTH).silently_wrong


def test_a_missing_tile_is_wrong() -> None:
    missing = replace(READING, tiles=READING.tiles[1:])
    assert score(missing, TRUTH).silently_wrong
    assert score(missing, TRUTH).wrong_sure == 1
    said = replace(missing, status=Status.UNSURE, problems=Problem.COUNT)
    assert (score(said, TRUTH).wrong_sure, score(said, TRUTH).right_after_taps) == (0, False)


@pytest.mark.parametrize("sure", [True, False])
def test_an_invented_die_is_as_wrong_as_it_is_sure(sure: bool) -> None:
    found = DieReading(1, "white", sure, 0.7, (300.0, 300.0), ((0.0, 0.0),) * 4, ())
    truth = {**TRUTH, "family": "F", "dice": []}
    invented = score(Reading(Status.READ if sure else Status.UNSURE, dice=(found,)), truth)
    assert (len(invented.wrong), invented.wrong_sure, invented.right_after_taps) == (1, int(sure), False)


def test_colours_are_matched_by_consistent_names() -> None:
    renamed = replace(READING, tiles=tuple(replace(t, colour="x" + str(t.colour)) for t in READING.tiles))
    assert score(renamed, TRUTH).colour_wrong == 0
    assert score(changed(colour=READING.tiles[39].colour), TRUTH).colour_wrong == 1


def test_a_reading_under_a_hand_is_silent_whatever_it_says() -> None:
    under_hand = {**TRUTH, "hand_present": True}
    assert score(READING, under_hand).silently_wrong
    assert score(Reading(Status.BUSY), under_hand).right


def test_a_tray_with_pieces_that_is_called_empty_is_silently_wrong() -> None:
    assert score(Reading(Status.EMPTY), TRUTH).silently_wrong
    assert not score(Reading(Status.NO_TRAY), TRUTH).silently_wrong
    assert not score(Reading(Status.EMPTY), {**TRUTH, "hand_present": True}).silently_wrong


def test_dice_are_matched_by_their_centres() -> None:
    dice = [
        {"value": 3, "color": "white", "center": [100, 100], "top_quad": [[90, 90], [110, 90], [110, 110], [90, 110]]}
    ]
    truth = {"family": "F", "dice": dice}
    die = DieReading(3, "white", True, 0.999, (103.0, 98.0))
    assert score(Reading(Status.READ, dice=(die,)), truth).right
    assert score(Reading(Status.READ, dice=(replace(die, value=4),)), truth).silently_wrong
    assert score(Reading(Status.READ, dice=(die, replace(die, centre=(300.0, 98.0)))), truth).silently_wrong
    assert score(Reading(Status.READ, dice=()), truth).silently_wrong


def test_unknown_families_are_refused() -> None:
    with pytest.raises(BadLabels, match="Z"):
        score(READING, {"family": "Z"})


def test_wilson_is_the_published_interval() -> None:
    low, high = wilson(81, 263)  # Newcombe 1998, table I, method 3: 0.2553 to 0.3662
    assert (low, high) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "A").mkdir()
    cv2.imwrite(str(tmp_path / "A" / "A_000.png"), PICTURE.picture_bgr, QUICKLY)
    (tmp_path / "A" / "A_000.json").write_text(json.dumps(TRUTH))
    broken = drawn([[None] * 10, *cells()[1:]])
    cv2.imwrite(str(tmp_path / "A" / "A_001.png"), broken.picture_bgr, QUICKLY)
    (tmp_path / "A" / "A_001.json").write_text(json.dumps({**TRUTH, "index": 1}))
    return tmp_path


def test_evaluate_reads_a_folder_and_writes_its_failures(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    status = evaluate.main([str(folder), "--out", str(out), "--list"])
    text = capsys.readouterr()
    assert "family A" in text.out
    assert "plain" in text.out
    assert "2/2 pictures" in text.err
    assert (out / "A_001.jpg").exists()
    assert "A_001" in (out / "index.html").read_text()
    assert (out / "reliability.svg").read_text().startswith("<svg")
    assert status == 0  # a row is missing there, and the reading says so


def test_a_folder_can_be_read_as_the_table_reads_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Settle: a reading counts when the tray has been the same for long enough, votes over frames included."""
    assert evaluate.main([str(folder), "--frames", "7", "--half", "even"]) == 0
    assert "1/1" in capsys.readouterr().out


def test_frames_differ_by_noise_and_settle() -> None:
    seen: list[float] = []

    def clock() -> float:
        seen.append(0.0)
        return float(len(seen))

    reading = read_settled(noisy_frames(PICTURE.picture_bgr, 9), expect=Expectation.ROWS, clock=clock)
    assert reading.status is Status.READ
    assert [t.symbol for t in reading.tiles] == [t["label"] for t in sorted(TRUTH["tiles"], key=_place)]
    bare = np.full((200, 300, 3), 90, np.uint8)
    assert read_settled([bare, bare], expect=Expectation.ROWS, clock=clock).status is Status.NO_TRAY


def test_frames_that_were_taken_of_a_scene_are_read_and_else_noise_is_added(tmp_path: Path) -> None:
    later = tuple(np.full_like(PICTURE.picture_bgr, level) for level in (40, 80))
    save(replace(PICTURE, later=later), tmp_path / "A", "A_000")
    save(PICTURE, tmp_path / "A", "A_001")
    taken, alone = labelled.find_samples(tmp_path)
    assert [int(frame[0, 0, 0]) for frame in frames_of(taken, 3)[1:]] == [40, 80]
    assert [len(frames_of(sample, 1)) for sample in (taken, alone)] == [1, 1]
    first, second = frames_of(alone, 2)
    assert 0.5 < np.abs(first.astype(float) - second).mean() < 8.0, "noise, and nothing else"
    with pytest.raises(BadLabels, match="has 3 frames .expected 4"):
        frames_of(taken, 4)


@pytest.mark.parametrize(("frames", "washed_too"), [(1, 0), (1, 1), (7, 1)])
def test_what_a_lamp_blanks_out_is_read_in_a_shorter_exposure_before_anybody_is_asked(
    tmp_path: Path, frames: int, washed_too: int
) -> None:
    """washed_too: the first of the shorter exposures shows no more than the usual one."""
    washed = PICTURE.picture_bgr.copy()
    middle = np.array(TRUTH["tiles"][0]["quad"]).mean(axis=0).round().astype(int).tolist()
    cv2.circle(washed, middle, 15, (255, 255, 255), -1)
    truth = {**PICTURE.truth, "family": "A", "index": 0}
    save(Drawn(washed, truth, shorter=(*[washed] * washed_too, PICTURE.picture_bgr)), tmp_path / "A", "A_000")
    samples = labelled.find_samples(tmp_path)
    usual, both = (
        evaluate.run(samples, clock=lambda: 0.0, frames=frames, short=short)[0].reading for short in (False, True)
    )
    assert (usual.status, [t.sure for t in usual.tiles].count(False)) == (Status.UNSURE, 1)
    assert both.status is Status.READ
    assert [t.symbol for t in both.tiles] == [t["label"] for t in sorted(TRUTH["tiles"], key=_place)]


def test_a_folder_without_shorter_exposures_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main([str(folder), "--short"]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.endswith("has no shorter exposure beside it (expected one, see --short)")


def _place(tile: dict[str, int]) -> tuple[int, int]:
    return tile["row"], tile["col"]


@pytest.mark.parametrize("frames", ["0", "-3", "nine"])
def test_no_frames_are_refused_in_one_sentence(folder: Path, frames: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        evaluate.main([str(folder), f"--frames={frames}"])
    assert f"--frames: {frames!r} is no whole number of at least 1" in capsys.readouterr().err


def test_halves_are_told_apart_by_the_labels_index(folder: Path) -> None:
    assert [s.name for s in labelled.find_samples(folder, half="even")] == ["A_000"]
    assert [s.name for s in labelled.find_samples(folder, half="odd")] == ["A_001"]


def test_halves_of_labels_without_an_index_are_told_by_their_order(tmp_path: Path) -> None:
    for k in range(6):
        (tmp_path / f"p{k}.jpg").write_bytes(b"")
        (tmp_path / f"p{k}.json").write_text('{"family": "A"}', "utf-8")
    halves = [[s.name for s in labelled.find_samples(tmp_path, half=half)] for half in ("even", "odd")]
    assert halves == [["p0", "p2", "p4"], ["p1", "p3", "p5"]]


@pytest.mark.parametrize(
    "wrong", [{"tiles": None}, {"dice": 5}, {"index": "x"}, {"index": None}, {"family": ["A"]}, {"tags": None}]
)
def test_a_label_that_says_nonsense_is_named(wrong: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.json").write_text(json.dumps({"family": "A", **wrong}), "utf-8")
    with pytest.raises(BadLabels, match=rf"a\.json: {next(iter(wrong))} is .* \(expected (list|int|str)\)"):
        labelled.find_samples(tmp_path)


def test_a_folder_that_is_named_like_a_label_is_none(folder: Path) -> None:
    (folder / "A" / "A_007.jpg").write_bytes(b"")
    (folder / "A" / "A_007.json").mkdir()
    assert [s.name for s in labelled.find_samples(folder)] == ["A_000", "A_001"]


def test_a_picture_that_is_too_small_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(folder / "A" / "A_001.jpg"), np.zeros((20, 30, 3), np.uint8))
    assert evaluate.main([str(folder)]) == 2
    assert "A_001.jpg: 30 x 20 pixels (expected at least 64 each way)" in capsys.readouterr().err


def test_failures_that_cannot_be_written_are_one_clear_sentence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A status of 1 says that a tray was silently wrong."""
    (tmp_path / "out" / "index.html").mkdir(parents=True)
    assert evaluate.main([str(folder), "--out", str(tmp_path / "out")]) == 2
    assert "out: the failures cannot be written there (Is a directory)" in capsys.readouterr().err


def test_a_file_is_no_folder_for_failures_and_nothing_is_read_before_that_is_said(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").write_text("mine")
    assert evaluate.main([str(folder), "--out", str(tmp_path / "notes")]) == 2
    out, err = capsys.readouterr()
    assert "notes: File exists (expected a folder to write in)" in err
    assert "pictures" not in err
    assert out == ""


def test_an_unknown_expectation_is_told_from_those_that_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        evaluate.main([str(folder), "--expect", "xx"])
    assert "cannot expect 'xx' (expected one of rows, " in capsys.readouterr().err


def kept(results: list[tables.Result], out: Path) -> int:
    return report.write_failures(evaluate.failures(results), out, pictures=[r.sample.picture for r in results])


def test_failures_of_one_name_are_written_one_beside_the_other(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    bare = np.full((96, 128, 3), 90, np.uint8)
    for part in "ab":
        save(replace(PICTURE, picture_bgr=bare), tmp_path / "in" / part, "p0")
    samples = labelled.find_samples(tmp_path / "in")
    (tmp_path / "out").mkdir()
    assert kept(evaluate.run(samples, clock=lambda: 0.0), tmp_path / "out") == 2
    assert sorted(p.name for p in (tmp_path / "out").glob("*.jpg")) == ["p0-2.jpg", "p0.jpg"]
    assert "src='p0-2.jpg'" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_failures_are_never_drawn_over_the_pictures_that_were_read(tmp_path: Path) -> None:
    save(replace(PICTURE, picture_bgr=np.full((96, 128, 3), 90, np.uint8)), tmp_path, "p0")
    before = (tmp_path / "p0.jpg").read_bytes()
    results = evaluate.run(labelled.find_samples(tmp_path), clock=lambda: 0.0)
    assert kept(results, tmp_path) == 1
    assert (tmp_path / "p0.jpg").read_bytes() == before
    assert (tmp_path / "p0-2.jpg").is_file()


def test_pieces_that_nobody_read_are_not_counted_as_right() -> None:
    lost = score(Reading(Status.NO_TRAY), TRUTH)
    assert lost.items > 0
    row = tables.table([tables.Result(labelled.Sample("p", Path("p.jpg"), TRUTH), Reading(Status.NO_TRAY), lost)])
    assert "0/0" in row.splitlines()[-1]
    assert " 0/0 " in Tally([lost]).line()


def test_a_folder_without_labels_is_no_table_of_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "none").mkdir()
    assert evaluate.main([str(tmp_path / "none")]) == 2
    assert evaluate.main([str(folder), "--family", "F"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "none: no labelled pictures (expected NAME.jpg or NAME.png" in err
    assert "no labelled pictures of F" in err


def test_a_broken_label_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "A" / "A_000.json").write_text("{")
    assert evaluate.main([str(folder)]) == 2
    assert "A_000.json" in capsys.readouterr().err


def test_a_label_that_leaves_something_out_of_a_piece_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label = folder / "A" / "A_000.json"
    truth = json.loads(label.read_text("utf-8"))
    del truth["tiles"][3]["label"]
    label.write_text(json.dumps(truth), "utf-8")
    assert evaluate.main([str(folder)]) == 2
    assert "A_000.json: tiles[3] does not say its label (expected row, grid_col" in capsys.readouterr().err


@pytest.mark.parametrize("center", [[1.0], "here", None, [1.0, "2"], [True, False]])
def test_a_label_whose_piece_lies_nowhere_is_named(
    center: object, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label = folder / "A" / "A_000.json"
    truth = json.loads(label.read_text("utf-8"))
    truth["tiles"][3]["center"] = center
    label.write_text(json.dumps(truth), "utf-8")
    assert evaluate.main([str(folder)]) == 2
    assert "A_000.json: tiles[3] has center " in (said := capsys.readouterr().err)
    assert said.strip().endswith("(expected two numbers)")


@pytest.mark.parametrize(
    ("kind", "wrong", "said"),
    [
        ("tiles", {"label": 3}, "label 3 (expected text)"),
        ("tiles", {"label": "x"}, "label 'x' (expected one of 0 1 2 3 4 5 6 7 8 9 # down)"),
        ("tiles", {"row": "0"}, "row '0' (expected a whole number or null)"),
        ("tiles", {"grid_col": 1.5}, "grid_col 1.5 (expected a whole number or null)"),
        ("tiles", {"grid_col": None}, "grid_col None (expected a whole number, as it has a row)"),
        ("tiles", {"color": ["red"]}, "color ['red'] (expected text or null)"),
        ("tiles", {"legibility": 0}, "legibility 0 (expected text or null)"),
        ("dice", {"value": "4"}, "value '4' (expected a whole number)"),
        ("dice", {"value": True}, "value True (expected a whole number)"),
        ("dice", {"top_quad": 5}, "top_quad 5 (expected points of two numbers)"),
        ("dice", {"silhouette": [[1, 2], [3]]}, "silhouette [[1, 2], [3]] (expected points of two numbers)"),
        ("disks", {"kind": 1}, "kind 1 (expected text)"),
    ],
)
def test_a_label_of_another_kind_is_named_and_never_takes_a_right_reading_for_a_wrong_one(
    kind: str, wrong: dict[str, Any], said: str, tmp_path: Path
) -> None:
    """A number is no text: a 3 that was read as "3" counted as silently wrong, without a word."""
    whole = {
        "tiles": {"row": 0, "grid_col": 1, "label": "3", "center": [5, 5]},
        "dice": {"value": 4, "color": "white", "center": [5, 5]},
        "disks": {"kind": "queue", "value": 2, "center": [5, 5]},
    }
    (tmp_path / "a.jpg").write_bytes(b"")
    label = tmp_path / "a.json"
    label.write_text(json.dumps({"family": "A", kind: [whole[kind]]}), "utf-8")
    assert len(labelled.find_samples(tmp_path)) == 1
    label.write_text(json.dumps({"family": "A", kind: [whole[kind] | wrong]}), "utf-8")
    with pytest.raises(BadLabels) as told:
        labelled.find_samples(tmp_path)
    assert str(told.value) == f"{label}: {kind}[0] has {said}"


@pytest.mark.parametrize("flag", ["hand_present", "empty", "ready"])
@pytest.mark.parametrize("wrong", ["no", 0, None])
def test_what_is_neither_true_nor_false_is_no_hand(flag: str, wrong: object, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.json").write_text(json.dumps({"family": "A", flag: wrong}), "utf-8")
    with pytest.raises(BadLabels, match=rf"a\.json: {flag} is {wrong!r} \(expected true or false\)"):
        labelled.find_samples(tmp_path)


def test_a_tag_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.json").write_text(json.dumps({"family": "A", "tags": ["far", ["x"]]}), "utf-8")
    with pytest.raises(BadLabels, match=r"a\.json: tags hold \['x'\] \(expected text\)"):
        labelled.find_samples(tmp_path)


def test_pictures_without_a_label_are_counted_but_for_further_frames(tmp_path: Path) -> None:
    """Figures are of what was read: who forgot a label must learn of it."""
    for name in ("a.jpg", "a.frame2.jpg", "a.short.jpg", "a.short2.jpg"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "a.json").write_text('{"family": "A"}', "utf-8")
    assert labelled.unlabelled(tmp_path) == 0
    (tmp_path / "deep").mkdir()
    for name in ("b.jpg", "deep/a.png", "b.frame2.jpg", "a.jpeg"):
        (tmp_path / name).write_bytes(b"")
    assert labelled.unlabelled(tmp_path) == 4


def test_evaluate_says_how_many_pictures_it_skipped(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "skipped: no label lies beside (expected NAME.json beside NAME.jpg or NAME.png)\n"
    assert evaluate.main([str(folder), "--half", "even"]) == 0
    assert "skipped" not in capsys.readouterr().err
    (folder / "A" / "A_001.json").unlink()
    assert evaluate.main([str(folder), "--half", "even"]) == 0
    assert f"one picture {said}" in capsys.readouterr().err


def test_a_failure_is_shown_whatever_its_picture_is_called(tmp_path: Path) -> None:
    """What follows a # is no part of a file's name to a browser."""
    name = "tray #1 50% 'new'?"
    (tmp_path / "out").mkdir()
    save(replace(PICTURE, picture_bgr=np.full((96, 128, 3), 90, np.uint8)), tmp_path / "in", name)
    assert kept(evaluate.run(labelled.find_samples(tmp_path / "in"), clock=lambda: 0.0), tmp_path / "out") == 1
    (shown,) = re.findall(r"<img src='(?!reliability)([^']*)'>", (tmp_path / "out" / "index.html").read_text("utf-8"))
    assert "#" not in shown
    assert "?" not in shown
    assert (tmp_path / "out" / unquote(shown)).is_file()


def test_expectations_of_families_are_known() -> None:
    assert score(READING, TRUTH, expect=Expectation.ROWS).expect is Expectation.ROWS
