"""The figures of written answers as tables for people, beside the answers without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from appliance.evaluation.answers import Cost, Judged, Pair, cost, four_way, share


def answers_tables(pairs: Sequence[Pair]) -> Iterator[Table]:
    """Yield the quality of both kinds of answers, then what the model did and cost."""
    plain, written = [pair.plain for pair in pairs], [pair.written for pair in pairs]
    table = Table("", "without a model", "with the model", title=f"{len(pairs)} questions")
    for name, field in (
        ("value said or quoted", "value"),
        ("value in a confirmed statement", "stated"),
        ("all needed places shown", "complete"),
    ):
        table.add_row(name, _share(plain, field), _share(written, field))
    sides = four_way(pairs, lambda pair: pair.plain), four_way(pairs, lambda pair: pair.written)
    for name, field in (
        ("answered, and it is there", "answered"),
        ("said not found, and it is there", "missed"),
        ("answered, and it is not there", "invented"),
        ("said not found, and it is not there", "refused"),
        ("failed", "failed"),
    ):
        table.add_row(name, *(str(getattr(side, field)) for side in sides))
    yield table
    yield _cost(cost(pairs))


def _share(judged: Sequence[Judged], field: str) -> str:
    return _figure(share(getattr(item, field) for item in judged))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _cost(total: Cost) -> Table:
    table = Table("the model", "", title="What it did and cost")
    for name, value in (
        ("questions that it was asked", str(total.asked)),
        ("of these it failed, came to no end, or could not be asked", str(total.failed)),
        ("of these with a confirmed statement", str(total.wrote)),
        ("statements", str(total.statements)),
        ("share of them confirmed", _figure(total.confirmed)),
        ("value in its own confirmed statements", _figure(total.value)),
        ("all needed places cited by them", _figure(total.complete)),
        ("tokens read anew, each question", f"{total.fresh_tokens:.0f}"),
        ("tokens restored", f"{total.restored_tokens:.0f}"),
        ("tokens written", f"{total.written_tokens:.0f}"),
        ("seconds to the first token of the answer (median)", f"{total.first_seconds:.1f}"),
        ("seconds of one question (median)", f"{total.seconds:.1f}"),
    ):
        table.add_row(name, value)
    for notice, count in total.notices:
        table.add_row(escape(notice), str(count))
    return table
