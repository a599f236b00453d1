"""What mechanisms are worth, as a table to read and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.table import Table as Grid

from appliance.evaluation.ablation.run import MAIN, Change, Row
from appliance.evaluation.compare import sign_test

BESIDE = {"complete@10": ("any@5", "page@10")}  # figures shown beside a main one


def ablation_table(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield a table for each thing judged: a row for each mechanism, a column for each family."""
    for phase, main in MAIN.items():
        shown = [row for row in rows if any(change.figure == main for change in row.changes)]
        if not shown:
            continue
        families = list(dict.fromkeys(change.family for row in shown for change in row.changes))
        beside = BESIDE.get(main, ())
        title = f"{phase}: gain in {', '.join((main, *beside))} ({main} won:lost) with the mechanism"
        grid = Grid("mechanism", "lines", "ms", *families, "all", "p", title=title)
        for row in sorted(shown, key=lambda row: -_split(row, main)[0] + _split(row, main)[1]):
            won, lost = _split(row, main)
            cells = [_cell(row, family, main, beside) for family in families]
            chance = f"{sign_test(won, lost):.3f}"
            grid.add_row(row.name, str(row.lines), f"{row.milliseconds:.1f}", *cells, f"{won}:{lost}", chance)
        yield grid


def _split(row: Row, figure: str) -> tuple[int, int]:
    changes = [change for change in row.changes if change.figure == figure]
    return sum(change.won for change in changes), sum(change.lost for change in changes)


def _cell(row: Row, family: str, main: str, beside: Sequence[str]) -> str:
    own = {change.figure: change for change in row.changes if change.family == family}
    if main not in own:
        return ""
    gains = [_gain(own[name]) for name in (main, *beside) if name in own]
    return (
        f"{' '.join(gains)} {own[main].won}:{own[main].lost}" if any(gain != "=" for gain in gains) else "="
    )


def _gain(change: Change) -> str:
    return f"{change.gain:+.3f}".replace("0.", ".") if change.won or change.lost else "="


def ablation_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows for programs."""
    return [
        {**asdict(row), "changes": [{**asdict(one), "gain": one.gain} for one in row.changes]} for row in rows
    ]
