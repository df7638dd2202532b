"""The bench of the board in a process of its own, over the fake chip: `bench_child STEP TRIALS [stress]`."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext

from pi.bench_panel import Rig, report, stress
from pi.rules.queueing import TIE_BOUND_NS
from pi.settings import PanelSettings


def main() -> None:
    step, trials = sys.argv[1], int(sys.argv[2])
    said: list[str] = []
    with stress() if "stress" in sys.argv else nullcontext(), Rig(PanelSettings()) as rig:
        holds = report(step, rig, trials=trials, bound_ns=TIE_BOUND_NS, say=said.append)
    print(json.dumps({"holds": holds, "said": said}), flush=True)


if __name__ == "__main__":
    main()
