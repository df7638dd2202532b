"""What a table tells its neighbours: all that is public, nothing else, and by itself again after every break."""

from __future__ import annotations

import json
import re
import threading
from collections import defaultdict
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi.doors import neighbours as door
from pi.errors import BadMessage, BadSettings
from pi.lamps import Lamp, lamps
from pi.neighbours import discovery
from pi.neighbours.following import PagesAway, views
from pi.neighbours.messages import OFFLINE, ONLINE, WEB_AWAY, Topics, state_messages, summary
from pi.neighbours.service import Teller, follow
from pi.neighbours.wire import Wire, password
from pi.rules import commands as ask
from pi.rules import events as happened
from pi.rules.games import RULESETS
from pi.rules.match import apply
from pi.settings import MqttSettings, check_mqtt, load_settings
from tests.builders import ONE_RUN, lock, match, start, tray
from tests.conftest import PATIENCE_S, ROOT
from tests.pi.brokers import MOSQUITTO, broker, until
from tests.rules.test_every_game import EVENTS, started
from tests.web.builders import house, served
from tests.web.test_secrecy import STORIES
from web.present import SPECTATOR, present, veil

needs_mosquitto = pytest.mark.skipif(not MOSQUITTO, reason="no mosquitto here")
TOPICS = Topics("feltside", "blue")
SEAL = re.compile(rb"[0-9a-f]{64}")


class Ear:
    """A wire that only listens to what is said."""

    def __init__(self, **settings):
        self.settings = MqttSettings(broker="here", **settings)
        self.said = []

    def keep(self, messages):
        self.said += list(messages)

    def say(self, message):
        self.said.append(message)


def public(*commands, **status):
    return present(match(*commands), SPECTATOR, status=status, seq=7)


def test_scores_turn_winner_and_lamps_are_told():
    opened = (start("Ann", "Bob"), ask.Next(0), lock(2, 3))
    told = summary(public(*opened), table="blue")
    assert told["turn"] == "Ann"
    assert told["seats"]["1"] == {
        "name": "Ann", "score": 0, "leads": False, "won": False, "locked": False, "turn": True,
    }  # fmt: skip
    assert told["seats"]["2"]["locked"] is True
    assert told["lamps"]["seat-1"] == "slow"
    assert (told["lamps"]["seat-2"], told["lamps"]["queue-1"], told["lamps"]["queue-2"]) == ("on", "on", "slow")
    over = (ask.ReadTray(tray(ONE_RUN)), lock(1, 1, at=2.0), ask.EndMatch("late"))
    told = summary(public(*opened, *over), table="blue")
    assert (told["winner"], told["phase"], told["turn"]) == ("Ann", "over", "")
    assert told["lamps"]["seat-1"] == "pulse"


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_two_evenings_that_differ_in_a_prediction_sound_alike_to_the_byte(tmp_path, story):
    said = []
    for prediction in (1, 6):
        home = house(tmp_path / str(prediction))
        home.play(*story(prediction))
        ear = Ear()
        Teller(ear, TOPICS).told(home.browser().get("/api/state").json)
        said.append(ear.said)
    assert said[0] == said[1]
    assert len(said[0]) > 15
    assert not SEAL.search(b"".join(message.payload for message in said[0])), "no seal goes out at all"


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_the_lamps_of_the_public_view_are_those_on_the_table(story):
    played = match(*story(3))
    shown = {lamp.value: pattern.value for lamp, pattern in lamps(played).items() if lamp is not Lamp.BUZZER}
    assert present(played, SPECTATOR, status={})["lamps"] == shown
    assert lamps(veil(played)) == lamps(played)


