"""Several ways to do one thing, measured in turn: whatever else the machine does meets all of them alike.

Rules of this module: processor time of this process counts, because other work does not change it;
the time by the clock is kept beside it. Each way is run once before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from appliance.evaluation.metrics import percentile


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of each round, by the processor and by the clock."""

    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    def p(self, share: float) -> float:
        """Return a percentile of the processor's milliseconds."""
        return percentile(self.processor, share)

    @property
    def said(self) -> str:
        """Return the times by the clock."""
        return f"{percentile(self.clock, 0.5):.2f} ms by the clock"


def in_turn(ways: Mapping[str, Callable[[int], object]], rounds: int) -> dict[str, Spent]:
    """Return what each way took, given the number of the round."""
    spent = {name: Spent() for name in ways}
    for work in ways.values():
        work(0)
    for number in range(rounds):
        for name, work in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            work(number)
            spent[name].processor.append((time.process_time() - processor) * 1000)
            spent[name].clock.append((time.perf_counter() - clock) * 1000)
    return spent
