"""What mechanisms are worth, as a table to read and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType

from appliance.evaluation.ablation.run import MAIN, Row
from appliance.evaluation.compare import sign_test
from appliance.evaluation.reports import grid

BESIDE = {"complete@10": ("any@5", "page@10")}  # figures shown beside a main one


def ablation_table(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield a table for each thing judged: a row for each mechanism, a column for each family."""
    for phase, main in MAIN.items():
        shown = [
            (sum(one.won for one in changes), sum(one.lost for one in changes), row)
            for row in rows
            if (changes := [change for change in row.changes if change.figure == main])
        ]
        if not shown:
            continue
        families = list(dict.fromkeys(change.family for *_, row in shown for change in row.changes))
        beside = BESIDE.get(main, ())
        title = f"{phase}: gain in {', '.join((main, *beside))} ({main} won:lost) with the mechanism"
        table = grid("mechanism", "lines", "ms", *families, "all", "p", title=title)
        for won, lost, row in sorted(shown, key=lambda one: one[1] - one[0]):
            cells = [_cell(row, family, (main, *beside)) for family in families]
            told = (f"{won}:{lost}", f"{sign_test(won, lost):.3f}")
            table.add_row(row.name, str(row.lines), f"{row.milliseconds:.1f}", *cells, *told)
        yield table


def _cell(row: Row, family: str, figures: Sequence[str]) -> str:
    """Return the gains in a family with the items won and lost in the first figure, "=" for none at all."""
    own = {change.figure: change for change in row.changes if change.family == family}
    changes = [own[name] for name in figures if name in own]
    if figures[0] not in own or not any(one.won or one.lost for one in changes):
        return "=" if figures[0] in own else ""
    gains = (f"{one.gain:+.3f}".replace("0.", ".") if one.won or one.lost else "=" for one in changes)
    return f"{' '.join(gains)} {changes[0].won}:{changes[0].lost}"


def ablation_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows for programs."""
    return [
        {**asdict(row), "changes": [{**asdict(one), "gain": one.gain} for one in row.changes]} for row in rows
    ]