def test_home_assistant_learns_of_every_entity_once_and_under_a_name_of_its_own():
    ear = Ear()
    teller = Teller(ear, TOPICS, address="http://feltside.local/")
    teller.told(public(start("Ann", "Bob")))
    configs = {m.topic: json.loads(m.payload) for m in ear.said if m.topic.startswith("homeassistant/")}
    assert all(m.retain for m in ear.said)
    kinds = defaultdict(list)
    for topic, config in configs.items():
        component, node, entity = re.fullmatch(r"homeassistant/(\w+)/([\w-]+)/(\w+)/config", topic).groups()
        assert (node, config["unique_id"]) == ("feltside_blue", f"feltside_blue_{entity}")
        assert (config["state_topic"], config["availability_topic"]) == (TOPICS.state, TOPICS.availability)
        assert config["device"]["identifiers"] == ["feltside_blue"]
        kinds[component].append(entity)
    assert {"turn", "winner", "score_1", "score_4"} <= set(kinds["sensor"])
    assert {f"lamp_seat_{n}" for n in range(1, 5)} | {f"lamp_queue_{n}" for n in range(1, 5)} < set(
        kinds["binary_sensor"]
    )
    six = {m.topic for m in discovery.configurations(TOPICS, discovery="ha", seats=6, version="1")}
    assert "ha/sensor/feltside_blue/score_6/config" in six


TEMPLATES = {
    "turn": "Ann",
    "winner": "nobody yet",
    "score_2": "0",
    "score_3": "None",
    "lamp_seat_1": "ON",
    "lamp_queue_4": "OFF",
    "running": "ON",
    "headline": "Round 1: waiting for Ann.",
}


@pytest.mark.parametrize("entity", TEMPLATES)
def test_the_templates_say_what_they_should(entity):
    """Home Assistant's templates are Jinja's."""
    from jinja2 import Environment

    told = summary(public(start("Ann", "Bob"), ask.Next(0), lock(2, 3)), table="blue")
    found = discovery.configurations(TOPICS, discovery="ha", seats=2, version="1")
    config = next(json.loads(m.payload) for m in found if f"/{entity}/" in m.topic)
    assert Environment().from_string(config["value_template"]).render(value_json=told) == TEMPLATES[entity]
    if "json_attributes_template" in config:
        shown = Environment().from_string(config["json_attributes_template"]).render(value_json=told)
        assert isinstance(json.loads(shown), dict)


def test_a_table_whose_pages_are_away_or_stale_is_not_online():
    view = public(start("Ann", "Bob"))
    state, availability = state_messages(view, TOPICS)
    assert (json.loads(state.payload)["stale"], availability.payload) == (None, ONLINE)
    state, availability = state_messages(view | {"stale": "The table does not answer."}, TOPICS)
    assert (json.loads(state.payload)["stale"], availability.payload) == ("The table does not answer.", OFFLINE)
    ear = Ear()
    teller, stop = Teller(ear, TOPICS), threading.Event()

    def broken(pages):
        yield view
        stop.set()
        raise PagesAway("gone")

    follow(teller, "http://x", stop=stop, views=broken)
    states = [json.loads(m.payload) for m in ear.said if m.topic == TOPICS.state]
    assert [state["stale"] for state in states] == [None, WEB_AWAY]
    assert states[1]["seats"] == states[0]["seats"], "what was told last stays, marked"
    assert ear.said[-1].payload == OFFLINE


def test_one_sign_of_life_in_ten_is_passed_on_and_none_is_kept():
    ear = Ear()
    teller = Teller(ear, TOPICS)
    for _ in range(25):
        teller.told(None)
    assert [(m.topic, m.retain) for m in ear.said] == [(TOPICS.beat, False)] * 2


def test_the_pages_own_stream_is_what_is_followed(tmp_path):
    home = house(tmp_path, threads=13)  # one stream, the rest is kept for pages
    with served(home.app) as port:
        found = views(f"http://127.0.0.1:{port}")
        assert next(found)["match"] is None
        with pytest.raises(PagesAway, match="answered 503"):
            next(views(f"http://127.0.0.1:{port}/"))
        home.play(start("Ann", "Bob"))
        assert next(view for view in found if view)["players"][0]["name"] == "Ann"
        found.close()


def test_pages_that_are_not_there_say_so():
    with pytest.raises(PagesAway, match="do not answer"):
        next(views("http://127.0.0.1:9"))


