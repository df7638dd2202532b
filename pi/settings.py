"""One TOML file, checked at the door into frozen values; errors name the path within it and the file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from pi.errors import BadMessage, BadSettings
from pi.rules.codec import from_json
from pi.rules.queueing import PadMode

T = TypeVar("T")
PINS = range(2, 28)
"""BCM numbers on a Pi's header that are free to use; 0 and 1 belong to the HAT's identification."""
RESERVED = (0, 1)
SHARED: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("I2C", (2, 3), "dtparam=i2c_arm=off"),
    ("SPI", (7, 8, 9, 10, 11), "dtparam=spi=off"),
    ("the serial console", (14, 15), "enable_uart=0"),
)
"""(what else the header's pins may be used for, BCM numbers, the line in config.txt that frees them)."""
PULLED_UP = range(2, 9)
"""BCM numbers that are pulled up until our program starts: a lamp there glows while the Pi boots."""
SEATS = 4


class PanelKind(Enum):
    """What is wired to the table's edge."""

    BOARD = "board"
    """Buttons and lamps on a Pi's GPIO header."""
    NONE = "none"
    """Nothing: phones and the tablet are the pads."""


class CameraKind(Enum):
    """Where frames come from."""

    PICAMERA2 = "picamera2"
    """A Pi's own camera."""
    USB = "usb"
    """A V4L2 camera, by its number."""
    FOLDER = "folder"
    """A folder of pictures, in the order of their names."""
    SIMULATED = "simulated"
    """A tray drawn by ourselves."""
    NONE = "none"
    """None: the tray is typed in or counted by hand."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Times the referee works with; the file says milliseconds and seconds."""

    tie_ms: float = 1.0
    """Two pads' lock-ins this close are a tie (the board's published bound)."""
    phone_ms: float = 50.0
    """The same for a phone: its time is when the table received it."""
    grace_ms: float = 5.0
    """How long the referee waits for an earlier edge that arrives late, before it acts on a later one."""
    camera_away_s: float = 3.0
    """A watcher silent for this long: the camera counts as away, play goes on by hand."""
    watcher_hang_s: float = 20.0
    """A watcher silent for this long hangs: it is killed and started again."""

    @property
    def tie_bound_ns(self) -> int:
        """The pads' tie bound in nanoseconds."""
        return round(self.tie_ms * 1e6)

    @property
    def phone_bound_ns(self) -> int:
        """The phones' tie bound in nanoseconds."""
        return round(self.phone_ms * 1e6)

    @property
    def grace_ns(self) -> int:
        """The wait for late edges in nanoseconds."""
        return round(self.grace_ms * 1e6)

    @property
    def camera_away_ns(self) -> int:
        """Silence after which the camera counts as away, in nanoseconds."""
        return round(self.camera_away_s * 1e9)

    @property
    def watcher_hang_ns(self) -> int:
        """Silence after which the watcher is killed, in nanoseconds."""
        return round(self.watcher_hang_s * 1e9)


@dataclass(frozen=True, slots=True)
class SeatPins:
    """The BCM pins of one seat's pad: `[seats.2]` in the file."""

    one: int
    two: int
    four: int
    lock: int
    lamp: int
    plug: int | None = None
    """A wire that the pad's plug joins to ground, so that an unplugged pad is named; None: it cannot be told."""


SEAT_PINS: dict[int, SeatPins] = {
    1: SeatPins(one=2, two=3, four=4, lock=17, lamp=27),
    2: SeatPins(one=5, two=10, four=9, lock=11, lamp=22),
    3: SeatPins(one=14, two=15, four=18, lock=23, lamp=24),
    4: SeatPins(one=25, two=8, four=7, lock=12, lamp=16),
}
"""The board as we draw it: all 26 free lines of the header."""


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """The board of buttons and lamps: `[panel]` in the file, its pads in `[seats.1]` to `[seats.4]`.

    A file with pads of its own names the whole board: a button or lamp that it leaves out is not there.
    """

    kind: PanelKind = PanelKind.BOARD
    mode: PadMode = PadMode.KEYS
    lockout_ms: float = 20.0
    """After its first edge a contact is deaf for this long (debounce)."""
    next: int | None = 6
    """BCM pin of the START/NEXT button; None when there is none."""
    queue: tuple[int, ...] = (13, 19, 26, 20)
    """BCM pins of the queue lamps, first place first."""
    buzzer: int | None = 21
    seats: Mapping[int, SeatPins] = field(default_factory=lambda: dict(SEAT_PINS))
    """Seat number -> its pins; a seat that is missing plays with a phone."""

    @property
    def lockout_ns(self) -> int:
        """The debounce time in nanoseconds."""
        return round(self.lockout_ms * 1e6)

    def pins(self) -> Iterator[tuple[str, int]]:
        """Yield (path in the file, BCM pin) of every pin in use."""
        for seat, pins in self.seats.items():
            for name in ("one", "two", "four", "lock", "lamp", "plug"):
                if (pin := getattr(pins, name)) is not None:
                    yield f"seats/{seat}/{name}", pin
        yield from ((f"panel/queue/{i}", pin) for i, pin in enumerate(self.queue))
        single = {"panel/next": self.next, "panel/buzzer": self.buzzer}
        yield from ((path, pin) for path, pin in single.items() if pin is not None)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The eye: `[camera]` in the file."""

    kind: CameraKind = CameraKind.PICAMERA2
    size: tuple[int, int] = (1280, 960)
    """(width, height) in pixels."""
    fps: float = 10.0
    """Frames per second asked for."""
    device: int = 0
    """Number of the camera (`usb`: /dev/video<n>; `picamera2`: as libcamera counts)."""
    folder: str = ""
    """Where the pictures lie (`folder` only)."""
    stall_s: float = 5.0
    """A camera that gives no frame for this long is given up: the watcher ends and is started again."""
    seed: int = 0
    """Chance of the drawn trays (`simulated` only)."""
    hurried: bool = False
    """Draw the laying of tiles without waiting between frames (`simulated` only)."""
    by_match: bool = True
    """Drawn trays differ from match to match (`simulated` only)."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The pages: `[web]` in the file."""

    host: str = "0.0.0.0"
    port: int = 8080
    threads: int = 64
    """Workers; each open scoreboard holds one."""
    pin: str = ""
    """What the table page asks before it acts; empty: the first visit sets it; 'open': it asks nothing."""
    folder: str = ""
    """Where the web keeps what only it may know (its secret, the PIN); empty: in the state folder."""
    hosts: tuple[str, ...] = ()
    """Names of this table besides its addresses, one-word names and `.local` names."""


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """What the neighbours hear: `[mqtt]` in the file. Nothing unless a broker is named."""

    broker: str = ""
    """Name or address of the MQTT broker; empty: off."""
    port: int = 1883
    user: str = ""
    password_file: str = ""
    """File with nothing in it but the password; the settings themselves hold none."""
    tls: bool = False
    ca_file: str = ""
    """Certificates to trust with `tls`; empty: the system's."""
    table: str = ""
    """This table's name among its neighbours, each its own; empty: the computer's name."""
    prefix: str = "feltside"
    """First part of every topic."""
    discovery: str = "homeassistant"
    """Where Home Assistant looks for new devices; empty: it is told nothing."""
    pages: str = ""
    """Where this table's pages are; empty: on this machine, at [web]'s port."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    state: Path
    """Folder of the journal, the evidence and the socket."""
    table: TableSettings = field(default_factory=TableSettings)
    panel: PanelSettings = field(default_factory=PanelSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    web: WebSettings = field(default_factory=WebSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    run: Path | None = None
    """Folder in memory for what need not survive (socket, live picture, spare journal); None: the state folder."""
    file: Path | None = None
    """Where these settings were read; None for the defaults."""
    fault: str = ""
    """Why that file does not hold, when these are the settings of safe mode (`pi.rescue`); empty: they hold."""

    @property
    def journal(self) -> Path:
        """The SQLite file with every match."""
        return self.state / "feltside.sqlite"

    @property
    def socket(self) -> Path:
        """The Unix socket at which the table listens."""
        return (self.run or self.state) / "table.sock"

    @property
    def evidence(self) -> Path:
        """Folder of the pictures behind the readings."""
        return self.state / "evidence"

    @property
    def web_folder(self) -> Path:
        """Folder of the web's own secrets."""
        return Path(self.web.folder) if self.web.folder else self.state

    @property
    def live(self) -> Path:
        """The latest small camera picture."""
        return (self.run or self.state) / "live.jpg"

    @property
    def spare(self) -> Path | None:
        """The journal in memory for a card that takes no writes; None where there is no such folder."""
        return self.run / "spare.sqlite" if self.run else None


def default_state(environ: Mapping[str, str]) -> Path:
    """Return the state folder: systemd's $STATE_DIRECTORY (its first), else one in the home folder."""
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(given) if given else Path.home() / ".local" / "state" / "feltside"


def simulated(settings: Settings) -> Settings:
    """Return the settings of the same table without hardware: a board (of mock pins) and a drawn tray.

    A folder of pictures needs no hardware and stays the camera.
    """
    settings = replace(settings, panel=replace(settings.panel, kind=PanelKind.BOARD))
    if settings.camera.kind is CameraKind.FOLDER:
        return settings
    return replace(settings, camera=replace(settings.camera, kind=CameraKind.SIMULATED))


def load_settings(
    path: Path | None = None,
    *,
    state: Path | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Settings:
    """Return the settings of a TOML file; the defaults when `path` is None.

    state: stands above the file's own (the command line's --state). Raises BadSettings, naming the path
    within the file and the file, for anything unknown, of a wrong kind, out of range or used twice.
    """
    if path is None:
        return Settings(state=state or default_state(environ))
    try:
        return replace(_checked(_parsed(path), path, environ, state), file=path)
    except BadMessage as no:
        raise BadSettings(f"{no}, in {path}") from None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as no:
        raise BadSettings(f"the settings cannot be read: {no.strerror or no}, at {path}") from None
    except UnicodeDecodeError:
        raise BadSettings(f"the settings are not UTF-8 text, at {path}") from None
    except tomllib.TOMLDecodeError as no:
        raise BadSettings(f"the settings are not TOML: {no}, in {path}") from None


def _checked(raw: dict[str, Any], path: Path, environ: Mapping[str, str], given: Path | None) -> Settings:
    known = ("state", "run", "table", "panel", "seats", "camera", "web", "mqtt")
    for name in raw:
        if name not in known:
            raise BadMessage(f"unknown section {name!r} (expected {', '.join(known)}), at {name}")
    settings = Settings(
        # (Asked last: a service's passing user has no home at all.)
        state=given or _folder(raw.get("state"), path, "state") or default_state(environ),
        run=_folder(raw.get("run"), path, "run"),
        table=_section(TableSettings, raw, "table"),
        panel=_panel(raw),
        camera=_camera(raw, path),
        web=_section(WebSettings, raw, "web"),
        mqtt=_mqtt(raw, path),
    )
    _check_pins(settings.panel)
    _check_ranges(settings)
    return settings


def _section(kind: type[T], raw: Mapping[str, Any], name: str) -> T:
    return from_json(kind, raw.get(name, {}), where=name)


def _folder(folder: object, path: Path, name: str) -> Path | None:
    if folder is None:
        return None
    if not isinstance(folder, str) or not folder:
        raise BadMessage(f"{folder!r} is not a folder's name, at {name}")
    # A relative folder is meant beside the file that names it, wherever the program was started.
    return path.parent / Path(folder).expanduser()


def _camera(raw: Mapping[str, Any], path: Path) -> CameraSettings:
    camera = _section(CameraSettings, raw, "camera")
    if camera.kind is CameraKind.FOLDER and not camera.folder:
        raise BadMessage("a camera of the kind 'folder' needs its folder, at camera/folder")
    if not camera.folder:
        return camera
    return replace(camera, folder=str(path.parent / Path(camera.folder).expanduser()))


def _mqtt(raw: Mapping[str, Any], path: Path) -> MqttSettings:
    given = raw.get("mqtt", {})
    if isinstance(given, dict) and "password" in given:
        raise BadMessage("no password stands in the settings (expected password_file, a file of its own), at mqtt")
    mqtt = check_mqtt(_section(MqttSettings, raw, "mqtt"))
    return replace(mqtt, password_file=_beside(path, mqtt.password_file), ca_file=_beside(path, mqtt.ca_file))


def _beside(path: Path, name: str) -> str:
    return str(path.parent / Path(name).expanduser()) if name else ""


def check_mqtt(mqtt: MqttSettings) -> MqttSettings:
    """Return the settings when they hold; raises BadMessage with one sentence when not."""
    for name, lawful, what in _MQTT_NAMES:
        if not lawful.fullmatch(value := getattr(mqtt, name)):
            raise BadMessage(f"{value!r} is not {what}, at mqtt/{name}")
    if mqtt.password_file and not mqtt.user:
        raise BadMessage("a password needs a user beside it, at mqtt/user")
    if not 1 <= mqtt.port <= 65535:
        raise BadMessage(f"{mqtt.port} is out of range (expected 1 to 65535), at mqtt/port")
    return mqtt


_MQTT_NAMES = (
    ("broker", re.compile(r"[^\s/]*"), "the name or address of a broker (expected no scheme, path or blank)"),
    ("table", re.compile(r"[A-Za-z0-9_-]{0,40}"), "a table's name (expected letters, digits, - and _)"),
    ("prefix", re.compile(r"[^\s+#$/][^\s+#]*(?<!/)"), "the beginning of a topic (expected no +, # or blank)"),
    ("discovery", re.compile(r"([^\s+#$/][^\s+#]*(?<!/))?"), "the beginning of a topic (expected no +, # or blank)"),
    ("pages", re.compile(r"(http://[^\s/]+/?)?"), "the address of the pages (expected http://host:port)"),
)
"""(setting, what it may be, what it is)."""


def _panel(raw: Mapping[str, Any]) -> PanelSettings:
    own = dict(raw.get("panel", {})) if isinstance(raw.get("panel", {}), dict) else raw["panel"]
    if isinstance(own, dict) and "seats" in own:
        raise BadMessage("the pads have sections of their own (expected [seats.1]), at panel/seats")
    if "seats" not in raw:
        return from_json(PanelSettings, own, where="panel")
    # Who draws a board of their own names all of it: what they leave out is not there.
    nothing: dict[str, Any] = {"next": None, "queue": [], "buzzer": None}
    panel = from_json(PanelSettings, {**nothing, **own} if isinstance(own, dict) else own, where="panel")
    if not isinstance(raw["seats"], dict):
        raise BadMessage("the pads are sections (expected [seats.1] to [seats.4]), at seats")
    return replace(panel, seats=dict(sorted(_seat(name, table) for name, table in raw["seats"].items())))


def _seat(name: str, table: object) -> tuple[int, SeatPins]:
    if name not in {str(n) for n in range(1, SEATS + 1)}:
        raise BadMessage(f"seat {name} is not at this table (expected 1-{SEATS}), at seats/{name}")
    return int(name), from_json(SeatPins, table, where=f"seats/{name}")


def _check_pins(panel: PanelSettings) -> None:
    if len(panel.queue) > SEATS:
        raise BadMessage(f"{len(panel.queue)} queue lamps (expected at most {SEATS}), at panel/queue")
    if (lines := len(list(panel.pins()))) > len(PINS):
        raise BadMessage(f"{lines} GPIO lines are asked for (the header has {len(PINS)} free ones), at panel")
    taken: dict[int, str] = {}
    for path, pin in panel.pins():
        if pin in RESERVED:
            raise BadMessage(f"BCM pin {pin} is reserved for the HAT's identification (I2C-ID), at {path}")
        if pin not in PINS:
            raise BadMessage(f"{pin} is not a free BCM pin (expected {PINS.start} to {PINS.stop - 1}), at {path}")
        if pin in taken:
            raise BadMessage(f"BCM pin {pin} is used twice (already by {taken[pin]}), at {path}")
        taken[pin] = path


def pin_notes(panel: PanelSettings) -> tuple[str, ...]:
    """Return what to mind about a lawful pin map, one sentence each: pins that something else may claim."""
    paths = {pin: path for path, pin in panel.pins()}
    notes = []
    for what, pins, cure in SHARED:
        if ours := [pin for pin in pins if pin in paths]:
            where = ", ".join(f"{pin} ({paths[pin]})" for pin in ours)
            notes.append(f"{what[:1].upper()}{what[1:]} must be off ({cure} in config.txt): BCM pins {where}.")
    for pin, path in paths.items():
        if pin in PULLED_UP and (path.endswith("/lamp") or path.startswith(("panel/queue", "panel/buzzer"))):
            notes.append(f"The lamp on BCM pin {pin} ({path}) glows while the Pi boots; a pin from 9 on does not.")
    return tuple(notes)


def _check_ranges(settings: Settings) -> None:
    width, height = settings.camera.size
    ranges: tuple[tuple[str, float, float, float], ...] = (
        ("table/tie_ms", settings.table.tie_ms, 0, 1000),
        ("table/phone_ms", settings.table.phone_ms, 0, 5000),
        ("table/grace_ms", settings.table.grace_ms, 0, 1000),
        ("table/camera_away_s", settings.table.camera_away_s, 0.1, 3600),
        ("table/watcher_hang_s", settings.table.watcher_hang_s, 1, 3600),
        ("panel/lockout_ms", settings.panel.lockout_ms, 0, 1000),
        ("camera/size/0", width, 160, 8192),
        ("camera/size/1", height, 120, 8192),
        ("camera/fps", settings.camera.fps, 0.1, 240),
        ("camera/device", settings.camera.device, 0, 99),
        ("camera/stall_s", settings.camera.stall_s, 0.5, 3600),
        ("camera/seed", settings.camera.seed, 0, 2**63 - 1),
        ("web/port", settings.web.port, 0, 65535),
        ("web/threads", settings.web.threads, 4, 1000),
    )
    for path, value, least, most in ranges:
        if not least <= value <= most:
            raise BadMessage(f"{value} is out of range (expected {least} to {most}), at {path}")
