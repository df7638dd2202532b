"""The line to a broker: paho-mqtt, which reconnects by itself with back-off; here its settings and its sentences."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from pi.errors import BadSettings
from pi.neighbours.messages import Message
from pi.settings import MqttSettings

LOG = logging.getLogger("feltside.mqtt")
KEEPALIVE_S = 15
"""The broker takes a client that is silent for one and a half times this for gone, and speaks its last will."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1, 60
"""Before the broker is tried again; doubled each time."""
SAID = 0
"""MQTT_ERR_SUCCESS of paho-mqtt, which a table without a broker does not load."""
TAKEN_OVER = 142
"""MQTT 5's reason when another client has come under our name. Not every broker gives it."""
QUICK_S, MOST_QUICK = 10.0, 3
"""So many lines in a row that break this soon after they opened mean the same."""
CREDENTIAL = "mqtt-password"
"""The file's name in $CREDENTIALS_DIRECTORY, where systemd puts it for the service."""


def password(settings: MqttSettings, environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the password; None when there is none. It is read from a file and stands nowhere else.

    Raises BadSettings for a file that is named and cannot be read, or is empty.
    """
    given = environ.get("CREDENTIALS_DIRECTORY")
    handed = Path(given) / CREDENTIAL if given else None
    if handed and handed.is_file() and (text := handed.read_text().strip()):
        return text
    if not settings.password_file:
        return None
    try:
        text = Path(settings.password_file).read_text().strip()
    except OSError as no:
        raise BadSettings(
            f"the password cannot be read: {no.strerror}, at mqtt/password_file {settings.password_file}"
        ) from None
    if not text:
        raise BadSettings(f"the file is empty (expected one password), at mqtt/password_file {settings.password_file}")
    return text


class Wire:
    """A line that is kept up: `with Wire(...) as wire`. What is `kept` is said again after every break."""

    def __init__(
        self,
        settings: MqttSettings,
        *,
        name: str,
        will: Message | None = None,
        wants: Iterable[str] = (),
        heard: Callable[[str, bytes], None] = lambda topic, payload: None,
        opened: Callable[[], None] = lambda: None,
        waits_s: tuple[int, int] = (FIRST_WAIT_S, LONGEST_WAIT_S),
    ) -> None:
        """Keep what is needed; nothing is opened yet.

        name: no other client of this broker may have it. wants: topics to hear. heard: called with (topic, payload),
        and opened whenever the broker answers (again), both on the line's own thread. waits_s: the shortest and
        longest pause before the broker is tried again.
        """
        self.settings, self._name, self._will = settings, name, will
        self._wants, self._heard, self._opened, self._waits_s = tuple(wants), heard, opened, waits_s
        self._kept: dict[str, Message] = {}
        self._lock = threading.RLock()
        self._up = threading.Event()
        self._why = "not tried yet"
        self._rests_until_s = 0.0
        self._opened_s, self._quick = 0.0, 0
        self._going = False
        self._client = self._made()

    @property
    def up(self) -> bool:
        """Whether the broker answers."""
        return self._up.is_set()

    @property
    def words(self) -> str:
        """How the line is, in one sentence."""
        where = f"{self.settings.broker}:{self.settings.port}"
        return f"The broker {where} answers." if self.up else f"The broker {where} does not answer ({self._why})."

    def wait_up(self, timeout_s: float) -> bool:
        """Wait until the broker answers; False when it did not in time."""
        return self._up.wait(timeout_s)

    def __enter__(self) -> Self:
        """Begin to connect, in the background."""
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        """Say the last will (going is no accident, so the broker will not) and hang up."""
        self._going = True
        if self._will and self.up:
            said = self._client.publish(self._will.topic, self._will.payload, qos=1, retain=True)
            # Where the line breaks at this very moment the broker says the last will itself.
            if said.rc == SAID:
                said.wait_for_publish(2.0)
        self._client.disconnect()
        self._client.loop_stop()
        if left := self._client.socket():  # paho leaves it open when the line broke at this very moment
            left.close()

    def keep(self, messages: Iterable[Message]) -> None:
        """Say what is new of some retained messages; while the line is down they wait, the latest of each topic."""
        with self._lock:
            for message in messages:
                if self._kept.get(message.topic) != message:
                    self._kept[message.topic] = message
                    self._say(message)

    def say(self, message: Message) -> None:
        """Say something once, if the line is up."""
        with self._lock:
            self._say(message, qos=0)

    def tend(self, now_s: float | None = None) -> None:
        """Come back after a rest; to be called now and then. now_s: monotonic."""
        now_s = time.monotonic() if now_s is None else now_s
        if self._rests_until_s and now_s >= self._rests_until_s:
            self._rests_until_s = 0.0
            self._client.loop_stop()
            self._begin()

    def _made(self) -> Any:
        try:
            from paho.mqtt import client as paho
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError:
            raise BadSettings("paho-mqtt is not installed (expected: pip install 'feltside[mqtt]')") from None

        made = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=self._name, protocol=paho.MQTTv5, reconnect_on_failure=True
        )
        if self.settings.user:
            made.username_pw_set(self.settings.user, password(self.settings))
        if self.settings.tls:
            try:
                made.tls_set(ca_certs=self.settings.ca_file or None)
            except OSError as no:
                raise BadSettings(f"the certificates cannot be used ({no}), at mqtt/ca_file") from None
        if self._will:
            made.will_set(self._will.topic, self._will.payload, qos=1, retain=True)
        made.reconnect_delay_set(*self._waits_s)
        made.on_connect, made.on_disconnect = self._connected, self._disconnected
        made.on_connect_fail, made.on_message = self._failed, self._message
        return made

    def _begin(self) -> None:
        self._going = False
        self._client = self._made()  # a new one each time: paho leaves files open when one is begun twice
        self._client.connect_async(self.settings.broker, self.settings.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()

    def _say(self, message: Message, *, qos: int = 1) -> None:
        if self.up:
            self._client.publish(message.topic, message.payload, qos=qos, retain=message.retain)

    # -- called by paho, on its thread ----------------------------------------------------------------

    def _connected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._down(str(reason))
            return
        with self._lock:
            self._opened_s = time.monotonic()
            self._opened()
            self._up.set()
            LOG.info("%s", self.words)
            for topic in self._wants:
                client.subscribe(topic, qos=1)
            # A broker that was started anew has forgotten everything, and one that was not may have spoken our will.
            for message in self._kept.values():
                self._say(message)

    def _disconnected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if not self.up:  # it was refused, and why has been said
            return
        self._down(str(reason))
        if self._going:
            return
        now_s = time.monotonic()
        self._quick = self._quick + 1 if now_s - self._opened_s < QUICK_S else 0
        if reason.value == TAKEN_OVER or self._quick >= MOST_QUICK:
            # Coming back at once would throw the other one out, and so on for ever.
            LOG.error("the broker drops %s for another: give each table a name of its own, at mqtt/table", self._name)
            self._quick, self._rests_until_s = 0, now_s + self._waits_s[1]
            client.disconnect()

    def _failed(self, client: Any, userdata: Any) -> None:
        self._down("it cannot be reached")

    def _down(self, why: str) -> None:
        said = self._up.is_set() or why != self._why
        self._up.clear()
        self._why = why
        if said:
            LOG.warning("%s", self.words)

    def _message(self, client: Any, userdata: Any, message: Any) -> None:
        self._heard(message.topic, message.payload)