# -- settings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('broker = "mqtt://home"', "not the name or address of a broker"),
        ('table = "my table"', "not a table's name"),
        ('prefix = "a/#"', "not the beginning of a topic"),
        ('prefix = ""', "not the beginning of a topic"),
        ('discovery = "+"', "not the beginning of a topic"),
        ('pages = "https://x"', "not the address of the pages"),
        ("port = 0", "out of range"),
        ('password = "x"', "no password stands in the settings"),
        ('password_file = "x"', "needs a user beside it"),
        ('brokr = "x"', "brokr"),
    ],
)
def test_settings_that_cannot_be_say_so_in_one_sentence(tmp_path, text, sentence):
    (tmp_path / "f.toml").write_text(f"[mqtt]\n{text}\n")
    with pytest.raises(BadSettings, match=sentence) as no:
        load_settings(tmp_path / "f.toml")
    assert "mqtt" in str(no.value)
    assert "f.toml" in str(no.value)


def test_off_unless_a_broker_is_named(tmp_path, capsys):
    (tmp_path / "f.toml").write_text("")
    args = door.argparse.Namespace(config=tmp_path / "f.toml", pages=None, asked=True, forget=False)
    assert door.run(args) == door.OFF
    assert "told nothing" in capsys.readouterr().err
    (tmp_path / "f.toml").write_text('[mqtt]\nbroker = "home"\n')
    assert door.run(args) == door.ON
    (tmp_path / "f.toml").write_text('[mqtt]\nbroker = "a b"\n')
    assert door.run(args) == door.WRONG, "which systemd does not take for a no"
    assert check_mqtt(MqttSettings()) == MqttSettings()
    with pytest.raises(BadMessage):
        check_mqtt(MqttSettings(broker="a b"))


def test_the_password_is_read_from_a_file_or_from_systemd(tmp_path):
    secret = tmp_path / "secret"
    settings = MqttSettings(broker="home", user="me", password_file=str(secret))
    with pytest.raises(BadSettings, match="cannot be read"):
        password(settings, {})
    secret.write_text("\n")
    with pytest.raises(BadSettings, match="is empty"):
        password(settings, {})
    secret.write_text("swordfish\n")
    assert password(settings, {}) == "swordfish"
    handed = tmp_path / "mqtt-password"
    handed.write_text("from systemd")
    assert password(settings, {"CREDENTIALS_DIRECTORY": str(tmp_path)}) == "from systemd"
    handed.write_text("")
    assert password(MqttSettings(), {"CREDENTIALS_DIRECTORY": str(tmp_path)}) is None


# -- a real broker --------------------------------------------------------------------------------------------


@pytest.fixture
def mosquitto(tmp_path):
    with broker(tmp_path) as found:
        yield found


class Heard:
    """What a subscriber of the broker has heard: topic -> (payload, how often)."""

    def __init__(self, port, **more):
        self.last = {}
        settings = MqttSettings(broker="127.0.0.1", port=port, **more)
        self.wire = Wire(settings, name="ear", wants=["#"], heard=self._hear, waits_s=(1, 1))

    def _hear(self, topic, payload):
        self.last[topic] = payload


@needs_mosquitto
def test_a_broker_that_comes_back_empty_is_told_everything_again(mosquitto):
    settings = MqttSettings(broker="127.0.0.1", port=mosquitto.port)
    heard = Heard(mosquitto.port)
    with Wire(settings, name="t", will=TOPICS.will(), waits_s=(1, 1)) as wire, heard.wire:
        assert wire.wait_up(PATIENCE_S)
        Teller(wire, TOPICS).told(public(start("Ann", "Bob")))
        until(lambda: heard.last.get(TOPICS.availability) == ONLINE and TOPICS.state in heard.last, "the state")
        mosquitto.stop()
        until(lambda: not wire.up, "the break")
        assert "does not answer" in wire.words
        Teller(wire, TOPICS).told(public(start("Cyd", "Dee")))
        heard.last.clear()
        mosquitto.start()
        until(lambda: b"Cyd" in heard.last.get(TOPICS.state, b""), "the state after the break")
        assert sum(topic.startswith("homeassistant/") for topic in heard.last) > 15
    assert wire.up is False


