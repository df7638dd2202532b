"""`feltside web`: the pages behind waitress, and the one thread that listens to the table."""

from __future__ import annotations

import argparse
import logging
import os
import re
import signal
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from waitress import create_server  # type: ignore[import-untyped]

from pi.errors import BadSettings
from pi.notify import Notifier
from pi.rescue import settings_of_service
from web.app import create_app
from web.pulse import Pulse
from web.room import Room

MOST_CONNECTIONS = 400
"""Connections at once: browsers hold a few each beside their stream."""
SILENT_CLIENT_MS = 15_000
"""A client that acknowledges nothing for this long is gone: its stream's worker is needed elsewhere."""
LOG = logging.getLogger("feltside.web")
SERVING = re.compile(r"(while serving) .*", re.DOTALL)
"""How waitress's messages end that name the address asked for (waitress 3.0, channel.py)."""
FIRST_HANDED = 3
"""The first file descriptor that systemd hands over (sd_listen_fds(3))."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `feltside web`."""
    parser.add_argument("--host", help="address to listen on (default: the settings', 0.0.0.0: everywhere)")
    parser.add_argument("--port", type=int, help="port to listen on (default: the settings', 8080)")
    parser.add_argument("--state", type=Path, help="folder of the journal and the table's socket")
    parser.add_argument("--config", type=Path, help="the settings, a TOML file")


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    settings = settings_of_service(args.config, state=args.state)
    host = args.host if args.host is not None else settings.web.host
    port = args.port if args.port is not None else settings.web.port
    app = create_app(settings)
    room: Room = app.extensions["feltside"]
    notifier = Notifier.from_environ()
    sockets = handed_over() or _bound(host, port)
    room.alone = only_here(sockets)
    server = make_server(
        app,
        host=host,
        port=port,
        threads=settings.web.threads,
        handed=sockets,
        notifier=notifier,
        well=room.desk.well,
    )
    signal.signal(signal.SIGTERM, _stop)
    start_following(room)
    address = f"http://{_named(host)}:{port_of(server)}/"
    print(f"Feltside: {address}", flush=True)
    notifier.ready(address)
    server.run()
    return 0


def make_server(
    app: Any,
    *,
    host: str,
    port: int,
    threads: int,
    handed: list[socket.socket] | None = None,
    notifier: Notifier | None = None,
    well: Callable[[], bool] = lambda: True,
) -> Any:
    """Return the waitress server, listening. Raises BadSettings when the address cannot be taken.

    handed: sockets that listen already; host and port do not count then. notifier: is told that the server lives, as
    long as `well`, asked by a worker, says so.
    """
    logging.getLogger("waitress").addFilter(_without_address)
    files: dict[int, Any] = {}
    server = create_server(
        app,
        map=files,
        sockets=handed or _bound(host, port),
        threads=threads,
        connection_limit=MOST_CONNECTIONS,
        asyncore_use_poll=True,
        ident=None,
        max_request_body_size=1 << 22,
        max_request_header_size=1 << 15,
        outbuf_high_watermark=1 << 20,
        log_socket_errors=False,  # tablets sleep and vanish; that is no error
    )
    options = list(server.adj.socket_options)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Without it a tablet that lost its Wi-Fi would hold a worker for a quarter of an hour.
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_CLIENT_MS))
    server.adj.socket_options = options
    if notifier:
        files[-1] = Pulse(server.task_dispatcher, notifier.alive, well=well)  # -1: no file's number
    return server


def _without_address(record: logging.LogRecord) -> bool:
    """Take the address out of a record of waitress, and keep the record: an address may be somebody's link."""
    record.msg, record.args = SERVING.sub(r"\1 a page", record.getMessage()), ()
    return True


def handed_over(environ: Mapping[str, str] = os.environ, *, pid: int | None = None) -> list[socket.socket]:
    """Return the listening sockets that systemd opened for us (port 80 needs no right of ours then); often none."""
    count = environ.get("LISTEN_FDS", "")
    if not count.isdigit() or environ.get("LISTEN_PID") != str(os.getpid() if pid is None else pid):
        return []
    return [socket.socket(fileno=number) for number in range(FIRST_HANDED, FIRST_HANDED + int(count))]


def _bound(host: str, port: int) -> list[socket.socket]:
    """Return sockets for every address of a host; here, so that a refusal leaves nothing half built."""
    sockets: list[socket.socket] = []
    try:
        flags = socket.AI_PASSIVE
        for family, kind, _, _, address in socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=flags):
            sockets.append(socket.socket(family, kind))
            sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sockets[-1].setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            # Port 0 is any free one, but the same for all addresses.
            sockets[-1].bind((address[0], port or sockets[0].getsockname()[1], *address[2:]))
    except OSError as no:
        for opened in sockets:
            opened.close()
        raise BadSettings(f"cannot listen on {host} port {port} ({no.strerror or no})") from None
    return sockets


def only_here(sockets: Sequence[socket.socket]) -> bool:
    """Tell whether nobody but this very machine can come in by these sockets."""
    return all(ip_address(one.getsockname()[0].partition("%")[0]).is_loopback for one in sockets)


def port_of(server: Any) -> int:
    """Return the port a server listens on; with several addresses, that of the first."""
    listening = getattr(server, "effective_listen", None)
    return int(listening[0][1] if listening else server.effective_port)


def start_following(room: Room) -> None:
    """Start the one thread that listens to the table; if it fails, the whole process ends and is restarted."""

    def follow() -> None:
        try:
            room.desk.follow(threading.Event())
        except BaseException:
            LOG.exception("the listener failed")
            os._exit(1)

    threading.Thread(target=follow, name="listener", daemon=True).start()


def _stop(signum: int, frame: object) -> None:
    # Streams never end by themselves, and nothing here needs putting away: the journal is the table's.
    os._exit(0)


def _named(host: str) -> str:
    return "localhost" if host in ("0.0.0.0", "", "::", "*") else f"[{host}]" if ":" in host else host
