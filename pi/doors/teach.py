"""`feltside teach`: the eye learns an owner's own set, from pictures or from the running table's camera."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pi.bare_felt import kept_felt
from pi.doors.read import drawings, folder, four_corners, save_picture, tray_at
from pi.errors import BadSource, FeltsideError, TableAway
from pi.inbox import TableClient
from pi.lesson import LAYOUTS, drawn
from pi.own_set_file import OwnSetFile
from pi.pictures import load_picture
from pi.settings import load_settings
from pi.teaching import recalled
from vision.empty_tray import without_print
from vision.errors import BadOwnSet, CannotLearn, DoubtedLesson, VisionError
from vision.own_set import to_bytes
from vision.teach import learn
from vision.teaching.doubts import AGAINST
from vision.teaching.lessons import Lesson, parse_boards, rows_of

DEFAULT_ROWS = 4
PATIENCE_S = 120.0
"""How long a table's lesson may go without getting on."""
REFUSED = 1


DOUBTS = "What the eye doubts"
INSIST = "or look again at each place, and if it lies as you said, say so with --as-said"
"""What an owner can do whose lesson was refused for what its pieces look like."""


class NotLearnt(FeltsideError, ValueError):
    """Raised when pictures do not teach what they should; nothing has changed then."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `feltside teach`."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where the taught set is kept")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--pictures", nargs="+", metavar="PICTURE", help="learn from these; default: the table's camera")
    what.add_argument("--list", action="store_true", help="say which set is in force")
    what.add_argument("--forget", action="store_true", help="go back to the shipped models (the set is kept aside)")
    what.add_argument("--recall", action="store_true", help="bring back the set before; again: the one before that")
    parser.add_argument(
        "--layout",
        default="rows",
        metavar="NAME",
        help="what lies there: rows (each colour 0 to 9), wild (1 to 9 and #), dice (1 to 6), or a FILE with boards as"
        " text, one for each picture, parted by empty lines",
    )
    parser.add_argument("--colours", metavar="A,B,...", help="names of the rows, top to bottom (default: as seen)")
    parser.add_argument(
        "--check",
        nargs="+",
        default=[],
        metavar="PICTURE",
        help="with --pictures: read these back, too, without learning from them; numbered after those",
    )
    parser.add_argument(
        "--corners",
        type=four_corners,
        metavar="'X,Y X,Y X,Y X,Y'",
        help="with --pictures: the felt's four corners in their pixels, top left first, then clockwise (default: they"
        " are found)",
    )
    parser.add_argument(
        "--as-said",
        action="store_true",
        help="after a lesson was refused for what its pieces look like, and you have looked again: it lies as you said."
        " With --pictures these are learnt as you said, else the picture that the table refused; the doubt is kept with"
        " the set",
    )
    parser.add_argument(
        "--draw", type=folder, metavar="FOLDER", help="also write each picture there, with what was read"
    )


def run(args: argparse.Namespace) -> int:
    """Teach, list, forget or recall; 1 when what was learnt does not read back right."""
    settings = load_settings(args.config, state=args.state)
    file = OwnSetFile(settings.state)
    if args.list:
        return _list(file)
    if args.forget:
        file.forget()
        print("The taught set is forgotten; the shipped models read again. `feltside teach --recall` brings it back.")
        return 0
    if args.recall:
        file.recall()
        print(recalled(file))
        return 0
    if args.pictures:
        return _from_pictures(args, file)
    return from_table(TableClient(settings.socket), args)


def _list(file: OwnSetFile) -> int:
    try:
        own = file.load()
    except BadOwnSet as no:
        print(f"{str(no)[:1].upper()}{str(no)[1:]}; the shipped models are used.")
        return REFUSED
    if own is None:
        print(f"No set is taught: the shipped models read.{_kept(file)}")
        return 0
    for kind, taught in (("tiles", own.tiles), ("dice", own.dice)):
        if taught is not None:
            print(f"Taught set of {own.made}: {len(taught)} {kind}, {', '.join(taught.names)}.")
            _tell_doubts(AGAINST, taught.doubts)
    if kept := _kept(file):
        print(kept.strip())
    return 0


def _kept(file: OwnSetFile) -> str:
    """Return how many sets are kept aside, as a sentence; empty for none."""
    n = len(file.aside())
    return f" {n} earlier {'set is' if n == 1 else 'sets are'} kept (--recall)." if n else ""


def _from_pictures(args: argparse.Namespace, file: OwnSetFile) -> int:
    colours = _colours(args.colours)
    names = (*args.pictures, *args.check)
    boards = _boards(args.layout, len(names), len(colours or ()) or DEFAULT_ROWS)
    pictures = [load_picture(name) for name in names]
    felt = kept_felt(file.state)
    trays = [tray_at(p, args.corners, name) if args.corners else None for p, name in zip(pictures, names, strict=True)]
    lessons = [
        Lesson(
            without_print(p, tray, felt).picture_bgr, rows, dice=args.layout == "dice", tray=tray, as_said=args.as_said
        )
        for p, rows, tray in zip(pictures, boards, trays, strict=True)
    ]
    n = len(args.pictures)
    try:
        learnt = learn(
            lessons[:n],
            colours=colours,
            keep_out=lessons[n:],
            made=f"{datetime.now(UTC):%Y-%m-%d}",
            before=_earlier(file),
            progress=_bar,
        )
    except VisionError as no:
        print(file=sys.stderr)
        if isinstance(no, DoubtedLesson):
            _tell_doubts(DOUBTS, no.doubts)
            raise NotLearnt(f"{no}; {INSIST}") from None
        raise NotLearnt(str(no)) from None
    print(file=sys.stderr)
    _tell_doubts(AGAINST, learnt.doubts)
    for sentence in (*learnt.sentences(), *learnt.faults()):
        print(sentence)
    if args.draw:
        places = drawings(args.draw, names)
        for name, lesson, checked in zip(names, lessons, learnt.checked, strict=True):
            save_picture(places[name], drawn(lesson.picture_bgr, checked))
    if not learnt.holds:
        print("Nothing has changed: a set counts only when all it was taught reads back right.")
        return REFUSED
    before = file.path.is_file()
    _keep(file, to_bytes(learnt.own))
    undo = "`feltside teach --recall` brings back the set before" if before else "`feltside teach --forget` undoes it"
    print(f"The taught set is in force, at {file.path}; {undo}.")
    return 0


def _tell_doubts(heading: str, doubts: Sequence[str]) -> None:
    """Print what the eye doubts, a line each; nothing without a doubt."""
    for line in (f"{heading}:", *(f"  {doubt}" for doubt in doubts)) if doubts else ():
        print(line)


def _keep(file: OwnSetFile, data: bytes) -> None:
    try:
        file.state.mkdir(parents=True, exist_ok=True)
        file.put_in_force(data)
    except OSError as no:
        raise BadSource(f"the taught set cannot be kept ({no.strerror or no}), at {file.path}") from None


def _earlier(file: OwnSetFile) -> Any:
    try:
        return file.load()
    except BadOwnSet:
        return None  # it is being taught anew


def _colours(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) < len(names):
        raise BadSource(f"--colours {text!r} does not name different colours (expected like red,blue,green,black)")
    return names


def _boards(layout: str, pictures: int, rows: int) -> list[tuple[tuple[str, ...], ...]]:
    """Return what lies on each picture."""
    try:
        if layout in LAYOUTS:
            return [rows_of(layout, rows)] * pictures
        if not Path(layout).is_file():
            raise BadSource(f"{layout!r} is no layout and no file (expected one of {', '.join(LAYOUTS)}, or a file)")
        boards = parse_boards(Path(layout).read_text("utf-8-sig"))
    except CannotLearn as no:
        raise BadSource(f"{no}, in {layout}") from None
    except UnicodeDecodeError:
        raise BadSource(f"{layout} is not text (expected boards as text, or one of {', '.join(LAYOUTS)})") from None
    if len(boards) not in (1, pictures):
        raise BadSource(
            f"{layout} holds {len(boards)} boards for {pictures} pictures (expected one each, or one for all)"
        )
    return list(boards) * (pictures if len(boards) == 1 else 1)


def _bar(share: float) -> None:
    done = round(30 * share)
    print(f"\rlearning [{'#' * done}{'.' * (30 - done)}] {100 * share:3.0f} %", end="", file=sys.stderr, flush=True)


def from_table(
    client: TableClient,
    args: argparse.Namespace,
    *,
    wish_id: Callable[[], str] = lambda: secrets.token_hex(4),
    monotonic_s: Callable[[], float] = time.monotonic,
) -> int:
    """Let the running table's camera take the picture and learn from it; put it in force when it reads back right."""
    if args.layout not in LAYOUTS:
        raise BadSource(f"with the table's camera the layout is one of {', '.join(LAYOUTS)}, got {args.layout!r}")
    if args.check or args.draw or args.corners:
        raise BadSource("--check, --corners and --draw go with --pictures")
    colours = _colours(args.colours) or ("",) * DEFAULT_ROWS
    take = {"do": "take", "layout": args.layout, "colours": list(colours)}
    wanted = {"do": "insist", "of": _refused(client)} if args.as_said else take
    taken = _wish(client, wanted | {"id": wish_id()}, monotonic_s)
    if not _told(taken):
        return REFUSED
    used = _wish(client, {"do": "use", "id": wish_id()}, monotonic_s)
    print(used.get("words") or "")
    return 0 if used.get("set") else REFUSED


