"""Lamps and buzzer on their pins: one thread keeps every rhythm, and the first step shows at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pi.lamps import RHYTHM, STEP_S, Lamp, Pattern, lit


class Output(Protocol):
    """What a lamp needs of gpiozero's DigitalOutputDevice."""

    value: int
    """1 lit, 0 dark."""


class Lights:
    """Shows patterns on outputs. A lamp whose pin fails is passed over from then on, and named."""

    def __init__(self, outputs: Mapping[Lamp, Output], *, wait: Callable[[float], bool] | None = None) -> None:
        """Keep the outputs, all dark; `begin` starts the rhythm. wait: for tests; tells when to end."""
        self._outputs: dict[Lamp, Any] = dict(outputs)
        self._patterns: dict[Lamp, Pattern] = {}
        self._began: dict[Lamp, int] = {}
        self._step = 0
        self._failed: dict[Lamp, str] = {}
        self._guard, self._moving, self._ended = threading.Lock(), threading.Event(), threading.Event()
        self._wait = wait or self._ended.wait
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True)

    @property
    def failed(self) -> Mapping[Lamp, str]:
        """The lamps that could not be driven, and why."""
        return dict(self._failed)

    def begin(self) -> None:
        """Start the rhythm."""
        self._thread.start()

    def end(self, *, wait_s: float) -> None:
        """Stop the rhythm and put everything out."""
        self._ended.set()
        self._moving.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)
        self.show(dict.fromkeys(self._outputs, Pattern.OFF))

    def show(self, patterns: Mapping[Lamp, Pattern]) -> None:
        """Let each lamp do what it says, at once; a lamp this board does not have is passed over."""
        with self._guard:
            for lamp, pattern in patterns.items():
                if lamp in self._outputs and self._patterns.get(lamp) is not pattern:
                    self._patterns[lamp], self._began[lamp] = pattern, self._step
                    self._set(lamp, lit(pattern, 0))
            if any(len(RHYTHM[pattern]) > 1 for pattern in self._patterns.values()):
                self._moving.set()
            else:
                self._moving.clear()

    def tick(self) -> None:
        """Go one step on."""
        with self._guard:
            self._step += 1
            for lamp, pattern in self._patterns.items():
                if len(RHYTHM[pattern]) > 1:
                    self._set(lamp, lit(pattern, self._step - self._began[lamp]))

    def _set(self, lamp: Lamp, on: bool) -> None:
        if lamp in self._failed:
            return
        try:
            self._outputs[lamp].value = int(on)
        except Exception as no:
            # gpiozero's errors and lgpio's have no common parent; a lamp must not stop the referee.
            self._failed[lamp] = f"{type(no).__name__}: {no}"

    def _run(self) -> None:
        while not self._ended.is_set():
            self._moving.wait()
            if not self._wait(STEP_S):
                self.tick()
