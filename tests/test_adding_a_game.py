"""Adding a game is one file in `pi/rules/games`, one view, one mat: Nim is added to a copy of the tree, and played.

The three files in `tests/rules/nim` are laid where a game's files belong; nothing else of the tree is touched. The
copy is made of links, and the game is played there through the pages as a browser does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

NIM = Path(__file__).parent / "rules" / "nim"
BELONGS = {
    "nim.py": "pi/rules/games/nim.py",
    "present_nim.py": "web/present_nim.py",
    "nim.html": "web/templates/game/nim.html",
}
EVENING = """
import sys
from pathlib import Path
from pi.rules.games import RULESETS
from tests.web.builders import house, post
from tests.web.tapping import forms_of

home = house(Path(sys.argv[1]))
browser = home.browser()
assert "Nim" in browser.get("/table").text
assert "Who takes the last one wins." in browser.get("/rules/nim").text
started = post(browser, "/act/start-match", game="nim", name__1="Ann", name__2="Bob", house__heap="7")
assert started.status_code == 200, started.json
home.told()
for seat, counters in ((1, 3), (2, 1), (1, 3)):
    assert any(form.ask == "nim-take" for form in forms_of(browser.get("/table").text))
    answer = post(browser, "/act/nim-take", seat=seat, counters=counters)
    assert answer.status_code == 200, answer.json
    home.told()
assert "Ann took the last one." in browser.get("/").text
assert "Turn 3: Ann takes 3" in browser.get("/turn/3").text
assert post(browser, "/act/undo", seq=home.table.seq, match=home.table.match.id).status_code == 200
home.told()
assert not home.table.match.outcome().over
assert post(browser, "/act/end-match", why="late").status_code == 200
home.told()
match = home.table.match.id
assert "nim-taken" in browser.get(f"/history/{match}.jsonl").text
assert "Bob takes 1" in browser.get(f"/history/{match}/turn/2").text
print("played", len(RULESETS))
"""
MAY_KNOW = re.compile(
    r"pi/(rules/games/blob(_score)?|opponents/(blob|strengths)|stand_ins/(mats|laying|mats_bench)|sheets/mats|"
    r"doors/judge(_pencil)?)\.py|web/(present_blob\.py|templates/game/blob\.html)"
)
"""Blob's files, its mat, and who knows it by choice: computer player, `feltside judge`, simulated hands, a bench."""


def linked(tree: Path, place: str) -> None:
    """Make the folders down to a file's place our own, everything in them links to the tree."""
    here = tree
    for part in Path(place).parent.parts:
        here = here / part
        if here.is_symlink():
            there = here.resolve()
            here.unlink()
            here.mkdir()
            for entry in there.iterdir():
                (here / entry.name).symlink_to(entry)


def test_a_game_is_added_by_laying_its_files_there(tmp_path: Path):
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("pi", "web", "vision", "tests"):
        (tree / name).symlink_to(ROOT / name)
    for name, place in BELONGS.items():
        linked(tree, place)
        shutil.copy(NIM / name, tree / place)
    run = [sys.executable, "-c", EVENING, str(tmp_path / "state")]
    done = subprocess.run(run, capture_output=True, text=True, cwd=tree, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("played")


def test_who_else_knows_a_game_by_its_name():
    """What is needed to add Blob once more is in these files; `GET /rules/blob` and all else find it by itself."""
    named = re.compile(r"""["'/]blob["'/:.]|present_blob|BLOB\b""")
    knows = [
        path.relative_to(ROOT).as_posix()
        for folder in ("pi", "web")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".html") and named.search(_code(path))
    ]
    assert [name for name in knows if not MAY_KNOW.fullmatch(name)] == []


def _code(path: Path) -> str:
    """Return a file without its docstrings and comments, in which games are examples."""
    text = re.sub(r'"""[\s\S]*?"""', "", path.read_text(encoding="utf-8"))
    return re.sub(r"#.*", "", text)


def test_how_much_a_game_is():
    """What the README says of the size of a game."""
    lines = sum(len((NIM / name).read_text().splitlines()) for name in BELONGS)
    assert lines < 140
    (said,) = re.findall(r"Nim in three files, (\d+) lines", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert int(said) == lines