def _told(taken: Mapping[str, Any]) -> bool:
    """Print what came of a lesson at the table; return whether it can be put in force."""
    lesson = taken.get("lesson") or {}
    refused = lesson.get("state") == "refused"
    for sentence in (taken.get("words"), *lesson.get("words", ())):
        if sentence:
            print(sentence)
    _tell_doubts(DOUBTS if refused else AGAINST, lesson.get("doubts") or ())
    if refused and lesson.get("of"):
        print(f"Take it again, {INSIST}.")
    return lesson.get("state") == "ready"


def _refused(client: TableClient) -> str:
    """Return the wish whose picture the table refused for what its pieces look like; raises NotLearnt without one."""
    for line in client.subscribe():
        lesson = ((line.get("status") or {}).get("taught") or {}).get("lesson") or {}
        if lesson.get("of"):
            return str(lesson["of"])
        break
    raise NotLearnt("no picture was refused for what its pieces look like (expected one, for --as-said): teach first")


def _wish(client: TableClient, wish: Mapping[str, Any], monotonic_s: Callable[[], float]) -> dict[str, Any]:
    """Ask the watcher for something and return what it says once that is done; raises TableAway when nothing comes."""
    heard_s, so_far = monotonic_s(), -1.0
    client.ask({"status": {"teach": dict(wish)}})
    for line in client.subscribe():
        taught = (line.get("status") or {}).get("taught") or {}
        lesson = taught.get("lesson") or {}
        if taught.get("done") == wish["id"]:
            if lesson.get("state") != "learning":
                return dict(taught)
            if (share := float(lesson.get("progress") or 0.0)) > so_far:
                heard_s, so_far = monotonic_s(), share
                _bar(share)
        if monotonic_s() - heard_s > PATIENCE_S:
            break
    print(file=sys.stderr)
    raise TableAway(f"the table's camera did not answer within {PATIENCE_S:.0f} s; is it at work?")
