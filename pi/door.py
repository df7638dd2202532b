"""The table's Unix socket: one line of JSON in, one answer out; subscribers are told "look again".

One thread serves every client with sockets that never block, and nobody else touches them: the referee
leaves answers and news in a queue and goes on. A client that does not read is dropped, one that writes
rubbish is told so. Nothing of a command's content is ever logged here.
"""

from __future__ import annotations

import logging
import os
import selectors
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any

from pi.errors import BadMessage, BadSettings
from pi.inbox import HEARTBEAT_S, LONGEST_LINE, Answer, Inbox, answer_json, expected, read_line, write_line
from pi.stamps import Stamps, status_of

LOG = logging.getLogger("feltside.door")
MOST_CLIENTS = 128
SLOW_S = 10.0
"""A client that takes nothing for this long is dropped."""
PressHook = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Presses a simulated pad: the fields of {"press": {...}} in, the answer's fields out."""
_LONGEST_PATH = 107  # sockaddr_un: 108 bytes with the closing zero


@dataclass(slots=True, eq=False)
class _Client:
    """One connection."""

    number: int
    sock: socket.socket
    inward: bytearray = field(default_factory=bytearray)
    outward: bytearray = field(default_factory=bytearray)
    waits: bool = False
    """An answer is owed; further lines of this client rest until it is given."""
    subscribed: bool = False
    behind: bool = False
    """News came while older news was still on its way; the latest follows it."""
    leaving: bool = False
    """Close once everything is sent."""
    stuck_since: float | None = None
    """Since when the client takes nothing of what waits for it."""


