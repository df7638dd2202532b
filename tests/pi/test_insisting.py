"""It lies as I said: only of what was refused for its looks, for that one picture, and the doubt is told ever after."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.doors import teach as door
from pi.doors.teach_pictures import _insisted_on, _learnt, bar, bar_ends
from pi.lesson import DRAFT, PLAN, RESULT, Planned, doubted_path, hold, picture_path, read_plan
from pi.own_set_file import OwnSetFile
from tests.pi.test_teaching import TAKE, Client, Scene, arguments
from tests.vision.test_teach_order import dice
from vision.errors import DoubtedLesson, Spot

pytestmark = pytest.mark.usefixtures("searched_once", "asked_once")

SAYS = (
    "Row 1, place 1, of picture 1 was said to be a 1, but looks like a 6, and the whole lesson lies in another order."
)
REFUSED = {"state": "refused", "words": ["No."], "pictures": 1, "doubts": [SAYS], "doubted": [1]}
NOTHING_TO_INSIST_ON = "There is no doubt here to be set aside: take the picture again."


@pytest.fixture(scope="module")
def insisted(tmp_path_factory):
    """A lesson of dice that lie from 6 down, said to lie from 1 up: refused, then insisted on; what came of both."""
    folder = tmp_path_factory.mktemp("teach")
    cv2.imwrite(str(picture_path(folder, 1)), dice("654321").picture_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])
    found, pictures = [], []
    for as_said in (False, True):
        planned = Planned("dice", ("red", "blue"), as_said=as_said)
        (folder / PLAN).write_text(json.dumps([planned.as_json()]))
        assert read_plan(folder) == [planned]
        found.append(hold(folder, before=None, made="2026-11-30", progress=lambda share: None))
        pictures.append(cv2.imread(str(doubted_path(folder, 1))))
    assert (pictures[0] == pictures[1]).all(), "only a refusal draws one; the watcher takes it away"
    return (*found, (folder / DRAFT).read_bytes(), pictures[0])


def amber(picture):
    """Where outlines of what is not sure are drawn."""
    return (abs(picture.astype(int) - (36, 170, 255)).max(axis=2) < 40).nonzero()


def test_a_refused_picture_shows_what_is_doubted_where_it_lies(insisted):
    """The first of six dice in the upper one of two rows: at a glance, whoever reads no rows and places."""
    picture = insisted[3]
    ys, xs = amber(picture)
    assert len(ys) > 50
    assert ys.max() < 0.5 * picture.shape[0]
    assert xs.max() < 0.25 * picture.shape[1]


@pytest.mark.parametrize("wish", [{"do": "insist", "of": "1"}, TAKE, {"do": "again"}, {"do": "stop"}, {"do": "begin"}])
def test_the_picture_goes_with_the_refusal_that_it_shows(tmp_path, wish):
    """Whether the lesson is learnt as said, taken again or left: what was doubted of another is shown to nobody."""
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    doubted_path(scene.teaching.folder, 1).write_bytes(b"jpeg")
    scene.learnt(REFUSED)
    assert doubted_path(scene.teaching.folder, 1).exists(), "as long as it can be insisted on"
    scene.wish(**wish)
    assert not doubted_path(scene.teaching.folder, 1).exists()


def test_the_picture_does_not_outlive_the_watcher_that_refused_it(tmp_path):
    """The refused lesson itself is not remembered over a restart either."""
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    doubted_path(scene.teaching.folder, 1).write_bytes(b"jpeg")
    scene.learnt(REFUSED)
    Scene(tmp_path).teaching.refresh()
    assert not doubted_path(scene.teaching.folder, 1).exists()


def test_a_doubted_picture_is_learnt_as_said_and_read_back_and_the_set_says_so(insisted, tmp_path, capsys):
    """Never silently wrong: dice in the wrong order read back right as they were taught, so the doubt must stay."""
    refused, learnt, draft, _ = insisted
    assert refused["words"][0].startswith("Row 1, place 1, of picture 1 should be a 1, but looks like a 6")
    assert (refused["doubts"], refused["doubted"]) == ([SAYS], [1])
    assert (learnt["state"], learnt["pieces"], learnt["doubts"]) == ("ready", 12, [SAYS])
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    scene.learnt(refused)
    scene.wish(do="insist", of="1")
    scene.learnt(learnt, draft)
    scene.wish(do="use")
    scene.teaching.refresh()
    assert scene.teaching.status()["doubts"] == [SAYS]
    assert door.run(arguments(state=tmp_path, list=True)) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Taught set of 2026-11-30: 12 dice, red, blue.",
        "Learnt as you said, against the eye's doubt:",
        f"  {SAYS}",
    ]
    scene.wish(do="forget")
    scene.teaching.refresh()
    assert scene.teaching.status()["doubts"] == [], "one tap undoes it"


def test_the_very_picture_that_was_refused_is_learnt_from(tmp_path):
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    taken = picture_path(scene.teaching.folder, 1).read_bytes()
    lesson = scene.learnt(REFUSED)["lesson"]
    assert (lesson["doubts"], lesson["of"]) == ([SAYS], "1")
    scene.frame.picture_bgr[:] = 200  # what the camera sees meanwhile
    assert scene.wish(do="insist", of="1")["lesson"]["state"] == "learning"
    assert picture_path(scene.teaching.folder, 1).read_bytes() == taken
    assert read_plan(scene.teaching.folder) == [Planned("rows", ("red", "blue"), as_said=True)]
    assert len(scene.learner.started) == 2


def test_only_the_pictures_that_are_doubted_are_insisted_on_and_the_next_is_checked(tmp_path):
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    scene.learnt({"state": "ready", "words": [], "pictures": 1})
    scene.wish(**TAKE)
    scene.learnt({**REFUSED, "pictures": 2, "doubted": [2]})
    scene.wish(do="insist", of="2")
    assert [p.as_said for p in read_plan(scene.teaching.folder)] == [False, True]
    scene.learnt({"state": "ready", "words": [], "pictures": 2, "doubts": [SAYS]})
    scene.wish(**TAKE)
    assert [p.as_said for p in read_plan(scene.teaching.folder)] == [False, True, False]


def test_what_was_insisted_on_and_does_not_read_back_is_taken_and_checked_again(tmp_path):
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    scene.learnt(REFUSED)
    scene.wish(do="insist", of="1")
    assert "of" not in scene.learnt({"state": "wrong", "words": ["No."], "doubts": [SAYS]})["lesson"]
    assert scene.wish(do="insist", of="2")["words"] == NOTHING_TO_INSIST_ON
    scene.wish(**TAKE)
    assert read_plan(scene.teaching.folder) == [Planned("rows", ("red", "blue"))]


@pytest.mark.parametrize(
    ("result", "of"),
    [
        ({"state": "refused", "words": ["No tray is found in picture 1."], "pictures": 1}, "1"),
        ({"state": "ready", "words": [], "pictures": 1}, "1"),
        ({"state": "ready", "words": [], "pictures": 1, "doubts": [SAYS], "doubted": [1]}, "1"),
        (REFUSED, "0"),
        (REFUSED, ""),
        (REFUSED, None),
    ],
)
def test_nobody_insists_on_what_is_no_doubt_or_another_refusal_than_they_saw(tmp_path, result, of):
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    scene.learnt(result)
    assert scene.wish(do="insist", of=of)["words"] == NOTHING_TO_INSIST_ON
    assert not any(p.as_said for p in read_plan(scene.teaching.folder))
    assert len(scene.learner.started) == 1


OUTCOMES = (
    REFUSED,
    {"state": "refused", "words": []},
    {"state": "ready", "words": []},
    {"state": "wrong", "words": []},
)
STEPS = st.tuples(st.just("take"), st.sampled_from(OUTCOMES)) | st.tuples(st.just("insist"), st.integers(0, 9))


@settings(max_examples=25, deadline=None)
@given(st.lists(STEPS, max_size=6))
def test_whatever_is_wished_no_picture_is_insisted_on_unasked(tmp_path_factory, steps):
    """It is never the default and never sticks, not even where a wish to take a picture says so."""
    scene = Scene(tmp_path_factory.mktemp("state"))
    for step, value in steps:
        before = read_plan(scene.teaching.folder)
        if step == "take":
            scene.wish(**TAKE, as_said=True)
            assert not any(p.as_said for p in read_plan(scene.teaching.folder)[len(before) :])
        else:
            scene.wish(do="insist", of=str(value))
        if scene.teaching.status()["lesson"].get("state") == "learning":
            scene.learnt(value if step == "take" else {"state": "ready", "words": []})
    said = sum(p.as_said for p in read_plan(scene.teaching.folder))
    assert said <= sum(step == "insist" for step, _ in steps)


def test_the_command_line_tells_what_can_be_done_and_does_it(tmp_path, capsys):
    """The refusal's own sentence names the flag; what is doubted is said once, above it."""
    cv2.imwrite(str(tmp_path / "a.png"), dice("654321").picture_bgr)
    asked = {"state": tmp_path, "layout": "dice", "colours": "red,blue", "pictures": [str(tmp_path / "a.png")]}
    with pytest.raises(door.NotLearnt, match=r"lay .* and if it lies as you said, say so with --as-said") as no:
        door.run(arguments(**asked))
    assert str(no.value).startswith("nothing was learnt: lay each row as you said (here 1 2 3 4 5 6, left to right)")
    assert "looks like" not in str(no.value)
    told = capsys.readouterr()
    assert told.out.splitlines() == ["What the eye doubts:", f"  {SAYS}"]
    assert told.err == "", "no progress where nobody looks on: in a log each step stays"
    assert not OwnSetFile(tmp_path).path.exists()


