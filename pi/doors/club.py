"""`feltside club`: one board of all the tables that publish to a broker, as a page or (`--text`) at the terminal.

Runs on any computer that reaches the broker. It listens only; names and scores on it are what the tables show anyway.
"""

from __future__ import annotations

import argparse
import logging
import secrets
import sys
import time
from dataclasses import replace
from pathlib import Path

from pi.club.page import Board, create_app, text
from pi.club.tables import Tables
from pi.doors.upkeep import installed_settings
from pi.errors import BadSettings
from pi.neighbours.wire import Wire
from pi.rules.numerals import is_whole
from pi.settings import MqttSettings, check_mqtt, load_settings

PORT, THREADS = 8090, 16
KEPT_S = 2.0
"""How long the broker's kept messages are given to come in before the text is printed."""


class Listener:
    """Tables heard over a wire."""

    def __init__(self, settings: MqttSettings) -> None:
        """Keep what is needed; `with listener.wire` begins to listen."""
        self.tables = Tables(settings.prefix)
        self.wire = Wire(
            settings,
            name=f"feltside-club-{secrets.token_hex(4)}",
            wants=self.tables.topics(),
            heard=lambda topic, payload: self.tables.hear(topic, payload, now_s=time.monotonic()),
            opened=lambda: self.tables.begin(time.monotonic()),
        )

    def look(self) -> Board:
        """Return the board as it is now."""
        up, words = self.wire.up, self.wire.words
        return Board(self.tables.rows(now_s=time.monotonic(), broker=None if up else words), words, up)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside club` takes."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML) whose [mqtt] names the broker")
    parser.add_argument("--broker", metavar="HOST[:PORT]", help="the broker, instead of the settings'")
    parser.add_argument("--user", help="for the broker")
    parser.add_argument("--password-file", metavar="FILE", help="a file with nothing in it but the password")
    parser.add_argument("--prefix", help="first part of the topics (default: feltside)")
    parser.add_argument("--port", type=int, default=PORT, help=f"of the page (default: {PORT})")
    parser.add_argument("--text", action="store_true", help="print the board once and end")


def settings_of(args: argparse.Namespace) -> MqttSettings:
    """Return the settings with the command line's over the file's; raises BadSettings when no broker is named."""
    mqtt = load_settings(installed_settings(args.config)).mqtt
    given = {"user": args.user, "password_file": args.password_file, "prefix": args.prefix}
    if args.broker:
        host, _, port = args.broker.rpartition(":") if ":" in args.broker else (args.broker, "", "")
        if port and not is_whole(port, most=5):
            raise BadSettings(f"{args.broker!r} is no broker (expected HOST or HOST:PORT), at --broker")
        given |= {"broker": host, "port": int(port) if port else None}
    mqtt = check_mqtt(replace(mqtt, **{name: value for name, value in given.items() if value is not None}))
    if not mqtt.broker:
        raise BadSettings("no broker is named (expected --broker HOST, or [mqtt] in the settings)")
    return mqtt


def run(args: argparse.Namespace) -> int:
    """Print the board, or serve it until SIGTERM or SIGINT."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s", stream=sys.stderr)
    listener = Listener(settings_of(args))
    with listener.wire:
        if args.text:
            listener.wire.wait_up(10.0)
            time.sleep(KEPT_S if listener.wire.up else 0)
            print("\n".join(text(listener.look())))
            return 0 if listener.wire.up else 1
        return _serve(listener, args.port)


def _serve(listener: Listener, port: int) -> int:
    from web.serve import make_server, port_of

    server = make_server(create_app(listener.look), host="0.0.0.0", port=port, threads=THREADS)
    print(f"Feltside's club board: http://localhost:{port_of(server)}/", flush=True)
    server.run()
    return 0
