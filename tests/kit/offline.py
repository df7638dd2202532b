"""No test reaches out: whoever connects anywhere but to this very machine fails, and is named.

Python tells an audit hook of every connection before it is made. A hook cannot be taken out again, so it is switched.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Any

NOBODYS = ("192.0.2.1", "2001:db8::1", "10.42.0.2")
"""Addresses that belong to nobody (RFC 5737, RFC 3849), and one on the table's own Wi-Fi: a datagram socket "connected"
there sends nothing, it only asks the kernel for the way (`pi.vitals`)."""
WATCHED = ("socket.connect", "socket.sendto", "socket.sendmsg")


class ReachedOut(RuntimeError):
    """Raised where a test was about to connect to another machine."""


class Guard:
    """Hears of every connection this process makes, and forbids those that leave it."""

    def __init__(self) -> None:
        """Begin switched off, having heard nothing."""
        self.on = False
        self.forbidden: list[str] = []

    def install(self) -> None:
        """Begin to listen, for as long as this process lives."""
        sys.addaudithook(self._heard)
        self.on = True

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event[:7] != "socket." or not self.on:  # most events are about something else: this is all they cost
            return
        if event in WATCHED and not stays(args[0], args[1], sends=event != "socket.connect"):
            self._forbid(f"{event} {args[1]!r}")
        elif event == "socket.getaddrinfo" and not known_here(args[0]):
            self._forbid(f"a name server was to be asked for {args[0]!r}")

    def _forbid(self, what: str) -> None:
        self.forbidden.append(what)
        raise ReachedOut(what)


def stays(sock: socket.socket, address: object, *, sends: bool) -> bool:
    """Tell whether a connection stays on this machine. sends: something goes out with it."""
    if sock.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
        return True
    host = str(address[0])
    return known_here(host) or (sock.type == socket.SOCK_DGRAM and host in NOBODYS and not sends)


def known_here(host: object) -> bool:
    """Tell whether a name or address is this machine's own, so that nobody else is asked."""
    name = host.decode() if isinstance(host, bytes) else str(host or "")
    if name in ("", "localhost", socket.gethostname()):
        return True
    try:
        address = ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