@pytest.fixture(params=["wrong"])
def asked(request, tmp_path):
    """What `feltside teach` is asked: to learn dice that lie from 6 down ("wrong") or from 1 up, and to draw them."""
    picture = tmp_path / f"{request.param}.png"
    cv2.imwrite(str(picture), dice("654321" if request.param == "wrong" else "123456").picture_bgr)
    learnt = {"state": tmp_path / "state", "layout": "dice", "colours": "red,blue", "pictures": [str(picture)]}
    return {**learnt, "draw": str(tmp_path / "drawn")}


def drawn(asked):
    return sorted(path.name for path in Path(asked["draw"]).iterdir())


def test_the_command_line_draws_what_is_doubted_numbered_as_it_is_told(asked, capsys):
    with pytest.raises(door.NotLearnt):
        door.run(arguments(**asked))
    told = capsys.readouterr()
    assert told.out.splitlines() == ["What the eye doubts:", f"  1. {SAYS}"]
    assert f"drawn: {asked['draw']}/wrong.doubted.png" in told.err
    assert drawn(asked) == ["wrong.doubted.png"]
    assert len(amber(cv2.imread(f"{asked['draw']}/wrong.doubted.png"))[0]) > 50


def test_what_the_command_line_insists_on_is_said_and_drawn(asked, capsys):
    assert door.run(arguments(**asked, as_said=True)) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "Learnt as you said, against the eye's doubt:",
        f"  1. {SAYS}",
        f"Learnt as you said: {asked['pictures'][0]} (picture 1).",
    ]
    assert drawn(asked) == ["wrong.doubted.png", "wrong.png"]