class Door:
    """Serves the socket; `run` on a thread of its own."""

    def __init__(
        self,
        path: Path,
        inbox: Inbox,
        *,
        stamps: Stamps,
        press: PressHook | None = None,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the socket, taking the place of a dead table's.

        The caller holds the state folder's lock, so nobody alive serves there. press: only in simulation.
        """
        self._inbox, self._stamps, self._press, self._monotonic_s = inbox, stamps, press, monotonic_s
        self.path, self._listener = path, _listening(path)
        self._selector = selectors.DefaultSelector()
        self._ear, self._bell = socket.socketpair()
        for end in (self._ear, self._bell):
            end.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._ear, selectors.EVENT_READ)
        self._clients: dict[int, _Client] = {}
        self._count = 0
        self._posts: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._news = b""
        self._beat_at = monotonic_s() + HEARTBEAT_S
        self._open = True

    def publish(self, news: Mapping[str, Any]) -> None:
        """Tell every subscriber, now or when it is ready for it; callable from any thread, never blocks."""
        self._post(partial(self._spread, write_line(news)))

    def stop(self) -> None:
        """Let `run` come to an end; callable from any thread."""
        self._post(self._shut)

    def run(self, *, turned: Callable[[], None] = lambda: None) -> None:
        """Serve until stopped. turned: called at every turn, at least once a second."""
        while self._open:
            turned()
            self.turn(timeout_s=max(0.0, min(1.0, self._beat_at - self._monotonic_s())))

    def turn(self, *, timeout_s: float) -> None:
        """Wait for something to do, at most `timeout_s`, and do it."""
        for key, mask in self._selector.select(timeout_s):
            if key.fileobj is self._listener:
                self._accept()
            elif key.fileobj is self._ear:
                with suppress(BlockingIOError):
                    self._ear.recv(4096)
            elif key.data.number in self._clients:
                self._serve(key.data, mask)
        self._do_posts()
        self._beat()

    def close(self) -> None:
        """Hang up on everybody and take the socket away."""
        for client in list(self._clients.values()):
            self._drop(client)
        self._selector.close()
        for end in (self._listener, self._ear, self._bell):
            end.close()
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Door:
        """Return the door itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # -- from other threads ---------------------------------------------------------------------------

    def _post(self, job: Callable[[], None]) -> None:
        self._posts.put(job)
        # A full pipe means that the door is being rung already; a closed one that nobody is in.
        with suppress(BlockingIOError, OSError):
            self._bell.send(b"!")

    def _do_posts(self) -> None:
        while True:
            try:
                job = self._posts.get_nowait()
            except Empty:
                return
            job()

    def _shut(self) -> None:
        self._open = False

    # -- clients --------------------------------------------------------------------------------------

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except OSError as no:
            LOG.warning("a client could not be let in: %s", no.strerror)
            return
        if len(self._clients) >= MOST_CLIENTS:
            LOG.warning("a client was turned away: %d are here already", MOST_CLIENTS)
            sock.close()
            return
        sock.setblocking(False)
        self._count += 1
        client = _Client(self._count, sock)
        self._clients[client.number] = client
        self._selector.register(sock, selectors.EVENT_READ, client)

    def _serve(self, client: _Client, mask: int) -> None:
        try:
            if mask & selectors.EVENT_WRITE:
                self._flush(client)
            if mask & selectors.EVENT_READ and client.number in self._clients:
                self._read(client)
        except OSError:
            self._drop(client)

    def _read(self, client: _Client) -> None:
        chunk = client.sock.recv(65536)
        if not chunk:
            self._heard_all(client)
            return
        client.inward += chunk
        self._next_line(client)

    def _heard_all(self, client: _Client) -> None:
        """The client will send no more; it still gets the answers it is owed."""
        if client.subscribed or not (client.waits or client.outward):
            self._drop(client)
            return
        client.leaving = True
        self._listen(client)

    def _next_line(self, client: _Client) -> None:
        while not client.waits and not client.leaving and (end := client.inward.find(b"\n")) >= 0:
            line = bytes(client.inward[:end])
            del client.inward[: end + 1]
            self._line(client, line)
        if b"\n" not in client.inward and len(client.inward) > LONGEST_LINE:
            client.inward.clear()
            client.leaving = True
            self._say(client, {"error": f"a line is longer than {LONGEST_LINE} bytes"})
        self._listen(client)

    def _line(self, client: _Client, line: bytes) -> None:
        if len(line) > LONGEST_LINE:
            client.leaving = True
            self._say(client, {"error": f"a line is longer than {LONGEST_LINE} bytes"})
            return
        try:
            self._request(client, read_line(line))
        except BadMessage as no:
            self._say(client, {"error": str(no)})

    def _request(self, client: _Client, data: dict[str, Any]) -> None:
        if "command" in data:
            client.waits = True
            try:
                asked, expect = expected(data)
                command, at_ns = self._stamps.command(asked)
            except BadMessage:
                client.waits = False
                raise
            self._inbox.put(command, at_ns=at_ns, reply=partial(self._answer, client.number), expect=expect)
        elif set(data) == {"status"}:
            self._inbox.put(status_of(data["status"]), at_ns=self._stamps.clock.now_ns())
            self._say(client, {"ok": True})
        elif data == {"subscribe": True}:
            client.subscribed = True
            if self._news:
                self._say_raw(client, self._news)
        elif set(data) == {"press"} and isinstance(data["press"], dict):
            self._say(client, self._pressed(data["press"]))
        else:
            raise BadMessage("this asks for nothing (expected command, status, subscribe or press)")

    def _pressed(self, press: dict[str, Any]) -> Mapping[str, Any]:
        if self._press is None:
            raise BadMessage("pads are pressed by hand here (only a simulated table has fingers)")
        return self._press(press)

    # -- answers and news -----------------------------------------------------------------------------

    def _answer(self, number: int, answer: Answer) -> None:
        """Leave the referee's answer for a client (called on the referee's thread)."""
        line = write_line(answer_json(answer))
        self._post(partial(self._hand_over, number, line))

    def _hand_over(self, number: int, line: bytes) -> None:
        client = self._clients.get(number)
        if client is None:
            return
        client.waits = False
        self._say_raw(client, line)
        if number in self._clients:
            self._next_line(client)

    def _spread(self, line: bytes) -> None:
        self._news = line
        self._beat_at = self._monotonic_s() + HEARTBEAT_S
        for client in [c for c in self._clients.values() if c.subscribed]:
            # Never a backlog: whoever is still busy with older news gets only the latest after it.
            if client.outward:
                client.behind = True
            else:
                self._say_raw(client, line)

    def _beat(self) -> None:
        now = self._monotonic_s()
        if now >= self._beat_at and self._news:
            self._spread(self._news)
        for client in list(self._clients.values()):
            if client.stuck_since is not None and now - client.stuck_since > SLOW_S:
                LOG.warning("a client was dropped: it read nothing for %.0f s", SLOW_S)
                self._drop(client)

    def _say(self, client: _Client, data: Mapping[str, Any]) -> None:
        self._say_raw(client, write_line(data))

    def _say_raw(self, client: _Client, line: bytes) -> None:
        client.outward += line
        try:
            self._flush(client)
        except OSError:
            self._drop(client)

    def _flush(self, client: _Client) -> None:
        while client.outward:
            try:
                sent = client.sock.send(client.outward)
            except BlockingIOError:
                break
            del client.outward[:sent]
            client.stuck_since = None
            if not client.outward and client.behind:
                client.behind = False
                client.outward += self._news
        if client.outward and client.stuck_since is None:
            client.stuck_since = self._monotonic_s()
        if not client.outward and client.leaving:
            self._drop(client)
            return
        self._listen(client)

    def _listen(self, client: _Client) -> None:
        """Ask to be woken for exactly what this client may do next."""
        if client.number not in self._clients:
            return
        # A client with an unanswered command or unread answers is not read from: its pipe fills, not us.
        full = len(client.inward) > LONGEST_LINE or len(client.outward) > LONGEST_LINE
        mask = selectors.EVENT_WRITE if client.outward else 0
        if not full and not client.leaving:
            mask |= selectors.EVENT_READ
        if client.sock not in self._selector.get_map():
            if mask:
                self._selector.register(client.sock, mask, client)
        elif mask:
            self._selector.modify(client.sock, mask, client)
        else:
            self._selector.unregister(client.sock)

    def _drop(self, client: _Client) -> None:
        if self._clients.pop(client.number, None) is None:
            return
        if client.sock in self._selector.get_map():
            self._selector.unregister(client.sock)
        client.sock.close()


def _listening(path: Path) -> socket.socket:
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise BadSettings(f"the socket's path is too long (expected at most {_LONGEST_PATH} bytes), at {path}")
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o660)
    listener.listen(64)
    listener.setblocking(False)
    return listener
