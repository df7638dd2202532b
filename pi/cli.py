"""The `feltside` command: finds the subcommand's module, runs it, and says every refusal in one sentence."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from pi.errors import FeltsideError

SUBCOMMANDS = {
    "demo": ("pi.doors.demo", "the whole table without hardware: simulated camera and pads, everything else real"),
    "play": ("pi.doors.play", "a match on a folder of pictures instead of a camera"),
    "read": ("pi.doors.read", "read pictures of a tray; one JSON object a line"),
    "teach": ("pi.doors.teach", "teach the eye your own tiles and dice, from a picture or two; --forget undoes it"),
    "count": ("pi.doors.count", "count the runs on boards written as text"),
    "judge": ("pi.doors.judge", "judge rounds, turns and boards written as JSON lines"),
    "odds": ("pi.doors.odds", "exact chances: rows, boards, half-open boards, Run Buster"),
    "quest": ("pi.doors.quest", "solitaire quests: check, solve, hint, best possible; what is proved"),
    "print": ("pi.doors.print", "sheets to print, true to scale: markers, mats, boards, score sheets, wiring"),
    "table": ("pi.table", "the service at the table: referee, panel, camera"),
    "web": ("web.serve", "the service for tablets and phones"),
    "neighbours": ("pi.doors.neighbours", "the service that tells an MQTT broker how the table stands"),
    "club": ("pi.doors.club", "one board of all the tables that publish to a broker"),
    "update": ("pi.doors.update", "the newest version: backup first, taken back when it does not come up (sudo)"),
    "doctor": ("pi.doors.doctor", "what works here, what does not, and what to do about it"),
    "backup": ("pi.doors.backup", "every match, its pictures and the settings as one file"),
    "restore": ("pi.doors.restore", "bring a backup back"),
}
"""Name -> (module with `add_arguments(parser)` and `run(args) -> int`, one line of help)."""

BAD_INPUT = 2
"""Exit status for bad input, said in one sentence."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `feltside`; returns the exit status (0 well, 2 bad input, 1 anything else that was said)."""
    words = list(sys.argv[1:] if argv is None else argv)
    chosen = words[0] if words and words[0] in SUBCOMMANDS else None
    args = _parser(chosen).parse_args(words)
    module = import_module(SUBCOMMANDS[args.subcommand][0])
    try:
        status: int = module.run(args)
        sys.stdout.flush()
    except FeltsideError as no:
        print(f"feltside: {no}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    """Return the parser; only the chosen subcommand's module is imported, so that each door opens fast."""
    parser = argparse.ArgumentParser(prog="feltside", description="The referee beside your felt tray.")
    commands = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND")
    for name, (module, line) in SUBCOMMANDS.items():
        own = commands.add_parser(name, help=line, description=line)
        if name == chosen:
            import_module(module).add_arguments(own)
    return parser
