"""No internet is needed and none is used (promise 15): the guard that all tests run under, and that it bites."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from tests.appliance.offline import attempts
from tests.conftest import GUARD
from tests.kit.offline import ReachedOut


@pytest.fixture
def caught():
    """Let a test reach out on purpose, and forget it afterwards."""
    yield GUARD.forbidden
    GUARD.forbidden.clear()


@pytest.mark.parametrize(
    ("family", "kind", "address"),
    [
        (socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
        (socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.99", 53)),
        (socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::1", 443, 0, 0)),
    ],
)
def test_the_guard_bites(caught, family, kind, address):
    with socket.socket(family, kind) as sock, pytest.raises(ReachedOut):
        sock.connect(address)
    assert len(caught) == 1, "and the test fails even where the error is swallowed"


def test_the_guard_bites_at_datagrams_and_questions_to_name_servers(caught):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock, pytest.raises(ReachedOut):
        sock.sendto(b"x", ("192.0.2.1", 9))
    with pytest.raises(ReachedOut):
        socket.getaddrinfo("example.org", 80)
    assert len(caught) == 2


def test_this_machine_itself_may_be_talked_to(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(tmp_path / "s"))
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with probe, suppress(OSError):  # where there is no network, there is no way
        probe.connect(("192.0.2.1", 9))  # sends nothing
    assert GUARD.forbidden == []


def test_the_trial_without_a_network_counts_what_leaves_the_machine_and_nothing_else(tmp_path):
    log = tmp_path / "x.strace"
    log.write_text(
        '7 connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.168.1.1")}, 16) = 0\n'
        "7 connect(5, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), "
        'inet_pton(AF_INET6, "2001:db8::7", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH\n'
        '7 sendto(5, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.1")}, 16) = 1\n'
        '7 connect(5, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH\n'
        '7 connect(5, {sa_family=AF_INET, sin_port=htons(8080), sin_addr=inet_addr("127.0.0.1")}, 16) = 0\n'
        '7 connect(5, {sa_family=AF_UNIX, sun_path="/run/feltside/table.sock"}, 30) = 0\n'
    )
    assert attempts(log) == {
        "connect 192.168.1.1 port 53": 1,
        "connect 2001:db8::7 port 443": 1,
        "sendto 192.0.2.1 port 9": 1,
    }
