"""`feltside neighbours`: the service that tells an MQTT broker (and Home Assistant) how this table stands.

Off unless [mqtt] in the settings names a broker. Public facts only; see NEIGHBOURS.md.
"""

from __future__ import annotations

import argparse
import logging
import signal
import socket
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

from pi.doors.upkeep import installed_settings
from pi.errors import FeltsideError
from pi.neighbours.messages import Message, Topics
from pi.neighbours.service import Teller, follow, pages_address, table_name
from pi.neighbours.wire import Wire
from pi.notify import Notifier
from pi.settings import load_settings

OFF, ON = 1, 0
WRONG = 255
"""systemd's ExecCondition= takes any status below it for "not wanted", and this for a failure."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `feltside neighbours` takes."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (TOML)")
    parser.add_argument("--pages", metavar="URL", help="where this table's pages are (default: on this machine)")
    parser.add_argument("--asked", action="store_true", help="only say by the status whether a broker is named (0)")
    parser.add_argument("--forget", action="store_true", help="take this table off the broker, entities and all")


def run(args: argparse.Namespace) -> int:
    """Tell the neighbours until SIGTERM or SIGINT."""
    try:
        settings = load_settings(installed_settings(args.config))
    except FeltsideError as no:
        if not args.asked:
            raise
        print(f"feltside: {no}", file=sys.stderr)
        return WRONG
    if not settings.mqtt.broker:
        print("feltside: no broker is named, at mqtt/broker; the neighbours are told nothing", file=sys.stderr)
        return OFF
    if args.asked:
        return ON
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s", stream=sys.stderr)
    pages = args.pages or pages_address(settings)
    topics = Topics(settings.mqtt.prefix, table_name(settings.mqtt))
    wire = Wire(settings.mqtt, name=f"feltside-{topics.table}", will=topics.will())
    if args.forget:
        return _forget(wire, topics)
    notifier, stop = Notifier.from_environ(), threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    def turned() -> None:
        wire.tend()
        notifier.alive()

    with wire:
        notifier.ready(f"telling {settings.mqtt.broker} as {topics.table}")
        follow(Teller(wire, topics, address=_for_people(pages)), pages, stop=stop, turned=turned)
    return 0


def _for_people(pages: str) -> str:
    """Return the address under which others find the pages: the computer's name in the local network."""
    port = urlsplit(pages).port
    return f"http://{socket.gethostname().split('.')[0]}.local{f':{port}' if port and port != 80 else ''}/"


def _forget(wire: Wire, topics: Topics) -> int:
    from pi.neighbours.discovery import configurations

    gone = [Message(topics.state, b""), Message(topics.availability, b"")]
    if wire.settings.discovery:
        known = configurations(topics, discovery=wire.settings.discovery, seats=6, version="")
        gone += [Message(config.topic, b"") for config in known]
    quiet = Wire(wire.settings, name=f"feltside-{topics.table}-forget")
    with quiet:
        if not quiet.wait_up(10.0):
            print(f"feltside: {quiet.words}", file=sys.stderr)
            return 2
        quiet.keep(gone)
    print(f"feltside: {topics.table} is off the broker")
    return 0
