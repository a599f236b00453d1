"""Two evaluations of the same questions side by side, and the gate that refuses a worse one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb

from appliance.core.errors import QualityFell
from appliance.evaluation.metrics import SHOWN, Figures, QuestionResult, figures
from appliance.evaluation.questions import QuestionReport

CUTOFF = 10
TOLERANCE = 0.01  # how far complete@10 may fall, as a share of the questions
_ROUNDING = 1e-9  # shares are sums of fractions; equal ones may differ in the last digit


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose places are all shown in only one of two evaluations; None: never all shown."""

    id: str
    question: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one evaluation to another over the questions that both asked."""

    before: Figures | None
    after: Figures | None
    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    compared: int
    chance: float

    @property
    def fall(self) -> float:
        """Return by how much complete@10 fell; negative where it rose."""
        if self.before is None or self.after is None:
            return 0.0
        return self.before.complete_10 - self.after.complete_10


def compare(before: QuestionReport, after: QuestionReport) -> Comparison:
    """Return which answerable questions became complete at 10, and which no longer are."""
    earlier = {result.id: result for result in before.questions if result.answerable}
    pairs = [(earlier[new.id], new) for new in after.questions if new.answerable and new.id in earlier]

    def turned(first: QuestionResult, second: QuestionResult) -> bool:
        return second.complete_at(CUTOFF) and not first.complete_at(CUTOFF)

    def changes(chosen: Iterable[tuple[QuestionResult, QuestionResult]]) -> tuple[Change, ...]:
        return tuple(
            Change(new.id, new.question, complete_rank(old), complete_rank(new)) for old, new in chosen
        )

    better = changes((old, new) for old, new in pairs if turned(old, new))
    worse = changes((old, new) for old, new in pairs if turned(new, old))
    return Comparison(
        before=figures([old for old, _ in pairs]),
        after=figures([new for _, new in pairs]),
        better=better,
        worse=worse,
        compared=len(pairs),
        chance=sign_test(len(better), len(worse)),
    )


def gate(before: QuestionReport, after: QuestionReport, tolerance: float = TOLERANCE) -> Comparison:
    """Return the comparison where the newer evaluation is good enough.

    Raises:
        QualityFell: complete@10 fell by more than the tolerance, or no question stands in both.
    """
    comparison = compare(before, after)
    if not comparison.compared:
        message = "The baseline and this evaluation have no answerable question in common."
        raise QualityFell(message)
    if comparison.fall > tolerance + _ROUNDING:
        lost = ", ".join(change.id for change in comparison.worse)
        message = (
            f"complete@10 fell by {comparison.fall:.3f}, more than the {tolerance:.3f} allowed. "
            f"No longer complete: {lost}."
        )
        raise QualityFell(message)
    return comparison


def sign_test(better: int, worse: int) -> float:
    """Return the chance of a split at least this uneven if both evaluations were equally good."""
    changed = better + worse
    tail = sum(comb(changed, k) for k in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / float(2**changed))


def complete_rank(result: QuestionResult) -> int | None:
    """Return the rank at which the last wanted place is shown; None where one is not shown."""
    ranks: Sequence[int | None] = [gold.ranks.get(SHOWN) for gold in result.gold]
    known = [rank for rank in ranks if rank is not None]
    return max(known) if known and len(known) == len(ranks) else None