@needs_mosquitto
def test_going_is_said_whether_in_peace_or_not(mosquitto):
    settings = MqttSettings(broker="127.0.0.1", port=mosquitto.port)
    heard = Heard(mosquitto.port)
    with heard.wire:
        with Wire(settings, name="t", will=TOPICS.will()) as wire:
            assert wire.wait_up(PATIENCE_S)
            wire.keep(state_messages(public(start("Ann", "Bob")), TOPICS))
            until(lambda: heard.last.get(TOPICS.availability) == ONLINE, "online")
        until(lambda: heard.last.get(TOPICS.availability) == OFFLINE, "the farewell")
        with Wire(settings, name="t", will=TOPICS.will(), waits_s=(60, 60)) as wire:
            assert wire.wait_up(PATIENCE_S)
            wire.keep(state_messages(public(start("Ann", "Bob")), TOPICS))
            until(lambda: heard.last.get(TOPICS.availability) == ONLINE, "online")
            wire._client._sock.shutdown(2)  # as a pulled plug: no farewell
            until(lambda: heard.last.get(TOPICS.availability) == OFFLINE, "the last will")


def test_a_line_that_breaks_just_as_the_table_goes_stops_nobody_from_going():
    wire = Wire(MqttSettings(broker="127.0.0.1", port=1), name="t", will=TOPICS.will())
    wire._up.set()  # nobody has noticed yet that it is down
    wire.__exit__()


@needs_mosquitto
def test_two_tables_of_one_name_do_not_throw_each_other_out_for_ever(mosquitto, caplog, monkeypatch):
    monkeypatch.setattr("pi.neighbours.wire.MOST_QUICK", 1)
    settings = MqttSettings(broker="127.0.0.1", port=mosquitto.port)
    wires = [Wire(settings, name="t", waits_s=(1, 60)) for _ in range(2)]
    with wires[0], wires[1]:
        until(lambda: "a name of its own" in caplog.text, "the sentence")
        until(lambda: sum(wire.up for wire in wires) == 1, "one that stays")
        rests = next(wire for wire in wires if wire._rests_until_s)
    with rests:
        rests.tend(rests._rests_until_s)
        assert rests.wait_up(PATIENCE_S), "when the other has gone, after a rest"


@needs_mosquitto
def test_a_wrong_password_is_said_and_the_right_one_lets_in(tmp_path):
    secret = tmp_path / "secret"
    with broker(tmp_path, users={"me": "swordfish"}) as found:
        settings = MqttSettings(broker="127.0.0.1", port=found.port, user="me", password_file=str(secret))
        secret.write_text("carp")
        with Wire(settings, name="t", waits_s=(1, 1)) as wire:
            until(lambda: "Not authorized" in wire.words, "the refusal")
        secret.write_text("swordfish")
        with Wire(settings, name="t") as wire:
            assert wire.wait_up(PATIENCE_S)


def test_the_page_about_neighbours_names_every_setting_and_field():
    text = (ROOT / "pi" / "NEIGHBOURS.md").read_text()
    names = {field.name for field in fields(MqttSettings)}
    assert {name for name in names if f"`{name}`" in text} == names
    told = summary(public(start("Ann", "Bob")), table="blue")
    missing = [name for name in [*told, *told["seats"]["1"]] if f"`{name}`" not in text]
    assert missing == []


@pytest.mark.parametrize("game", RULESETS)
@settings(max_examples=30, deadline=None)
@given(events=st.lists(EVENTS, max_size=10))
def test_law_lamps_and_turn_of_the_public_view_are_the_table_s_in_every_game(game, events):
    state = apply(started(game), happened.RoundOpened(1, 0))
    for event in events:
        state = apply(state, event)
    seen = veil(state)
    assert lamps(seen) == lamps(state)
    assert seen.ruleset.movers(seen.context, seen.state) == state.ruleset.movers(state.context, state.state)
