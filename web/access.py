"""Who may act: same-origin requests with a token, the table's PIN, and one secret link a seat.

Looking is free. The server's secret lies in the state folder, readable for its owner only; sessions and
seat links are derived from it, so nothing else needs to be stored.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
import secrets
import socket
from base64 import b32encode
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request, session

from pi.errors import BadSettings
from pi.rules.match import Match
from pi.rules.values import Seat
from web.pin import PinGuard

SECRET_BYTES = 32
MOST_BODY = 64 * 1024
"""Bytes a request may carry: forms only."""
UPLOADS = ("/history/import",)
MOST_UPLOAD = 2 * 1024 * 1024 + MOST_BODY
"""Bytes of a request that brings a file."""
SESSION_S = 24 * 3600
"""An evening and a bit: a phone that sleeps or restarts keeps its seat."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; media-src 'self'; manifest-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not 'no-referrer': browsers then send 'Origin: null' with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_MISREAD = str.maketrans("018", "olb")
"""Figures that no code has, and the letters they were taken for."""
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\Z")


def load_secret(path: Path) -> bytes:
    """Return the secret kept in a file, made (mode 0600) when there is none yet.

    Raises BadSettings for a file that is not of our making.
    """
    for _ in range(2):
        try:
            found = path.read_bytes()
        except FileNotFoundError:
            _make_secret(path)
            continue
        if len(found) == SECRET_BYTES:
            return found
        raise BadSettings(f"{path} holds {len(found)} bytes (expected {SECRET_BYTES}); remove it to make a new one")
    return path.read_bytes()


def _make_secret(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(fresh, path)  # never replaces a secret that another process has just made
        except FileExistsError:
            return
    finally:
        fresh.unlink()


def derived(secret: bytes, label: str) -> bytes:
    """Return a key for one purpose."""
    return hmac.new(secret, label.encode(), sha256).digest()


def seat_token(secret: bytes, *, match: str, seat: Seat) -> str:
    """Return a seat's secret: 20 letters and figures, 100 bits, good for one match."""
    digest = hmac.new(derived(secret, "seat"), f"{match}/{seat}".encode(), sha256).digest()
    return b32encode(digest)[:20].decode().lower()


def seat_code(secret: bytes, *, match: str, seat: Seat) -> str:
    """Return what stands behind the # of a seat's link: '2-abcd-efgh-ijkl-mnop-qrst'. People may type it."""
    token = seat_token(secret, match=match, seat=seat)
    return "-".join([str(int(seat)), *(token[n : n + 4] for n in range(0, len(token), 4))])


def host_allowed(host: str, *, also: tuple[str, ...] = ()) -> bool:
    """Tell whether a Host header names this table and not a page of somebody who rebinds names to us.

    Addresses, one-word names and `.local` names cannot be bought, so they are ours; others must be listed.
    """
    name = urlsplit(f"//{host}").hostname or ""
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        pass
    labels = name.rstrip(".").split(".")
    if not all(_LABEL.match(label) for label in labels):
        return False
    return len(labels) == 1 or labels[-1] == "local" or name in also or name == socket.getfqdn().lower()


class Access:
    """The checks every request passes, and who this one comes from."""

    def __init__(self, app: Flask, *, secret: bytes, guard: PinGuard, hosts: tuple[str, ...]) -> None:
        """Hook the checks into the app."""
        self.secret, self.guard, self._hosts = secret, guard, hosts
        app.secret_key = derived(secret, "session")
        app.config.update(
            MAX_CONTENT_LENGTH=MOST_UPLOAD,
            MAX_FORM_PARTS=200,
            SESSION_COOKIE_NAME="feltside",
            SESSION_COOKIE_HTTPONLY=True,
            SESSION_COOKIE_SAMESITE="Lax",
            SESSION_REFRESH_EACH_REQUEST=False,
            PERMANENT_SESSION_LIFETIME=SESSION_S,
        )
        app.before_request(self._check)
        app.after_request(_with_headers)

    def _check(self) -> None:
        if not host_allowed(request.host, also=self._hosts):
            abort(421, "This is not the table's name; use its address (and list the name in the settings).")
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if (request.content_length or 0) > MOST_BODY and request.path not in UPLOADS:
            abort(413, f"That is too much: a form has at most {MOST_BODY} bytes.")
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        foreign = origin is not None and urlsplit(origin).netloc != request.host
        if foreign or site not in (None, "same-origin"):
            abort(403, "That came from another page than the table's own.")
        given = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
        if not hmac.compare_digest(given.encode(), str(session.get("csrf", "")).encode()) or not given:
            abort(403, "This page is too old to act from: reload it and try again.")

    def csrf(self) -> str:
        """Return this session's token, made when it has none."""
        if "csrf" not in session:
            session["csrf"] = secrets.token_hex(16)
        return str(session["csrf"])

    def may_act(self) -> bool:
        """Tell whether this session may act for the table."""
        # The PIN's own trace is kept, not a mere yes: a changed PIN ends every session made with the old one.
        self.guard.forget()
        if self.guard.open:
            return True
        return not self.guard.unclaimed and session.get("table") == self._trace()

    def let_in(self) -> None:
        """Remember that this session knows the PIN."""
        session["table"], session.permanent = self._trace(), True

    def _trace(self) -> str:
        return derived(self.secret, f"pin {self.guard.mark}").hex()[:32]

    def seat_of(self, match: str) -> Seat | None:
        """Return the seat this session may act for in a match; None without a seat link."""
        kept = session.get("seat")
        if isinstance(kept, list) and len(kept) == 2 and kept[0] == match and isinstance(kept[1], int):
            return Seat(kept[1])
        return None

    def take_seat(self, match: str, seat: Seat) -> None:
        """Remember that this session came by a seat's link."""
        session["seat"], session.permanent = [match, int(seat)], True

    def seat_of_code(self, code: str, *, match: Match) -> Seat | None:
        """Return the seat whose code this is in a match; None for a wrong one. Blanks and dashes do not matter."""
        plain = "".join(letter for letter in code.lower() if letter.isalnum())
        seat, token = plain[:1], plain[1:].translate(_MISREAD)
        for player in match.players:
            right = seat_token(self.secret, match=match.id, seat=player.seat)
            if seat == str(int(player.seat)) and hmac.compare_digest(token.encode(), right.encode()):
                return player.seat
        return None


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response
