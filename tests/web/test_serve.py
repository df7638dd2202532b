"""The service itself: where it listens, and what it does about clients that vanish."""

from __future__ import annotations

import argparse
import logging
import socket
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from pi.errors import BadSettings
from tests.builders import start
from tests.web.builders import end, house, served
from web import serve


def test_a_port_that_is_taken_is_named(tmp_path):
    app = house(tmp_path).app
    with served(app) as port, pytest.raises(BadSettings, match=f"cannot listen on 127.0.0.1 port {port}"):
        serve.make_server(app, host="127.0.0.1", port=port, threads=4)


def test_clients_that_acknowledge_nothing_lose_their_worker(tmp_path):
    server = serve.make_server(house(tmp_path).app, host="127.0.0.1", port=0, threads=4)
    try:
        option = (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, serve.SILENT_CLIENT_MS)
        assert option in server.adj.socket_options
        assert server.adj.send_bytes == 1, "events leave at once"
    finally:
        end(server)


def test_no_address_is_logged(tmp_path, caplog, capfd):
    """Neither waitress nor we keep an access log; should somebody add one, no secret stands in any address."""
    home = house(tmp_path)
    home.play(start())
    with caplog.at_level(logging.DEBUG), served(home.app) as port:
        for path in ("/", "/seat", "/history/m1", "/nowhere"):
            with suppress(HTTPError), urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                answer.read()
    assert [record for record in caplog.records if "/nowhere" in record.getMessage()] == []
    assert capfd.readouterr().err == ""


def test_what_waitress_says_of_a_page_that_failed_or_was_given_up_names_no_address(caplog, tmp_path):
    end(serve.make_server(house(tmp_path).app, host="127.0.0.1", port=0, threads=4))
    log = logging.getLogger("waitress")
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        log.info("Client disconnected while serving %s" % "/seat/secret")  # noqa: UP031 - as waitress forms it
        log.error("Exception while serving %s", "/seat/sec\nret")
        log.warning("Task queue depth is 3")
    assert [record.getMessage() for record in caplog.records] == [
        "Client disconnected while serving a page",
        "Exception while serving a page",
        "Task queue depth is 3",
    ]


def test_the_options_of_the_service():
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    args = parser.parse_args(["--host", "127.0.0.1", "--port", "0", "--state", "here", "--config", "f.toml"])
    assert (args.host, args.port, str(args.state), str(args.config)) == ("127.0.0.1", 0, "here", "f.toml")


def test_a_folder_without_a_usable_secret_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "web-secret").write_bytes(b"short")
    args = argparse.Namespace(host="127.0.0.1", port=0, state=tmp_path, config=None)
    with pytest.raises(BadSettings, match="5 bytes"):
        serve.run(args)