@pytest.mark.parametrize("asked", ["right"], indirect=True)
def test_insisting_on_what_nobody_doubts_changes_nothing_and_is_said(asked, capsys):
    assert door.run(arguments(**asked, as_said=True)) == 0
    assert capsys.readouterr().out.startswith("--as-said has changed nothing: the eye doubts none of these pictures.\n")
    assert OwnSetFile(asked["state"]).load().doubts == ()
    assert drawn(asked) == ["right.png"]


def test_the_command_line_insists_only_on_what_is_doubted():
    """What is insisted on vouches for nobody: the first is doubted only once the second is held apart from it."""

    def learning(lessons):
        said = [lesson.as_said for lesson in lessons]
        for picture in (2, 1):
            if not said[picture - 1]:
                raise DoubtedLesson("No", doubts=("No.",), where=(Spot(picture, (), ()),))
        return said

    assert _learnt([dice("123456")] * 3, learning, as_said=True) == ([True, True, False], [1, 2])
    assert (
        _insisted_on([1, 2], "abc") == "Learnt as you said: a (picture 1), b (picture 2); the others are not doubted."
    )
    with pytest.raises(DoubtedLesson):
        _learnt([dice("123456")] * 3, learning, as_said=False)


def test_at_the_table_the_command_insists_on_the_picture_that_was_refused(capsys):
    class Doubting(Client):
        """A table that has just refused a picture for its looks."""

        def subscribe(self):
            if not self.asked:
                yield {"status": {"taught": {"lesson": {**REFUSED, "of": "7"}}}}
            else:
                yield from super().subscribe()

    client = Doubting(
        {"lesson": {"state": "ready", "words": ["All."], "doubts": [SAYS]}}, {"set": "today", "words": "."}
    )
    assert door.from_table(client, arguments(as_said=True), wish_id=iter("ab").__next__, monotonic_s=lambda: 0.0) == 0
    assert client.asked[0] == {"do": "insist", "of": "7", "id": "a"}
    assert capsys.readouterr().out == f"All.\nLearnt as you said, against the eye's doubt:\n  {SAYS}\n.\n"
    refused = Client({"lesson": {**REFUSED, "of": "a"}})
    assert door.from_table(refused, arguments(), wish_id=lambda: "a", monotonic_s=lambda: 0.0) == 1
    assert [wish["do"] for wish in refused.asked] == ["take"]
    assert "say so with --as-said" in capsys.readouterr().out
    first = "Row 1, place 1, of picture 1 should be a 1, but looks like a 6: lay each row as you said."
    door.from_table(
        Client({"lesson": {**REFUSED, "words": [first]}}), arguments(), wish_id=lambda: "a", monotonic_s=lambda: 0.0
    )
    assert capsys.readouterr().out == f"What the eye doubts:\n  {SAYS}\nLay each row as you said.\n"


def test_on_a_terminal_one_sees_how_far_learning_is(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar(0.5)
    bar_ends()
    assert capsys.readouterr().err == f"\rlearning [{'#' * 15}{'.' * 15}]  50 %\n"


def test_at_the_table_without_a_doubt_there_is_nothing_to_insist_on():
    class Idle(Client):
        def subscribe(self):
            yield {"status": {"taught": {"lesson": {}}}}

    client = Idle()
    with pytest.raises(door.NotLearnt, match="no picture was refused for what its pieces look like"):
        door.from_table(client, arguments(as_said=True), wish_id=lambda: "a", monotonic_s=lambda: 0.0)
    assert client.asked == []


def test_a_result_from_elsewhere_breaks_nothing(tmp_path):
    scene = Scene(tmp_path)
    scene.wish(**TAKE)
    scene.learnt({"state": "refused", "doubted": "all", "doubts": 7})
    assert scene.wish(do="insist", of="1")["words"] == NOTHING_TO_INSIST_ON
    assert json.loads((scene.teaching.folder / RESULT).read_text())["doubts"] == 7
