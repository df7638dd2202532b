"""`feltside teach`: the eye learns an owner's own set, from pictures or from the running table's camera."""

from __future__ import annotations

import argparse
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pi.doors.read import folder, four_corners
from pi.doors.teach_pictures import (
    DEFAULT_ROWS,
    DOUBTS,
    INSIST,
    REFUSED,
    NotLearnt,
    bar,
    bar_ends,
    colours,
    from_pictures,
    tell_doubts,
)
from pi.errors import BadSource, TableAway
from pi.inbox import TableClient
from pi.lesson import LAYOUTS
from pi.own_set_file import OwnSetFile
from pi.settings import load_settings
from pi.teaching import recalled
from vision.errors import BadOwnSet
from vision.teaching.doubts import AGAINST

PATIENCE_S = 120.0
"""How long a table's lesson may go without getting on."""


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
        " With --pictures those of them that are doubted are learnt as you said, else the picture that the table"
        " refused; the doubt is kept with the set",
    )
    parser.add_argument(
        "--draw",
        type=folder,
        metavar="FOLDER",
        help="with --pictures: also write each picture there, with what was read, and as NAME.doubted.png with what is"
        " doubted, numbered as in the list",
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
        return from_pictures(args, file)
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
            tell_doubts(AGAINST, taught.doubts)
    if kept := _kept(file):
        print(kept.strip())
    return 0


def _kept(file: OwnSetFile) -> str:
    """Return how many sets are kept aside, as a sentence; empty for none."""
    n = len(file.aside())
    return f" {n} earlier {'set is' if n == 1 else 'sets are'} kept (--recall)." if n else ""


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
        raise BadSource("--check, --corners and --draw go with --pictures (the table shows its own at /teach)")
    names = colours(args.colours) or ("",) * DEFAULT_ROWS
    take = {"do": "take", "layout": args.layout, "colours": list(names)}
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
    refused, doubts = lesson.get("state") == "refused", lesson.get("doubts") or ()
    # A refusal begins with the first doubt, which is told with the others: what to do about it is left.
    words = [_after(text) for text in lesson.get("words", ())] if refused and doubts else lesson.get("words", ())
    if refused:
        tell_doubts(DOUBTS, doubts)
    for sentence in (taken.get("words"), *words):
        if sentence:
            print(sentence)
    if not refused:
        tell_doubts(AGAINST, doubts)
    elif lesson.get("of"):
        print(f"Take it again, {INSIST}.")
    return lesson.get("state") == "ready"


def _after(sentence: str) -> str:
    """Return what a sentence says after its colon; all of it where it has none."""
    rest = sentence.partition(": ")[2]
    return f"{rest[:1].upper()}{rest[1:]}" if rest else sentence


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
                bar(share)
        if monotonic_s() - heard_s > PATIENCE_S:
            break
    bar_ends()
    raise TableAway(f"the table's camera did not answer within {PATIENCE_S:.0f} s; is it at work?")
